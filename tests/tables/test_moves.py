"""The short way for a move does what `command_execute` does, and leaves all else to it."""

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import F
from django.test import Client
from django.utils import timezone
from rest_framework.authtoken.models import Token

from engine.match import MatchState, Phase, apply, legal_actions
from league.accounts.models import User
from tables import broadcast, moves, pools
from tables.answers import Answer
from tables.models import Pause, Table, TableEvent
from tables.position import Change
from tables.protocol import Command, canonical, digest
from tables.selectors import state_from_events
from tables.services import command_execute
from tables.tickets import Ticket
from tests.factories import build_user
from tests.tables.builders import (
    build_table,
    move,
    other_action,
    play_until,
    player_at,
    start,
    state_of,
    ticket_of,
    view_at,
)
from tests.waiting import until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> list[Change]:
    """What the short way published."""
    changes: list[Change] = []
    monkeypatch.setattr(broadcast, "publish_from_loop", changes.append)
    return changes


@pytest.fixture
def table(published: list[Change]) -> Table:
    table = build_table()
    start(table)
    return table


def try_move(table: Table, ticket: Ticket, wish: Command) -> Answer | None:
    """Take the short way on a loop of its own."""

    async def run() -> Answer | None:
        try:
            return await moves.move_try(table_id=table.pk, ticket=ticket, command=wish)
        finally:
            await pools.close()

    return asyncio.run(run())


def next_move(table: Table) -> tuple[Ticket, Command]:
    """The first move that the seat on turn may make."""
    state = state_of(table)
    assert state.turn is not None
    return ticket_of(player_at(table, state.turn)), move(legal_actions(state)[0], table.version)


def frames_of(change: Change) -> list[dict[str, Any]]:
    """The frames of the seats, then that of all others."""
    message = broadcast.message_of(change)
    return [json.loads(frame["text"]) for frame in (*message["frames"], message["watched"])]


def stands(table: Table) -> tuple[int, int, Any]:
    """What a move would change."""
    table.refresh_from_db()
    return table.version, TableEvent.objects.filter(table=table).count(), table.snapshot


def test_a_hand_by_the_short_way_is_stored_as_it_is_told(
    table: Table, published: list[Change]
) -> None:
    while state_of(table).phase is Phase.PLAY:
        ticket, wish = next_move(table)
        assert try_move(table, ticket, wish) == Answer(wish.id, version=table.version + 1)
        stored = json.loads(json.dumps([view_at(table, seat) for seat in (0, 1, 2, 3, None)]))
        for told, view in zip(frames_of(published[-1]), stored, strict=True):
            assert told["view"] == view
        frame = broadcast.message_of(published[-1])["watched"]
        assert frame["hash"] == digest(canonical(json.loads(frame["text"])["view"]))
    assert len(published) > 10
    assert state_from_events(table) == state_of(table)


def test_both_ways_write_the_same(published: list[Change]) -> None:
    """The same secret and moves, each by its own way: events, seats and state are alike."""
    written = []
    for short in (True, False):
        table = build_table()
        start(table)
        for _ in range(4):
            ticket, wish = next_move(table)
            if short:
                assert try_move(table, ticket, wish) is not None
            else:
                assert command_execute(table_id=table.pk, ticket=ticket, command=wish).version
        written.append(_written(table))
    assert written[0] == written[1]
    assert len(published) == 4


def _written(table: Table) -> list[Any]:
    table.refresh_from_db()
    events = TableEvent.objects.filter(table=table).order_by("seq")
    payloads = [{**event.payload, "by": event.seat} for event in events]
    seats = table.seats.order_by("seat").values_list("bank_ms", "auto_moves", "ready")
    assert table.deadline_at is not None
    return [payloads, list(seats), table.snapshot, table.version, table.turn_left_ms]


def test_time_beyond_the_moves_own_is_taken_from_the_bank(published: list[Change]) -> None:
    table = build_table()
    start(table)
    turn = state_of(table).turn
    assert turn is not None
    left = timezone.now() + timedelta(seconds=20)
    Table.objects.filter(pk=table.pk).update(deadline_at=left, bank_seconds=60)
    table.seats.update(bank_ms=60_000, auto_moves=2)
    assert try_move(table, *next_move(table)) is not None
    own, *others = sorted(table.seats.all(), key=lambda seat: seat.seat != turn)
    assert 1_000 < own.bank_ms <= 20_000
    assert own.auto_moves == 0
    assert {(seat.bank_ms, seat.auto_moves) for seat in others} == {(60_000, 2)}


Left = tuple[Ticket, Command]


def stale(table: Table) -> Left:
    ticket, wish = next_move(table)
    return ticket, replace(wish, v=table.version - 1)


