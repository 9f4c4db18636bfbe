"""rules.md: who manages a table and when the part passes on; pauses; what a referee may rule."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from engine.match import MatchState, Phase, apply, legal_actions
from engine.record import check_record
from league.ledger.models import Posting
from league.settlement.verification import ledger_faults
from league.tournaments.services import TableTerms
from tables.models import Pause, Table, TableEvent, TableStatus
from tables.protocol import Ruling
from tables.selectors import record_of_table, state_from_events
from tests.tables.acting import (
    ask,
    drop,
    go_on,
    leave,
    newcomer,
    organizer,
    playing,
    take_over,
    time_is_up,
    time_left,
)
from tests.tables.builders import (
    build_table,
    come,
    command,
    go,
    move,
    play_one,
    play_out,
    play_until,
    player_at,
    send,
    sit_all,
    state_of,
    view_at,
)

pytestmark = pytest.mark.django_db
MINUTE = timedelta(seconds=61)


def silent_for(table: Table, time: timedelta) -> None:
    """Let a press be due for so long."""
    Table.objects.filter(pk=table.pk).update(press_due_at=timezone.now() - time)
    table.refresh_from_db()


def replaced(seat: int = 1) -> Table:
    """A table where somebody sat down in a seat a moment ago, so that *Continue* is due."""
    table = playing()
    leave(table, seat)
    substitute = newcomer()
    assert ask(table, substitute, "sit").version is not None
    come(table)
    return table


# --- the manager


def test_the_manager_is_the_lowest_seat_that_is_held() -> None:
    table = playing()
    assert view_at(table, None)["table"]["manager"] == 0
    leave(table, 0)
    assert view_at(table, None)["table"]["manager"] == 1
    take_over(table, 0)
    assert view_at(table, None)["table"]["manager"] == 0


def test_the_manager_of_a_friendly_table_is_who_made_it() -> None:
    table = build_table()
    sit_all(table)
    Table.objects.filter(pk=table.pk).update(kind="friendly", owner=player_at(table, 2))
    assert view_at(table, None)["table"]["manager"] == 2
    assert send(table, 0, command("start")).code == "not_manager"
    assert send(table, 2, command("start")).version is not None
    leave(table, 2)
    assert view_at(table, None)["table"]["manager"] == 0


def test_the_part_passes_on_when_the_manager_is_gone() -> None:
    table = replaced()
    assert ask(table, player_at(table, 1), "continue").code == "not_manager"
    go(table, player_at(table, 0))
    assert ask(table, player_at(table, 2), "continue").code == "not_manager"
    assert ask(table, player_at(table, 1), "continue").version is not None


def test_the_part_passes_to_the_lowest_seat_that_is_present() -> None:
    table = replaced()
    go(table, player_at(table, 0), player_at(table, 1))
    assert ask(table, player_at(table, 2), "continue").version is not None


def test_the_part_passes_on_when_the_manager_is_silent_for_a_minute() -> None:
    table = replaced()
    silent_for(table, timedelta(seconds=58))
    assert ask(table, player_at(table, 1), "continue").code == "not_manager"
    silent_for(table, MINUTE)
    assert ask(table, player_at(table, 3), "continue").code == "not_manager"
    assert ask(table, player_at(table, 1), "continue").version is not None


def test_the_part_of_starting_passes_on_too() -> None:
    table = build_table()
    sit_all(table)
    come(table)
    assert send(table, 1, command("start")).code == "not_manager"
    silent_for(table, MINUTE)
    assert send(table, 1, command("start")).version is not None


def test_organizers_may_always_press() -> None:
    table = replaced()
    assert ask(table, organizer(), "continue").version is not None
    assert ask(table, organizer(), "pause").version is not None
    assert ask(table, organizer(), "continue").version is not None


def test_start_and_continue_come_by_themselves_after_two_minutes() -> None:
    table = build_table()
    sit_all(table)
    table.refresh_from_db()
    assert timedelta(seconds=115) < time_left(table) <= timedelta(seconds=120)
    time_is_up(table)
    assert table.status == TableStatus.PLAYING
    come(table)
    leave(table, 3)
    assert ask(table, newcomer(), "sit").version is not None
    assert timedelta(seconds=115) < time_left(table) <= timedelta(seconds=120)
    time_is_up(table)
    assert not table.stands_still
    assert play_one(table).version is not None


def test_nothing_is_due_when_somebody_gets_up_before_the_start() -> None:
    table = build_table()
    sit_all(table)
    assert send(table, 2, command("leave")).version is not None
    table.refresh_from_db()
    assert (table.press_due_at, table.deadline_at) == (None, None)


# --- pause


def test_case_b8_a_pause_keeps_banks_and_the_rest_of_the_turn_and_shows_it() -> None:
    """cases.md B8: who joins a paused match sees that no clock runs, and what is left."""
    table = playing(tables=TableTerms(bank_seconds=40))
    Table.objects.filter(pk=table.pk).update(deadline_at=timezone.now() + timedelta(seconds=17))
    assert ask(table, player_at(table, 1), "pause").code == "not_manager"
    assert ask(table, player_at(table, 0), "pause").version is not None
    view = view_at(table, 3)["table"]
    assert view["pause"] == "manager"
    assert 16_000 < view["turn_left_ms"] <= 17_000
    assert [seat["bank_ms"] for seat in view["seats"]] == [40_000] * 4
    turn = state_of(table).turn
    assert turn is not None
    action = legal_actions(state_of(table))[0]
    assert send(table, turn, move(action, table.version)).code == "paused"
    go_on(table)
    assert timedelta(seconds=15) < time_left(table) <= timedelta(seconds=17)
    assert view_at(table, 3)["table"]["pause"] is None
    assert send(table, turn, move(action, table.version)).version is not None
    banks = [seat["bank_ms"] for seat in view_at(table, 3)["table"]["seats"]]
    assert [bank for seat, bank in enumerate(banks) if seat != turn] == [40_000] * 3
    assert 14_000 < banks[turn] <= 17_000


def test_a_pause_ends_by_itself() -> None:
    table = playing()
    assert ask(table, player_at(table, 0), "pause").version is not None
    time_is_up(table)
    assert not table.stands_still
    assert play_one(table).version is not None


def test_a_turn_taken_over_by_the_next_seat_has_its_own_bank() -> None:
    """Dropped by the clock's third move: the seat after it is on turn, with all it had."""
    table = playing(tables=TableTerms(bank_seconds=40))
    lazy = state_of(table).turn
    assert lazy is not None
    for _time in range(3):
        play_until(table, lambda state: state.phase is Phase.PLAY and state.turn == lazy)
        time_is_up(table)
    state = state_of(table)
    assert table.empty_at is not None
    if state.phase is Phase.PLAY:
        assert table.turn_left_ms is not None
        assert table.turn_left_ms > 68_000


