"""What people say at a table: stored, told to everybody there, and nothing of the match changes.

A room of the writer: it begins no transaction and raises `Refused`. What is said is text and stays
text: whoever shows it escapes it.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from league.accounts.models import Player, User
from tables import bans, broadcast
from tables.limits import Bucket
from tables.models import Phrase, Saying, Table
from tables.protocol import Command
from tables.refusals import Refused
from tables.scene import require

LATEST = 50
AT_ONCE, A_SECOND = 5, 1 / 3
LOOK_BACK = timedelta(seconds=60)
"""A bucket that stood untouched for so long is full again, four times over."""


def say(*, table: Table, user: User | None, seat: int | None, command: Command) -> Saying:
    """Write down what somebody at the table says, and tell everybody once it is committed.

    The same command again is the same saying. Raises `Refused` chat_off, not_seated, no_player,
    banned, duplicate_id, no_such_phrase, too_much_said.
    """
    require(table.chat, "chat_off")
    player = _speaker(table, user, seat)
    known = Saying.objects.filter(table=table, command_id=command.id).first()
    if known is not None:
        require(known.player_id == player.pk, "duplicate_id")
        return known
    bans.require_may_speak(player, table)
    require(not command.phrase or command.phrase in Phrase.values, "no_such_phrase")
    now = timezone.now()
    require(_may_say_more(player, now), "too_much_said")
    saying = Saying.objects.create(
        table=table,
        player=player,
        seat=seat,
        command_id=command.id,
        text=command.text,
        phrase=command.phrase,
        said_at=now,
    )
    _tell(saying)
    return saying


def _speaker(table: Table, user: User | None, seat: int | None) -> Player:
    """Return who speaks, locked: somebody seated, or an organizer; spectators only read."""
    organizer = user is not None and user.has_perm("tables.start_table", table)
    require(seat is not None or organizer, "not_seated")
    player = Player.objects.select_for_update(no_key=True).filter(user=user).first()
    if player is None:
        raise Refused("no_player")
    return player


def _may_say_more(player: Player, now: datetime) -> bool:
    """Tell whether the person, at whichever tables, keeps to 5 at once and 1 in 3 seconds."""
    bucket = Bucket(AT_ONCE, A_SECOND)
    lately = Saying.objects.filter(player=player, said_at__gt=now - LOOK_BACK)
    for moment in lately.order_by("said_at").values_list("said_at", flat=True):
        bucket.take(moment.timestamp())
    return bucket.take(now.timestamp())


def _tell(saying: Saying) -> None:
    said = broadcast.Said(saying.table_id, {"say": saying_json(saying)})
    transaction.on_commit(lambda: broadcast.publish(said), robust=True)


def latest(table: Table) -> list[dict[str, Any]]:
    """Return what was said last at a table, in order; nothing where the chat is off."""
    if not table.chat:
        return []
    return [saying_json(each) for each in reversed(_newest(table)[:LATEST])]


def _newest(table: Table) -> QuerySet[Saying]:
    return Saying.objects.filter(table=table).select_related("player").order_by("-pk")


def saying_json(saying: Saying) -> dict[str, Any]:
    """Return a saying as frames carry it; `at` in epoch milliseconds."""
    what = {"phrase": saying.phrase} if saying.phrase else {"text": saying.text}
    return {
        "id": str(saying.command_id),
        "seat": saying.seat,
        "player": {"id": saying.player_id, "name": saying.player.name},
        **what,
        "at": int(saying.said_at.timestamp() * 1000),
    }


def phrase_words() -> dict[str, str]:
    """Return the phrases in the reader's language, in the order in which they are offered."""
    return {phrase.value: str(phrase.label) for phrase in Phrase}