def done_before(table: Table) -> Left:
    ticket, wish = next_move(table)
    assert command_execute(table_id=table.pk, ticket=ticket, command=wish).version
    state_of(table)
    return ticket, replace(wish, v=table.version)


def of_another_seat(table: Table) -> Left:
    turn = state_of(table).turn
    assert turn is not None
    return ticket_of(player_at(table, (turn + 1) % 4)), next_move(table)[1]


def not_allowed(table: Table) -> Left:
    state = state_of(table)
    return next_move(table)[0], move(other_action(state), table.version)


def of_nobody_here(table: Table) -> Left:
    return Ticket(build_user().pk), next_move(table)[1]


def by_a_token_that_is_gone(table: Table) -> Left:
    ticket, wish = next_move(table)
    return Ticket(ticket.user_id, token="0" * 40), wish


def by_a_session_that_is_gone(table: Table) -> Left:
    ticket, wish = next_move(table)
    return Ticket(ticket.user_id, session="a" * 32), wish


def of_a_closed_account(table: Table) -> Left:
    ticket, wish = next_move(table)
    User.objects.filter(pk=ticket.user_id).update(is_active=False)
    return ticket, wish


def while_paused(table: Table) -> Left:
    Table.objects.filter(pk=table.pk).update(pause=Pause.MANAGER)
    return next_move(table)


def watched_with_a_delay(table: Table) -> Left:
    Table.objects.filter(pk=table.pk).update(watch_delay=3)
    return next_move(table)


def the_last_of_the_match(table: Table) -> Left:
    def ends(state: MatchState) -> bool:
        if state.phase is not Phase.PLAY:
            return False
        return apply(state, legal_actions(state)[0]).state.phase is Phase.OVER

    play_until(table, ends)
    return next_move(table)


@pytest.mark.parametrize(
    "arrange",
    [
        stale,
        done_before,
        of_another_seat,
        not_allowed,
        of_nobody_here,
        by_a_token_that_is_gone,
        by_a_session_that_is_gone,
        of_a_closed_account,
        while_paused,
        watched_with_a_delay,
        the_last_of_the_match,
    ],
)
def test_whatever_is_no_plain_move_is_left_alone(
    table: Table, published: list[Change], arrange: Callable[[Table], Left]
) -> None:
    ticket, wish = arrange(table)
    before = stands(table)
    assert try_move(table, ticket, wish) is None
    assert stands(table) == before
    assert published == []


def test_a_token_and_a_session_that_stand_are_good_enough(
    table: Table, published: list[Change], client: Client
) -> None:
    for kind in ("token", "session"):
        ticket, wish = next_move(table)
        user = User.objects.get(pk=ticket.user_id)
        client.force_login(user)
        key = Token.objects.create(user=user).key if kind == "token" else client.session.session_key
        named = Ticket(user.pk, **{kind: str(key)})
        assert try_move(table, named, wish) is not None
    assert len(published) == 2


def test_a_new_password_ends_a_session(table: Table, client: Client) -> None:
    ticket, wish = next_move(table)
    user = User.objects.get(pk=ticket.user_id)
    client.force_login(user)
    user.set_password("another one altogether")
    user.save()
    named = Ticket(user.pk, session=str(client.session.session_key))
    assert try_move(table, named, wish) is None


def test_a_command_that_comes_ten_times_at_once_is_done_once(
    table: Table, published: list[Change]
) -> None:
    ticket, wish = next_move(table)

    async def run() -> list[Answer | None]:
        tries = [moves.move_try(table_id=table.pk, ticket=ticket, command=wish) for _ in range(10)]
        try:
            return await asyncio.gather(*tries)
        finally:
            await pools.close()

    answers = asyncio.run(run())
    assert [answer for answer in answers if answer] == [Answer(wish.id, version=table.version + 1)]
    assert len(published) == 1


def test_a_table_that_is_not_there_is_left_to_the_other_way(published: list[Change]) -> None:
    table = build_table()
    start(table)
    ticket, wish = next_move(table)
    assert try_move(Table(pk=table.pk + 1_000), ticket, wish) is None


@pytest.mark.parametrize("change", [{"version": F("version") + 1}, {"deadline_at": None}])
def test_what_changed_since_it_was_read_is_not_written_over(
    table: Table, published: list[Change], change: dict[str, Any]
) -> None:
    """Somebody else's change is committed while the move's one statement waits for it."""
    ticket, wish = next_move(table)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            Table.objects.filter(pk=table.pk).update(**change)
            trying = pool.submit(try_move, table, ticket, wish)
            until(somebody_waits)
        assert trying.result() is None
    assert published == []
    assert not TableEvent.objects.filter(command_id=wish.id).exists()


def somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
        return bool(cursor.fetchone()[0])
