"""The second checker: Domino 101, from the opening to the 13 rule and the target."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.second_checker import check
from tests.engine.second_checker_builders import (
    GOOD,
    Record,
    a_game,
    a_hand,
    refused,
    stopped,
    unfinished,
)
from tests.engine.second_checker_domino101 import (
    first_double,
    nobody_holds_a_double,
    opponents_lack_the_suit,
    too_many_doubles,
    too_many_of_a_suit,
)
from tests.engine.second_checker_shapes import TILE_OF, Tile


def game(*hands: Record, **options: Any) -> Record:
    return a_game("domino101", *hands, **options)


def dry(*hands: Record, **options: Any) -> Record:
    """Without a market, so that short racks lock at once."""
    return game(*hands, draw="none", **options)


def tiles(text: str) -> list[Tile]:
    return [TILE_OF[name] for name in text.split()]


def after(drafts: list[int], opened: list[bool], bank: int = 0) -> dict[str, Any]:
    return {"drafts": drafts, "open": opened, "bank": bank}


CLOSED = after([0, 0], [False, False])
FIRST_OPEN = after([0, 0], [True, False])


# ------------------------------------------------------------------------------- the opening


@pytest.mark.parametrize(
    ("held", "opens"),
    [
        ("6-6 0-0 5-5 1-1", "1-1"),
        ("6-6 0-0 5-5", "5-5"),
        ("0-0 6-6 6-5", "6-6"),
        ("0-0 6-5", "0-0"),
        ("6-3 5-4 2-1", "6-3"),
    ],
)
def test_101_the_first_of_the_doubles_found_opens(held: str, opens: str) -> None:
    assert first_double(tiles(held)) == TILE_OF[opens]


def test_101_its_holder_must_open_the_first_hand_with_it() -> None:
    racks, moves = "6-6 3-2 / 2-2 2-1", "2-2, 3-2R, 2-1L"
    hand = a_hand(racks, moves, [0, 0], starter=1, ends="out 1", winner=1)
    hand["outcome"] |= after([0, 12], [False, False])
    check(dry(hand))
    other = a_hand("6-6 3-2 / 2-2 1-0", "1-0", [0, 0], starter=1)
    refused(dry(other), "hand 0, move 0: 2-2 must open")
    wrong = a_hand("6-6 3-2 / 2-2 1-0", "6-6", [0, 0])
    refused(dry(wrong), "hand 0: seat 1 starts, not 0")


def test_101_without_a_double_and_without_the_redeal_the_tile_of_kraloyun_opens() -> None:
    hand = a_hand("5-4 / 6-3", "6-3", [0, 0], starter=1, ends="out 1", winner=1)
    hand["outcome"] |= after([0, 9], [False, False])
    check(game(hand, no_double_redeals=False))
    refused(game(hand), "hand 0: the deal had to be refused: no-double")


def test_101_later_hands_open_with_any_tile_and_need_no_double() -> None:
    first = a_hand("1-1 / 5-4", "1-1", [0, 0], winner=0, **after([9, 0], [False, False]))
    second = a_hand("2-1 / 5-4", "2-1", [0, 0], winner=0, **after([18, 0], [False, False]))
    check(game(first, second))


def test_101_who_went_out_or_made_the_locking_move_starts_the_next_hand() -> None:
    locked = a_hand("6-6 3-2 / 1-1 4-0", "1-1", [0, 0], starter=1, ends="lock 1", winner=1)
    locked["outcome"] |= {"scores": [0, 17], "totals": [0, 17], **after([0, 0], [False, True])}
    refused(dry(locked, {**locked, "starter": 0}), "hand 1: seat 1 starts, not 0")
    out = a_hand("6-6 / 1-1", "1-1", [0, 0], starter=1, ends="out 1", winner=1)
    out["outcome"] |= after([0, 12], [False, False])
    refused(game(out, {**out, "starter": 0}), "hand 1: seat 1 starts, not 0")


# --------------------------------------------------------------------------------- the market

MARKET = "1-1 1-0 / 5-4 3-2"


def test_101_two_players_draw_pairs_even_if_the_first_fits() -> None:
    stock = "6-6 2-1 6-1 5-5"
    hand = a_hand(MARKET, "1-1, draw 6-6 2-1", [0, 0], stock=stock)
    check(stopped(game(hand)))
    first_fits = a_hand(MARKET, "1-1, draw 2-1 6-6", [0, 0], stock="2-1 6-6")
    check(stopped(game(first_fits)))
    one = a_hand(MARKET, "1-1, draw 2-1", [0, 0], stock="2-1 6-6")
    refused(stopped(game(one)), "hand 0, move 1: the drawing is 2-1 6-6, not 2-1")
    two_pairs = a_hand(MARKET, "1-1, draw 6-6 5-5 6-1 4-4", [0, 0], stock="6-6 5-5 6-1 4-4")
    check(stopped(game(two_pairs)))


def test_101_the_last_two_are_the_reserve_of_two_players() -> None:
    """Only ones could be played, and the last two are ones: all but them is drawn, then passed."""
    racks = "1-1 1-0 2-1 3-1 4-1 / 6-6 6-5 6-4 6-3 6-2"
    rest = [name for name in TILE_OF if name not in racks.split() and "1" not in name]
    moves = f"1-1, draw {' '.join(rest)}, pass, 2-1R"
    check(stopped(game(a_hand(racks, moves, [0, 0], stock=" ".join([*rest, "6-1", "5-1"])))))
    early = a_hand(racks, "1-1, pass, 2-1R", [0, 0], stock=" ".join([*rest, "6-1", "5-1"]))
    refused(stopped(game(early)), "hand 0, move 1: seat 1 could have drawn")
    refused(stopped(game(a_hand(racks, moves, [0, 0]), reserve=0)), "the drawing is")


def test_101_of_an_odd_market_the_last_tile_is_drawn_alone() -> None:
    """A house rule set's reserve of 1 leaves 23 to draw: eleven pairs and one."""
    racks = "1-1 2-1 / 5-4 3-2"
    ones = [name for name in TILE_OF if "1" in name and name not in racks.split()]
    dull = [name for name in TILE_OF if name not in [*racks.split(), *ones]]
    moves = f"1-1, draw {' '.join([*dull, ones[0]])}"
    hand = a_hand(racks, moves, [0, 0], stock=" ".join([*dull, *ones]))
    assert len(dull) % 2 == 1
    check(stopped(game(hand)))
    odd = a_hand(racks, f"1-1, draw {' '.join(dull)}", [0, 0], stock=" ".join([*dull, *ones]))
    check(stopped(game(odd, reserve=len(ones))))


