"""Reads of people."""

from django.http import HttpRequest

from league.accounts.models import Player, User


def player_of(request: HttpRequest) -> Player | None:
    """Return the player of whoever is logged in, if there is one."""
    return getattr(request.user, "player", None) if isinstance(request.user, User) else None
