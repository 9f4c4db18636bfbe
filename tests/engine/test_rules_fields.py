"""rules.md, *Fields of a rule set*: a frozen, validated value."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from engine.errors import InvalidRuleset
from engine.match import new_match
from engine.rulesets import (
    PRESETS,
    DrawRule,
    LengthKind,
    Ruleset,
    StarterRule,
    preset,
    ruleset_from_json,
)
from engine.rulesets.base import READERS

AZNIF: dict[str, Any] = {"preset": "aznif", "deal": 5, "hands": 3}


def test_every_field_of_the_table_is_a_field_of_the_value() -> None:
    assert list(READERS) == list(Ruleset._fields[4:])
    assert list(READERS) == [
        "draw", "reserve", "first_starter", "next_starter", "starter_after_lock",
        "forced_opening", "no_double_redeals", "lock_waits_for_empty_stock", "fives",
        "hand_scoring", "locker_pays", "going_out_wins", "blank_pips", "lock_tie",
        "opening_minimum", "bank_opens_account", "drafts_on_opening",
    ]  # fmt: skip


def test_it_is_written_with_what_differs_and_read_again() -> None:
    data = {**AZNIF, "next_starter": "rotate", "locker_pays": False, "version": 3}
    ruleset = ruleset_from_json(data)
    assert ruleset.to_json() == data
    assert ruleset_from_json(ruleset.to_json()) == ruleset
    assert ruleset.next_starter is StarterRule.ROTATE
    assert ruleset.version == 3


def test_a_field_that_repeats_the_preset_is_read_and_not_written() -> None:
    ruleset = ruleset_from_json({**AZNIF, "fives": True, "draw": "until_playable"})
    assert ruleset == ruleset_from_json(AZNIF)
    assert ruleset.to_json() == AZNIF
    assert ruleset.draw is DrawRule.UNTIL_PLAYABLE


def test_a_dash_in_the_table_means_setting_it_is_refused() -> None:
    for name, value in {
        "going_out_wins": True,
        "lock_tie": "nobody",
        "bank_opens_account": True,
        "drafts_on_opening": "keep",
    }.items():
        with pytest.raises(InvalidRuleset, match=name):
            ruleset_from_json({**AZNIF, name: value})
        assert getattr(preset("aznif"), name) is None


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"deal": 0}, "out_of_range"),
        ({"deal": 8}, "out_of_range"),
        ({"deal": True}, "wrong_type"),
        ({"deal": 5.0}, "wrong_type"),
        ({"deal": "5"}, "wrong_type"),
        ({"deal": None}, "wrong_type"),
        ({"hands": 0}, "out_of_range"),
        ({"hands": 10_001}, "out_of_range"),
        ({"hands": 10**5000}, "out_of_range"),
        ({"hands": [3]}, "wrong_type"),
        ({"target": 100}, "length"),
        ({"fives": 1}, "wrong_type"),
        ({"fives": "yes"}, "wrong_type"),
        ({"draw": "sometimes"}, "wrong_type"),
        ({"draw": ["none"]}, "wrong_type"),
        ({"reserve": -1}, "out_of_range"),
        ({"reserve": 29}, "out_of_range"),
        ({"blank_pips": 10_001}, "out_of_range"),
        ({"version": None}, "wrong_type"),
        ({"version": 0}, "out_of_range"),
        ({"hand_scoring": "difference"}, "not_offered"),
        ({"first_starter": "went_out"}, "wrong_type"),
        ({"next_starter": "last_placer"}, "wrong_type"),
        ({"starter_after_lock": "went_out"}, "wrong_type"),
        ({"colour": "red"}, "unknown_field"),
        ({"preset": "aznif2"}, "unknown_preset"),
        ({"preset": ["aznif"]}, "unknown_preset"),
        ({"preset": None}, "unknown_preset"),
        ({"\ud800": 1}, "unknown_field"),
    ],
)
def test_what_is_wrong_gets_a_clear_error(change: dict[str, Any], code: str) -> None:
    with pytest.raises(InvalidRuleset) as caught:
        ruleset_from_json({**AZNIF, **change})
    assert caught.value.code == code
    caught.value.text.encode("ascii")


@pytest.mark.parametrize("missing", ["preset", "deal", "hands"])
def test_preset_deal_and_length_always_stand_there(missing: str) -> None:
    with pytest.raises(InvalidRuleset):
        ruleset_from_json({name: value for name, value in AZNIF.items() if name != missing})


@pytest.mark.parametrize("data", [None, [], "aznif", 5, True])
def test_a_rule_set_is_an_object(data: object) -> None:
    with pytest.raises(InvalidRuleset):
        ruleset_from_json(data)


@pytest.mark.parametrize("kind", ["target", "wins"])
def test_aznif_takes_hands_only(kind: str) -> None:
    with pytest.raises(InvalidRuleset, match=kind):
        ruleset_from_json({"preset": "aznif", "deal": 7, kind: 100})


@pytest.mark.parametrize(
    ("seats", "partners"),
    [(1, False), (5, False), (0, False), (2, True), (3, True), (True, False), ("4", False), (4, 1)],
)
def test_aznif_is_played_by_2_3_or_4_with_partners_at_4_only(seats: Any, partners: Any) -> None:
    with pytest.raises(InvalidRuleset):
        new_match(preset("aznif"), seats=seats, partners=partners)


def test_a_reserve_larger_than_the_stock_is_refused() -> None:
    assert new_match(preset("aznif", reserve=14), seats=2).seats == 2
    with pytest.raises(InvalidRuleset, match="stock of 14"):
        new_match(preset("aznif", reserve=15), seats=2)
    with pytest.raises(InvalidRuleset):
        new_match(preset("aznif", reserve=1), seats=4)


def test_the_value_is_frozen_hashable_and_comes_back_from_a_pickle() -> None:
    ruleset = preset("aznif", hands=3)
    with pytest.raises(AttributeError):
        ruleset.deal = 5  # type: ignore[misc]
    assert {ruleset: 1}[preset("aznif", hands=3)] == 1
    assert copy.deepcopy(ruleset) == ruleset
    assert pickle.loads(pickle.dumps(ruleset)) == ruleset


def test_presets_are_listed() -> None:
    assert "aznif" in PRESETS
    for name in PRESETS:
        assert preset(name).preset == name
        assert preset(name).length.kind in LengthKind


def test_house_rules_may_leave_the_draw_out() -> None:
    state = new_match(preset("aznif", draw="none", hands=1), seats=2)
    assert state.ruleset.to_json()["draw"] == "none"
