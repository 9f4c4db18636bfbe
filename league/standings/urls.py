"""Addresses of pages about seasons."""

from django.urls import path

from league.standings import views

urlpatterns = [path("seasons/<slug:slug>/", views.season, name="season")]
