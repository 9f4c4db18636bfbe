"""The second checker against the rule book, and against records altered leaf by leaf.

Nothing of the engine may enter: these tests must say the same whatever the engine does.
"""

from __future__ import annotations

import ast
import copy
import json
import sys
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from tests.engine import second_checker
from tests.engine.second_checker import (
    TILE_OF,
    Refused,
    below,
    check,
    lot,
    pips_left,
    places_of,
    points_alone,
    points_of_partners,
    score_of_placement,
    shuffled,
)

Record = dict[str, Any]
Path_ = tuple[str | int, ...]

RECORDS = Path(__file__).parent / "records"
GOOD: list[Record] = [json.loads(line) for line in (RECORDS / "good.jsonl").open(encoding="utf-8")]
BROKEN: list[Record] = [
    json.loads(line) for line in (RECORDS / "broken.jsonl").open(encoding="utf-8")
]
AZNIF = [record for record in GOOD if record["ruleset"]["preset"] == "aznif"]
NOT_AZNIF = "the preset .* is not known here"


# ------------------------------------------------------------------------ records made by hand


def moves_of(text: str, starter: int, seats: int) -> list[Record]:
    """Moves from `5-5=10, 5-0R=10, draw 1-0 2-0, pass`; whose turn it is goes round by itself."""
    moves: list[Record] = []
    seat = starter
    for word in filter(None, text.split(", ")):
        moves.append({"seat": seat, **move_of(word)})
        if not word.startswith("draw"):
            seat = (seat + 1) % seats
    return moves


def move_of(word: str) -> Record:
    if word == "pass":
        return {"pass": True}
    if word.startswith("draw"):
        return {"draw": word.split()[1:]}
    placed, _, scored = word.partition("=")
    move: Record = {"play": placed[:3]}
    if placed[3:]:
        move["end"] = placed[3:]
    if scored:
        move["scored"] = int(scored)
    return move


def a_hand(
    racks: str,
    moves: str,
    scores: list[int],
    *,
    stock: str = "",
    starter: int = 0,
    ends: str = "out 0",
    totals: list[int] | None = None,
) -> Record:
    """A hand by racks `5-5 1-0 / 6-6 2-1`; the stock is filled up with the tiles not named."""
    dealt = [rack.split() for rack in racks.split(" / ")]
    named = racks.replace("/", " ").split() + stock.split()
    kind, seat = ends.split()
    return {
        "racks": dealt,
        "stock": stock.split() + [tile for tile in TILE_OF if tile not in named],
        "starter": starter,
        "moves": moves_of(moves, starter, len(dealt)),
        "outcome": {
            "kind": kind,
            "seat": int(seat),
            "winner": None,
            "scores": scores,
            "totals": totals or scores,
        },
    }


def a_match(
    *hands: Record,
    places: list[int],
    points: list[int],
    partners: bool = False,
    **options: object,
) -> Record:
    racks = hands[0]["racks"]
    ruleset = {"preset": "aznif", "deal": len(racks[0]), "hands": len(hands), **options}
    return {
        "format": "domino-match/1",
        "ruleset": ruleset,
        "seats": len(racks),
        "partners": partners,
        "stake": len(hands),
        "hands": list(hands),
        "result": {
            "scores": hands[-1]["outcome"]["totals"],
            "places": places,
            "points": points,
        },
    }


def a_duel(*hands: Record, first_wins: bool = True, **options: Any) -> Record:
    """A match of two seats, one of them ahead."""
    points = len(hands) if first_wins else -len(hands)
    places = [1, 2] if first_wins else [2, 1]
    return a_match(*hands, places=places, points=[points, -points], **options)


def refused(record: Record, match: str) -> None:
    with pytest.raises(Refused, match=match):
        check(record)


# ----------------------------------------------------------------------------- given records


@pytest.mark.parametrize("line", range(len(AZNIF)))
def test_good_records_hold(line: int) -> None:
    check(AZNIF[line])