# --- the referee


def called(seat: int = 2) -> Table:
    """A table whose referee was called."""
    table = playing()
    assert ask(table, player_at(table, seat), "referee").version is not None
    return table


def rule(table: Table, ruling: Ruling, **more: Any) -> str:
    """Let an organizer rule; return the code of a refusal."""
    given = {"reason": "seen by all", **more}
    return ask(table, organizer(), "referee", ruling=ruling, **given).code


def test_calling_the_referee_pauses_the_match_until_an_organizer_rules() -> None:
    table = called()
    assert table.pause == Pause.REFEREE
    assert ask(table, player_at(table, 0), "continue").code == "referee_decides"
    assert ask(table, player_at(table, 1), "referee").code == "referee_called"
    assert ask(table, newcomer(), "referee").code == "not_seated"
    assert rule(table, Ruling.CONTINUE) == ""
    assert not table.stands_still
    event = TableEvent.objects.get(table=table, seq=table.version)
    assert (event.payload["ruling"], event.payload["reason"]) == ("continue", "seen by all")


def test_only_organizers_rule_and_only_with_a_reason() -> None:
    table = called()
    for ruling in Ruling:
        given = {"ruling": ruling, "reason": "I say so"}
        assert ask(table, player_at(table, 0), "referee", **given).code == "not_organizer"
        assert rule(table, ruling, reason=" ") == "reason"


