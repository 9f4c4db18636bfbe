from django.urls import path

from league.standings import api

urlpatterns = [
    path("seasons/<slug:slug>/standings/", api.StandingList.as_view(), name="api_standings")
]