def test_the_good_records_are_the_eight_variants_of_aznif() -> None:
    variants = {(r["seats"], r["partners"], r["ruleset"]["deal"]) for r in AZNIF}
    seats_and_partners = {(2, False), (3, False), (4, False), (4, True)}
    assert variants == {(s, p, deal) for s, p in seats_and_partners for deal in (5, 7)}


@pytest.mark.parametrize("line", range(len(BROKEN)))
def test_broken_records_are_refused_for_what_was_altered(line: int) -> None:
    expected = {
        "double tile": r"^hand \d: the deal is not the 28 different tiles",
        "end": r"^hand \d, move \d+: .* does not match the left end",
        "kind": r"^hand \d, outcome: the hand ended by out",
        "more hands": "^hands: 4 hands in a match of 3",
        "places": "^result: the places are",
        "points": "^result: the points are",
        "scored": r"^hand \d, move \d+: the ends make 8: nothing to score",
        "swap tiles": r"^hand \d: the deal does not follow from the secret",
    }
    record = BROKEN[line]["record"]
    if record["ruleset"]["preset"] == "aznif":
        refused(record, expected[BROKEN[line]["wrong"]])
    else:
        refused(record, NOT_AZNIF)


def test_a_preset_it_does_not_know_is_refused() -> None:
    record = copy.deepcopy(AZNIF[0])
    record["ruleset"]["preset"] = "domino101"
    refused(record, NOT_AZNIF)


def test_the_checker_imports_the_standard_library_alone() -> None:
    tree = ast.parse(Path(second_checker.__file__).read_text(encoding="utf-8"))
    roots = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            roots |= {name.name.split(".")[0] for name in node.names}
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            roots.add(str(node.module).split(".")[0])
    assert roots <= sys.stdlib_module_names


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
    four = second_checker.Match({}, 4, False, SECRET, ",,,")
    two = second_checker.Match({}, 2, False, SECRET, ",")
    assert lot(four, 0) == 3
    assert lot(two, 5) == 0


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


# ---------------------------------------------------------------------- Aznif: while playing

OPENINGS = {"5-5": 10, "6-4": 10, "3-2": 5, "4-1": 5, "5-0": 5}


@pytest.mark.parametrize("tile", TILE_OF)
def test_aznif_a_lone_first_tile_counts_its_pips_once(tile: str) -> None:
    """5-5 and 6-4 open for 10, 3-2, 4-1 and 5-0 for 5, all others (0-0, 6-6) for nothing."""
    score = OPENINGS.get(tile, 0)
    other = "2-1" if tile != "2-1" else "1-1"
    right = f"{tile}={score}" if score else tile
    wrong = tile if score else f"{tile}=5"
    pips = sum(TILE_OF[other])
    check(a_duel(a_hand(f"{tile} / {other}", right, [score, -pips])))
    refused(a_duel(a_hand(f"{tile} / {other}", wrong, [score, -pips])), "move 0: the ends make")


def test_aznif_the_opening_double_still_bare_counts_as_a_double() -> None:
    """5-5 then 5-0 is 10 + 0 = 10; 5-5 then 5-1 is 11 and scores nothing."""
    check(a_duel(a_hand("5-5 1-0 / 5-0 6-6", "5-5=10, 5-0R=10, 1-0R", [10, -2])))
    check(a_duel(a_hand("5-5 2-1 / 5-1 6-6", "5-5=10, 5-1R, 2-1R", [10, -12])))


def test_aznif_twenty_is_the_most_and_the_placement_that_goes_out_scores_too() -> None:
    """6-6 at one end (12) and 4-4 at the other (8)."""
    check(a_duel(a_hand("6-4 4-4 / 6-6 2-1", "6-4=10, 6-6L, 4-4R=20", [30, -3])))


