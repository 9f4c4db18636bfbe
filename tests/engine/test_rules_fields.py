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
from engine.rulesets.fields import READERS
from tests.engine.positions import TABLES
from tests.engine.table_of_fields import CELLS, DASH, OFFERED, offered

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


# --- the table -----------------------------------------------------------------------------------


def at_tables() -> list[tuple[str, int, bool]]:
    return [(name, *table) for name, tables in TABLES.items() for table in tables]


@pytest.mark.parametrize(("name", "seats", "partners"), at_tables())
def test_every_preset_plays_its_column_of_the_table(name: str, seats: int, partners: bool) -> None:
    terms = preset(name).at(seats, partners)
    for field in READERS:
        cell = CELLS[field, name].split()
        value = getattr(terms if field in ("draw", "reserve") else terms.ruleset, field)
        right = cell[seats - 2] if len(cell) > 1 else cell[0]
        assert (DASH if value is None else str(value)) == right, field


DEALS = {"vip-draw": {2: 7, 4: 5}, "vip-block": {2: 7, 4: 5}}
LENGTHS = {
    "aznif": ("hands", 11),
    "vip-draw": ("target", 100),
    "vip-block": ("target", 100),
    "domino101": ("target", 101),
    "kraloyun": ("hands", 1),
}


@pytest.mark.parametrize(("name", "seats", "partners"), at_tables())
def test_deal_and_length_always_stand_in_the_record(name: str, seats: int, partners: bool) -> None:
    deal = DEALS.get(name, {}).get(seats, 7)
    length, number = LENGTHS[name]
    written = {"preset": name, "deal": deal, length: number}
    ruleset = new_match(preset(name), seats=seats, partners=partners).ruleset
    assert ruleset.to_json() == written
    again = new_match(ruleset_from_json(written), seats=seats, partners=partners).ruleset
    assert again == ruleset


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("seats", range(1, 6))
@pytest.mark.parametrize("partners", [False, True])
def test_who_can_sit_at_it(name: str, seats: int, partners: bool) -> None:
    if (seats, partners) in TABLES[name]:
        assert new_match(preset(name), seats=seats, partners=partners).seats == seats
        return
    with pytest.raises(InvalidRuleset) as caught:
        new_match(preset(name), seats=seats, partners=partners)
    assert caught.value.code in ("seats", "partners")


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("field", OFFERED)
def test_every_field_of_the_table_is_an_option(name: str, field: str) -> None:
    base = preset(name, deal=5).to_json()
    for value in OFFERED[field]:
        data = {**base, field: value}
        if value not in offered(name, field):
            with pytest.raises(InvalidRuleset) as caught:
                ruleset_from_json(data)
            assert (caught.value.code, caught.value.field) == ("not_offered", field)
        else:
            ruleset = ruleset_from_json(data)
            assert getattr(ruleset, field) == value
            assert preset(name, deal=5, **{field: value}) == ruleset
            assert ruleset_from_json(ruleset.to_json()) == ruleset


WRONG: tuple[Any, ...] = (None, 1.0, "", "maybe", "NO", [], {}, "yes", "true", "0")
KINDS: dict[type, tuple[Any, ...]] = {
    bool: (*WRONG, 0, 1, -1, 10_001),
    int: (*WRONG, True, False),
    str: (*WRONG, True, False, 0, 1, -1, 10_001),
}
"""What is of the wrong type where such a value belongs."""


def refusal_of(name: str, field: str, value: Any) -> str:
    """Try a value in a field; give the code with which it is refused by name."""
    with pytest.raises(InvalidRuleset) as caught:
        ruleset_from_json({**preset(name, deal=5).to_json(), field: value})
    assert caught.value.field == field
    return str(caught.value.code)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("field", OFFERED)
def test_a_value_of_the_wrong_type_is_refused_by_name(name: str, field: str) -> None:
    code = "not_offered" if CELLS[field, name] == DASH else "wrong_type"
    for value in KINDS[type(OFFERED[field][0])]:
        assert refusal_of(name, field, value) == code


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("field", ["reserve", "blank_pips", "opening_minimum"])
def test_a_number_outside_the_range_is_refused_by_name(name: str, field: str) -> None:
    for value in (-1, 10_001):
        assert refusal_of(name, field, value) == "out_of_range"


def contradicts(**options: Any) -> bool:
    """Whether Domino 101 is refused with these options for an account that could never open."""
    try:
        preset("domino101", **options)
    except InvalidRuleset as error:
        return (str(error.code), error.field) == ("contradiction", "opening_minimum")
    return False


def test_101_an_opening_minimum_that_no_win_can_reach_is_a_contradiction() -> None:
    """Without a bank that counts in, a hand is worth at most all pips, or the one win."""
    for closed in ({"lock_tie": "nobody"}, {"bank_opens_account": False}):
        assert contradicts(hand_scoring="one_win", **closed)
        assert contradicts(hand_scoring="one_win", opening_minimum=2, **closed)
        assert not contradicts(hand_scoring="one_win", opening_minimum=1, **closed)
        assert not contradicts(hand_scoring="one_win", opening_minimum=0, **closed)
        for scoring, blank in (("difference", 10), ("opponents_pips", 0)):
            house = {"hand_scoring": scoring, "blank_pips": blank, **closed}
            assert not contradicts(opening_minimum=168 + blank, **house)
            assert contradicts(opening_minimum=169 + blank, **house)


