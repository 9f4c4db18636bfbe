"""What people and the clock do at a table in tests, each as one step."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from engine.match import Phase
from league.accounts.models import Player
from tables.answers import Answer
from tables.models import Table
from tables.services import command_execute, table_timeout
from tests.factories import build_user
from tests.tables.builders import (
    build_table,
    come,
    command,
    go,
    play_one,
    play_until,
    player_at,
    start,
    ticket_of,
    view_at,
)


def playing(**terms: Any) -> Table:
    """A table of four in the middle of the first hand; everybody is connected."""
    table = build_table(**terms)
    start(table)
    come(table)
    for _move in range(3):
        play_one(table)
    table.refresh_from_db()
    return table


def newcomer() -> Player:
    """Somebody who has never been here."""
    return build_user().player


def organizer() -> Player:
    """Somebody who may decide."""
    return build_user(is_superuser=True).player


def ask(table: Table, player: Player, do: str, **more: Any) -> Answer:
    """Execute a command for anybody."""
    order = command(do, **more)
    answer = command_execute(table_id=table.pk, ticket=ticket_of(player), command=order)
    table.refresh_from_db()
    return answer


def leave(table: Table, seat: int) -> Player:
    """Let a seat's player leave at the price the view names; return who it was."""
    player = player_at(table, seat)
    price = view_at(table, seat)["table"]["price"]
    assert ask(table, player, "leave", price=price).version is not None
    return player


def time_is_up(table: Table) -> None:
    """Let the clock do what the table waits for."""
    Table.objects.filter(pk=table.pk).update(deadline_at=timezone.now())
    table.refresh_from_db()
    assert table_timeout(table_id=table.pk, version=table.version)
    table.refresh_from_db()


def drop(table: Table, seat: int) -> Player:
    """Play on until it is a seat's turn, cut its connection and let its time be spent."""
    play_until(table, lambda state: state.phase is Phase.PLAY and state.turn == seat)
    player = player_at(table, seat)
    go(table, player)
    time_is_up(table)
    assert table.seats.get(seat=seat).dropped_at is not None
    return player


def take_over(table: Table, seat: int, player: Player | None = None) -> Player:
    """Let somebody sit down in an empty seat, and the manager press *Continue*."""
    player = player or newcomer()
    assert ask(table, player, "sit", seat=seat).version is not None
    go_on(table)
    return player


def go_on(table: Table) -> None:
    """Let the manager press *Continue*."""
    manager = view_at(table, None)["table"]["manager"]
    assert ask(table, player_at(table, manager), "continue").version is not None
    assert not table.stands_still


def time_left(table: Table) -> timedelta:
    """Return how long it is until the clock acts."""
    assert table.deadline_at is not None
    return table.deadline_at - timezone.now()
