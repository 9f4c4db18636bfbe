"""What holds for the record of every match: both checkers say the same, whatever is altered."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.errors import InvalidRecord
from engine.events import HandDealt
from engine.match import MatchState, deal_hand
from engine.record import check_record, record_of
from tests.engine.altering import at, leaves, other_values, with_value, wrong_kinds
from tests.engine.positions import TABLES, match_of, new_matches, shuffle_of
from tests.engine.second_checker import Refused, check
from tests.engine.second_checker_builders import GOLDEN, GOOD, Record, with_players

words = st.integers(0, 10**6)


def held_by_engine(data: Record) -> bool:
    try:
        check_record(data)
    except InvalidRecord:
        return False
    return True


def held_by_second(data: Record) -> bool:
    try:
        check(data)
    except Refused:
        return False
    return True


@st.composite
def records(draw: st.DrawFn, *, proved: bool = True, names: tuple[str, ...] = ()) -> Record:
    """The record of a random match under any house rules."""
    start: MatchState = draw(new_matches(names=names or tuple(TABLES)))
    return record_by(draw(words), start, proved=proved)


@st.composite
def redealt(draw: st.DrawFn) -> Record:
    """The record of a random match whose first deal was refused."""
    start: MatchState = draw(new_matches(names=("domino101",)))
    first = draw(words)
    tried = range(first, first + 500)
    refused = (word for word in tried if first_hand(word, start).redeals)
    word = next(refused, None)
    assume(word is not None)
    return record_by(word, start, proved=True)


def first_hand(word: object, start: MatchState) -> HandDealt:
    (dealt,) = deal_hand(start, shuffle_of(word, start.seats)).events
    assert isinstance(dealt, HandDealt)
    return dealt


def record_by(word: object, start: MatchState, *, proved: bool) -> Record:
    state, events, shuffle = match_of(word, start)
    data = record_of(
        events=events,
        ruleset=state.ruleset,
        seats=state.seats,
        partners=state.partners,
        stake=state.stake,
        shuffle=shuffle if proved else None,
    )
    return json.loads(json.dumps(data))  # type: ignore[no-any-return]


@settings(max_examples=150, deadline=None)
@given(records())
def test_both_checkers_hold_any_match_under_any_house_rules(data: Record) -> None:
    check(data)
    assert check_record(data).result is not None


# --- a proof leaves no room ----------------------------------------------------------------------


def swapped(hand: Record, numbers: st.DataObject) -> None:
    """Two tiles of the deal change places."""
    places = [*hand["racks"], hand["stock"]]
    spots = [(place, at) for place in places for at in range(len(place))]
    one = numbers.draw(st.integers(0, len(spots) - 2))
    (first, i), (other, j) = spots[one], spots[numbers.draw(st.integers(one + 1, len(spots) - 1))]
    first[i], other[j] = other[j], first[i]


def redeal_left_out(hand: Record, numbers: st.DataObject) -> None:
    del hand["redeals"][numbers.draw(st.integers(0, len(hand["redeals"]) - 1))]


def redeal_doubled(hand: Record, numbers: st.DataObject) -> None:
    at = numbers.draw(st.integers(0, len(hand["redeals"]) - 1))
    hand["redeals"].insert(at, copy.deepcopy(hand["redeals"][at]))


def redeal_swapped(hand: Record, numbers: st.DataObject) -> None:
    swapped(numbers.draw(st.sampled_from(hand["redeals"])), numbers)


def redeal_taken_for_the_deal(hand: Record, numbers: st.DataObject) -> None:
    last = hand["redeals"].pop()
    hand["racks"], hand["stock"] = last["racks"], last["stock"]


def starter_moved(hand: Record, numbers: st.DataObject) -> None:
    seats = len(hand["racks"])
    hand["starter"] = (hand["starter"] + numbers.draw(st.integers(1, seats - 1))) % seats


def refused_by_both_if(
    data: Record, numbers: st.DataObject, alter: Callable[[Record, st.DataObject], None]
) -> None:
    needs_redeals = alter.__name__.startswith("redeal")
    hands = [hand for hand in data["hands"] if hand.get("redeals") or not needs_redeals]
    alter(numbers.draw(st.sampled_from(hands)), numbers)
    assert not held_by_engine(data)
    assert not held_by_second(data)


@settings(max_examples=100, deadline=None)
@given(records(), st.sampled_from([swapped, starter_moved]), st.data())
def test_with_a_proof_any_altered_deal_or_starter_is_refused(
    data: Record, alter: Callable[[Record, st.DataObject], None], numbers: st.DataObject
) -> None:
    refused_by_both_if(data, numbers, alter)


REDEALS = [redeal_left_out, redeal_doubled, redeal_swapped, redeal_taken_for_the_deal]


@settings(max_examples=150, deadline=None)
@given(redealt(), st.sampled_from(REDEALS), st.data())
def test_with_a_proof_any_altered_redeal_is_refused(
    data: Record, alter: Callable[[Record, st.DataObject], None], numbers: st.DataObject
) -> None:
    refused_by_both_if(data, numbers, alter)


# --- one field altered ---------------------------------------------------------------------------


def altered(data: Record, numbers: st.DataObject) -> Record:
    """The same with another value in one place: a near one, or one of a wrong kind."""
    path = numbers.draw(st.sampled_from(leaves(data)))
    others = [*other_values(at(data, path)), *wrong_kinds(at(data, path))]
    altered: Record = with_value(data, path, numbers.draw(st.sampled_from(others)))
    return altered


SEATED = [*GOOD, *GOLDEN, *map(with_players, GOOD)]


@settings(max_examples=250, deadline=None)
@given(st.sampled_from(SEATED), st.data())
def test_one_field_altered_both_checkers_say_the_same(data: Record, numbers: st.DataObject) -> None:
    data = altered(data, numbers)
    assert held_by_engine(data) == held_by_second(data)


@settings(max_examples=250, deadline=None)
@given(records(proved=False), st.data())
def test_one_field_altered_without_a_proof_both_checkers_say_the_same(
    data: Record, numbers: st.DataObject
) -> None:
    data = altered(data, numbers)
    assert held_by_engine(data) == held_by_second(data)


@settings(max_examples=150, deadline=None)
@given(records(proved=False, names=("domino101",)), st.data())
def test_101_one_field_altered_without_a_proof_both_checkers_say_the_same(
    data: Record, numbers: st.DataObject
) -> None:
    """Where redeals and accounts stand."""
    data = altered(data, numbers)
    assert held_by_engine(data) == held_by_second(data)


RULES: list[Record] = [
    {"draw": "none"}, {"draw": "pairs"}, {"draw": "until_playable"}, {"reserve": 1}, {"reserve": 3},
    {"first_starter": "lot"}, {"first_starter": "first_double"}, {"next_starter": "rotate"},
    {"next_starter": "went_out"}, {"starter_after_lock": "last_placer"}, {"forced_opening": "no"},
    {"forced_opening": "always"}, {"no_double_redeals": True}, {"no_double_redeals": False},
    {"lock_waits_for_empty_stock": True}, {"fives": True}, {"fives": False}, {"blank_pips": 10},
    {"hand_scoring": "difference"}, {"hand_scoring": "opponents_pips"}, {"locker_pays": False},
    {"going_out_wins": False}, {"blank_pips": 0}, {"lock_tie": "seka"}, {"lock_tie": "nobody"},
    {"opening_minimum": 0}, {"opening_minimum": 14}, {"bank_opens_account": False},
    {"drafts_on_opening": "drop"}, {"preset": "vip-draw"}, {"preset": "kraloyun"},
    {"preset": "domino101"}, {"preset": "vip-block"}, {"preset": "aznif"}, {"deal": 6},
]  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(records(), st.sampled_from(RULES))
def test_under_another_rule_set_both_checkers_say_the_same(data: Record, rules: Record) -> None:
    data["ruleset"] |= rules
    assert held_by_engine(data) == held_by_second(data)
