"""What the view tells of places and points: while a match is played, and after a decision."""

import pytest

from engine.match import MatchState, Phase, legal_actions
from engine.scoring import points_alone, points_partners
from league.settlement.posting import By
from league.settlement.services import match_decide
from tables.models import TableStatus
from tables.opening import FriendlyTerms, friendly_open
from tables.position import Receiver
from tables.protocol import Ruling
from tables.selectors import record_by_decision
from tests.tables.acting import ask, organizer, time_is_up
from tests.tables.builders import (
    build_table,
    build_users,
    command,
    play_one,
    play_out,
    play_until,
    send,
    start,
    state_of,
    view_at,
)

pytestmark = pytest.mark.django_db
EVERYBODY: tuple[Receiver, ...] = (0, 1, 2, 3, None)


def _scored(state: MatchState) -> bool:
    return state.phase is Phase.PLAY and len(set(state.totals)) > 1


def test_places_and_points_if_the_match_ended_now_stand_in_everybodys_view() -> None:
    table = build_table()
    assert view_at(table, 0)["table"]["standing"] is None
    start(table)
    assert view_at(table, 0)["table"]["standing"]["points"] == [0, 0, 0, 0]
    state = play_until(table, _scored)
    places = [1 + sum(other > own for other in state.totals) for own in state.totals]
    expected = {"places": places, "points": list(points_alone(places, state.stake))}
    for seat in EVERYBODY:
        assert view_at(table, seat)["table"]["standing"] == expected


def test_partners_stand_as_a_pair() -> None:
    table = build_table(partners=True)
    start(table)
    state = play_until(table, _scored)
    standing = view_at(table, 1)["table"]["standing"]
    assert standing["places"][:2] == standing["places"][2:]
    assert standing["points"] == list(points_partners(standing["places"], state.stake))


def test_the_last_standing_gives_way_to_the_same_result() -> None:
    """What stood before the last move, and what it scored, is what the match came to."""
    table = build_table()
    start(table)
    play_out(table)
    view = view_at(table, 0)
    assert view["table"]["standing"] is None
    assert view["table"]["decision"] is None
    totals, result = state_of(table).totals, view["match"]["result"]
    assert result["places"] == [1 + sum(other > own for other in totals) for own in totals]


def test_a_friendly_table_shows_places_alone() -> None:
    [owner, other] = build_users(2)
    ruleset = {"preset": "vip-draw", "deal": 7, "target": 100}
    table = friendly_open(owner=owner.player, terms=FriendlyTerms(ruleset=ruleset, seats=2))
    assert ask(table, other.player, "sit", seat=1).version is not None
    assert send(table, 0, command("start")).version is not None
    table.refresh_from_db()
    play_one(table, lambda state: legal_actions(state)[0])
    assert view_at(table, 0)["table"]["standing"] == {"places": [1, 1], "points": None}


def test_spectators_of_a_delayed_table_see_the_standing_of_what_they_see() -> None:
    table = build_table()
    table.watch_delay = 3
    table.save()
    start(table)
    play_until(table, _scored)
    shown = view_at(table, None)
    totals = shown["match"]["totals"]
    places = [1 + sum(other > own for other in totals) for own in totals]
    assert shown["table"]["standing"]["places"] == places
    assert view_at(table, 0)["match"]["totals"] != totals


def test_what_the_referee_decided_and_why_is_still_told_after_a_reload() -> None:
    table = build_table()
    start(table)
    play_one(table)
    judge, reason = organizer(), "The hall closes."
    places = (2, 1, 3, 3)
    answer = ask(table, judge, "referee", ruling=Ruling.END, places=places, reason=f" {reason} ")
    assert answer.version is not None, answer
    points = list(points_alone(places, table.match.stake))
    expected = {"places": list(places), "points": points, "reason": reason}
    for seat in EVERYBODY:
        assert view_at(table, seat)["table"]["decision"] == expected
        assert view_at(table, seat)["table"]["standing"] is None


def test_a_decision_on_a_match_given_up_stands_in_the_view_with_its_reason() -> None:
    table = build_table()
    start(table)
    assert send(table, 1, command("leave", price=2 * table.match.stake)).version is not None
    time_is_up(table)
    assert table.status == TableStatus.ABANDONED
    assert view_at(table, None)["table"]["decision"] is None
    record = record_by_decision(table)
    match_decide(
        match_id=table.match_id, places=[1, 2, 3, 4], record=record, by=By(None, "As it stood.")
    )
    decision = view_at(table, None)["table"]["decision"]
    assert (decision["places"], decision["reason"]) == ([1, 2, 3, 4], "As it stood.")
