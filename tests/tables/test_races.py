"""Two at once at one table: whoever comes second is refused, and everything happens once."""

import threading
from collections.abc import Callable

import pytest
from django.db import transaction
from django.utils import timezone

from engine.match import legal_actions
from league.accounts.models import Player
from league.ledger.models import Posting
from league.results.models import How, Stint
from league.settlement.verification import ledger_faults
from tables import services
from tables.answers import Answer
from tables.models import Table, TableEvent
from tables.protocol import Command
from tables.services import command_execute, table_timeout
from tests.at_once import together
from tests.tables.acting import drop, leave, newcomer, playing
from tests.tables.builders import (
    build_table,
    come,
    command,
    go,
    move,
    player_at,
    state_of,
    ticket_of,
)

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 4
"""Each race is run so often: the two do not always meet in the same order."""


def asks(table: Table, player: Player, order: Command) -> Callable[[], Answer]:
    """Return the job of sending a command."""
    ticket, table_id = ticket_of(player), table.pk
    return lambda: command_execute(table_id=table_id, ticket=ticket, command=order)


def times_out(table: Table) -> Callable[[], bool]:
    """Let the table's time be up; return the job of the clock."""
    Table.objects.filter(pk=table.pk).update(deadline_at=timezone.now())
    table.refresh_from_db()
    table_id, version = table.pk, table.version
    return lambda: table_timeout(table_id=table_id, version=version)


def codes(outcomes: list[object]) -> list[str]:
    """Return the codes of answers; whatever was raised fails the test."""
    found = []
    for outcome in outcomes:
        assert isinstance(outcome, Answer), outcome
        found.append(outcome.code)
    return found


def holds(table: Table) -> None:
    """Check what holds after any race: versions, holders, open stints, the ledger."""
    table.refresh_from_db()
    numbers = TableEvent.objects.filter(table=table).values_list("seq", flat=True)
    assert list(numbers) == list(range(1, table.version + 1))
    for seat in table.seats.all():
        open_stints = list(table.match.stints.filter(seat=seat.seat, left__isnull=True))
        assert [stint.player_id for stint in open_stints] == (
            [seat.player_id] if seat.player_id or seat.bot else []
        )
    assert list(ledger_faults()) == []


def on_turn(table: Table) -> int:
    turn = state_of(table).turn
    assert turn is not None
    return turn