@pytest.mark.parametrize(
    ("line", "score"),
    [
        ([(3, 5), (5, 2)], 5),  # 3 + 2
        ([(2, 4), (4, 6)], 0),  # 8
        ([(3, 6), (6, 6)], 15),  # 3 + 12
        ([(1, 5), (5, 5)], 0),  # 11
        ([(0, 1), (1, 0)], 0),  # a sum of 0 never scores
        ([(0, 0), (0, 5)], 5),
        ([(4, 4), (4, 6), (6, 6)], 20),
    ],
)
def test_aznif_the_sum_of_both_ends(line: list[tuple[int, int]], score: int) -> None:
    assert score_of_placement({"fives": True}, line) == score
    assert score_of_placement({"fives": False}, line) == 0


# ----------------------------------------------------------------------- Aznif: the hand's end


def test_aznif_pips_left_cost_33_in_the_example() -> None:
    rack = [TILE_OF[name] for name in ("0-0", "2-1", "4-1", "3-3", "6-2", "6-5")]
    assert pips_left({"blank_pips": 0}, rack) == 33
    assert pips_left({"blank_pips": 10}, rack) == 43


def test_aznif_going_out_costs_every_other_player_the_partner_too() -> None:
    racks = "6-5 / 2-1 / 4-4 / 0-0"
    check(
        a_match(
            a_hand(racks, "6-5", [-8, -3]),
            partners=True,
            places=[3, 1, 3, 1],
            points=[-1, 1, -1, 1],
        )
    )
    alone = a_hand(racks, "6-5", [0, -3, -8, 0])
    check(a_match(alone, places=[1, 3, 4, 1], points=[0, 0, -1, 0]))


LOCKED = ("6-6 1-0 / 5-4 3-2", "6-6")


def test_aznif_a_locked_hand_costs_every_player_the_one_who_locked_too() -> None:
    """No six outside the line can be reached: locked after the first tile."""
    check(a_duel(a_hand(*LOCKED, [-1, -14], ends="lock 0"), draw="none"))


def test_aznif_the_locker_is_spared_where_locker_pays_is_off() -> None:
    spared = a_hand(*LOCKED, [0, -14], ends="lock 0")
    check(a_duel(spared, draw="none", locker_pays=False))
    refused(a_duel(spared, draw="none"), r"the scores are \[-1, -14\]")


def test_aznif_partners_pay_their_own_pips_at_a_lock() -> None:
    racks = "6-6 1-0 / 5-4 3-2 / 2-0 0-0 / 4-0 1-1"
    hand = a_hand(racks, "6-6", [-3, -20], ends="lock 0")
    result: Record = {"places": [1, 3, 1, 3], "points": [1, -1, 1, -1]}
    check(a_match(hand, partners=True, draw="none", **result))
    spared = a_hand(racks, "6-6", [-2, -20], ends="lock 0")
    check(a_match(spared, partners=True, draw="none", locker_pays=False, **result))


def test_aznif_a_hand_has_no_winner() -> None:
    hand = a_hand("6-5 / 2-1", "6-5", [0, -3])
    hand["outcome"]["winner"] = 0
    refused(a_duel(hand), "hand 0, outcome: a hand of Aznif has no winner")


@pytest.mark.parametrize(
    ("scores", "totals", "why"),
    [([0, -9], [0, -12], "the scores are"), ([0, -6], [0, -6], "the totals are")],
)
def test_totals_add_up_over_the_hands(scores: list[int], totals: list[int], why: str) -> None:
    first = a_hand("6-5 / 2-1", "6-5", [0, -3])
    second = a_hand("4-3 / 6-0", "4-3", scores, totals=totals)
    refused(a_duel(first, second), f"hand 1, outcome: {why}")


# -------------------------------------------------------------------------------- who starts

