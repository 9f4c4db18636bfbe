"""The table *Fields of a rule set*: what each preset plays, and what a house rule set may change.

The rows stand as in rules.md, a column a preset. A house rule set may put in a field's place any
value of its row, unless NARROWER says that the rest of the column speaks against it; a dash may
not be set at all. The standard library alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.engine.second_checker_shapes import has_fields, is_number, is_text, need, refuse, show

Rules = dict[str, Any]

DASH = "–"
YES_OR_NO = (False, True)
PRESETS = ("aznif", "vip-draw", "vip-block", "domino101", "kraloyun")
SEATS = {
    "aznif": (2, 3, 4),
    "vip-draw": (2, 4),
    "vip-block": (2, 4),
    "domino101": (2, 3, 4),
    "kraloyun": (2, 3, 4),
}
ALWAYS_PARTNERS = ("domino101",)
LENGTHS = {name: ("hands",) if name == "aznif" else ("hands", "target", "wins") for name in PRESETS}
DEAL = range(1, 8)
GOAL = range(1, 10_001)
ALL_PIPS = 168

DRAWS = ("until_playable", "pairs", "none")
FIRST_STARTERS = ("lot", "first_double", "highest_double")
NEXT_STARTERS = ("went_out", "rotate", *FIRST_STARTERS)
STARTERS_AFTER_LOCK = ("last_placer", "rotate", *FIRST_STARTERS)
HAND_SCORINGS = ("pip_loss", "difference", "opponents_pips", "one_win")

# The field: the values of its row, then aznif, vip-draw, vip-block, domino101, kraloyun.
# Where the number of seats decides, the cell says it for each.
TABLE: dict[str, tuple[Sequence[Any], Any, Any, Any, Any, Any]] = {
    "draw": (
        DRAWS,
        "until_playable",
        "until_playable",
        "none",
        {2: "pairs", 3: "until_playable", 4: "none"},
        "until_playable",
    ),
    "reserve": (range(29), 0, 0, 0, {2: 2, 3: 1, 4: 0}, 0),
    "first_starter": (FIRST_STARTERS, "lot", "lot", "lot", "first_double", "highest_double"),
    "next_starter": (NEXT_STARTERS, "went_out", "rotate", "rotate", "went_out", "highest_double"),
    "starter_after_lock": (
        STARTERS_AFTER_LOCK,
        "lot",
        "rotate",
        "rotate",
        "last_placer",
        "highest_double",
    ),
    "forced_opening": (("no", "first", "always"), "no", "no", "no", "first", "always"),
    "no_double_redeals": (YES_OR_NO, False, False, False, True, False),
    "lock_waits_for_empty_stock": (YES_OR_NO, False, False, False, False, True),
    "fives": (YES_OR_NO, True, False, False, False, False),
    "hand_scoring": (
        HAND_SCORINGS,
        "pip_loss",
        "difference",
        "difference",
        "opponents_pips",
        "one_win",
    ),
    "locker_pays": (YES_OR_NO, True, DASH, DASH, DASH, DASH),
    "going_out_wins": (YES_OR_NO, DASH, True, True, True, True),
    "blank_pips": (range(10_001), 0, 0, 0, 10, 0),
    "lock_tie": (("nobody", "seka"), DASH, "nobody", "nobody", "seka", "nobody"),
    "opening_minimum": (range(10_001), 0, 0, 0, 13, 0),
    "bank_opens_account": (YES_OR_NO, DASH, DASH, DASH, True, DASH),
    "drafts_on_opening": (("keep", "drop"), DASH, DASH, DASH, "keep", DASH),
}

# `pip_loss` needs `locker_pays`, every other scoring a tie rule, and an opening minimum
# what becomes of bank and drafts: where those are dashes, these stay as they are.
# What stands in brackets as *(always)* cannot be switched off.
COUNTED_BY_SIDE = HAND_SCORINGS[1:]
NARROWER: dict[str, dict[str, Sequence[Any]]] = {
    "aznif": {"hand_scoring": ("pip_loss",), "opening_minimum": (0,)},
    "vip-draw": {"hand_scoring": COUNTED_BY_SIDE, "opening_minimum": (0,)},
    "vip-block": {"hand_scoring": COUNTED_BY_SIDE, "opening_minimum": (0,)},
    "domino101": {"hand_scoring": COUNTED_BY_SIDE, "going_out_wins": (True,)},
    "kraloyun": {
        "hand_scoring": COUNTED_BY_SIDE,
        "going_out_wins": (True,),
        "opening_minimum": (0,),
    },
}


def preset_of(ruleset: object) -> str:
    if type(ruleset) is not dict:
        refuse("ruleset", f"{show(ruleset)} is not an object")
    preset = is_text("ruleset", ruleset.get("preset"))
    need(preset in PRESETS, "ruleset", f"the preset {show(preset)} is not known here")
    return preset


def seats_of(preset: str, record: dict[str, Any]) -> tuple[int, bool]:
    """How many seats, and whether partners play."""
    seats = is_number("seats", record["seats"])
    need(seats in SEATS[preset], "seats", f"{seats} seats: {SEATS[preset]} can play {preset}")
    partners = record["partners"]
    need(type(partners) is bool, "partners", "it must be true or false")
    need(seats == 4 or not partners, "partners", "partners need four seats")
    alone = seats == 4 and not partners
    need(not alone or preset not in ALWAYS_PARTNERS, "partners", f"four play {preset} as partners")
    return seats, partners


def the_rules(preset: str, seats: int, ruleset: dict[str, Any]) -> Rules:
    """The preset's values with the record's own in their place, and deal and length."""
    usual = usual_values(preset, seats)
    may = [*usual, *LENGTHS[preset], "version"]
    has_fields("ruleset", ruleset, must=("preset", "deal"), may=may)
    if "version" in ruleset:
        need(is_number("ruleset", ruleset["version"]) >= 1, "ruleset", "the version is below 1")
    rules: Rules = {"preset": preset, "deal": one_of("deal", ruleset["deal"], DEAL)}
    rules["length"], rules["goal"] = length_of(preset, ruleset)
    for name, value in usual.items():
        allowed = NARROWER[preset].get(name, TABLE[name][0])
        rules[name] = one_of(name, ruleset.get(name, value), allowed)
    enough_tiles(rules, seats)
    accounts_can_open(rules)
    return rules


def usual_values(preset: str, seats: int) -> Rules:
    """The preset's column, dashes left out."""
    column = 1 + PRESETS.index(preset)
    cells = {name: row[column] for name, row in TABLE.items() if row[column] != DASH}
    return {name: cell[seats] if type(cell) is dict else cell for name, cell in cells.items()}