def test_101_a_lock_does_not_look_at_the_reserve() -> None:
    """Two playable tiles lie in the reserve: locked. With one of them drawable: not locked."""
    racks = "1-1 5-4 / 6-6 6-5"
    ones = "6-1 5-1 4-1 3-1 2-1 1-0"
    stock = " ".join([name for name in TILE_OF if name not in [*racks.split(), *ones.split()]])
    hand = a_hand(racks, "1-1", [23, 0], stock=f"{stock} {ones}", ends="lock 0", winner=0)
    hand["outcome"] |= FIRST_OPEN
    check(game(hand, reserve=6))
    refused(game(hand, reserve=5), "hand 0: the moves stop before the hand ends")


def test_101_three_players_draw_one_at_a_time_and_leave_one() -> None:
    racks = "1-1 1-0 / 5-4 3-2 / 6-6 6-5"
    hand = a_hand(racks, "1-1, draw 4-4 2-1, 2-1R", [0, 0], stock="4-4 2-1 6-1")
    check(stopped(game(hand)))
    more = a_hand(racks, "1-1, draw 4-4 2-1 6-1", [0, 0], stock="4-4 2-1 6-1")
    refused(stopped(game(more)), "hand 0, move 1: the drawing is 4-4 2-1, not")
    ones = [name for name in TILE_OF if "1" in name and name not in racks.split()]
    dull = [name for name in TILE_OF if name not in [*racks.split(), *ones]]
    moves = f"1-1, draw {' '.join(dull)}, pass, pass"
    last = a_hand(racks, moves, [0, 0, 0], stock=" ".join([*dull, *ones]))
    check(stopped(game(last, reserve=len(ones))))
    refused(stopped(game(last)), "hand 0, move 1: the drawing is")


