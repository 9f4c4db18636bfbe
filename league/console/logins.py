"""Logins that are shown once, at a first start."""

import secrets
import shlex
import sys
from pathlib import Path

from league.accounts.models import User
from league.console.news import Login
from league.shared.datadir import data_dir, usual_data_dir


def reset_hint() -> str:
    """Say how a new password is set here: a line to copy, for this interpreter and directory."""
    python = Path(sys.executable)
    if python.is_relative_to(Path.cwd()):
        python = python.relative_to(Path.cwd())
    data = data_dir()
    where = "" if data == usual_data_dir() else f"AYAZ_DATA={shlex.quote(str(data))} "
    command = f"{where}{shlex.quote(str(python))} manage.py changepassword NAME"
    return f"Passwords are shown only once. A new one: {command}"


def new_password() -> str:
    """Return a password that nobody guesses."""
    return secrets.token_urlsafe(12)


def password_renew(*, user: User, role: str) -> Login:
    """Give a user a new password, because the last one was never shown to anybody."""
    password = new_password()
    user.set_password(password)
    user.save(update_fields=["password"])
    return Login(role=role, username=user.username, password=password)
