from django.urls import path

from league.ledger import api

urlpatterns = [path("players/<int:pk>/statement/", api.Statement.as_view(), name="api_statement")]