@pytest.mark.parametrize(("seats", "reserve"), [(2, 2), (3, 1)])
def test_101_the_reserve_is_two_for_two_and_one_for_three(seats: int, reserve: int) -> None:
    """The given records say the same with it spelled out."""
    for record in GOOD:
        if record["ruleset"]["preset"] == "domino101" and record["seats"] == seats:
            check({**record, "ruleset": {**record["ruleset"], "reserve": reserve}})


def test_101_four_have_no_market() -> None:
    record = next(r for r in GOOD if r["ruleset"]["preset"] == "domino101" and r["seats"] == 4)
    check({**record, "ruleset": {**record["ruleset"], "draw": "none", "reserve": 0}})
    refused({**record, "ruleset": {**record["ruleset"], "reserve": 1}}, "reserve is larger")
    refused({**record, "partners": False}, "^partners: four play domino101 as partners")


# -------------------------------------------------------------------------------- the redeals


@pytest.mark.parametrize(
    ("rack", "refuses"),
    [
        ("6-0 6-1 6-2 6-3 6-4 1-1 2-2", True),
        ("6-0 6-1 6-2 6-3 6-6 1-1 2-2", False),  # double + 4
        ("6-0 6-1 6-2 6-3 6-4 6-6 2-2", True),  # double + 5
        ("1-0 2-0 3-0 4-0 5-0 6-0 0-0", True),
        ("6-0 6-1 6-2 6-3 5-0 5-1 5-2", False),
    ],
)
def test_101_five_non_doubles_of_a_suit_are_too_many(rack: str, refuses: bool) -> None:
    assert too_many_of_a_suit([tiles("5-5 5-4"), tiles(rack)]) is refuses


def test_101_five_doubles_are_too_many() -> None:
    assert too_many_doubles([tiles("6-5"), tiles("0-0 1-1 2-2 3-3 4-4 6-0 6-1")])
    assert not too_many_doubles([tiles("0-0 1-1 2-2 3-3 6-1"), tiles("4-4 5-5 6-6")])


def test_101_a_double_in_the_stock_is_held_by_nobody() -> None:
    assert nobody_holds_a_double([tiles("6-5 2-1"), tiles("4-3 1-0")])
    assert not nobody_holds_a_double([tiles("6-5 2-1"), tiles("4-4 1-0")])


SUIT_WITH_ONE_SIDE = (
    "1-1 1-0 2-1 3-1 5-5 6-5 4-3 / 0-0 2-0 3-0 4-0 5-2 6-3 4-4 / "
    "4-1 5-1 6-1 2-2 3-3 6-0 5-4 / 6-6 6-2 6-4 5-0 5-3 3-2 4-2"
)
SUIT_WITH_BOTH = SUIT_WITH_ONE_SIDE.replace("3-1", "x").replace("0-0", "3-1").replace("x", "0-0")


def test_101_first_hand_the_opponents_need_a_tile_of_the_opening_doubles_suit() -> None:
    one_side = [tiles(rack) for rack in SUIT_WITH_ONE_SIDE.split(" / ")]
    both = [tiles(rack) for rack in SUIT_WITH_BOTH.split(" / ")]
    assert opponents_lack_the_suit(one_side, (1, 1))
    assert not opponents_lack_the_suit(both, (1, 1))
    assert not opponents_lack_the_suit(one_side, None)
    assert not opponents_lack_the_suit(one_side[:3], (1, 1))


def dealt_again(bad: str, good: str, reason: str, opens: str, starter: int = 0) -> Record:
    """A first hand of which one deal was refused."""
    refused_deal, hand = a_hand(bad, "", [0, 0]), a_hand(good, opens, [0, 0], starter=starter)
    redeal = {"racks": refused_deal["racks"], "stock": refused_deal["stock"], "reason": reason}
    return {**hand, "redeals": [redeal]}


def test_101_a_refused_deal_is_recorded_with_its_reason() -> None:
    hand = dealt_again(SUIT_WITH_ONE_SIDE, SUIT_WITH_BOTH, "opponents", "1-1")
    check(stopped(game(hand, partners=True)))
    for reason in ("suit", "doubles", "no-double", "bad luck"):
        other = dealt_again(SUIT_WITH_ONE_SIDE, SUIT_WITH_BOTH, reason, "1-1")
        refused(stopped(game(other, partners=True)), "hand 0, redeal 0: its reason does not hold")
    needless = dealt_again(SUIT_WITH_BOTH, SUIT_WITH_BOTH, "opponents", "1-1")
    refused(stopped(game(needless, partners=True)), "hand 0, redeal 0: its reason does not hold")
    missing = a_hand(SUIT_WITH_ONE_SIDE, "1-1", [0, 0])
    refused(stopped(game(missing, partners=True)), "hand 0: the deal had to be refused: opponents")


