"""What a seat and a spectator may see: everything open, no foreign tile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import Action, action_to_json
from engine.errors import InvalidSnapshot
from engine.events import (
    Event,
    HandDealt,
    HandEnded,
    MatchEnded,
    Redeal,
    RedealReason,
    TilePlayed,
    TilesDrawn,
    event_to_json,
)
from engine.match import MatchState, apply, deal_hand, evolve, legal_actions, new_match
from engine.rulesets import preset
from engine.snapshot import dump, load
from engine.tiles import TILES, Tile
from engine.view import redact, view_for
from tests.engine.positions import (
    aznif,
    before_the_lock,
    dealt,
    last_step,
    match_of,
    new_matches,
    played,
    shuffle_of,
    steps_of,
    tiles,
)

TEXTS = {tile.text for tile in TILES}


def tiles_shown(data: Any) -> set[str]:
    """Every tile whose text stands anywhere in a value, and those of a view's line."""
    if isinstance(data, str):
        return {data} & TEXTS
    if isinstance(data, list):
        return set().union(*map(tiles_shown, data))
    if not isinstance(data, dict):
        return set()
    line = {Tile(*halves).text for halves in data.get("line", ())}
    return line.union(*map(tiles_shown, data.values()))


def open_to(state: MatchState, seat: int | None) -> set[str]:
    """The tiles that are open to a seat: its rack, the line, and what a hand's end laid open."""
    hand = state.hand
    shown = set() if hand is None else {event.tile.text for event in hand.laid}
    if hand is not None and seat is not None:
        shown |= {tile.text for tile in TILES if hand.racks[seat] & tile.bit}
    for end in state.frame.ended[-1:]:
        shown |= {tile.text for rack in end.racks for tile in rack}
    return shown


def permuted(state: MatchState, seat: int | None, numbers: st.DataObject) -> MatchState:
    """The same hand with all tiles that `seat` does not see dealt anew among the places unseen."""
    data = json.loads(json.dumps(dump(state)))
    hand = data["hand"]
    racks = [rack for owner, rack in enumerate(hand["racks"]) if owner != seat]
    unseen = [tile for place in (*racks, hand["stock"]) for tile in place]
    order = iter(numbers.draw(st.permutations(unseen)))
    for place in (*racks, hand["stock"]):
        place[:] = [next(order) for _ in place]
    return load(data)


def views(state: MatchState) -> Iterator[tuple[int | None, dict[str, Any]]]:
    for seat in (None, *range(state.seats)):
        yield seat, view_for(state, seat)


@settings(max_examples=25, deadline=None)
@given(new_matches(), st.integers(0, 10**6))
def test_no_view_holds_a_foreign_tile(start: MatchState, word: int) -> None:
    for step in steps_of(start, shuffle_of(word, start.seats)):
        for seat, view in views(step.state):
            assert tiles_shown(json.loads(json.dumps(view))) <= open_to(step.state, seat)


@settings(max_examples=40, deadline=None)
@given(new_matches(), st.integers(0, 10**6), st.data())
def test_with_the_unseen_tiles_permuted_the_view_is_the_same(
    start: MatchState, word: int, numbers: st.DataObject
) -> None:
    """Where the tiles could lie so: no lock has come, and the same tile opens."""
    steps = list(steps_of(start, shuffle_of(word, start.seats)))
    state = numbers.draw(st.sampled_from([s.state for s in steps if s.state.turn is not None]))
    for seat, view in views(state):
        try:
            other = permuted(state, seat, numbers)
        except InvalidSnapshot:  # the tiles cannot lie so: a lock, or who opens lacks the tile
            continue
        if opening_of(other) == opening_of(state):
            assert view_for(other, seat) == view


def opening_of(state: MatchState) -> tuple[Action, ...]:
    """What may open the hand, if one tile must; else nothing."""
    hand = state.hand
    opens = legal_actions(state) if hand is not None and not hand.laid else ()
    return opens if len(opens) == 1 else ()


