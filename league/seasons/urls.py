"""Addresses of pages about clubs and their seasons."""

from django.urls import path

from league.seasons import views

urlpatterns = [path("clubs/<slug:slug>/", views.club, name="club")]
