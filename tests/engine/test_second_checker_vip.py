"""The second checker: VIP Domino, draw and block, and match lengths by target and by wins."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.second_checker import check
from tests.engine.second_checker_builders import Record, a_game, a_hand, refused, unfinished
from tests.engine.second_checker_vip import difference, winner_of_hand


def block(*hands: Record, **options: Any) -> Record:
    return a_game("vip-block", *hands, **options)


# --------------------------------------------------------------------------- the hand's end


def test_vip_alone_went_out_and_the_others_hold_7_12_3_is_22() -> None:
    check(block(a_hand("6-5 / 4-3 / 6-6 / 3-0", "6-5", [22, 0, 0, 0], winner=0)))
    refused(
        block(a_hand("6-5 / 4-3 / 6-6 / 3-0", "6-5", [21, 0, 0, 0], winner=0)),
        r"hand 0, outcome: the scores are \[22, 0, 0, 0\]",
    )


def test_vip_partners_who_go_out_with_the_heavier_pair_win_and_score_nothing() -> None:
    """The partner holds 20, the other side 6 and 4: 10 − 20 → 0, but the hand is won."""
    racks = "5-3 5-5 / 4-0 1-1 / 6-6 4-4 / 2-1 1-0"
    hand = a_hand(racks, "5-3, pass, pass, pass, 5-5L", [0, 0], winner=0)
    check(block(hand, partners=True))
    check(a_game("vip-block", hand, partners=True, wins=1))
    hand["outcome"]["winner"] = None
    refused(block(hand, partners=True), "hand 0, outcome: side 0 wins the hand")
    assert winner_of_hand("out", 0, [20, 10], going_out_wins=True) == 0
    assert difference([20, 10], 0) == 0


def test_vip_a_lock_four_alone_9_9_14_20_is_nobodys() -> None:
    assert winner_of_hand("lock", 0, [9, 9, 14, 20], going_out_wins=True) is None
    racks = "6-6 5-4 0-0 / 4-1 3-0 1-0 / 5-1 3-2 2-1 / 5-5 4-4 2-0"
    hand = a_hand(racks, "6-6", [0, 0, 0, 0], ends="lock 0")
    check(block(hand))
    hand["outcome"]["winner"] = 0
    refused(block(hand), "hand 0, outcome: nobody wins the hand")


def test_vip_three_tied_lowest_are_nobodys() -> None:
    racks = "6-6 5-4 / 5-3 1-0 / 5-2 2-0 / 4-4 4-3"
    check(block(a_hand(racks, "6-6", [0, 0, 0, 0], ends="lock 0")))
    assert winner_of_hand("lock", 3, [9, 9, 9, 20], going_out_wins=True) is None


def test_vip_at_a_lock_the_lowest_result_wins_the_others_less_its_own() -> None:
    """9, 9, 9 and 7: 27 − 7 = 20, to a seat that did not lock."""
    racks = "6-6 5-4 / 5-3 1-0 / 5-2 2-0 / 4-0 2-1"
    check(block(a_hand(racks, "6-6", [0, 0, 0, 20], ends="lock 0", winner=3)))


def test_vip_at_a_lock_partners_count_both_racks() -> None:
    """0 and 2 hold 9 + 2, 1 and 3 hold 9 + 8: 17 − 11 = 6."""
    racks = "6-6 5-4 / 5-3 1-0 / 0-0 2-0 / 3-1 4-0"
    hand = a_hand(racks, "6-6", [6, 0], ends="lock 0", winner=0)
    check(block(hand, partners=True))


def test_vip_without_going_out_wins_the_lowest_result_wins_after_going_out_too() -> None:
    hand = a_hand("6-5 / 4-2 / 6-6 / 4-0", "6-5", [0, 2], winner=1)
    check(block(hand, partners=True, going_out_wins=False))
    refused(block(hand, partners=True), "hand 0, outcome: side 0 wins the hand")


def test_vip_without_going_out_wins_an_opponent_with_the_blank_alone_ties() -> None:
    tie = a_hand("6-5 / 0-0", "6-5", [0, 0])
    check(block(tie, going_out_wins=False))
    check(block(tie, going_out_wins=False, lock_tie="seka"))
    refused(block(tie), "side 0 wins the hand")


def test_a_tie_after_going_out_is_no_seka() -> None:
    """12 against 12 after going out: nothing is banked, so the next win is 18 − 3 and no more."""
    tie = a_hand("6-5 / 5-4 / 6-6 / 3-0", "6-5", [0, 0])
    won = a_hand("6-6 / 5-5 / 4-2 / 3-0", "5-5", [0, 15], starter=1, ends="out 1", winner=1)
    options: Record = {"partners": True, "going_out_wins": False, "lock_tie": "seka"}
    check(block(tie, won, **options))


# -------------------------------------------------------------------------- drawing, starting


def test_vip_block_never_draws_and_locks_with_a_stock() -> None:
    hand = a_hand("6-6 1-0 / 5-4 3-2", "6-6", [13, 0], ends="lock 0", winner=0)
    check(block(hand))
    drawn = a_hand("6-6 1-0 / 5-4 3-2", "6-6, draw 6-5", [0, 0], stock="6-5", winner=0)
    refused(block(drawn), "hand 0, move 1: the hand has already ended")
    waiting = a_hand("6-6 6-0 / 5-4 3-2", "6-6, draw 6-5", [0, 0], stock="6-5", winner=0)
    refused(block(waiting), "hand 0, move 1: nothing may be drawn")


def test_vip_draw_draws_until_playable_and_may_lock_over_a_useless_stock() -> None:
    """A lock leaves what nobody could play: the engine ends the hand, nobody draws the rest."""
    hand = a_hand("6-6 6-0 / 5-4 2-1", "6-6, draw 3-3 6-2, 6-2R, 6-0L", [18, 0], stock="3-3 6-2")
    hand["outcome"]["winner"] = 0
    check(a_game("vip-draw", hand))
    refused(block(hand), "hand 0, move 1: nothing may be drawn")


OUT = a_hand("6-5 / 2-1", "6-5", [3, 0], winner=0)
LOCK = a_hand("6-6 1-0 / 5-4 3-2", "6-6", [13, 0], ends="lock 0", winner=0)


@pytest.mark.parametrize("first", [OUT, LOCK], ids=["out", "lock"])
def test_vip_the_seat_after_the_starter_starts_the_next_hand(first: Record) -> None:
    so_far = first["outcome"]["totals"][0]
    deal = len(first["racks"][0])
    racks = "4-3 / 6-1" if deal == 1 else "4-3 5-5 / 6-6 1-0"
    ends, scores = ("out 1", [0, 7]) if deal == 1 else ("lock 1", [0, 16])
    moves = "6-1" if deal == 1 else "6-6"
    totals = [so_far, scores[1]]
    second = a_hand(racks, moves, scores, totals=totals, starter=1, ends=ends, winner=1)
    check(block(first, second))
    refused(block(first, {**second, "starter": 0}), "hand 1: seat 1 starts, not 0")


# ------------------------------------------------------------------------------ match length


def test_a_target_match_ends_after_the_hand_in_which_it_is_reached() -> None:
    check(block(OUT, target=3))
    refused(block(OUT, target=4), "hands: a result after 1 hands, but more must follow")
    more = a_hand("4-3 / 6-1", "6-1", [0, 7], totals=[3, 7], starter=1, ends="out 1", winner=1)
    refused(block(OUT, more, target=3), "hand 1: the match was over after 1 hands")
    check(block(OUT, more, target=4))
    check(unfinished(block(OUT, more, target=8)))
    refused(unfinished(block(OUT, more, target=7)), "result: the match was played out")


def test_target_looked_at_at_the_hands_end_and_equal_above_it_plays_on() -> None:
    """With fives: 10 each while playing, then a tied lock leaves both level above the target."""
    level = a_hand("5-5 2-1 / 5-0 4-3", "5-5=10, 5-0R=10", [14, 10], ends="lock 1", winner=0)
    # 5-5 | 5-0: ends 5 and 0; nobody holds either; 3 and 7 left: side 0 wins 4 on top
    check(block(level, fives=True, target=14))
    tied = a_hand("5-5 4-3 / 5-0 6-1", "5-5=10, 5-0R=10", [10, 10], ends="lock 1")
    refused(block(tied, fives=True, target=10), "a result after 1 hands, but more must follow")
    refused(block(tied, fives=True, target=1), "a result after 1 hands, but more must follow")
    check(unfinished(block(tied, fives=True, target=10)))
    last = a_hand("4-4 3-3 / 6-6 1-0", "6-6", [0, 13], totals=[10, 23], starter=1, ends="lock 1")
    last["outcome"]["winner"] = 1
    check(block(tied, last, fives=True, target=10))


def test_several_over_the_target_the_highest_wins() -> None:
    both = a_hand("5-5 2-1 / 5-0 4-3", "5-5=10, 5-0R=10", [14, 10], ends="lock 1", winner=0)
    check(block(both, fives=True, target=5))


def test_a_wins_match_counts_won_hands_and_ranks_by_score() -> None:
    more = a_hand("4-3 / 6-1", "6-1", [0, 7], totals=[3, 7], starter=1, ends="out 1", winner=1)
    third = a_hand("4-3 / 1-1", "4-3", [2, 0], totals=[5, 7], winner=0)
    check(block(OUT, more, third, wins=2))
    refused(block(OUT, more, third, wins=1), "hand 1: the match was over after 1 hands")
    refused(block(OUT, more, third, wins=3), "a result after 3 hands, but more must follow")


def five_hundred(count: int) -> list[Record]:
    """Starting in turn, each goes out against the blank alone: nobody ever scores."""
    mine = a_hand("6-5 / 0-0", "6-5", [0, 0], winner=0)
    other = a_hand("0-0 / 6-5", "6-5", [0, 0], starter=1, ends="out 1", winner=1)
    return [(mine, other)[number % 2] for number in range(count)]


@pytest.mark.parametrize("length", ["target", "wins"])
def test_target_and_wins_matches_end_after_the_500th_hand_by_totals(length: str) -> None:
    goal = {length: 1000}
    check(block(*five_hundred(500), **goal))
    refused(block(*five_hundred(499), **goal), "a result after 499 hands, but more must follow")
    refused(block(*five_hundred(501), **goal), "hands: 501 hands in a match of 500")


def test_hands_matches_are_not_cut_at_500() -> None:
    check(block(*five_hundred(501)))


# -------------------------------------------------------------------------------- rule sets


@pytest.mark.parametrize("stake", [1, 7, 10_000])
def test_the_stake_is_the_organizers(stake: int) -> None:
    record = {**block(OUT), "stake": stake}
    record["result"] = {**record["result"], "points": [stake, -stake]}
    check(record)


@pytest.mark.parametrize("stake", [0, -11, 10_001, 11.0, True])
def test_a_stake_is_a_number_from_1_to_10_000(stake: object) -> None:
    refused({**block(OUT), "stake": stake}, "^stake: ")


def test_three_cannot_play_vip() -> None:
    refused(block(a_hand("6-5 / 2-1 / 1-1", "6-5", [5, 0, 0], winner=0)), "^seats: 3 seats")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"locker_pays": True}, "the field 'locker_pays' is not known"),
        ({"bank_opens_account": True}, "the field 'bank_opens_account' is not known"),
        ({"drafts_on_opening": "keep"}, "the field 'drafts_on_opening' is not known"),
        ({"redeals": True}, "the field 'redeals' is not known"),
        ({"hand_scoring": "pip_loss"}, "hand_scoring cannot be 'pip_loss'"),
        ({"opening_minimum": 13}, "opening_minimum cannot be 13"),
        ({"lock_tie": "bank"}, "lock_tie cannot be 'bank'"),
        ({"target": 0}, "target cannot be 0"),
        ({"target": 10_001}, "target cannot be 10001"),
        ({"wins": 2.0}, "wins cannot be 2.0"),
        ({"wins": 2, "target": 100}, "one match length .*, not 2"),
        ({"wins": 2, "hands": 1}, "one match length .*, not 2"),
    ],
)
def test_vip_fields_are_validated(options: Record, why: str) -> None:
    refused(block(OUT, **options), f"^ruleset: .*{why}")


def test_a_match_length_is_always_said() -> None:
    record = block(OUT)
    del record["ruleset"]["hands"]
    refused(record, "^ruleset: it must say one match length")


# ----------------------------------------------------- fields of the table, mixed by house rules


def test_fives_score_in_any_family_on_top_of_the_hand() -> None:
    check(block(a_hand("5-5 / 2-1", "5-5=10", [13, 0], winner=0), fives=True))
    refused(block(a_hand("5-5 / 2-1", "5-5=10", [13, 0], winner=0)), "nothing scores while")


def test_fives_of_partners_go_to_their_side() -> None:
    done = a_hand("5-5 / 2-1 / 1-1 / 0-0", "5-5=10", [11, 0], winner=0)
    check(block(done, partners=True, fives=True))


@pytest.mark.parametrize(("scoring", "score"), [("opponents_pips", 22), ("one_win", 1)])
def test_another_scoring_may_be_set(scoring: str, score: int) -> None:
    hand = a_hand("6-5 / 4-3 / 6-6 / 3-0", "6-5", [score, 0, 0, 0], winner=0)
    check(block(hand, hand_scoring=scoring))


def test_seka_without_an_opening_minimum_pays_the_bank_to_the_next_winner() -> None:
    """9 and 9 are banked unseen; then 9 − 1 and the bank of 18."""
    tied = a_hand("6-6 5-4 / 5-3 1-0", "6-6", [0, 0], ends="lock 0")
    won = a_hand("5-4 0-0 / 6-6 1-0", "6-6", [0, 26], starter=1, ends="lock 1", winner=1)
    check(block(tied, won, lock_tie="seka"))
    plain = a_hand("5-4 0-0 / 6-6 1-0", "6-6", [0, 8], starter=1, ends="lock 1", winner=1)
    check(block(tied, plain))
    refused(block(tied, plain, lock_tie="seka"), r"the scores are \[0, 26\]")


def test_blank_pips_count_at_a_lock() -> None:
    hand = a_hand("6-6 0-0 / 5-4 1-0", "6-6", [0, 0], ends="lock 0")
    check(block(hand, blank_pips=10))
    won = a_hand("6-6 0-0 / 5-4 1-0", "6-6", [10, 0], ends="lock 0", winner=0)
    check(block(won))