@settings(max_examples=25, deadline=None)
@given(new_matches(), st.integers(0, 10**6))
def test_no_redacted_event_holds_a_foreign_tile(start: MatchState, word: int) -> None:
    state, seats = start, start.seats
    for step in steps_of(start, shuffle_of(word, seats)):
        for event in step.events:
            state = evolve(state, event)
            for seat in (None, *range(seats)):
                shown = tiles_shown(json.loads(json.dumps(redact(event, seat))))
                assert shown <= open_to(state, seat)


def test_a_redacted_deal_shows_the_own_rack_and_counts() -> None:
    event = dealt("6-1 0-0", "5-1 2-0", "3-3 4-4").events[0]
    shown = {"kind": "hand_dealt", "stock": 22, "starter": 0, "redeals": []}
    assert redact(event, 1) == {**shown, "racks": [2, ["5-1", "2-0"], 2]}
    assert redact(event, None) == {**shown, "racks": [2, 2, 2]}


def test_a_redacted_refused_deal_shows_its_reason_alone() -> None:
    deal = dealt("6-1 0-0", "5-1 2-0").events[0]
    assert isinstance(deal, HandDealt)
    event = deal._replace(redeals=(Redeal(deal.racks, deal.stock, RedealReason.SUIT),))
    assert redact(event, 0)["redeals"] == [{"reason": "suit"}]


def test_a_redacted_foreign_draw_shows_how_many() -> None:
    event = TilesDrawn(1, tiles("3-0 5-1"))
    assert redact(event, 1) == {"kind": "tiles_drawn", "seat": 1, "tiles": ["3-0", "5-1"]}
    for seat in (0, 2, None):
        assert redact(event, seat) == {"kind": "tiles_drawn", "seat": 1, "tiles": 2}


def test_everything_else_is_open_to_all() -> None:
    _, events, _ = match_of("open", aznif(seats=3, hands=2))
    for event in events:
        if not isinstance(event, HandDealt | TilesDrawn):
            assert redact(event, None) == redact(event, 0) == event_to_json(event)


def test_the_own_rack_is_sorted_and_a_spectator_has_none() -> None:
    state = dealt("6-1 0-0 4-4", "5-1 2-0 3-3").state
    assert view_for(state, 0)["rack"] == ["0-0", "4-4", "6-1"]
    assert view_for(state, None)["rack"] is None


def test_the_line_lies_from_left_to_right_and_the_first_tile_is_named() -> None:
    state = dealt("5-5 5-1 0-0", "5-4 6-6 2-2").state
    empty = view_for(state, None)
    assert (empty["line"], empty["first"], empty["ends"], empty["sum"]) == ([], None, None, None)
    view = view_for(played(state, "5-5", "5-4 L", "5-1 R"), None)
    assert view["line"] == [[4, 5], [5, 5], [5, 1]]
    assert view["first"] == 1
    assert view["ends"] == {"L": 4, "R": 1}
    assert view["sum"] == 5
    assert view["last"] == {"seat": 0, "play": "5-1", "end": "R", "scored": 5}


def test_the_last_move_and_who_passed() -> None:
    state = played(dealt("6-1 0-0", "5-4 2-2", stock="3-3 5-3 4-1 6-2").state, "6-1")
    assert view_for(state, 1)["last"] == {"seat": 0, "play": "6-1", "end": None, "scored": 0}
    state = played(state, "draw")
    assert view_for(state, 0)["last"] == {"seat": 1, "draw": 3}
    assert view_for(state, 0)["stock"] == view_for(state, 0)["drawable"] == 21
    assert view_for(state, 0)["counts"] == [1, 5]
    assert view_for(state, 0)["passed"] == []


def test_legal_actions_are_shown_to_the_seat_on_turn_alone() -> None:
    state = dealt("6-1 0-0", "5-4 2-2").state
    assert view_for(state, 0)["legal"] == [{"play": "0-0"}, {"play": "6-1"}]
    assert view_for(state, 1)["legal"] == []
    assert view_for(state, None)["legal"] == []