FIVE_SIXES = "6-0 6-1 6-2 6-3 6-4 1-1 2-2 / 5-0 5-1 5-2 5-3 5-4 4-4 3-3"
CLEAN = "6-0 6-1 6-2 6-3 5-4 1-1 2-2 / 5-0 5-1 5-2 5-3 6-4 4-4 3-3"
NO_DOUBLE = "6-0 6-1 6-2 6-3 5-4 2-1 3-2 / 5-0 5-1 5-2 5-3 6-4 1-0 2-0"
FIVE_DOUBLES = "0-0 1-1 2-2 3-3 4-4 6-5 6-4 / 6-6 5-5 5-0 4-3 2-1 3-1 4-2"


@pytest.mark.parametrize(
    ("bad", "reason"), [(FIVE_SIXES, "suit"), (FIVE_DOUBLES, "doubles"), (NO_DOUBLE, "no-double")]
)
def test_101_first_hands_are_dealt_again_until_clean(bad: str, reason: str) -> None:
    hand = dealt_again(bad, CLEAN, reason, "1-1")
    check(stopped(game(hand)))
    twice = {**hand, "redeals": hand["redeals"] * 2}
    check(stopped(game(twice)))
    refused(stopped(game(a_hand(bad, "1-1", [0, 0]))), f"the deal had to be refused: {reason}")


@pytest.mark.parametrize(
    ("bad", "reason", "again"),
    [
        (FIVE_SIXES, "suit", True),
        (FIVE_DOUBLES, "doubles", True),
        (NO_DOUBLE, "no-double", False),
    ],
)
def test_101_later_hands_are_dealt_again_for_suit_and_doubles_only(
    bad: str, reason: str, again: bool
) -> None:
    first = next(r for r in GOOD if r["ruleset"]["preset"] == "domino101" and r["seats"] == 2)
    record = {key: value for key, value in first.items() if key != "proof"}
    starter = record["hands"][1]["starter"]
    redealt = dealt_again(bad, CLEAN, reason, "", starter)
    plain = a_hand(bad, "", [0, 0], starter=starter)
    good, wrong = (redealt, plain) if again else (plain, redealt)
    check(stopped({**record, "hands": [record["hands"][0], good]}))
    refused(stopped({**record, "hands": [record["hands"][0], wrong]}), "^hand 1")


def test_101_no_double_is_an_option_and_suit_and_doubles_are_not() -> None:
    opens = a_hand(NO_DOUBLE, "6-4", [0, 0], starter=1)
    check(stopped(game(opens, no_double_redeals=False)))
    refused(stopped(game(opens)), "hand 0: the deal had to be refused: no-double")
    for deal in (FIVE_SIXES, FIVE_DOUBLES):
        hand = a_hand(deal, "1-1", [0, 0])
        refused(stopped(game(hand, no_double_redeals=False)), "hand 0: the deal had to be refused")
        refused(stopped(game(hand, redeals=False)), "the field 'redeals' is not known")


def test_101_every_redeal_has_its_own_attempt_of_the_proof() -> None:
    found = 0
    for record in GOOD:
        for number, hand in enumerate(record["hands"]):
            for redeal in hand.get("redeals", []):
                found += 1
                rack = redeal["racks"][0]
                rack[0], rack[1] = rack[1], rack[0]
                why = rf"^hand {number}, redeal 0: .* \(deal:{number}:0\)"
                refused(record, why)
                rack[0], rack[1] = rack[1], rack[0]
                kept = hand.pop("redeals")
                refused(record, rf"^hand {number}: .* \(deal:{number}:0\)")
                hand["redeals"] = kept * 2
                refused(record, rf"^hand {number}, redeal 1: .* \(deal:{number}:1\)")
                hand["redeals"] = kept
                check(record)
    assert found == 6


