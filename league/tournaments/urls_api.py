from django.urls import path

from league.tournaments import api

urlpatterns = [
    path("seasons/<slug:slug>/tournaments/", api.TournamentList.as_view(), name="api_tournaments")
]
