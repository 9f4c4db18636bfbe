"""Reads of people: finding players by the way a name sounds to a keyboard."""

from django.db.models import QuerySet

from league.accounts.models import Player
from league.shared.folding import search_key


def players_found(text: str) -> QuerySet[Player]:
    """Return the players whose name holds `text`, marks and case aside; all of them for none."""
    return Player.objects.filter(search_key__contains=search_key(text))
