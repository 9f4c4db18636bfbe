"""The second checker against the given records and what the rule book says of every match.

Nothing of the engine may enter: these tests must say the same whatever the engine does.
"""

from __future__ import annotations

import ast
import copy
import sys
from pathlib import Path

import pytest

from tests.engine import second_checker
from tests.engine.second_checker import (
    check,
    places_of,
    points_alone,
    points_of_partners,
)
from tests.engine.second_checker_builders import (
    AZNIF,
    BROKEN,
    GOOD,
    STINT,
    Record,
    a_duel,
    a_hand,
    a_match,
    refused,
    unfinished,
    with_players,
)
from tests.engine.second_checker_rulesets import PRESETS
from tests.engine.second_checker_shapes import TILE_OF
from tests.engine.second_checker_shuffle import below, lot, shuffled

# ----------------------------------------------------------------------------- given records


@pytest.mark.parametrize("line", range(len(GOOD)))
def test_good_records_hold(line: int) -> None:
    check(GOOD[line])


def test_the_good_records_are_32_of_all_five_presets() -> None:
    assert len(GOOD) == 32
    assert {record["ruleset"]["preset"] for record in GOOD} == set(PRESETS)


WRONG = {
    "cut hand": r"^hands: a result after \d hands, but more must follow",
    "double tile": r"^hand \d: the deal is not the 28 different tiles",
    "drop move": r"^hand \d, move \d+: it is the turn of seat \d, not of \d",
    "end": r"^hand \d, move \d+: .* does not match the left end",
    "extra pass": r"^hand \d, move \d+: (it is the turn of seat 1|seat 1 could have played)",
    "kind": r"^hand \d, outcome: the hand ended by (out|lock)",
    "low first": r"^hand \d, move 0: '\d-\d' is not a tile \(high half first\)",
    "more hands": "^(hands: 4 hands in a match of 3|hand 4: the match was over after 4 hands)",
    "places": "^result: the places are",
    "points": "^result: the points are",
    "score": r"^hand \d, outcome: the scores are",
    "scored": r"^hand \d, move \d+: (the ends make 8: nothing to score|nothing scores while)",
    "starter": r"^hand \d: seat \d starts, not \d",
    "stock order": r"^hand 0: the deal does not follow from the secret \(deal:0:0\)",
    "swap tiles": r"^hand \d: the deal does not follow from the secret",
    "total": r"^hand \d, outcome: the totals are",
}


@pytest.mark.parametrize("line", range(len(BROKEN)))
def test_broken_records_are_refused_for_what_was_altered(line: int) -> None:
    refused(BROKEN[line]["record"], WRONG[BROKEN[line]["wrong"]])


def test_the_broken_records_are_32_and_two_of_each_kind() -> None:
    kinds = [line["wrong"] for line in BROKEN]
    assert sorted(kinds) == sorted([*WRONG, *WRONG])


def test_a_preset_it_does_not_know_is_refused() -> None:
    record = copy.deepcopy(AZNIF[0])
    record["ruleset"]["preset"] = "muggins"
    refused(record, "the preset 'muggins' is not known here")