def test_speaking_waits_for_nobody_who_works_on_the_table() -> None:
    """Who speaks holds a player's row and refers to the table; *Start* takes both the other way."""
    table = build_table()
    speak, said = asks(table, player_at(table, 0), command("say", text="Salam")), threading.Event()

    def work() -> bool:
        with transaction.atomic():
            services._tables_to_lock().get(pk=table.pk)
            locked.set()
            return said.wait(10)

    def say() -> Answer:
        assert locked.wait(10)
        answer = speak()
        said.set()
        return answer

    locked = threading.Event()
    went_on, answer = together(work, say)
    assert (went_on, answer.code) == (True, "")


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_two_substitutes_for_one_seat(_round: int) -> None:
    table = playing()
    leave(table, 1)
    jobs = [asks(table, newcomer(), command("sit", seat=1)) for _ in range(3)]
    assert sorted(codes(together(*jobs))) == ["", "seat_taken", "seat_taken"]
    assert Stint.objects.filter(match=table.match, how=How.SUBSTITUTE).count() == 1
    holds(table)


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_a_substitute_against_who_comes_back(_round: int) -> None:
    table = playing()
    dropped = drop(table, on_turn(table))
    jobs = [asks(table, each, command("sit")) for each in (dropped, newcomer())]
    mine, theirs = codes(together(*jobs))
    assert (mine == "") is not (theirs == "")
    assert theirs in {"", "no_empty_seat"}
    assert mine in {"", "no_empty_seat"}
    holds(table)


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_one_person_for_two_seats(_round: int) -> None:
    table = playing()
    leave(table, 1)
    leave(table, 2)
    player = newcomer()
    jobs = [asks(table, player, command("sit", seat=seat)) for seat in (1, 2)]
    assert sorted(codes(together(*jobs))) == ["", "already_sat"]
    holds(table)


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_one_person_for_seats_at_two_tables(_round: int) -> None:
    tables, player = [playing(), playing()], newcomer()
    for table in tables:
        leave(table, 1)
    jobs = [asks(table, player, command("sit", seat=1)) for table in tables]
    assert sorted(codes(together(*jobs))) == ["", "plays_elsewhere"]
    for table in tables:
        holds(table)


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_leaving_against_a_move_of_the_same_person(_round: int) -> None:
    table = playing()
    seat, version = on_turn(table), table.version
    player = player_at(table, seat)
    action = legal_actions(state_of(table))[0]
    jobs = [
        asks(table, player, command("leave", price=6)),
        asks(table, player, move(action, version)),
    ]
    left, moved = codes(together(*jobs))
    assert left == ""
    assert moved in {"", "stale"}
    assert Posting.objects.get(account__player=player).points == -6
    holds(table)


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_leaving_against_the_time_out(_round: int) -> None:
    table = playing()
    seat = on_turn(table)
    player = player_at(table, seat)
    go(table, player)
    timed, answer = together(times_out(table), asks(table, player, command("leave", price=6)))
    assert isinstance(answer, Answer)
    assert answer.code == ""  # who dropped may still leave
    assert isinstance(timed, bool)
    assert Posting.objects.get(account__player=player).points == -6
    assert TableEvent.objects.filter(table=table, payload__do="drop").count() == timed
    holds(table)


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_dropping_against_a_move(_round: int) -> None:
    table = playing()
    seat, version = on_turn(table), table.version
    player = player_at(table, seat)
    go(table, player)
    order = move(legal_actions(state_of(table))[0], version)
    timed, answer = together(times_out(table), asks(table, player, order))
    assert isinstance(answer, Answer)
    assert (answer.code == "") is not timed
    assert (table.seats.get(seat=seat).dropped_at is not None) is timed
    holds(table)


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_pausing_against_a_move_and_the_time_out(_round: int) -> None:
    table = playing()
    seat, version = on_turn(table), table.version
    order = move(legal_actions(state_of(table))[0], version)
    timed, paused, moved = together(
        times_out(table),
        asks(table, player_at(table, 0), command("pause")),
        asks(table, player_at(table, seat), order),
    )
    assert isinstance(paused, Answer)
    assert isinstance(moved, Answer)
    assert paused.code == ""
    assert moved.code in {"", "stale"}
    assert not (timed and moved.code == "")
    holds(table)
    assert table.pause == "manager"
    assert (table.turn_left_ms is not None) is (state_of(table).turn is not None)


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_two_clocks_drop_once_and_abandon_once(_round: int) -> None:
    table = playing()
    go(table)
    assert sorted(map(bool, together(*[times_out(table)] * 2))) == [False, True]
    assert TableEvent.objects.filter(table=table, payload__do="drop").count() == 1
    assert sorted(map(bool, together(*[times_out(table)] * 2))) == [False, True]
    assert Posting.objects.filter(stint__match=table.match).count() == 1
    holds(table)


@pytest.mark.parametrize("_round", range(ROUNDS))
def test_coming_back_against_the_end_of_the_time_allowed(_round: int) -> None:
    table = playing()
    dropped = drop(table, on_turn(table))
    timed, answer = together(times_out(table), asks(table, dropped, command("sit")))
    assert isinstance(answer, Answer)
    assert (answer.code == "") is not timed
    assert answer.code in {"", "match_over"}
    assert Posting.objects.filter(stint__match=table.match).count() == timed
    holds(table)


def test_each_command_sent_twice_at_once_has_one_effect() -> None:
    table = playing()
    come(table)
    orders = [
        (player_at(table, 2), command("leave", price=6)),
        (newcomer(), command("sit", seat=2)),
        (player_at(table, 0), command("continue")),
        (player_at(table, 0), command("pause")),
        (player_at(table, 3), command("referee")),
    ]
    for player, order in orders:
        version = table.version
        answers = together(*[asks(table, player, order)] * 3)
        assert codes(answers) == ["", "", ""]
        table.refresh_from_db()
        assert table.version == version + 1
    holds(table)