def test_a_called_referee_still_decides_after_a_seat_changed_hands() -> None:
    table = called()
    leave(table, 1)
    assert rule(table, Ruling.CONTINUE) == "seat_empty"
    assert ask(table, newcomer(), "sit").version is not None
    assert table.pause == Pause.REFEREE
    assert ask(table, player_at(table, 0), "continue").code == "referee_decides"
    assert time_left(table) > timedelta(minutes=20)
    assert rule(table, Ruling.CONTINUE) == ""
    assert not table.stands_still


def test_the_referee_may_be_called_while_continue_is_due() -> None:
    table = replaced()
    assert ask(table, player_at(table, 3), "referee").version is not None
    assert time_left(table) > timedelta(minutes=20)
    assert rule(table, Ruling.CONTINUE) == ""
    assert not table.stands_still


def test_undo_takes_the_clocks_last_move_back_and_nothing_else() -> None:
    table = playing()
    before = state_of(table)
    time_is_up(table)
    seat = before.turn
    assert seat is not None
    assert state_of(table) != before
    assert ask(table, player_at(table, seat), "referee").version is not None
    assert rule(table, Ruling.UNDO) == ""
    assert state_of(table) == before == state_from_events(table)
    assert table.seats.get(seat=seat).auto_moves == 0
    assert timedelta(seconds=25) < time_left(table) <= timedelta(seconds=30)
    undone = TableEvent.objects.get(table=table, undone=True)
    assert undone.payload["auto"] is True
    assert rule(table, Ruling.UNDO) == "nothing_to_undo"
    play_out(table)
    record = record_of_table(table)
    assert check_record(record).phase is Phase.OVER
    moves = TableEvent.objects.filter(table=table, payload__do__in=["play", "draw", "pass"])
    assert sum(len(hand["moves"]) for hand in record["hands"]) == moves.filter(undone=False).count()
    assert list(ledger_faults()) == []


def test_a_move_of_a_person_is_not_taken_back() -> None:
    table = playing()
    time_is_up(table)
    play_one(table)
    assert rule(table, Ruling.UNDO) == "nothing_to_undo"


def test_a_move_that_ended_the_hand_is_taken_back_until_the_next_is_dealt() -> None:
    table = playing()
    before = play_until(table, _goes_out_next)
    time_is_up(table)
    assert state_of(table).phase is Phase.DEAL
    assert send(table, 0, command("ready")).version is not None
    assert rule(table, Ruling.UNDO) == ""
    assert state_of(table) == before
    assert not table.seats.filter(ready=True).exists()
    play_one(table)


def _goes_out_next(state: MatchState) -> bool:
    if state.phase is not Phase.PLAY:
        return False
    actions = legal_actions(state)
    return any(apply(state, each).state.phase is Phase.DEAL for each in actions[:1])


def test_the_end_by_decision_posts_the_places_that_were_named() -> None:
    table = called()
    players = [player_at(table, seat) for seat in range(4)]
    assert rule(table, Ruling.END, places=(1, 1, 2, 3)) == "places"
    assert rule(table, Ruling.END, places=(1, 2, 3)) == "places"
    assert rule(table, Ruling.END, places=(2, 1, 4, 3)) == ""
    assert table.status == TableStatus.FINISHED
    found = [Posting.objects.get(account__player=player) for player in players]
    assert [posting.points for posting in found] == [1, 3, -3, -1]
    record = record_of_table(table)
    assert record["ended"] == "decision"
    check_record(record)
    assert list(ledger_faults()) == []
    assert view_at(table, None)["table"]["secret"] == bytes(table.secret).hex()
    assert play_one_is_refused(table)


def play_one_is_refused(table: Table) -> bool:
    return send(table, 0, command("pass", v=table.version)).code == "match_over"


def test_the_end_by_decision_while_a_dropped_players_seat_is_empty() -> None:
    table = playing()
    dropped = drop(table, 1)
    assert rule(table, Ruling.UNDO) == "seat_empty"
    assert rule(table, Ruling.END, places=(1, 4, 2, 3)) == ""
    assert Posting.objects.get(account__player=dropped).points == -3
    assert (table.empty_at, table.deadline_at) == (None, None)
    assert list(ledger_faults()) == []


def test_nothing_is_ruled_before_the_start() -> None:
    table = build_table()
    for ruling in Ruling:
        assert rule(table, ruling, places=(1, 2, 3, 4)) == "not_started"
