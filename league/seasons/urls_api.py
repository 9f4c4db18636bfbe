from django.urls import path

from league.seasons import api

urlpatterns = [path("seasons/", api.SeasonList.as_view(), name="api_seasons")]
