"""The second checker: Aznif, and the fields of the table as options in Aznif's clothes."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.engine.second_checker import check
from tests.engine.second_checker_aznif import pips_left, score_of_placement
from tests.engine.second_checker_builders import AZNIF, Record, a_duel, a_hand, a_match, refused
from tests.engine.second_checker_shapes import TILE_OF

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
    assert score_of_placement(line) == score


# ----------------------------------------------------------------------- Aznif: the hand's end


def test_aznif_pips_left_cost_33_in_the_example() -> None:
    rack = [TILE_OF[name] for name in ("0-0", "2-1", "4-1", "3-3", "6-2", "6-5")]
    assert pips_left(rack, 0) == 33
    assert pips_left(rack, 10) == 43


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
    refused(a_duel(hand), "hand 0, outcome: nobody wins the hand")


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
    ("way", "starter"),
    [("went_out", 0), ("rotate", 1), ("highest_double", 1), ("first_double", 1)],
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
    ("way", "starter"),
    [("last_placer", 0), ("rotate", 1), ("highest_double", 1), ("first_double", 0)],
)
def test_who_starts_after_a_lock(way: str, starter: int) -> None:
    """Seat 0 holds 3-3, seat 1 holds 6-6 and 0-0, which is the last of the doubles."""
    options: Record = {"draw": "none", "starter_after_lock": way}
    check(a_duel(LOCK_BY_0, AFTER_LOCK[starter], **options))
    other = 1 - starter
    why = f"hand 1: seat {starter} starts, not {other}"
    refused(a_duel(LOCK_BY_0, AFTER_LOCK[other], **options), why)


@pytest.mark.parametrize("starter", [0, 1])
def test_the_lot_after_going_out_is_free_without_a_proof(starter: int) -> None:
    hands = (OUT_BY_0, AFTER_OUT[starter])
    check(a_duel(*hands, first_wins=starter == 0, next_starter="lot"))


@pytest.mark.parametrize(
    ("name", "way"), [("next_starter", "last_placer"), ("starter_after_lock", "went_out")]
)
def test_nobody_went_out_at_a_lock_and_nobody_locks_by_going_out(name: str, way: str) -> None:
    options: dict[str, Any] = {name: way}
    refused(a_duel(OUT_BY_0, **options), f"^ruleset: {name} cannot be '{way}'")


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
    refused(a_duel(a_hand("5-5 / 2-1", "5-5=10", [10, -3]), fives=False), "nothing scores while")


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