# ----------------------------------------------------------------------------- the hand's end


def test_101_the_blank_left_in_a_rack_counts_10() -> None:
    hand = a_hand("1-1 2-1 / 5-4 0-0", "1-1, pass, 2-1R", [19, 0], winner=0, **FIRST_OPEN)
    check(dry(hand))
    cheap = a_hand("1-1 2-1 / 5-4 0-0", "1-1, pass, 2-1R", [0, 0], winner=0)
    cheap["outcome"] |= after([9, 0], [False, False])
    check(dry(cheap, blank_pips=0))


def test_101_three_the_winner_scores_both_others() -> None:
    hand = a_hand("1-1 / 5-4 / 6-6", "1-1", [21, 0, 0], winner=0)
    hand["outcome"] |= after([0, 0, 0], [True, False, False])
    check(game(hand))


def test_101_a_partners_pips_count_for_nobody() -> None:
    hand = a_hand("1-1 / 6-1 / 6-6 / 5-2", "1-1", [14, 0], winner=0, **FIRST_OPEN)
    check(game(hand, partners=True))


def test_101_at_a_lock_the_least_scores_the_opponents_in_full_whoever_locked() -> None:
    """9 against 10 (the blank): seat 1 wins 10, not 1, and seat 0 who locked starts."""
    hand = a_hand("1-1 0-0 / 5-0 4-0", "1-1", [0, 0], ends="lock 0", winner=1)
    hand["outcome"] |= after([0, 10], [False, False])
    check(dry(hand))
    hand["outcome"]["drafts"] = [0, 1]
    refused(dry(hand), r"hand 0, outcome: the drafts are \[0, 10\], not \[0, 1\]")


# --------------------------------------------------------------------------------------- seka

TIED = "1-1 5-4 / 3-2 4-0"  # 9 and 9 after 1-1
SEKA = a_hand(TIED, "1-1", [0, 0], ends="lock 0", **after([0, 0], [False, False], 18))
AGAIN = a_hand("6-6 4-3 / 4-1 2-0", "6-6", [0, 0], ends="lock 0")  # 7 and 7
AGAIN["outcome"] |= after([0, 0], [False, False], 32)


def bank_won(won: int, **accounts: Any) -> Record:
    racks, moves = "6-5 5-3 / 1-0 2-0", "6-5, pass, 5-3R"
    return a_hand(racks, moves, [won, 0], winner=0, **accounts)


def test_101_a_shared_least_is_a_seka_and_all_pips_go_into_the_bank() -> None:
    check(dry(SEKA))
    nobody = a_hand(TIED, "1-1", [0, 0], ends="lock 0", **CLOSED)
    refused(dry(nobody), "hand 0, outcome: the bank is 18, not 0")
    check(dry(nobody, lock_tie="nobody"))


def test_101_seka_after_seka_grows_the_bank_and_the_next_clear_winner_scores_it() -> None:
    """18, then 14 more; a win of 3 is worth 35 and opens the account."""
    check(dry(SEKA, AGAIN, bank_won(35, **FIRST_OPEN)))
    refused(dry(SEKA, AGAIN, bank_won(3, **FIRST_OPEN)), r"hand 2, outcome: the scores are \[35, 0")


def test_101_a_bank_left_at_the_matchs_end_is_lost() -> None:
    record = dry(SEKA, AGAIN)
    assert record["result"]["scores"] == [0, 0]
    check(record)


def test_101_after_a_seka_who_made_the_locking_move_starts() -> None:
    refused(dry(SEKA, {**AGAIN, "starter": 1}), "hand 1: seat 0 starts, not 1")


@pytest.mark.parametrize(
    ("racks", "bank"),
    [
        ("1-1 5-4 / 3-2 4-0 / 6-6 6-5", 41),  # two of three: 9, 9 and 23
        ("1-1 5-4 / 3-2 4-0 / 6-2 0-0", 36),  # 9, 9 and 18 (the blank 10)
        ("1-1 5-4 / 3-2 4-0 / 4-3 2-0", 27),  # all three
    ],
)
def test_101_three_players_tie_by_two_or_all(racks: str, bank: int) -> None:
    hand = a_hand(racks, "1-1", [0, 0, 0], ends="lock 0")
    hand["outcome"] |= after([0, 0, 0], [False] * 3, bank)
    check(dry(hand))


