"""Addresses of pages with live tables on them."""

from django.urls import path

from tables import views

urlpatterns = [
    path("", views.home, name="home"),
    path("tournaments/<int:pk>/", views.tournament, name="tournament"),
    path("tables/<int:pk>/", views.table, name="table"),
]
