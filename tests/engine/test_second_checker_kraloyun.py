"""The second checker: Kraloyun."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.second_checker import check
from tests.engine.second_checker_builders import Record, a_game, a_hand, refused, stopped
from tests.engine.second_checker_kraloyun import highest_double
from tests.engine.second_checker_shapes import TILE_OF


def game(*hands: Record, **options: Any) -> Record:
    return a_game("kraloyun", *hands, **options)


@pytest.mark.parametrize(
    ("held", "opens"),
    [
        ("1-1 5-5 6-5", "5-5"),
        ("0-0 6-5", "0-0"),
        ("6-4 5-4 3-2", "6-4"),
        ("5-4 6-3", "6-3"),  # as many pips: the higher half
        ("4-3 5-2 6-1", "6-1"),
    ],
)
def test_kraloyun_the_highest_double_opens_else_most_pips_then_the_higher_half(
    held: str, opens: str
) -> None:
    assert highest_double([TILE_OF[name] for name in held.split()]) == TILE_OF[opens]


def test_kraloyun_every_hand_opens_with_the_highest_double_held() -> None:
    first = a_hand("5-5 / 4-4", "5-5", [1, 0], winner=0)
    second = a_hand("2-2 / 3-3", "3-3", [0, 1], totals=[1, 1], starter=1, ends="out 1", winner=1)
    check(game(first, second))
    early = a_hand("2-2 / 3-3", "2-2", [1, 0], totals=[2, 0], winner=0)
    refused(game(first, early), "hand 1: seat 1 starts, not 0")
    other = a_hand("5-5 6-0 / 4-4 1-0", "6-0", [0, 0])
    refused(game(other), "hand 0, move 0: 5-5 must open")


def test_kraloyun_without_a_double_anywhere_the_heaviest_tile_opens() -> None:
    hand = a_hand("5-4 / 6-3", "6-3", [0, 1], starter=1, ends="out 1", winner=1)
    check(game(hand))
    refused(game(hand, no_double_redeals=True), "hand 0: the deal had to be refused: no-double")


def test_kraloyun_no_double_redeals_looks_at_the_first_hand_alone() -> None:
    first = a_hand("5-5 / 4-4", "5-5", [1, 0], winner=0)
    second = a_hand("5-4 / 6-3", "6-3", [0, 1], totals=[1, 1], starter=1, ends="out 1", winner=1)
    check(game(first, second, no_double_redeals=True))


def test_kraloyun_the_opening_may_be_left_free() -> None:
    hand = a_hand("5-5 4-0 / 4-4 3-0", "4-0, 3-0R", [0, 0])
    check(stopped(game(hand, forced_opening="no")))
    refused(stopped(game(hand)), "hand 0, move 0: 5-5 must open")
    refused(stopped(game(hand, forced_opening="first")), "hand 0, move 0: 5-5 must open")


def test_kraloyun_the_opening_may_be_forced_in_the_first_hand_alone() -> None:
    """Both hands lock at once; in the second the highest double stays in the rack, 10 to 11."""
    first = a_hand("5-5 2-1 / 4-4 1-0", "5-5", [1, 0], ends="lock 0", winner=0)
    second = a_hand("5-5 6-0 / 4-4 2-1", "6-0", [1, 0], totals=[2, 0], ends="lock 0", winner=0)
    check(game(first, second, draw="none", forced_opening="first"))
    refused(game(first, second, draw="none"), "hand 1, move 0: 5-5 must open")


def test_kraloyun_the_first_playable_tile_drawn_ends_the_drawing() -> None:
    racks, stock = "6-6 6-0 / 5-4 2-1", "4-3 6-2 6-3"
    hand = a_hand(racks, "6-6, draw 4-3 6-2, 6-2L, 6-0R", [1, 0], stock=stock, winner=0)
    check(game(hand))
    more = a_hand(racks, "6-6, draw 4-3 6-2 6-3, 6-2L, 6-0R", [1, 0], stock=stock, winner=0)
    refused(game(more), "hand 0, move 1: the drawing is 4-3 6-2, not")


def test_kraloyun_a_lock_comes_only_when_the_stock_is_drawn_out() -> None:
    """6-6 lies alone, the other sixes are beyond reach in the reserve: all else is drawn first."""
    racks = "6-6 1-1 / 5-4 2-1"
    sixes = [name for name in TILE_OF if "6" in name and name != "6-6"]
    useless = [name for name in TILE_OF if "6" not in name and name not in racks.split()]
    stock = " ".join(useless + sixes)
    moves = f"6-6, draw {' '.join(useless)}"
    drawn_out = a_hand(racks, moves, [1, 0], stock=stock, ends="lock 0", winner=0)
    check(game(drawn_out, reserve=len(sixes)))
    early = a_hand(racks, "6-6", [1, 0], stock=stock, ends="lock 0", winner=0)
    refused(game(early, reserve=len(sixes)), "hand 0: the moves stop before the hand ends")
    check(game(early, reserve=len(sixes), lock_waits_for_empty_stock=False))
    passed = a_hand(racks, f"{moves}, pass", [1, 0], stock=stock, ends="lock 0", winner=0)
    refused(game(passed, reserve=len(sixes)), "hand 0, move 2: the hand has already ended")


def test_kraloyun_without_drawing_nothing_has_to_be_drawn_out() -> None:
    hand = a_hand("6-6 1-1 / 5-4 2-1", "6-6", [1, 0], ends="lock 0", winner=0)
    check(game(hand, draw="none"))


def test_kraloyun_at_a_lock_the_least_pips_win_one() -> None:
    hand = a_hand("6-6 5-4 / 3-2 2-1 / 1-1 1-0", "6-6", [0, 0, 1], ends="lock 0", winner=2)
    check(game(hand, draw="none"))
    refused(game(hand, draw="none", hand_scoring="difference"), r"the scores are \[0, 0, 14\]")


def test_kraloyun_a_shared_least_is_a_drawn_hand() -> None:
    hand = a_hand("6-6 2-1 / 5-4 3-2 / 3-0 0-0", "6-6", [0, 0, 0], ends="lock 0")
    check(game(hand, draw="none"))
    hand["outcome"]["winner"] = 0
    refused(game(hand, draw="none"), "hand 0, outcome: nobody wins the hand")


def test_kraloyun_partners_win_by_the_pips_of_the_pair() -> None:
    """Seat 1 alone holds least (2), but 1 and 3 hold 20 together against 9 + 8."""
    racks = "6-6 5-4 / 2-0 0-0 / 4-3 1-0 / 5-5 4-4"
    hand = a_hand(racks, "6-6", [1, 0], ends="lock 0", winner=0)
    check(game(hand, partners=True, draw="none"))
    alone = a_hand(racks, "6-6", [0, 1, 0, 0], ends="lock 0", winner=1)
    check(game(alone, draw="none"))


def test_kraloyun_to_a_number_of_won_hands_drawn_ones_not_counted() -> None:
    drawn = a_hand("6-6 2-1 / 2-0 1-0", "6-6", [0, 0], ends="lock 0")
    won = a_hand("6-6 2-1 / 5-4 1-0", "6-6", [1, 0], ends="lock 0", winner=0)
    last = a_hand("6-6 2-1 / 5-4 1-0", "6-6", [1, 0], totals=[2, 0], ends="lock 0", winner=0)
    check(game(drawn, won, drawn_after(won), last, draw="none", wins=2))
    refused(game(drawn, won, draw="none", wins=2), "a result after 2 hands, but more must follow")


def drawn_after(hand: Record) -> Record:
    drawn = a_hand("6-6 2-1 / 2-0 1-0", "6-6", [0, 0], ends="lock 0")
    drawn["outcome"]["totals"] = hand["outcome"]["totals"]
    return drawn


def test_kraloyun_a_tied_lock_has_a_next_starter_too() -> None:
    drawn = a_hand("6-6 2-1 / 2-0 1-0", "6-6", [0, 0], ends="lock 0")
    after = a_hand("2-2 1-0 / 3-3 0-0", "3-3", [0, 1], starter=1, ends="lock 1", winner=1)
    check(game(drawn, after, draw="none"))


def test_kraloyun_four_alone_all_drawn_share_nothing() -> None:
    hand = a_hand("6-6 2-1 / 2-0 1-0 / 5-4 3-3 / 5-3 4-4", "6-6", [0] * 4, ends="lock 0")
    record = game(hand, draw="none")
    assert record["result"] == {"scores": [0] * 4, "places": [1] * 4, "points": [0] * 4}
    check(record)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"going_out_wins": False}, "going_out_wins cannot be False"),
        ({"locker_pays": False}, "the field 'locker_pays' is not known"),
        ({"bank_opens_account": False}, "the field 'bank_opens_account' is not known"),
        ({"forced_opening": "never"}, "forced_opening cannot be 'never'"),
        ({"lock_waits_for_empty_stock": "yes"}, "lock_waits_for_empty_stock cannot be 'yes'"),
    ],
)
def test_kraloyun_fields_are_validated(options: Record, why: str) -> None:
    hand = a_hand("5-5 / 4-4", "5-5", [1, 0], winner=0)
    refused(game(hand, **options), f"^ruleset: .*{why}")