def one_of(name: str, value: object, allowed: Sequence[Any]) -> Any:
    if type(value) is not type(allowed[0]) or value not in allowed:
        refuse("ruleset", f"{name} cannot be {show(value)}")
    return value


def length_of(preset: str, ruleset: dict[str, Any]) -> tuple[str, int]:
    """Exactly one length: so many hands, a target score, or so many won hands."""
    said = [name for name in LENGTHS[preset] if name in ruleset]
    one = " or ".join(LENGTHS[preset])
    need(len(said) == 1, "ruleset", f"it must say one match length ({one}), not {len(said)}")
    return said[0], one_of(said[0], ruleset[said[0]], GOAL)


def enough_tiles(rules: Rules, seats: int) -> None:
    """More tiles dealt than 28, and a reserve larger than the stock, are errors."""
    dealt = rules["deal"] * seats
    need(dealt <= 28, "ruleset", f"{dealt} tiles dealt, there are 28")
    need(rules["reserve"] <= 28 - dealt, "ruleset", "the reserve is larger than the stock")


def accounts_can_open(rules: Rules) -> None:
    """An opening minimum that no win reaches; a bank that counts in grows without end."""
    grows = rules.get("lock_tie") == "seka" and rules.get("bank_opens_account") is True
    most = 1 if rules["hand_scoring"] == "one_win" else ALL_PIPS + rules["blank_pips"]
    reached = grows or rules["opening_minimum"] <= most
    need(reached, "ruleset", "opening_minimum: no hand is worth so much, and nothing is banked")
