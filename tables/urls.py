"""Addresses of pages with live tables on them."""

from django.urls import path

from tables import views

urlpatterns = [
    path("", views.home, name="home"),
    path("tournaments/<int:pk>/", views.tournament, name="tournament"),
    path("tables/<int:pk>/", views.table, name="table"),
    path("tables/new/", views.friendly_new, name="friendly-new"),
    path("t/<slug:code>/", views.invitation, name="invitation"),
    path("matches/<int:pk>/replay/", views.replay, name="replay"),
    path("api/protocol/", views.protocol, name="protocol"),
]
