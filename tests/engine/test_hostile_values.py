"""Rule sets, events and snapshots from outside: read as they were written, or a typed error."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from random import Random
from typing import Any

import pytest

from engine.actions import Draw, Pass, Play
from engine.errors import EngineError, InvalidRuleset, InvalidSnapshot, UnreadableEvent
from engine.events import event_from_json, event_to_json
from engine.fairness import Shuffle
from engine.match import (
    MatchState,
    Phase,
    Step,
    apply,
    deal_hand,
    events_of,
    legal_actions,
    new_match,
)
from engine.rulesets import PRESETS, preset, ruleset_from_json
from engine.snapshot import dump, load
from engine.tiles import TILES
from tests.engine.altering import (
    KEYS,
    SOME_SECONDS,
    VALUES,
    altered,
    nested,
    paths,
    said,
    with_value,
)

Json = dict[str, Any]

SOME_TABLES = [
    ("aznif", 2, False),
    ("vip-draw", 4, True),
    ("vip-block", 4, False),
    ("domino101", 3, False),
    ("domino101", 4, True),
    ("kraloyun", 4, False),
]


# --- rule sets -----------------------------------------------------------------------------------

FIELDS = (
    "preset", "deal", "hands", "target", "wins", "version", "draw", "reserve", "first_starter",
    "next_starter", "starter_after_lock", "forced_opening", "no_double_redeals",
    "lock_waits_for_empty_stock", "fives", "hand_scoring", "locker_pays", "going_out_wins",
    "blank_pips", "lock_tie", "opening_minimum", "bank_opens_account", "drafts_on_opening",
)  # fmt: skip


def ruleset_or_refusal(data: object) -> None:
    """Read a rule set; what is taken is written the same again."""
    try:
        ruleset = ruleset_from_json(data)
    except InvalidRuleset as refusal:
        error = refusal
    else:
        assert ruleset_from_json(ruleset.to_json()) == ruleset
        return
    said(error)
    assert error.field in (None, *FIELDS)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("field", FIELDS)
def test_any_value_in_any_field_is_taken_or_refused(name: str, field: str) -> None:
    base = {"deal": 5, **preset(name).to_json()}
    for value in VALUES:
        ruleset_or_refusal({**base, field: value})
        ruleset_or_refusal({"preset": name, "deal": 7, "wins": 3, field: value})


@pytest.mark.parametrize("number", range(len(VALUES)))
def test_what_is_no_rule_set_is_refused(number: int) -> None:
    with pytest.raises(InvalidRuleset) as caught:
        ruleset_from_json(VALUES[number])
    said(caught.value)


@pytest.mark.parametrize("wrong", [True, 1.0, "5", None, [5], 10**400, 5.5], ids=ascii)
def test_a_number_is_an_integer(wrong: object) -> None:
    for field in ("deal", "hands", "version", "reserve", "blank_pips"):
        data = {"preset": "kraloyun", "deal": 5, "hands": 1, field: wrong}
        with pytest.raises(InvalidRuleset) as caught:
            ruleset_from_json(data)
        assert caught.value.field == field
        assert field in said(caught.value)


@pytest.mark.parametrize("key", [*KEYS, 5, None, ("deal",)], ids=lambda key: ascii(key)[:12])
def test_a_key_that_is_no_field_is_refused(key: object) -> None:
    with pytest.raises(InvalidRuleset) as caught:
        ruleset_from_json({"preset": "aznif", "deal": 5, "hands": 3, key: 1})
    assert caught.value.code == "unknown_field"
    said(caught.value)


def test_100_000_keys_are_refused_in_no_time() -> None:
    data: Json = dict.fromkeys(map(str, range(100_000)), nested(50))
    began = time.process_time()
    with pytest.raises(InvalidRuleset):
        ruleset_from_json({**data, "preset": "aznif", "deal": 5, "hands": 3})
    assert time.process_time() - began < SOME_SECONDS


@pytest.mark.parametrize("name", ["", "AZNIF", "aznif ", "__class__", "\x00", "x" * 10**6])
def test_an_unknown_preset_is_refused(name: str) -> None:
    with pytest.raises(InvalidRuleset) as caught:
        preset(name)
    assert caught.value.code == "unknown_preset"
    said(caught.value)


@pytest.mark.parametrize("number", range(len(VALUES)))
@pytest.mark.parametrize("what", ["seats", "partners", "stake"])
def test_a_table_of_any_size_is_taken_or_refused(what: str, number: int) -> None:
    table: Json = {"seats": 4, "partners": True, "stake": 11, what: VALUES[number]}
    for name in PRESETS:
        try:
            state = new_match(preset(name), **table)
        except InvalidRuleset as error:
            said(error)
        else:
            assert state.seats in (2, 3, 4)


# --- what was stored -----------------------------------------------------------------------------


def as_stored(data: object) -> Any:
    return json.loads(json.dumps(data))


def states(name: str, seats: int, partners: bool) -> Iterator[MatchState]:
    """Give the states of a short random match."""
    state = new_match(preset(name, hands=2), seats=seats, partners=partners)
    shuffle, chance = Shuffle(bytes(32), ("",) * seats), Random(name)
    yield state
    while state.phase is not Phase.OVER:
        state = deal_hand(state, shuffle).state
        yield state
        while actions := legal_actions(state):
            state = apply(state, chance.choice(actions)).state
            yield state


@cache
def stored() -> tuple[list[Json], list[Json]]:
    """Some snapshots, and one event of each kind and table."""
    snapshots, events = [], []
    for table in SOME_TABLES:
        reached = list(states(*table))
        snapshots += [as_stored(dump(state)) for state in (*reached[::12], reached[-1])]
        kinds = {type(event): event for event in events_of(reached[-1])}
        events += [as_stored(event_to_json(event)) for event in kinds.values()]
    return snapshots, events


Reading = tuple[Callable[[Any], Any], Callable[[Any], Json], type[EngineError]]
READINGS: dict[str, Reading] = {
    "snapshot": (load, dump, InvalidSnapshot),
    "event": (event_from_json, event_to_json, UnreadableEvent),
}


def read_or_refused(kind: str, data: object) -> Any:
    """Read what may have been damaged; give None where it is refused."""
    read, _, refusal = READINGS[kind]
    try:
        return read(data)
    except refusal as error:
        said(error)
        return None


@pytest.mark.parametrize("kind", list(READINGS))
def test_what_was_stored_is_read_as_it_was(kind: str) -> None:
    read, write, _ = READINGS[kind]
    for data in stored()[kind == "event"]:
        assert write(read(data)) == data


@pytest.mark.parametrize("kind", list(READINGS))
@pytest.mark.parametrize("number", range(len(VALUES)))
def test_what_was_never_stored_is_refused(kind: str, number: int) -> None:
    read, _, error = READINGS[kind]
    value = VALUES[number]
    for data in (value, {"kind": value}, {"format": value}, {"format": 2, "ruleset": value}):
        with pytest.raises(error):
            read(data)


def test_any_value_in_any_place_of_an_event_is_taken_or_refused() -> None:
    for data in stored()[1]:
        for path in paths(data):
            for value in VALUES:
                event = read_or_refused("event", with_value(data, path, value))
                assert event is None or isinstance(hash(event), int)


def test_a_damaged_snapshot_is_refused_or_can_be_played_on() -> None:
    """A thousand alterations, each with one thing changed; the same in every run."""
    chance = Random(3)
    taken = 0
    for _ in range(1_000):
        state = read_or_refused("snapshot", altered(chance.choice(stored()[0]), chance))
        if state is not None:
            taken += 1
            try_everything(state)
            play_on(state, chance)
    assert 0 < taken < 1_000


def try_everything(state: MatchState) -> None:
    """Do what may not be possible now; what is not, is told."""
    attempts: list[Callable[[], Step]] = [
        partial(apply, state, action) for action in (Pass(), Draw(), Play(TILES[0]))
    ]
    attempts.append(partial(deal_hand, state, Shuffle(bytes(32), ("",) * state.seats)))
    done = 0
    for attempt in attempts:
        try:
            attempt()
        except EngineError as error:
            said(error)
        else:
            done += 1
    assert done <= 1


def play_on(state: MatchState, chance: Random) -> None:
    """Play the hand to its end, and deal the next one."""
    while actions := legal_actions(state):
        state = apply(state, chance.choice(actions)).state
    if state.phase is Phase.DEAL:
        dealt = deal_hand(state, Shuffle(bytes(32), ("",) * state.seats)).state
        assert legal_actions(dealt)


def test_a_phase_that_is_not_that_of_the_hand_is_refused() -> None:
    """Play without a hand, a deal in the middle of one, an end without a result."""
    for data in stored()[0]:
        for phase in Phase:
            changed = {**data, "phase": phase.value}
            assert (read_or_refused("snapshot", changed) is None) == (phase != data["phase"])
        for field, value in (("hand", None), ("result", [[0], [1], [0]])):
            if data["phase"] == Phase.PLAY:
                assert read_or_refused("snapshot", {**data, field: value}) is None


def test_a_match_that_is_over_has_a_result_and_its_last_hand() -> None:
    for data in (data for data in stored()[0] if data["phase"] == Phase.OVER):
        for field in ("result", "hand"):
            assert read_or_refused("snapshot", {**data, field: None}) is None


def test_the_hand_s_number_goes_with_the_hands_that_ended() -> None:
    for data in stored()[0]:
        for number in (-1, data["hand_number"] - 1, data["hand_number"] + 1, 400):
            assert read_or_refused("snapshot", {**data, "hand_number": number}) is None
        if data["ended"]:
            assert read_or_refused("snapshot", {**data, "ended": data["ended"][1:]}) is None


@pytest.mark.parametrize("field", ["racks", "stock", "laid"])
def test_a_snapshot_holds_each_tile_once(field: str) -> None:
    data = next(data for data in stored()[0] if data["hand"] and data["hand"]["laid"])
    tiles = data["hand"][field]
    fewer = tiles[:-1] if field != "racks" else [tiles[0][:-1], *tiles[1:]]
    with pytest.raises(InvalidSnapshot, match="28 tiles"):
        load(with_value(data, ("hand", field), fewer))