def test_101_a_bank_that_counts_in_can_reach_any_opening_minimum() -> None:
    for scoring in ("one_win", "difference", "opponents_pips"):
        assert not contradicts(hand_scoring=scoring, opening_minimum=10_000)


def test_yes_and_no_are_booleans_but_forced_opening_s_no_is_a_word() -> None:
    assert preset("kraloyun", forced_opening="no").to_json()["forced_opening"] == "no"
    for value in (False, "false", 0):
        with pytest.raises(InvalidRuleset):
            preset("kraloyun", forced_opening=value)
    for value in ("no", "yes", 0, 1):
        with pytest.raises(InvalidRuleset):
            preset("kraloyun", fives=value)


@pytest.mark.parametrize("name", ["domino101", "kraloyun", "vip-draw", "vip-block"])
@pytest.mark.parametrize("kind", LengthKind)
def test_outside_aznif_every_length_is_offered(name: str, kind: LengthKind) -> None:
    for number in (1, 101, 10_000):
        ruleset = preset(name, **{kind.value: number})
        assert ruleset.length == (kind, number)
    for wrong in (0, -1, 10_001, 1.0, True, "3", None):
        with pytest.raises(InvalidRuleset) as caught:
            preset(name, **{kind.value: wrong})
        assert caught.value.field == kind.value


@pytest.mark.parametrize("name", TABLES)
def test_a_match_has_exactly_one_length(name: str) -> None:
    base = {"preset": name, "deal": 5}
    for kinds in (("hands", "target"), ("target", "wins"), ("hands", "wins")):
        with pytest.raises(InvalidRuleset):
            ruleset_from_json({**base, **dict.fromkeys(kinds, 3)})
    with pytest.raises(InvalidRuleset):
        ruleset_from_json(base)


@pytest.mark.parametrize("name", TABLES)
def test_redeals_are_no_field(name: str) -> None:
    with pytest.raises(InvalidRuleset) as caught:
        ruleset_from_json({**preset(name, deal=5).to_json(), "redeals": False})
    assert caught.value.code == "unknown_field"


@pytest.mark.parametrize(
    ("name", "seats", "options", "field"),
    [
        ("vip-draw", 4, {"reserve": 9}, "reserve"),  # 28 - 20 = 8
        ("vip-draw", 2, {"deal": 5, "reserve": 19}, "reserve"),
        ("domino101", 3, {"reserve": 8}, "reserve"),
        ("domino101", 2, {"reserve": 15}, "reserve"),
        ("kraloyun", 4, {"reserve": 1}, "reserve"),
    ],
)
def test_a_reserve_larger_than_the_stock_of_that_table(
    name: str, seats: int, options: dict[str, Any], field: str
) -> None:
    partners = name == "domino101" and seats == 4
    with pytest.raises(InvalidRuleset) as caught:
        new_match(preset(name, **options), seats=seats, partners=partners)
    assert (caught.value.code, caught.value.field) == ("reserve", field)
    options["reserve"] -= 1
    assert new_match(preset(name, **options), seats=seats, partners=partners).seats == seats


@pytest.mark.parametrize(("name", "seats", "partners"), at_tables())
def test_the_stake_is_from_1_to_10_000(name: str, seats: int, partners: bool) -> None:
    ruleset = preset(name)
    usual = new_match(ruleset, seats=seats, partners=partners).stake
    assert usual == 11
    for stake in (0, -11, 10_001, 11.0, True, "11"):
        with pytest.raises(InvalidRuleset):
            new_match(ruleset, seats=seats, partners=partners, stake=stake)  # type: ignore[arg-type]
    for stake in (1, 10_000):
        if name == "aznif":
            with pytest.raises(InvalidRuleset):
                new_match(ruleset, seats=seats, partners=partners, stake=stake)
        else:
            match = new_match(ruleset, seats=seats, partners=partners, stake=stake)
            assert match.stake == stake


def test_a_house_rule_set_of_101_keeps_what_hangs_on_the_seats_until_it_is_set() -> None:
    house = preset("domino101", target=151)
    assert [house.at(n, n == 4).reserve for n in (2, 3, 4)] == [2, 1, 0]
    fixed = preset("domino101", deal=5, reserve=3, draw="until_playable")
    assert [fixed.at(n, n == 4).reserve for n in (2, 3, 4)] == [3, 3, 3]
    assert [fixed.at(n, n == 4).draw for n in (2, 3, 4)] == [DrawRule.UNTIL_PLAYABLE] * 3


def test_what_is_set_to_the_preset_s_value_of_that_table_is_not_written() -> None:
    state = new_match(preset("domino101", draw="pairs", reserve=2), seats=2)
    assert state.ruleset.to_json() == {"preset": "domino101", "deal": 7, "target": 101}
    other = new_match(preset("domino101", draw="pairs", reserve=2), seats=3)
    assert other.ruleset.to_json() == {
        "preset": "domino101", "deal": 7, "target": 101, "draw": "pairs", "reserve": 2,
    }  # fmt: skip


def test_presets_are_listed() -> None:
    assert "aznif" in PRESETS
    for name in PRESETS:
        assert preset(name).preset == name
        assert preset(name).length.kind in LengthKind


def test_house_rules_may_leave_the_draw_out() -> None:
    state = new_match(preset("aznif", draw="none", hands=1), seats=2)
    assert state.ruleset.to_json()["draw"] == "none"
