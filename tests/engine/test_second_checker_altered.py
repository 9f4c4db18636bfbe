"""The second checker against records altered leaf by leaf, reshaped, and hostile."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from tests.engine.altering import (
    Path,
    at,
    holders,
    leaves,
    other_values,
    with_value,
    wrong_kinds,
)
from tests.engine.second_checker import Refused, check
from tests.engine.second_checker_builders import AZNIF, GOOD, Record, refused
from tests.engine.second_checker_rulesets import TABLE
from tests.engine.second_checker_shapes import TILE_OF

# How many leaves of a kind (all racks' tiles of a record are one kind, all `seat`s another) are
# altered in each record, evenly spread; AYAZ_ALTERED_LEAVES=1000000 alters every leaf.
OF_EACH_KIND = int(os.environ.get("AYAZ_ALTERED_LEAVES", "5"))

# ----------------------------------------------------------------- records altered leaf by leaf


def kind_of(path: Path) -> tuple[str, ...]:
    """The path without its numbers: all racks' tiles are one kind, all `scored` another."""
    return tuple(step for step in path if isinstance(step, str))


def spread(paths: list[Path], most: int) -> list[Path]:
    """At most so many of them, from first to last."""
    if len(paths) <= most:
        return paths
    return [paths[i * (len(paths) - 1) // (most - 1)] for i in range(most)]


def some_leaves(record: Record) -> list[Path]:
    """Of every kind some."""
    kinds: dict[tuple[str, ...], list[Path]] = {}
    for path in leaves(record):
        kinds.setdefault(kind_of(path), []).append(path)
    return [path for paths in kinds.values() for path in spread(paths, OF_EACH_KIND)]


# Where both ends show the same number (or the tile carries both), and neither the scores nor what
# follows tells the two placements apart, the other end is a legal record of another match.
OTHER_END_HOLDS = {
    (1, 0, 19),  # 0-0 between two blanks goes out
    (3, 1, 13),  # 4-4 between two fours goes out
    (4, 0, 12),  # 1-1 between two ones locks
    (4, 1, 17),  # 6-6 between two sixes; later plays go left and never make a multiple of five
    (6, 1, 18),  # 6-1 between 6-4 and 1-1 goes out, 2 + 1 or 6 + 6: nothing either way
    (6, 2, 17),  # 2-2 between two twos; then 2 + 5 or 4 + 5: nothing either way
    (6, 2, 18),  # 5-2 to 2-2 or to the other two, the last tile
    (7, 0, 9),  # 6-6 between two sixes; later plays go right and never make a multiple of five
    (7, 2, 16),  # 6-6 between two sixes, the last tile
}


def holds(record: Record) -> bool:
    try:
        check(record)
    except Refused:
        return False
    return True


def alterations_that_hold(record: Record, paths: list[Path]) -> set[tuple[Path, str]]:
    """The leaves whose alteration the checker lets stand, with what stood there instead."""
    held = set()
    turn = count()
    for path in paths:
        value = at(record, path)
        wrong = wrong_kinds(value)
        for other in [*other_values(value), wrong[next(turn) % len(wrong)]]:
            if holds(with_value(record, path, other)):
                held.add((path, str(other)))
    return held


@pytest.mark.parametrize("line", range(len(AZNIF)))
def test_aznif_every_leaf_altered_is_refused(line: int) -> None:
    """But for the ends in OTHER_END_HOLDS: with a proof, nothing else leaves room."""
    record = AZNIF[line]
    ends = [path for path in leaves(record) if path[-1] == "end"]
    held = alterations_that_hold(record, [*ends, *some_leaves(record)])
    assert {path for path, _ in held} == {
        ("hands", hand, "moves", move, "end") for at, hand, move in OTHER_END_HOLDS if at == line
    }
    check(record)


# Where nothing scores while playing, the other end holds wherever the tile fits both and the rest
# still fits. What else holds is named here: the rules leave it open.
TARGET, DRAFTS = ("ruleset", "target"), ("ruleset", "drafts_on_opening")
ELSE_HOLDS: dict[int, set[tuple[Path, str]]] = {
    # A target one higher or lower was reached in the same hand.
    **{line: {(TARGET, "99"), (TARGET, "101")} for line in (8, 10, 12, 14, 16, 18)},
    **{line: {(TARGET, "49"), (TARGET, "51")} for line in (9, 11, 13, 15, 17, 19)},
    **{line: {(TARGET, "100"), (TARGET, "102")} for line in (20, 22, 24)},
    # No side had drafts when its account opened.
    **{line: {(TARGET, "100"), (TARGET, "102"), (DRAFTS, "keep")} for line in (21, 23, 25)},
    # One drawn hand of four without a stock: no points at any stake, nobody's in VIP as well,
    # and the lot names the seat with the highest double.
    29: {
        (("stake",), "10"),
        (("stake",), "12"),
        (("ruleset", "preset"), "vip-draw"),
        (("ruleset", "preset"), "vip-block"),
    },
}


def fits_both_ends(record: Record, path: Path) -> bool:
    """Whether the tile of that move fits both ends of the line before it."""
    moves = at(record, path[:3])
    ends: list[int] = []
    for move in moves[: path[3]]:
        if "play" in move:
            ends = ends_after(ends, move)
    return all(end in TILE_OF[moves[path[3]]["play"]] for end in ends)


def ends_after(ends: list[int], move: Record) -> list[int]:
    high, low = TILE_OF[move["play"]]
    if not ends:
        return [high, low]
    at = "LR".index(move["end"])
    shown = low if ends[at] == high else high
    return [shown, ends[1]] if at == 0 else [ends[0], shown]


OTHERS = [line for line in range(len(GOOD)) if GOOD[line] not in AZNIF]


@pytest.mark.parametrize("line", OTHERS)
def test_every_leaf_altered_is_refused(line: int) -> None:
    record = GOOD[line]
    held = alterations_that_hold(record, some_leaves(record))
    other_ends = {(path, other) for path, other in held if path[-1] == "end"}
    assert all(fits_both_ends(record, path) for path, _ in other_ends)
    assert held - other_ends == ELSE_HOLDS.get(line, set())
    check(record)


def reshaped(value: Any) -> Iterator[tuple[str, Any]]:
    """An object with a field less or one more; a list with an entry less, twice, or moved."""
    if isinstance(value, dict):
        yield "extra", {**value, "extra": 0}
        for name in value:
            yield str(name), {key: inner for key, inner in value.items() if key != name}
        return
    for i, entry in enumerate(value):
        yield "less", value[:i] + value[i + 1 :]
        yield "twice", [*value[:i], entry, *value[i:]]
        if i and value[i - 1] != entry:
            yield "moved", [*value[: i - 1], entry, value[i - 1], *value[i + 1 :]]


def some_holders(record: Record) -> list[Path]:
    """Of every kind of object and list some."""
    kinds: dict[tuple[str, ...], list[Path]] = {}
    for path in holders(record):
        kinds.setdefault((*kind_of(path), type(at(record, path)).__name__), []).append(path)
    return [path for paths in kinds.values() for path in spread(paths, OF_EACH_KIND)]


@pytest.mark.parametrize("line", [0, 6, 10, 17, 24, 28])
def test_every_object_and_list_reshaped_is_refused(line: int) -> None:
    """But for the proof, without which the record reads as one from over the board."""
    record = GOOD[line]
    held = set()
    for path in some_holders(record):
        for what, value in reshaped(at(record, path)):
            if holds(with_value(record, path, value)):
                held.add((*path, what))
    assert held == {("proof",)}


HOSTILE: Record = {
    "null": None,
    "list": [],
    "text": "x",
    "long number": 10**5000,
    "infinity": float("inf"),
    "not a number": float("nan"),
    "object": {"a": 1},
}


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_hostile_values_anywhere_are_refused_with_a_sentence(hostile: object) -> None:
    """Never a traceback: only `Refused` may come out."""
    record = AZNIF[0]
    in_a_hand = [path for path in leaves(record) if path[:2] == ("hands", 0)]
    for path in [*holders(record), *in_a_hand]:
        same_null = at(record, path) is None and hostile is None
        assert same_null or not holds(with_value(record, path, hostile))


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_hostile_values_in_accounts_and_rule_sets_are_refused_with_a_sentence(
    hostile: object,
) -> None:
    """Domino 101: drafts, open and bank, the redeals' reasons, and every field of the table."""
    record = GOOD[24]
    outcome, redeals = ("hands", 2, "outcome"), ("hands", 3, "redeals")
    accounts = [path for path in leaves(record) if path[:3] == outcome]
    reasons = [path for path in holders(record) if path[:3] == redeals]
    for path in [*accounts, *reasons]:
        assert at(record, path) == hostile or not holds(with_value(record, path, hostile))
    for name in [*TABLE, "target", "wins", "version", "preset", "deal"]:
        ruleset = {**record["ruleset"], name: hostile}
        assert not holds({**record, "ruleset": ruleset})


def test_deep_nesting_is_refused_with_a_sentence() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for name in AZNIF[0]:
        refused({**AZNIF[0], name: deep}, ".")