OUT_BY_0 = a_hand("6-5 / 2-1", "6-5", [0, -3])
AFTER_OUT = [
    a_hand("4-3 / 6-1", "4-3", [0, -7], totals=[0, -10]),
    a_hand("4-3 / 6-1", "6-1", [-7, 0], totals=[-7, -3], starter=1, ends="out 1"),
]
LOCK_BY_0 = a_hand(*LOCKED, [-1, -14], ends="lock 0")
AFTER_LOCK = [
    a_hand("3-3 2-0 / 6-6 0-0", "3-3", [-2, -12], totals=[-3, -26], ends="lock 0"),
    a_hand("3-3 2-0 / 6-6 0-0", "6-6", [-8, 0], totals=[-9, -14], starter=1, ends="lock 1"),
]


@pytest.mark.parametrize(
    ("way", "starter"), [("went_out", 0), ("rotate", 1), ("highest_double", 1)]
)
def test_who_starts_after_going_out(way: str, starter: int) -> None:
    """Nobody holds a double here: 6-1 starts before 4-3, as many pips and the higher half."""
    other = 1 - starter
    right = a_duel(OUT_BY_0, AFTER_OUT[starter], first_wins=starter == 0, next_starter=way)
    check(right)
    wrong = a_duel(OUT_BY_0, AFTER_OUT[other], first_wins=other == 0, next_starter=way)
    refused(wrong, f"hand 1: seat {starter} starts, not {other}")


def test_aznif_who_went_out_starts_the_next_hand() -> None:
    check(a_duel(OUT_BY_0, AFTER_OUT[0]))
    refused(a_duel(OUT_BY_0, AFTER_OUT[1]), "hand 1: seat 0 starts, not 1")


@pytest.mark.parametrize(
    ("way", "starter"), [("last_placer", 0), ("rotate", 1), ("highest_double", 1)]
)
def test_who_starts_after_a_lock(way: str, starter: int) -> None:
    options: Record = {"draw": "none", "starter_after_lock": way}
    check(a_duel(LOCK_BY_0, AFTER_LOCK[starter], **options))
    other = 1 - starter
    why = f"hand 1: seat {starter} starts, not {other}"
    refused(a_duel(LOCK_BY_0, AFTER_LOCK[other], **options), why)


@pytest.mark.parametrize("starter", [0, 1])
def test_aznif_the_lot_after_a_lock_is_free_without_a_proof(starter: int) -> None:
    check(a_duel(LOCK_BY_0, AFTER_LOCK[starter], draw="none"))


def test_aznif_every_lot_follows_from_the_secret() -> None:
    record = copy.deepcopy(AZNIF[0])
    assert record["hands"][1]["outcome"]["kind"] == "lock"
    for number in (0, 2):
        record["hands"][number]["starter"] ^= 1
        refused(record, rf"^hand {number}: seat \d starts, not \d")
        record["hands"][number]["starter"] ^= 1
    check(record)


def test_first_double_goes_from_1_1_up_to_6_6_then_0_0() -> None:
    options: Record = {"first_starter": "first_double"}
    refused(a_duel(a_hand("0-0 / 6-6", "0-0", [0, -12]), **options), "hand 0: seat 1 starts")
    refused(a_duel(a_hand("6-6 / 1-1", "6-6", [0, -2]), **options), "hand 0: seat 1 starts")
    check(a_duel(a_hand("1-1 / 6-6", "1-1", [0, -12]), **options))
    refused(a_duel(a_hand("5-4 / 6-3", "5-4", [0, -9]), **options), "hand 0: seat 1 starts")


def test_highest_double_without_a_double_is_most_pips_then_the_higher_half() -> None:
    options: Record = {"first_starter": "highest_double"}
    check(a_duel(a_hand("6-3 / 5-4", "6-3", [0, -9]), **options))
    refused(a_duel(a_hand("5-4 / 6-3", "5-4", [0, -9]), **options), "hand 0: seat 1 starts")


def test_forced_opening_is_the_tile_that_named_the_starter() -> None:
    options: Record = {"first_starter": "highest_double", "draw": "none"}
    hand = a_hand("6-6 4-4 / 3-2 1-0", "4-4", [-12, -6], ends="lock 0")
    check(a_duel(hand, first_wins=False, **options))
    for forced in ("first", "always"):
        record = a_duel(hand, first_wins=False, forced_opening=forced, **options)
        refused(record, "hand 0, move 0: 6-6 must open")


