"""The engine's simulated matches, held against a checker that shares nothing with it.

25 matches of each variant in the ordinary run, and 2 of each mix of options; AYAZ_SIMULATED_MATCHES
says how many else of a variant (1,000 before a release, and 10 of each mix).
"""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from engine.__main__ import simulate
from engine.errors import InvalidRecord
from engine.match import MatchState
from engine.record import check_record, parse_record
from engine.rulesets import FAMILIES, PRESETS
from tests.engine.positions import TABLES, table
from tests.engine.second_checker import Refused, check
from tests.engine.second_checker_builders import BROKEN, GOLDEN, GOOD
from tests.engine.table_of_fields import OFFERED, offered

MATCHES = int(os.environ.get("AYAZ_SIMULATED_MATCHES", "25"))
MIXED = max(2, MATCHES // 100)

Options = dict[str, Any]

VARIANTS: list[tuple[str, Options]] = [
    ("aznif", {"hands": 2}),
    ("aznif", {"hands": 1, "deal": 5}),
    ("vip-draw", {"target": 30}),
    ("vip-block", {"target": 30}),
    ("domino101", {}),
    ("kraloyun", {"wins": 2}),
]

VIP: list[Options] = [
    {"target": 100},
    {"lock_tie": "seka"},
    {"going_out_wins": False},
    {"going_out_wins": False, "lock_tie": "seka", "deal": 3},
    {"lock_waits_for_empty_stock": True},
    {"draw": "pairs", "deal": 4},
    {"draw": "pairs", "reserve": 3, "deal": 5, "lock_waits_for_empty_stock": True},
    {"fives": True},
    {"fives": True, "hand_scoring": "one_win", "wins": 3},
    {"hand_scoring": "one_win", "target": 3, "lock_tie": "seka"},
    {"hand_scoring": "opponents_pips", "blank_pips": 25},
    {"first_starter": "first_double", "next_starter": "first_double", "forced_opening": "always"},
    {"first_starter": "highest_double", "forced_opening": "first", "deal": 2},
    {"starter_after_lock": "highest_double", "forced_opening": "always", "next_starter": "lot"},
    {"starter_after_lock": "last_placer", "next_starter": "went_out", "hands": 4},
    {"starter_after_lock": "lot", "next_starter": "lot", "deal": 1, "hands": 6},
    {"no_double_redeals": True, "deal": 2},
]

MIXES: dict[str, list[Options]] = {
    "aznif": [
        {"draw": "none", "hands": 3},
        {"draw": "pairs", "deal": 3},
        {"draw": "pairs", "reserve": 5, "deal": 5},
        {"reserve": 2, "deal": 6, "locker_pays": False},
        {"fives": False, "blank_pips": 10},
        {"lock_waits_for_empty_stock": True, "deal": 5},
        {"no_double_redeals": True, "deal": 2},
        {"first_starter": "first_double", "forced_opening": "always", "next_starter": "rotate"},
        {"first_starter": "highest_double", "next_starter": "first_double", "hands": 3},
        {"starter_after_lock": "first_double", "draw": "none", "forced_opening": "always"},
        {"starter_after_lock": "last_placer", "next_starter": "lot", "draw": "none"},
    ],
    "vip-draw": VIP,
    "vip-block": VIP,
    "domino101": [
        {"drafts_on_opening": "drop"},
        {"bank_opens_account": False},
        {"bank_opens_account": False, "drafts_on_opening": "drop", "opening_minimum": 30},
        {"opening_minimum": 60, "target": 60},
        {"opening_minimum": 0},
        {"opening_minimum": 3, "hand_scoring": "one_win", "wins": 4},
        {"opening_minimum": 1, "hand_scoring": "difference"},
        {"fives": True},
        {"fives": True, "drafts_on_opening": "drop", "bank_opens_account": False},
        {"lock_tie": "nobody", "deal": 3, "draw": "none"},
        {"deal": 2, "draw": "none", "blank_pips": 0, "hands": 12},
        {"draw": "until_playable", "reserve": 3, "deal": 5},
        {"draw": "pairs", "reserve": 1, "deal": 5},
        {"lock_waits_for_empty_stock": True, "deal": 5},
        {"no_double_redeals": False, "deal": 2},
        {"first_starter": "lot", "forced_opening": "always"},
        {"first_starter": "highest_double"},
        {"forced_opening": "no"},
        {"forced_opening": "always", "next_starter": "first_double"},
        {"starter_after_lock": "highest_double", "next_starter": "rotate"},
        {"starter_after_lock": "rotate", "next_starter": "lot", "deal": 6},
    ],
    "kraloyun": [
        {"hands": 5},
        {"fives": True, "hands": 3},
        {"lock_tie": "seka", "hands": 6, "draw": "none", "deal": 3},
        {"reserve": 4, "deal": 6},
        {"draw": "pairs", "reserve": 3, "deal": 5},
        {"draw": "none", "target": 4},
        {"lock_waits_for_empty_stock": False, "hands": 3, "deal": 4},
        {"forced_opening": "no", "hands": 3},
        {"forced_opening": "first", "hands": 3},
        {"first_starter": "lot", "next_starter": "went_out", "starter_after_lock": "last_placer"},
        {"first_starter": "first_double", "next_starter": "first_double", "hands": 3},
        {"next_starter": "rotate", "starter_after_lock": "rotate", "hands": 4},
        {"next_starter": "lot", "starter_after_lock": "lot", "hands": 4},
        {"hand_scoring": "difference", "target": 30},
        {"hand_scoring": "opponents_pips", "target": 60, "blank_pips": 10},
        {"no_double_redeals": True, "deal": 1, "hands": 4},
    ],
}


def starts(name: str, options: Options) -> list[MatchState]:
    """A new match at every table where there are tiles enough for these options."""
    found = []
    for seats, partners in TABLES[name]:
        stock = 28 - seats * options.get("deal", 5 if "reserve" in options else 7)
        if options.get("reserve", 0) <= stock:
            found.append(table(name, seats=seats, partners=partners, **options))
    return found


def of(variants: list[tuple[str, Options]]) -> list[Any]:
    def shown(start: MatchState) -> str:
        options = {k: v for k, v in start.ruleset.to_json().items() if k != "preset"}
        how = "-partners" if start.partners else ""
        said = ",".join(f"{name}={value}" for name, value in options.items())
        return f"{start.ruleset.preset}-{start.seats}{how}-{said}"

    every = [start for name, options in variants for start in starts(name, options)]
    return [pytest.param(start, id=shown(start)) for start in every]


def held_by_both(start: MatchState, matches: int) -> int:
    """Simulate matches and have both check the text that was written."""
    texts = [json.dumps(record) for record in simulate(start, seed=1, matches=matches)]
    for text in texts:
        check(json.loads(text))
        assert check_record(parse_record(text)).result is not None
    return len(texts)


@pytest.mark.parametrize("start", of(VARIANTS))
def test_both_checkers_hold_every_simulated_match(start: MatchState) -> None:
    assert held_by_both(start, MATCHES) == MATCHES


@pytest.mark.parametrize("start", of([(name, one) for name in MIXES for one in MIXES[name]]))
def test_both_checkers_hold_every_match_under_mixed_house_rules(start: MatchState) -> None:
    assert held_by_both(start, MIXED) == MIXED


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_simulated_at_every_table_and_every_field_is_mixed(name: str) -> None:
    assert TABLES[name] == tuple(
        (seats, how) for seats, hows in FAMILIES[name].partners.items() for how in hows
    )
    assert name in dict(VARIANTS)
    free = {field for field in OFFERED if len(offered(name, field)) > 1}
    assert free <= {field for options in MIXES[name] for field in options}


@pytest.mark.parametrize("number", range(len(GOOD)))
def test_both_checkers_hold_the_good_records(number: int) -> None:
    check(GOOD[number])
    assert check_record(GOOD[number]).result is not None


@pytest.mark.parametrize("number", range(len(GOLDEN)))
def test_both_checkers_hold_the_golden_records(number: int) -> None:
    check(GOLDEN[number])
    assert check_record(GOLDEN[number]).result is not None


@pytest.mark.parametrize("number", range(len(BROKEN)), ids=lambda n: BROKEN[n]["wrong"])
def test_both_checkers_refuse_the_broken_records(number: int) -> None:
    with pytest.raises(Refused):
        check(BROKEN[number]["record"])
    with pytest.raises(InvalidRecord):
        check_record(BROKEN[number]["record"])
