"""Addresses of pages about players' accounts."""

from django.urls import path

from league.ledger import views

urlpatterns = [path("players/<int:pk>/", views.player, name="player")]