FILES = sorted(Path(second_checker.__file__).parent.glob("second_checker*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_checker_imports_the_standard_library_and_itself_alone(path: Path) -> None:
    """Its builders of records take pytest as well."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add(str(node.module))
    foreign = {name for name in names if name.split(".")[0] not in sys.stdlib_module_names}
    own = {name for name in foreign if name.startswith("tests.engine.second_checker")}
    assert foreign - own <= ({"pytest"} if path.stem.endswith("builders") else set())
    assert path.stem.endswith("builders") or "tests.engine.second_checker_builders" not in own


# ---------------------------------------------------------------------------------- the shuffle

SECRET = bytes(range(32))


def test_shuffle_vector_deals() -> None:
    first = "6-0 0-0 4-2 2-2 6-3 5-0 4-1 1-1 3-3 5-5 6-4 4-0 6-1 4-3 3-1 6-5 2-0 5-1 4-4 3-2 "
    first += "5-2 1-0 5-4 3-0 2-1 5-3 6-2 6-6"
    assert shuffled(SECRET, "deal:0:0", ",,,") == [TILE_OF[name] for name in first.split()]
    fourth = "3-2 1-1 4-1 4-2 5-0 5-5 6-2 3-3 6-0 3-0 6-1 3-1 6-5 2-1 4-3 6-3 4-0 5-1 6-4 5-3 "
    fourth += "2-2 0-0 5-2 4-4 1-0 6-6 5-4 2-0"
    assert shuffled(SECRET, "deal:3:1", "a1,,00ff,") == [TILE_OF[name] for name in fourth.split()]


def test_shuffle_vector_lots() -> None:
    assert lot(SECRET, 0, 4, ",,,") == 3
    assert lot(SECRET, 5, 2, ",") == 0


def test_below_takes_the_next_number_while_one_is_too_high() -> None:
    """2**32 mod 3 is 1, so only the very last number is refused; of a power of two none is."""
    assert below(3, iter([2**32 - 1, 2**32 - 1, 7])) == 1
    assert below(3, iter([2**32 - 2, 7])) == 2
    assert below(4, iter([2**32 - 1, 4])) == 3


# ------------------------------------------------------------------------------ common to all


def test_only_tiles_that_match_an_end_go_on_the_line() -> None:
    hand = a_hand("6-4 3-3 / 6-5 2-1", "6-4=10, 6-5L, 3-3R", [0, 0])
    refused(a_duel(hand), "hand 0, move 2: 3-3 does not match the right end, 4")


def test_the_first_tile_names_no_end() -> None:
    refused(a_duel(a_hand("6-5 / 2-1", "6-5L", [0, -3])), "hand 0, move 0: .* has no end")


def test_the_first_tile_of_a_later_hand_goes_on_an_empty_line() -> None:
    first = a_hand("6-5 / 2-1", "6-5", [0, -3])
    second = a_hand("4-3 / 6-0", "4-3", [0, -6], totals=[0, -9])
    check(a_duel(first, second))


def test_later_tiles_name_their_end() -> None:
    refused(a_duel(a_hand("6-6 1-0 / 6-5 2-1", "6-6, 6-5", [0, 0])), "move 1: the end is missing")


def test_who_can_play_must_not_draw() -> None:
    hand = a_hand("6-6 1-0 / 6-5 2-1", "6-6, draw 0-0", [0, 0])
    refused(a_duel(hand), "move 1: seat 1 could have played")


def test_who_can_play_must_not_pass() -> None:
    hand = a_hand("6-6 1-0 / 6-5 2-1", "6-6, pass", [0, 0])
    refused(a_duel(hand), "move 1: seat 1 could have played")


def test_who_can_draw_must_not_pass() -> None:
    hand = a_hand("6-6 6-0 / 5-4 2-1", "6-6, pass", [0, 0])
    refused(a_duel(hand), "move 1: seat 1 could have drawn")


def test_only_tiles_in_the_rack_are_played() -> None:
    refused(a_duel(a_hand("6-5 / 2-1", "2-1", [0, 0])), "move 0: seat 0 does not hold 2-1")


def test_only_whose_turn_it_is_moves() -> None:
    hand = a_hand("6-6 1-0 / 6-5 2-1", "6-6, 6-5R", [0, 0])
    hand["moves"][1]["seat"] = 0
    refused(a_duel(hand), "move 1: it is the turn of seat 1, not of 0")


UNTIL_PLAYABLE = ("6-6 6-0 / 5-4 2-1", "4-3 3-3 6-2 6-3")


def test_drawing_goes_on_until_a_tile_is_playable() -> None:
    racks, stock = UNTIL_PLAYABLE
    moves = "6-6, draw 4-3 3-3 6-2, 6-2R, 6-0L"
    check(a_duel(a_hand(racks, moves, [0, -25], stock=stock)))


@pytest.mark.parametrize("drawn", ["4-3 3-3", "4-3 3-3 6-2 6-3", "3-3 4-3 6-2", "6-2", ""])
def test_another_drawing_is_refused(drawn: str) -> None:
    racks, stock = UNTIL_PLAYABLE
    hand = a_hand(racks, f"6-6, draw {drawn}".strip(), [0, 0], stock=stock)
    refused(a_duel(hand), "move 1: the drawing is 4-3 3-3 6-2, not")


def test_a_turns_whole_drawing_is_one_move() -> None:
    racks, stock = UNTIL_PLAYABLE
    hand = a_hand(racks, "6-6, draw 4-3 3-3 6-2, draw 6-3", [0, 0], stock=stock)
    refused(a_duel(hand), "move 2: seat 1 could have played")


def test_who_still_cannot_play_passes_and_the_opener_may_play_again() -> None:
    """The three after the opening all pass (no stock is left), then the opener goes on."""
    racks = "6-6 6-0 / 5-4 2-1 / 3-3 3-2 / 4-4 4-2"
    hand = a_hand(racks, "6-6, pass, pass, pass, 6-0R", [0, -12, -11, -14])
    check(a_match(hand, places=[1, 3, 2, 4], points=[1, 0, 0, -1], draw="none"))


def test_a_tile_that_fits_both_ends_goes_to_the_end_named() -> None:
    """Line 4-4 4-2 2-5 5-4: 6-4 on the left makes 6 + 4 = 10, on the right 8 + 6 = 14."""
    racks = "4-4 5-2 6-4 / 4-2 5-4 1-0"
    begun = "4-4, 4-2R=10, 5-2R, 5-4R, "
    check(a_duel(a_hand(racks, begun + "6-4L=10", [10, 9])))
    check(a_duel(a_hand(racks, begun + "6-4R", [0, 9]), first_wins=False))
    refused(a_duel(a_hand(racks, begun + "6-4R=10", [10, 9])), "move 4: the ends make 14")


def test_going_out_ends_the_hand() -> None:
    hand = a_hand("6-6 6-0 / 6-5 2-1", "6-6, 6-5R, 6-0L=5, 2-1R", [5, -3])
    refused(a_duel(hand), "move 3: the hand has already ended")


def test_a_last_tile_that_locks_as_well_is_going_out() -> None:
    """6-6 goes out and nobody holds another six: out, not lock."""
    racks = "6-6 / 2-1"
    check(a_duel(a_hand(racks, "6-6", [0, -3]), draw="none"))
    hand = a_hand(racks, "6-6", [0, -3], ends="lock 0")
    refused(a_duel(hand, draw="none"), "outcome: the hand ended by out")


def test_moves_that_stop_early_are_refused() -> None:
    hand = a_hand("6-6 6-0 / 6-5 2-1", "6-6, 6-5R", [5, -3])
    refused(a_duel(hand), "hand 0: the moves stop before the hand ends")


def test_every_hand_has_the_28_different_tiles() -> None:
    hand = a_hand("6-5 / 2-1", "6-5", [0, -3])
    hand["stock"][0] = "6-5"
    refused(a_duel(hand), "hand 0: the deal is not the 28 different tiles")


def test_tiles_are_written_high_half_first() -> None:
    hand = a_hand("6-5 / 2-1", "6-5", [0, -3])
    hand["racks"][1][0] = "1-2"
    refused(a_duel(hand), "hand 0, rack 1: '1-2' is not a tile")


# ------------------------------------------------------------------- from matches to points


@pytest.mark.parametrize(
    ("scores", "places", "points"),
    [
        ([40, 30, 20, 10], [1, 2, 3, 4], [11, 5, -5, -11]),
        ([10, -33, -8, -21], [1, 4, 2, 3], [11, -11, 5, -5]),
        ([9, 9, 2, 1], [1, 1, 3, 4], [8, 8, -5, -11]),
        ([9, 5, 5, 1], [1, 2, 2, 4], [11, 0, 0, -11]),
        ([9, 5, 1, 1], [1, 2, 3, 3], [11, 5, -8, -8]),
        ([9, 9, 9, 1], [1, 1, 1, 4], [3, 3, 3, -11]),
        ([9, 1, 1, 1], [1, 2, 2, 2], [11, -3, -3, -3]),
        ([7, 7, 7, 7], [1, 1, 1, 1], [0, 0, 0, 0]),
        ([9, 9, 1, 1], [1, 1, 3, 3], [8, 8, -8, -8]),
        ([3, 2, 1], [1, 2, 3], [11, 0, -11]),
        ([3, 3, 1], [1, 1, 3], [5, 5, -11]),
        ([3, 1, 1], [1, 2, 2], [11, -5, -5]),
        ([1, 1, 1], [1, 1, 1], [0, 0, 0]),
        ([-5, 2], [2, 1], [-11, 11]),
        ([2, 2], [1, 1], [0, 0]),
    ],
)
def test_points_by_place_and_shared_by_the_tied(
    scores: list[int], places: list[int], points: list[int]
) -> None:
    assert places_of(scores) == places
    assert points_alone(places, 11) == points


def test_points_of_partners() -> None:
    assert points_of_partners([1, 3, 1, 3], 11) == [11, -11, 11, -11]
    assert points_of_partners([1, 1, 1, 1], 11) == [0, 0, 0, 0]


def test_partners_who_tie_share_the_first_place() -> None:
    racks = "6-5 / 2-1 / 1-1 / 1-0"
    hand = a_hand(racks, "6-5", [-2, -4])
    check(a_match(hand, partners=True, places=[1, 3, 1, 3], points=[1, -1, 1, -1]))
    even = a_hand("6-5 / 0-0 / 1-1 / 2-0", "6-5", [-2, -2])
    check(a_match(even, partners=True, places=[1, 1, 1, 1], points=[0, 0, 0, 0]))


# ------------------------------------------------------------------------- matches cut short


def cut(record: Record, moves: int) -> Record:
    """The record broken off in its last hand, after so many moves."""
    short = {**copy.deepcopy(record), "result": None, "ended": "abandoned"}
    del short["hands"][-1]["outcome"]
    del short["hands"][-1]["moves"][moves:]
    return short


def test_an_abandoned_match_may_break_off_within_a_hand() -> None:
    check(cut(AZNIF[0], 5))
    check({**cut(AZNIF[0], 0), "ended": "decision"})


def test_an_abandoned_match_may_break_off_between_hands() -> None:
    record = {**AZNIF[0], "hands": AZNIF[0]["hands"][:2], "result": None, "ended": "abandoned"}
    check(record)


def test_a_match_without_result_says_why() -> None:
    record = cut(AZNIF[0], 5)
    del record["ended"]
    refused(record, "^result: a match without a result was abandoned")
    refused({**record, "ended": "rain"}, "^result: a match without a result was abandoned")


def test_a_hand_that_has_ended_keeps_its_outcome() -> None:
    refused(cut(AZNIF[0], 1000), "hand 2: the hand has ended, but its outcome is missing")


def test_only_the_last_hand_may_break_off() -> None:
    record = {**copy.deepcopy(AZNIF[0]), "result": None, "ended": "abandoned"}
    del record["hands"][1]["outcome"]
    del record["hands"][1]["moves"][5:]
    refused(record, "hand 1: the moves stop before the hand ends")


def test_a_match_played_out_was_not_abandoned() -> None:
    refused({**AZNIF[0], "ended": "abandoned"}, "^result: the match was played out")
    refused({**AZNIF[0], "ended": "abandoned", "result": None}, "^result: the match was played out")


# --------------------------------------------------------------------------- who sat there


def seated(**change: object) -> Record:
    return {**AZNIF[0], "players": [[{**STINT, **change}], [STINT]]}


def begun_at(*hands: int) -> Record:
    """One seat's stints from these hands on."""
    return {**AZNIF[0], "players": [[STINT], [{**STINT, "from_hand": hand} for hand in hands]]}


@pytest.mark.parametrize("number", range(len(GOOD)))
def test_players_may_be_named(number: int) -> None:
    check(with_players(GOOD[number]))


def test_a_substitute_may_sit_down_after_the_last_hand_and_no_later() -> None:
    hands = len(AZNIF[0]["hands"])
    check(begun_at(0, 0, hands, hands))
    refused(begun_at(0, hands + 1), f"^players, seat 1: there is no hand {hands + 1}")
    check({**unfinished(AZNIF[0]), "hands": [], "players": [[STINT], [STINT]]})


def test_the_stints_of_a_seat_begin_with_hand_0_and_go_on() -> None:
    refused(begun_at(), "^players, seat 1: nobody ever sat there")
    for hands in ((1,), (0, 1, 0), (1, 0)):
        refused(begun_at(*hands), "^players, seat 1: the stints are not in order")


@pytest.mark.parametrize(
    "change",
    [
        {"id": 1.5},
        {"id": True},
        {"id": 10**15},
        {"id": "\ud800"},
        {"name": None},
        {"name": "a\udfff"},
        {"from_hand": 3},
        {"from_hand": 1},
        {"from_hand": False},
        {"how": "left"},
        {"left": "banned"},
        {"left": False},
        {"age": 9},
    ],
)
def test_players_are_well_formed(change: Record) -> None:
    refused(seated(**change), "^players, seat 0: ")
