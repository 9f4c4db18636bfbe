"""Logins that are shown once, at a first start."""

import secrets

from league.accounts.models import User
from league.console.news import Login

RESET = "A new password: python manage.py changepassword NAME (passwords are shown only once)."


def new_password() -> str:
    """Return a password that nobody guesses."""
    return secrets.token_urlsafe(12)


def password_renew(*, user: User, role: str) -> Login:
    """Give a user a new password, because the last one was never shown to anybody."""
    password = new_password()
    user.set_password(password)
    user.save(update_fields=["password"])
    return Login(role=role, username=user.username, password=password)