# ----------------------------------------------------------------- options of a house rule set


def test_the_reserve_is_never_drawn() -> None:
    racks = "6-6 6-0 / 5-4 2-1"
    stock = " ".join(
        name for name, tile in TILE_OF.items() if name not in racks.split() and 6 not in tile
    )
    stock += " 6-1 6-2 6-3 6-4 6-5"
    without = " ".join(stock.split()[:-5])
    moves = f"6-6, draw {without}, pass, 6-0R"
    loss = -sum(sum(TILE_OF[name]) for name in [*without.split(), "5-4", "2-1"])
    check(a_duel(a_hand(racks, moves, [0, loss], stock=stock), reserve=5))
    refused(a_duel(a_hand(racks, moves, [0, loss], stock=stock), reserve=4), "the drawing is")


def test_pairs_are_drawn_whole_even_if_the_first_fits() -> None:
    racks, stock = "6-6 6-0 / 5-4 2-1", "4-3 3-3 6-2 6-3"
    moves = "6-6, draw 4-3 3-3 6-2 6-3, 6-3R=15, 6-0L"
    check(a_duel(a_hand(racks, moves, [0, 15 - 33], stock=stock), draw="pairs"))
    hand = a_hand(racks, "6-6, draw 4-3 3-3 6-2", [0, 0], stock=stock)
    refused(a_duel(hand, draw="pairs"), "the drawing is 4-3 3-3 6-2 6-3, not")


def test_without_drawing_nothing_may_be_drawn() -> None:
    hand = a_hand("6-6 6-0 / 5-4 2-1", "6-6, draw 0-0", [0, 0])
    refused(a_duel(hand, draw="none"), "move 1: nothing may be drawn")


def test_a_lock_may_wait_for_the_empty_stock() -> None:
    """6-6 alone on the line, every other six in the reserve: the rest is drawn before the lock."""
    sixes_and_blanks = [name for name in TILE_OF if "6" in name or "0" in name]
    racks = "6-6 1-1 / 5-4 2-1"
    named = racks.split()
    useless = [name for name in TILE_OF if name not in named + sixes_and_blanks]
    reserve = [name for name in sixes_and_blanks if name not in named]
    stock = " ".join(useless + reserve)
    loss = -12 - sum(sum(TILE_OF[name]) for name in useless)
    options: Record = {"reserve": len(reserve)}
    check(a_duel(a_hand(racks, "6-6", [-2, -12], stock=stock, ends="lock 0"), **options))
    options["lock_waits_for_empty_stock"] = True
    moves = f"6-6, draw {' '.join(useless)}"
    check(a_duel(a_hand(racks, moves, [-2, loss], stock=stock, ends="lock 0"), **options))
    early = a_hand(racks, "6-6", [-2, -12], stock=stock, ends="lock 0")
    refused(a_duel(early, **options), "the moves stop before the hand ends")


def test_a_first_hand_without_a_double_may_have_to_be_dealt_again() -> None:
    poor, rich = a_hand("6-5 / 2-1", "6-5", [0, -3]), a_hand("6-5 / 1-1", "6-5", [0, -2])
    redeal = {"racks": poor["racks"], "stock": poor["stock"], "reason": "no-double"}
    again = {**rich, "redeals": [redeal]}
    check(a_duel(again, no_double_redeals=True))
    check(a_duel({**rich, "redeals": []}))
    refused(a_duel(poor, no_double_redeals=True), "hand 0: the deal had to be refused: no-double")
    refused(a_duel(again), "hand 0, redeal 0: its reason does not hold")
    twice = {**rich, "redeals": [{**redeal, "racks": rich["racks"], "stock": rich["stock"]}]}
    refused(a_duel(twice, no_double_redeals=True), "hand 0, redeal 0: its reason does not hold")


