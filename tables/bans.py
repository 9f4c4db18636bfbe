"""Bans at tables: who may not sit down, speak or look on there.

A match under way may be finished by who sits in it, so there only the chat stops (rules.md).
Reads only; what a ban or a log-out sets off stands in `listeners`.
"""

import hashlib

from django.utils import timezone

from league.accounts.models import Player
from league.conduct.policy import Place
from league.conduct.selectors import ban_on, bans_shown, chat_ban_on
from league.conduct.wording import own_chat_text, own_text
from league.tournaments.models import Fixture
from tables.models import Table, TableStatus
from tables.refusals import Banned


def place_of(table: Table) -> Place:
    """Return what holds a table; nothing does a friendly one."""
    if table.match.fixture_id is None:
        return Place()
    stage = "round__stage__tournament"
    names = (f"{stage}__season__club_id", f"{stage}__season_id", f"{stage}_id")
    return Place(*Fixture.objects.values_list(*names).get(pk=table.match.fixture_id))


def require_may_sit(player: Player, place: Place) -> None:
    """Refuse who is banned there. Raises `Banned`.

    The player's row is locked: a ban is either there before, or comes after.
    """
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    ban = ban_on(player, place, timezone.now())
    if ban is not None:
        raise Banned(own_text(ban))


def require_may_speak(player: Player, table: Table) -> None:
    """Refuse who is banned from the chat, or from the place, wherever they sit. Raises `Banned`."""
    ban = chat_ban_on(player, place_of(table), timezone.now())
    if ban is not None:
        raise Banned(own_chat_text(ban))


def shut_out(table_id: int, player_id: int | None) -> bool:
    """Tell whether a ban keeps a player's sockets from a table: not from a match of their own."""
    if player_id is None:
        return False
    player = Player.objects.filter(pk=player_id).first()
    if player is None or not bans_shown(player, timezone.now()).exists():
        return False  # as nearly always: no table is read
    table = Table.objects.select_related("match").get(pk=table_id)
    plays = table.status == TableStatus.PLAYING and table.seats.filter(player=player).exists()
    return not plays and ban_on(player, place_of(table), timezone.now()) is not None


# --- whose sockets


def user_group(user_id: int) -> str:
    """Return the channel group of all sockets that an account opened."""
    return f"user.{user_id}"


def session_mark(key: str) -> str:
    """Return what names a session to who knows its key, and tells nobody the key."""
    return hashlib.sha256(key.encode()).hexdigest()
