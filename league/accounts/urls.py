"""Logging in and out, the password, and the language. Accounts are made by organizers."""

from allauth.account import views as allauth
from django.urls import path

from league.accounts import views

urlpatterns = [
    path("accounts/login/", allauth.login, name="account_login"),
    path("accounts/logout/", allauth.logout, name="account_logout"),
    path("accounts/inactive/", allauth.account_inactive, name="account_inactive"),
    path("accounts/password/change/", allauth.password_change, name="account_change_password"),
    path("i18n/setlang/", views.language_set, name="set_language"),
]