def test_without_fives_nothing_is_scored_while_playing() -> None:
    check(a_duel(a_hand("5-5 / 2-1", "5-5", [0, -3]), fives=False))
    refused(a_duel(a_hand("5-5 / 2-1", "5-5=10", [10, -3]), fives=False), "nothing to score")


def test_blank_pips_may_cost() -> None:
    check(a_duel(a_hand("6-5 / 0-0", "6-5", [0, -10]), blank_pips=10))


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"deal": 0}, "deal cannot be 0"),
        ({"deal": 8}, "deal cannot be 8"),
        ({"deal": 7.0}, "deal cannot be 7.0"),
        ({"hands": 0}, "hands cannot be 0"),
        ({"hands": 10_001}, "hands cannot be 10001"),
        ({"hands": True}, "hands cannot be True"),
        ({"target": 100}, "the field 'target' is not known"),
        ({"wins": 3}, "the field 'wins' is not known"),
        ({"reserve": 27}, "the reserve is larger than the stock"),
        ({"reserve": -1}, "reserve cannot be -1"),
        ({"fives": 1}, "fives cannot be 1"),
        ({"fives": "yes"}, "fives cannot be 'yes'"),
        ({"forced_opening": False}, "forced_opening cannot be False"),
        ({"draw": "always"}, "draw cannot be 'always'"),
        ({"hand_scoring": "one_win"}, "hand_scoring cannot be 'one_win'"),
        ({"lock_tie": "nobody"}, "the field 'lock_tie' is not known"),
        ({"going_out_wins": True}, "the field 'going_out_wins' is not known"),
        ({"version": "1"}, "'1' is not a whole number"),
        ({"locker_pays": None}, "locker_pays cannot be None"),
    ],
)
def test_fields_of_the_rule_set_are_validated(options: Record, why: str) -> None:
    refused(a_duel(a_hand("6-5 / 2-1", "6-5", [0, -3]), **options), f"^ruleset: .*{why}")


def test_a_field_may_be_said_as_the_preset_has_it_and_a_version_may_stand() -> None:
    check(a_duel(a_hand("6-5 / 2-1", "6-5", [0, -3]), version=1, locker_pays=True))


@pytest.mark.parametrize("name", ["preset", "deal", "hands"])
def test_preset_deal_and_length_are_always_said(name: str) -> None:
    record = a_duel(a_hand("6-5 / 2-1", "6-5", [0, -3]))
    del record["ruleset"][name]
    refused(record, "^ruleset: ")


@pytest.mark.parametrize(
    ("seats", "partners", "why"),
    [
        (1, False, "seats: 1 seats"),
        (5, False, "seats: 5 seats"),
        (3, True, "partners: partners need four seats"),
        (2, True, "partners: partners need four seats"),
        (4, 1, "partners: it must be true or false"),
        (2.0, False, "seats: 2.0 is not a whole number"),
    ],
)
def test_seats_and_partners(seats: object, partners: object, why: str) -> None:
    record = a_duel(a_hand("6-5 / 2-1", "6-5", [0, -3]))
    refused({**record, "seats": seats, "partners": partners}, f"^{why}")


def test_the_stake_equals_the_hands() -> None:
    record = a_duel(a_hand("6-5 / 2-1", "6-5", [0, -3]))
    refused({**record, "stake": 11}, "^stake: it must equal the 1 hands")


def test_a_match_has_its_number_of_hands_up_to_ten_thousand() -> None:
    """Deal 1: the starter goes out at once, and starts again."""
    hands = [a_hand("6-5 / 2-1", "6-5", [0, -3], totals=[0, -3 * n]) for n in range(1, 10_001)]
    record = a_duel(*hands)
    check(record)
    refused({**record, "hands": hands + hands[-1:]}, "10001 hands in a match of 10000")


