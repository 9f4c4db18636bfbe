"""What holds in every match, looked for with matches made at random."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.actions import PLAYS, Action, Draw, Pass, action_from_json, action_to_json
from engine.errors import (
    EngineError,
    IllegalAction,
    InvalidDeal,
    InvalidSnapshot,
    MatchOver,
    NoHandInPlay,
    UnreadableAction,
    UnreadableEvent,
)
from engine.events import (
    HandDealt,
    HandEnded,
    Passed,
    TilePlayed,
    TilesDrawn,
    event_from_json,
    event_to_json,
)
from engine.match import (
    MatchState,
    Phase,
    apply,
    deal_given,
    deal_hand,
    events_of,
    evolve,
    legal_actions,
)
from engine.rulesets import LengthKind
from engine.snapshot import dump, load
from engine.tiles import FULL_SET, TILES, mask_of
from tests.engine.positions import (
    aznif,
    dealt,
    match_of,
    new_matches,
    played,
    shuffle_of,
    steps_of,
    table,
    tiles,
)

EVERY_ACTION: tuple[Action, ...] = (*PLAYS, Draw(), Pass())
words = st.integers(0, 10**6)
few = settings(max_examples=40, deadline=None)


@st.composite
def states(draw: st.DrawFn) -> list[MatchState]:
    """The states of a random match of any family under any house rules, in order."""
    start = draw(new_matches())
    return [start, *(step.state for step in steps_of(start, shuffle_of(draw(words), start.seats)))]


@few
@given(states())
def test_28_tiles_at_every_moment(states: list[MatchState]) -> None:
    for state in states[1:]:
        assert state.hand is not None
        parts = [*state.hand.racks, mask_of(state.hand.stock)]
        parts.append(mask_of(event.tile for event in state.hand.laid))
        assert sum(part.bit_count() for part in parts) == 28
        together = 0
        for part in parts:
            together |= part
        assert together == FULL_SET


@few
@given(states())
def test_replay_of_the_events_equals_the_live_match(states: list[MatchState]) -> None:
    state = states[0]
    for event in events_of(states[-1]):
        state = evolve(state, event)
    assert state == states[-1]
    assert events_of(state) == events_of(states[-1])


@few
@given(states())
def test_every_step_s_events_lead_from_state_to_state(states: list[MatchState]) -> None:
    for before, after in pairwise(states):
        for event in events_of(after)[len(events_of(before)) :]:
            before = evolve(before, event)
        assert before == after


@few
@given(states())
def test_events_are_written_and_read_again(states: list[MatchState]) -> None:
    for event in events_of(states[-1]):
        assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event


@few
@given(states())
def test_a_snapshot_is_loaded_as_the_same_state(states: list[MatchState]) -> None:
    for state in states[:: max(1, len(states) // 40)]:
        again = load(json.loads(json.dumps(dump(state))))
        assert again == state
        assert (again.totals, again.drafts, again.open) == (state.totals, state.drafts, state.open)
        assert legal_actions(again) == legal_actions(state)
        assert events_of(again) == ()


@few
@given(new_matches(), words)
def test_a_match_goes_on_from_a_snapshot_as_without_one(start: MatchState, word: int) -> None:
    shuffle = shuffle_of(word, start.seats)
    live = restarted = start
    while live.phase is not Phase.OVER:
        restarted = load(json.loads(json.dumps(dump(restarted))))
        if live.phase is Phase.DEAL:
            live, restarted = deal_hand(live, shuffle).state, deal_hand(restarted, shuffle).state
        else:
            action = legal_actions(live)[word % len(legal_actions(live))]
            live, restarted = apply(live, action).state, apply(restarted, action).state
        assert live == restarted


@settings(max_examples=8, deadline=None)
@given(states())
def test_an_action_is_legal_exactly_if_apply_takes_it(states: list[MatchState]) -> None:
    for state in states[:: max(1, len(states) // 12)]:
        legal = set(legal_actions(state))
        for action in EVERY_ACTION:
            assert (refusal_of(state, action) is None) == (action in legal)


def refusal_of(state: MatchState, action: Action) -> IllegalAction | None:
    try:
        apply(state, action)
    except IllegalAction as error:
        return error
    return None


@settings(max_examples=5, deadline=None)
@given(states())
def test_every_refusal_gives_its_reason(states: list[MatchState]) -> None:
    for state in states[:: max(1, len(states) // 6)]:
        refusals = filter(None, (refusal_of(state, action) for action in PLAYS))
        assert "illegal_action" not in {error.code for error in refusals}


@few
@given(states())
def test_legal_actions_are_distinct_and_of_one_kind(states: list[MatchState]) -> None:
    for state in states:
        actions = legal_actions(state)
        assert len(set(actions)) == len(actions)
        assert len({type(action) for action in actions}) <= 1
        assert bool(actions) == (state.turn is not None)


@few
@given(states())
def test_totals_are_what_was_scored(states: list[MatchState]) -> None:
    """The hands' scores add up to the totals; without the hand's end only placements score."""
    ends = [event for event in events_of(states[-1]) if isinstance(event, HandEnded)]
    summed = tuple(map(sum, zip(*(event.scores for event in ends), strict=True)))
    assert states[-1].totals == summed
    placed = sum(e.scored for e in events_of(states[-1]) if isinstance(e, TilePlayed))
    blank = states[-1].ruleset.blank_pips
    left = sum(tile.pips or blank for event in ends for rack in event.racks for tile in rack)
    if states[-1].ruleset.locker_pays:
        assert sum(summed) == placed - left


@few
@given(states())
def test_accounts_in_the_events_are_those_of_the_state(states: list[MatchState]) -> None:
    for state in states[1:]:
        if state.phase is not Phase.PLAY:
            end = state.frame.ended[-1]
            accounts = (end.totals, end.drafts, end.open, end.bank)
            assert accounts == (state.totals, state.drafts, state.open, state.bank)
            assert (state.drafts is None) == (state.ruleset.opening_minimum == 0)


@few
@given(states())
def test_a_hand_has_a_bound(states: list[MatchState]) -> None:
    """28 placements, a draw for each tile of the stock, and passes never go round the table."""
    passes = draws = plays = stock = 0
    for event in events_of(states[-1]):
        if isinstance(event, HandDealt):
            draws, plays, stock = 0, 0, len(event.stock)
        passes = passes + 1 if isinstance(event, Passed) else 0
        draws += isinstance(event, TilesDrawn)
        plays += isinstance(event, TilePlayed)
        assert passes < states[0].seats
        assert draws <= stock
        assert plays <= 28


@few
@given(states())
def test_a_match_has_a_bound(states: list[MatchState]) -> None:
    kind, number = states[0].ruleset.length
    assert states[-1].phase is Phase.OVER
    assert states[-1].hand_number < (number if kind is LengthKind.HANDS else 500)


@pytest.mark.parametrize("name", ["vip-draw", "vip-block", "domino101", "kraloyun"])
@pytest.mark.parametrize("length", ["target", "wins"])
def test_a_goal_out_of_reach_ends_after_500_hands(name: str, length: str) -> None:
    goal: dict[str, Any] = {length: 10_000}
    state, _, _ = match_of(name, table(name, seats=2, deal=1, hand_scoring="one_win", **goal))
    assert state.hand_number == 499
    assert state.result is not None


@few
@given(new_matches(names=("domino101",)), words)
def test_racks_and_stock_after_a_refused_deal_are_28_fresh_tiles(
    start: MatchState, word: int
) -> None:
    for event in events_of(match_of(word, start)[0]):
        if isinstance(event, HandDealt):
            deals = [(deal.racks, deal.stock) for deal in event.redeals]
            for racks, stock in [*deals, (event.racks, event.stock)]:
                assert sorted(tile for part in (*racks, stock) for tile in part) == list(TILES)
                assert {len(rack) for rack in racks} == {len(event.racks[0])}


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(EVERY_ACTION))
def test_actions_are_written_and_read_again(action: Action) -> None:
    assert action_from_json(json.loads(json.dumps(action_to_json(action)))) is action
    assert pickle.loads(pickle.dumps(action)) is action
    assert copy.deepcopy(action) is action


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda values: st.lists(values) | st.dictionaries(st.text(), values),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(
    json_values
    | st.dictionaries(st.sampled_from(["play", "end", "draw", "pass", "x"]), json_values)
)
def test_what_is_no_action_is_unreadable_and_not_illegal(data: object) -> None:
    try:
        read: object = action_from_json(data)
    except UnreadableAction as error:
        read = error
    assert isinstance(read, UnreadableAction) or read in EVERY_ACTION
    assert not isinstance(read, IllegalAction)


@pytest.mark.parametrize("action", [None, "6-4", 5, TILES[0], {"play": "6-4"}])
def test_what_is_no_action_is_not_applied(action: object) -> None:
    state = dealt("6-1 0-0", "5-1 2-0").state
    with pytest.raises(UnreadableAction):
        apply(state, action)  # type: ignore[arg-type]


@settings(max_examples=100, deadline=None)
@given(json_values | st.dictionaries(st.sampled_from(["kind", "seat", "tile"]), json_values))
def test_what_is_no_event_is_unreadable(data: object) -> None:
    with pytest.raises(UnreadableEvent):
        event_from_json(data)  # type: ignore[arg-type]


def test_between_hands_before_the_first_and_after_the_last_no_action_is_legal() -> None:
    start = aznif(seats=2, deal=2, hands=2)
    between = played(dealt("6-1 1-0", "6-5 5-2", state=start).state, "6-1", "6-5 L", "1-0 R")
    for state in (start, between):
        with pytest.raises(NoHandInPlay):
            apply(state, Pass())
    over, _, shuffle = match_of("over", start)
    with pytest.raises(MatchOver):
        apply(over, Pass())
    with pytest.raises(MatchOver):
        deal_hand(over, shuffle)
    with pytest.raises(InvalidDeal):
        deal_hand(deal_hand(start, shuffle).state, shuffle)


@pytest.mark.parametrize(
    ("racks", "starter"),
    [
        (("6-1 0-0", "6-1 2-0"), 0),
        (("6-1 0-0", "5-1"), 0),
        (("6-1 0-0",), 0),
        (("6-1 0-0", "5-1 2-0", "3-0 4-0"), 0),
        (("6-1 0-0", "5-1 2-0"), 2),
        (("6-1 0-0", "5-1 2-0"), -1),
        (("6-1 0-0", "5-1 2-0"), None),
    ],
)
def test_a_deal_that_could_not_be_is_refused(racks: tuple[str, ...], starter: int) -> None:
    with pytest.raises(InvalidDeal):
        dealt(*racks, starter=starter, state=aznif(seats=2, deal=2))


def test_a_starter_the_rules_do_not_name_is_refused() -> None:
    start = aznif(seats=2, deal=2, hands=2)
    between = played(dealt("6-1 1-0", "6-5 5-2", state=start).state, "6-1", "6-5 L", "1-0 R")
    racks = [tiles("6-1 1-0"), tiles("6-5 5-2")]
    stock = [tile for tile in TILES if tile not in (*racks[0], *racks[1])]
    assert deal_given(between, racks, stock, 0).state.turn == 0
    with pytest.raises(InvalidDeal):
        deal_given(between, racks, stock, 1)
    with pytest.raises(InvalidDeal):
        deal_given(between, racks, stock[1:], 0)


def test_a_state_cannot_be_changed_from_outside() -> None:
    state = dealt("6-1 0-0", "5-1 2-0").state
    for value, name in (
        (state, "hand"),
        (state, "totals"),
        (state.frame, "stake"),
        (state.hand, "turn"),
    ):
        with pytest.raises(AttributeError):
            setattr(value, name, 0)
    assert copy.copy(state) is state
    assert copy.deepcopy(state) is state
    assert pickle.loads(pickle.dumps(state)) == state
    assert hash(load(dump(state))) == hash(state)
    for text in (repr(state), str(state)):
        assert "6-1" not in text


def test_an_old_state_goes_on_unharmed() -> None:
    """Two ways on from one state do not disturb each other."""
    state = dealt("6-1 0-0 1-0", "5-1 2-0 6-2").state
    one, other = played(state, "6-1", "5-1 R"), played(state, "6-1", "6-2 L")
    assert one != other
    assert events_of(one)[:2] == events_of(other)[:2]
    assert len(events_of(state)) == 1


def test_a_snapshot_stays_small_however_long_the_match() -> None:
    for hands in (60, 240):
        state, _, _ = match_of("small", aznif(seats=2, deal=5, hands=hands))
        assert len(json.dumps(dump(state))) < 8_000


def test_a_long_match_is_read_back_from_its_log() -> None:
    state, events, _ = match_of("long", aznif(seats=2, deal=1, hands=3000))
    assert list(events_of(state)) == events
    assert state.hand_number == 2999


@pytest.mark.parametrize(
    "damage",
    [
        {"format": 3},
        {"format": None},
        {"phase": "sleep"},
        {"hand": {}},
        {"hand": 5},
        {"accounts": None},
        {"ended": [{"kind": "passed", "seat": 0}]},
        {"ruleset": {"preset": "aznif", "deal": 9, "hands": 1}},
        {"seats": 9},
    ],
)
def test_a_damaged_snapshot_is_an_error_of_its_own(damage: dict[str, object]) -> None:
    data = dump(dealt("6-1 0-0", "5-1 2-0").state)
    with pytest.raises(InvalidSnapshot):
        load({**data, **damage})
    with pytest.raises(InvalidSnapshot):
        load({name: value for name, value in data.items() if name not in damage})


def test_a_snapshot_of_the_first_format_is_read() -> None:
    """It knew totals alone; a table under way may still have one."""
    state, _, _ = match_of("old", aznif(seats=2, deal=5, hands=2))
    for old in (dealt("6-1 0-0", "5-1 2-0").state, state):
        data = dump(old)
        accounts = data.pop("accounts")
        ended = [
            {name: value for name, value in event.items() if name not in ("drafts", "open", "bank")}
            for event in data["ended"]  # type: ignore[attr-defined]
        ]
        totals = accounts["totals"]  # type: ignore[index]
        assert load({**data, "format": 1, "totals": totals, "ended": ended}) == old


def test_every_error_has_its_own_code() -> None:
    def family(kind: type[EngineError]) -> Iterator[type[EngineError]]:
        for child in kind.__subclasses__():
            yield child
            yield from family(child)

    codes = [kind.code for kind in family(EngineError)]
    assert len(set(codes)) == len(codes) > 15