def test_what_the_view_calls_legal_is_legal() -> None:
    for step in steps_of(aznif(seats=4, deal=5), shuffle_of("legal", 4)):
        state = step.state
        for seat, view in views(state):
            right = legal_actions(state) if seat is not None and seat == state.turn else ()
            assert view["legal"] == [action_to_json(action) for action in right]


def test_only_the_last_finished_hand_carries_racks() -> None:
    state, events, _ = match_of("racks", aznif(seats=2, deal=5, hands=4))
    finished = view_for(state, None)["ended"]
    ends = [event for event in events if isinstance(event, HandEnded)]
    assert len(finished) == len(ends) == 4
    assert ["racks" in hand for hand in finished] == [False, False, False, True]
    assert finished[-1]["racks"] == [[tile.text for tile in rack] for rack in ends[-1].racks]
    assert [hand["totals"] for hand in finished] == [list(end.totals) for end in ends]


def test_the_result_is_shown_when_the_match_is_over() -> None:
    state, events, _ = match_of("result", aznif(seats=4, hands=1))
    end = events[-1]
    assert isinstance(end, MatchEnded)
    assert view_for(state, 2)["result"] == {
        "scores": list(end.scores),
        "places": list(end.places),
        "points": list(end.points),
    }
    assert view_for(dealt("6-1", "5-4").state, 0)["result"] is None


def test_between_hands_the_finished_hand_still_lies_there() -> None:
    start = aznif(seats=4, deal=4, hands=2)
    view = view_for(last_step(before_the_lock(seats=4, state=start), "6-5 R").state, 0)
    assert (view["phase"], view["turn"], view["hand"], view["hands"]) == ("deal", None, 1, 2)
    assert len(view["line"]) == 10
    assert view["ended"][0]["kind"] == "lock"
    assert view["legal"] == []


def test_partners_see_no_more_of_each_other_than_of_others() -> None:
    state = dealt("6-1 0-0", "5-1 2-0", "3-3 4-4", "1-1 2-2").state
    assert tiles_shown(view_for(state, 0)) == {"6-1", "0-0"}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_view_has_the_same_fields(seats: int) -> None:
    state = aznif(seats=seats)
    fields = list(view_for(state, None))
    for step in steps_of(state, shuffle_of("fields", seats)):
        for _, view in views(step.state):
            assert sorted(view) == sorted(fields)
            assert json.loads(json.dumps(view)) == view


def test_an_event_stays_true_when_redacted() -> None:
    """What is left in a redacted event is the event's own."""
    state = dealt("6-1 0-0", "5-4 2-2", stock="3-3 5-3 4-1 6-2").state
    events: list[Event] = [*apply(state, legal_actions(state)[0]).events]
    assert isinstance(events[0], TilePlayed)
    full = event_to_json(dealt("6-1 0-0", "5-4 2-2").events[0])
    seen = redact(dealt("6-1 0-0", "5-4 2-2").events[0], 1)
    assert seen["racks"][1] == full["racks"][1]
    assert seen["racks"][0] == len(full["racks"][0])
    assert seen["stock"] == len(full["stock"])


def test_the_view_tells_why_deals_were_refused_and_no_tile_of_them() -> None:
    """Also after a snapshot, as somebody who comes back sees it."""
    start = new_match(preset("domino101"), seats=4, partners=True)
    steps = (deal_hand(start, shuffle_of(word, 4)) for word in count())
    dealt = ((step.state, step.events[0]) for step in steps)
    state, event = next(
        (state, event) for state, event in dealt if isinstance(event, HandDealt) and event.redeals
    )
    reasons = [redeal.reason.value for redeal in event.redeals]
    for shown in (state, load(dump(state))):
        assert view_for(shown, None)["redeals"] == reasons
    assert view_for(start, 0)["redeals"] == []