def test_a_result_needs_all_the_hands() -> None:
    refused({**AZNIF[0], "hands": AZNIF[0]["hands"][:2]}, "a result after 2 hands")


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
    stint = {"id": 7, "name": "Işıl İnci", "from_hand": 0, "how": "start", "left": None}
    return {**AZNIF[0], "players": [[{**stint, **change}], [dict(stint)]]}


def test_players_may_be_named() -> None:
    check(seated())
    record = seated(left="dropped")
    record["players"][0].append({**record["players"][1][0], "from_hand": 1, "how": "bot"})
    check(record)


@pytest.mark.parametrize(
    "change",
    [
        {"id": 1.5},
        {"name": None},
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


# ----------------------------------------------------------------- records altered leaf by leaf


def leaves(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    if isinstance(value, dict | list):
        steps = value.items() if isinstance(value, dict) else enumerate(value)
        for step, inner in list(steps):
            yield from leaves(inner, (*path, step))
    else:
        yield path


def inside(value: Any, path: Path_) -> Any:
    for step in path:
        value = value[step]
    return value


def other_values(value: object) -> list[object]:
    """Other values that could stand there."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if value is None:
        return [0]
    if value in TILE_OF:
        names = list(TILE_OF)
        return [names[names.index(str(value)) - 1]]
    if value in ("L", "R"):
        return ["L" if value == "R" else "R"]
    text = str(value)
    return [text[:-1] + ("1" if text[-1:] != "1" else "2"), text + "0"]


def wrong_kinds(value: object) -> list[object]:
    """The same said with a wrong type or spelling."""
    if isinstance(value, int):
        return [float(value), str(value), None, bool(value) if type(value) is int else int(value)]
    if value is None:
        return [False, "", []]
    text = str(value)
    return [None, text + " ", [text], text.lower() if text in ("L", "R") else text[::-1] + "-"]


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


def altered(record: Record, path: Path_, value: object) -> bool:
    """Whether the record still holds with another value in that place."""
    *way, last = path
    holder = inside(record, tuple(way))
    kept = holder[last]
    holder[last] = value
    try:
        check(record)
    except Refused:
        return False
    finally:
        holder[last] = kept
    return True


@pytest.mark.parametrize("line", range(len(AZNIF)))
def test_every_leaf_altered_is_refused(line: int) -> None:
    """But for the ends in OTHER_END_HOLDS: with a proof, nothing else leaves room."""
    record = copy.deepcopy(AZNIF[line])
    held = set()
    turn = cycle(range(4))
    for path in leaves(record):
        value = inside(record, path)
        wrong = wrong_kinds(value)
        for other in [*other_values(value), wrong[next(turn) % len(wrong)]]:
            if altered(record, path, other):
                held.add(path)
    assert held == {
        ("hands", hand, "moves", move, "end") for at, hand, move in OTHER_END_HOLDS if at == line
    }
    check(record)


def holders(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    if isinstance(value, dict | list):
        yield path
        steps = value.items() if isinstance(value, dict) else enumerate(value)
        for step, inner in list(steps):
            yield from holders(inner, (*path, step))


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


@pytest.mark.parametrize("line", [0, 6])
def test_every_object_and_list_reshaped_is_refused(line: int) -> None:
    """But for the proof, without which the record reads as one from over the board."""
    record = copy.deepcopy(AZNIF[line])
    held = set()
    for path in holders(record):
        for what, value in reshaped(inside(record, path)):
            if path and altered(record, path, value):
                held.add((*path, what))
            elif not path and holds(value):
                held.add((what,))
    assert held == {("proof",)}


def holds(record: Record) -> bool:
    try:
        check(record)
    except Refused:
        return False
    return True


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
    record = copy.deepcopy(AZNIF[0])
    for path in [*holders(record), *leaves(record["hands"][0], ("hands", 0))]:
        if path:
            same_null = inside(record, path) is None and hostile is None
            assert same_null or not altered(record, path, hostile)


def test_deep_nesting_is_refused_with_a_sentence() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for name in AZNIF[0]:
        refused({**AZNIF[0], name: deep}, ".")
