"""Spectators some moves behind: view, events, hash and API alike, until the match is over."""

import json
from typing import Any

import pytest
from django.test import Client, TestCase
from django.utils import timezone

from engine.events import Passed, TilePlayed, TilesDrawn
from engine.match import MatchState, Phase, evolve, legal_actions, new_match
from engine.view import view_for
from league.tournaments.services import TableTerms
from tables import broadcast
from tables.answers import Answer
from tables.models import Table, TableEvent, TableStatus
from tables.position import Change
from tables.protocol import Command, Ruling, canonical, digest
from tables.selectors import events_of_table, ruleset_of, table_view
from tables.services import command_execute, table_timeout
from tables.tickets import Ticket
from tests.factories import build_user
from tests.tables.builders import (
    build_table,
    come,
    command,
    play_one,
    play_out,
    play_until,
    player_at,
    send,
    start,
    state_of,
)

pytestmark = pytest.mark.django_db

DELAY = 3


@pytest.fixture
def table() -> Table:
    """A match under way whose spectators are three moves behind."""
    made = build_table(tables=TableTerms(watch_delay=DELAY))
    start(made)
    return made


def moves_before(table: Table, hidden: int) -> MatchState:
    """The match without its latest moves, by what the engine said."""
    events = events_of_table(table)
    moves = [n for n, event in enumerate(events) if isinstance(event, MOVED)]
    cut = moves[-min(hidden, len(moves))] if moves else len(events)
    match = table.match
    state = new_match(
        ruleset_of(match), seats=match.seats, partners=match.partners, stake=match.stake
    )
    for event in events[:cut]:
        state = evolve(state, event)
    return state


MOVED = (TilePlayed, TilesDrawn, Passed)


def watched(table: Table) -> Any:
    """What somebody without a seat is shown of the match."""
    table.refresh_from_db()
    return table_view(table, None)[0]["match"]


def expected(table: Table) -> Any:
    """What they should be shown, as JSON."""
    return json.loads(json.dumps(view_for(moves_before(table, DELAY), None)))


def test_spectators_see_the_match_so_many_moves_ago(table: Table) -> None:
    for _ in range(40):
        if state_of(table).phase == Phase.OVER:
            break
        assert json.loads(json.dumps(watched(table))) == expected(table)
        play_one(table)


def test_the_latest_moves_show_neither_by_line_nor_by_turn_nor_by_clock(table: Table) -> None:
    for _ in range(DELAY):
        play_one(table)
    assert watched(table)["line"] == []
    assert table_view(table, None)[2]["deadline"] is None
    assert table_view(table, player_at(table, 0).pk)[0]["match"]["line"] != []


def test_players_see_everything_at_once(table: Table) -> None:
    for _ in range(5):
        play_one(table)
    state = state_of(table)
    view = table_view(table, player_at(table, 1).pk)[0]["match"]
    assert view == view_for(state, 1)


def test_the_api_is_as_far_behind(client: Client, table: Table) -> None:
    for _ in range(6):
        play_one(table)
    address = f"/api/v1/tables/{table.pk}/"
    assert client.get(address).json()["view"]["match"] == expected(table)
    user = player_at(table, 2).user
    assert user is not None
    client.force_login(user)
    own = client.get(address).json()["view"]["match"]
    assert own == json.loads(json.dumps(view_for(state_of(table), 2)))


def published(table: Table, monkeypatch: pytest.MonkeyPatch) -> list[Change]:
    """Play to the end and return everything that was published."""
    changes: list[Change] = []
    monkeypatch.setattr(broadcast, "publish", changes.append)
    with TestCase.captureOnCommitCallbacks(execute=True):
        play_out(table)
    return changes


def test_what_spectators_hear_is_what_their_view_shows(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No event before its time, none twice, none lost before the end; the hash is the view's."""
    heard: list[Any] = []
    for change in published(table, monkeypatch):
        message = broadcast.message_of(change)["watched"]
        frame = json.loads(message["text"])
        assert message["hash"] == digest(canonical(frame["view"]))
        if change.position.status != TableStatus.FINISHED:
            heard += frame["event"]["events"]
            late = [event for event in heard if event["kind"] == "tile_played"]
            line = frame["view"]["match"]["line"]
            assert len(line) == sum(1 for event in _of_hand(late, heard))
    assert heard


def _of_hand(played: list[Any], heard: list[Any]) -> list[Any]:
    """The placements of the hand that was dealt last of what was heard."""
    dealt = [n for n, event in enumerate(heard) if event["kind"] == "hand_dealt"]
    since = dealt[-1] if dealt else 0
    return [event for event in heard[since:] if event in played]


def test_a_hidden_move_comes_as_its_version_alone(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *_later = published(table, monkeypatch)
    told = first.event_for(None)
    assert (told["do"], told["seat"], told["events"]) == (None, None, [])
    assert first.event_for(0)["do"] == "play"


def test_an_ended_hand_is_shown_when_its_turn_comes(table: Table) -> None:
    play_until(table, lambda state: state.phase == Phase.DEAL)
    shown = watched(table)
    assert shown["phase"] == "play"
    assert send(table, 0, command("ready")).version is not None
    table.refresh_from_db()
    seats = table_view(table, None)[0]["table"]["seats"]
    assert [seat["ready"] for seat in seats] == [False] * 4


def test_the_delay_ends_with_the_match(client: Client, table: Table) -> None:
    play_out(table)
    assert json.loads(json.dumps(watched(table))) == json.loads(
        json.dumps(view_for(state_of(table), None))
    )
    assert client.get(f"/api/v1/tables/{table.pk}/record/").status_code == 200


def test_a_move_taken_back_was_never_shown(table: Table) -> None:
    for _ in range(5):
        play_one(table)
    come(table)
    Table.objects.filter(pk=table.pk).update(deadline_at=timezone.now())
    table.refresh_from_db()
    assert table_timeout(table_id=table.pk, version=table.version)
    assert TableEvent.objects.filter(table=table, payload__auto=True).count() == 1
    shown = watched(table)
    send(table, 0, command("referee"))
    order = command("referee", ruling=Ruling.UNDO, reason="The clock was wrong.")
    assert organized(table, order).version is not None
    assert watched(table) == shown
    play_one(table, lambda state: legal_actions(state)[-1])
    assert json.loads(json.dumps(watched(table))) == expected(table)


def organized(table: Table, order: Command) -> Answer:
    """Execute a command for who runs the site."""
    ticket = Ticket(build_user(is_superuser=True).pk)
    return command_execute(table_id=table.pk, ticket=ticket, command=order)


def test_without_a_delay_everybody_is_at_the_same_move() -> None:
    table = build_table()
    start(table)
    play_one(table)
    assert watched(table) == view_for(state_of(table), None)
    assert table.watched is None