def test_101_two_of_three_tied_above_the_least_are_no_seka() -> None:
    hand = a_hand("1-1 5-4 / 3-2 4-0 / 3-0 2-0", "1-1", [0, 0, 18], ends="lock 0", winner=2)
    hand["outcome"] |= after([0, 0, 0], [False, False, True])
    check(dry(hand))


def test_101_a_seka_of_pairs() -> None:
    """9 + 9 against 3 + 16 is a win of 19; against 3 + 15 a seka of 36."""
    racks, moves = "1-1 5-4 / 2-1 3-0 / 4-0 5-0 / 6-0 6-4", "1-1, 2-1R"
    won = a_hand(racks, moves, [19, 0], ends="lock 1", winner=0, **FIRST_OPEN)
    check(dry(won, partners=True))
    level = a_hand(racks.replace("6-4", "6-3"), moves, [0, 0], ends="lock 1")
    level["outcome"] |= after([0, 0], [False, False], 36)
    check(dry(level, partners=True))


# ------------------------------------------------------------------------------- the 13 rule

TWELVE = a_hand("1-1 2-1 / 5-0 4-3", "1-1, pass, 2-1R", [0, 0], winner=0)
TWELVE["outcome"] |= after([12, 0], [False, False])


def thirteen(won: int) -> Record:
    hand = a_hand("6-5 5-2 / 4-3 3-3", "6-5, pass, 5-2R", [won, 0], winner=0)
    hand["outcome"] |= FIRST_OPEN
    return hand


def test_101_a_win_below_13_is_a_draft() -> None:
    check(dry(TWELVE))
    refused(dry({**TWELVE, "outcome": {**TWELVE["outcome"], **FIRST_OPEN}}), "the drafts are")


def test_101_a_win_of_13_opens_and_the_drafts_move_with_it() -> None:
    check(dry(TWELVE, thirteen(25)))
    refused(dry(TWELVE, thirteen(13)), r"hand 1, outcome: the scores are \[25, 0\]")


def test_101_with_drop_the_drafts_are_lost_on_opening() -> None:
    check(dry(TWELVE, thirteen(13), drafts_on_opening="drop"))
    refused(dry(TWELVE, thirteen(25), drafts_on_opening="drop"), r"the scores are \[13, 0\]")


def test_101_an_open_account_takes_any_win() -> None:
    small = a_hand("6-5 5-3 / 1-0 2-0", "6-5, pass, 5-3R", [3, 0], totals=[28, 0], winner=0)
    small["outcome"] |= FIRST_OPEN
    check(dry(TWELVE, thirteen(25), small))


def test_101_the_bank_counts_towards_13() -> None:
    check(dry(SEKA, bank_won(21, **FIRST_OPEN)))


def test_101_without_bank_opens_account_only_the_win_itself_is_measured() -> None:
    """3 and the bank of 18 are 21 of draft; the next win of 13 opens, drafts and all."""
    draft = bank_won(0, **after([21, 0], [False, False]))
    check(dry(SEKA, draft, bank_opens_account=False))
    check(dry(SEKA, draft, thirteen(34), bank_opens_account=False))
    check(dry(SEKA, draft, thirteen(13), bank_opens_account=False, drafts_on_opening="drop"))
    refused(dry(SEKA, draft), r"hand 1, outcome: the scores are \[21, 0\]")
    refused(dry(SEKA, bank_won(21, **FIRST_OPEN), bank_opens_account=False), "the scores are")


def test_101_a_win_of_13_takes_the_bank_with_it_also_without_bank_opens_account() -> None:
    check(dry(SEKA, thirteen(31), bank_opens_account=False))


def test_101_drafts_never_open_the_account_and_never_win() -> None:
    """12 and 12 of draft: not open, and a target of 20 is not reached."""
    second = a_hand("1-1 2-1 / 5-0 4-3", "1-1, pass, 2-1R", [0, 0], winner=0)
    second["outcome"] |= after([24, 0], [False, False])
    check(unfinished(dry(TWELVE, second, target=20)))
    refused(dry(TWELVE, second, target=20), "a result after 2 hands, but more must follow")
    check(dry(TWELVE, second, thirteen(37), target=20))


