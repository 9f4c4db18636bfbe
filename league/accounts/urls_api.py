from django.urls import path

from league.accounts import api

urlpatterns = [path("token/", api.TokenCreate.as_view(), name="api_token")]