def test_101_the_account_is_a_sides_own() -> None:
    """Each has 12 of draft and neither is open: 24 between them open nothing."""
    out = a_hand("3-2 6-6 / 4-2 4-3", "3-2, 4-2R, pass, 4-3L", [0, 0], ends="out 1", winner=1)
    refused(dry(TWELVE, out), "hand 1, outcome: the field drafts is missing")
    out["outcome"] |= after([12, 12], [False, False])
    check(dry(TWELVE, out))


def test_101_another_opening_minimum() -> None:
    opened = a_hand("1-1 2-1 / 5-0 4-3", "1-1, pass, 2-1R", [12, 0], winner=0, **FIRST_OPEN)
    check(dry(opened, opening_minimum=12))
    refused(dry(opened, opening_minimum=13), "the scores are")


def test_101_without_an_opening_minimum_there_are_no_accounts_to_record() -> None:
    plain = a_hand("1-1 2-1 / 5-0 4-3", "1-1, pass, 2-1R", [12, 0], winner=0)
    check(dry(plain, opening_minimum=0))
    plain["outcome"] |= FIRST_OPEN
    refused(dry(plain, opening_minimum=0), "the field 'drafts' is not known")


def test_101_fives_while_the_account_is_closed_are_drafts() -> None:
    """5-5 opens for 10: with a win of 9 still closed, with one of 13 moved (or dropped)."""
    closed = a_hand("5-5 / 5-4", "5-5=10", [0, 0], winner=0, **after([19, 0], [False, False]))
    check(game(closed, fives=True))
    opened = a_hand("5-5 5-0 / 6-6 1-0", "5-5=10, pass, 5-0R=10", [33, 0], winner=0, **FIRST_OPEN)
    check(dry(opened, fives=True))


@pytest.mark.parametrize("name", ["drafts", "open", "bank"])
def test_101_drafts_open_and_bank_are_always_recorded(name: str) -> None:
    outcome = {key: value for key, value in TWELVE["outcome"].items() if key != name}
    refused(dry({**TWELVE, "outcome": outcome}), f"the field {name} is missing")


@pytest.mark.parametrize("opened", [[1, 0], [None, False], [True], True])
def test_101_open_is_yes_or_no_by_side(opened: object) -> None:
    outcome = {**TWELVE["outcome"], "open": opened}
    refused(dry({**TWELVE, "outcome": outcome}), "hand 0, outcome.*")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"going_out_wins": False}, "going_out_wins cannot be False"),
        ({"locker_pays": True}, "the field 'locker_pays' is not known"),
        ({"drafts_on_opening": "lose"}, "drafts_on_opening cannot be 'lose'"),
        ({"bank_opens_account": 1}, "bank_opens_account cannot be 1"),
        ({"opening_minimum": -1}, "opening_minimum cannot be -1"),
        ({"reserve": 25}, "the reserve is larger than the stock"),
    ],
)
def test_101_fields_are_validated(options: Record, why: str) -> None:
    refused(game(TWELVE, **options), f"^ruleset: .*{why}")


# ------------------------------------------------------------------------- an account that opens


def with_rules(**rules: object) -> Record:
    """A good record of Domino 101 under other rules, none of them played in it."""
    (record, *_) = (record for record in GOOD if record["ruleset"]["preset"] == "domino101")
    return {**record, "ruleset": {**record["ruleset"], **rules}}


@pytest.mark.parametrize("closed", [{"lock_tie": "nobody"}, {"bank_opens_account": False}])
@pytest.mark.parametrize(
    ("most", "rules"),
    [(1, {"hand_scoring": "one_win"}), (178, {}), (168, {"blank_pips": 0})],
    ids=["one win", "pips", "pips without the blank"],
)
def test_101_an_opening_minimum_that_no_win_can_reach_is_refused(
    closed: Record, most: int, rules: Record
) -> None:
    """Without a bank that counts in: all pips of the set, 0-0 as it counts, or the one win."""
    beyond = with_rules(**rules, **closed, opening_minimum=most + 1)
    refused(beyond, "^ruleset: opening_minimum: no hand is worth so much")
    refused(with_rules(**rules, **closed, opening_minimum=most), "^hand ")
    refused(with_rules(**rules, opening_minimum=10_000), "^hand ")
