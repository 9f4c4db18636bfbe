"""rules.md, *VIP Domino (draw and block)*, and what *Common to all* means for both."""

from __future__ import annotations

from typing import Any

import pytest

from engine.actions import Draw, Pass
from engine.errors import InvalidDeal, InvalidRuleset, NothingToDraw
from engine.events import HandEnded, OutcomeKind, TilesDrawn
from engine.match import MatchState, Step, apply, deal_hand, events_of, legal_actions
from engine.rulesets import preset
from engine.view import view_for
from tests.engine.positions import (
    before_the_lock,
    dealt,
    ended,
    hand_of,
    last_step,
    pips_left,
    play,
    played,
    shuffle_of,
    table,
    tiles,
)

BOTH = pytest.mark.parametrize("name", ["vip-draw", "vip-block"])
OUT, LOCK = OutcomeKind.OUT, OutcomeKind.LOCK


def said(end: HandEnded) -> tuple[OutcomeKind, int | None, tuple[int, ...]]:
    """How a hand ended, who won it, and the scores."""
    return end.kind, end.winner, end.scores


def block(*racks: str, **options: Any) -> MatchState:
    return hand_of("vip-block", *racks, **options)


def locked(*racks: str, **options: Any) -> HandEnded:
    """Seat 0 opens with 6-6, nobody else holds a six, and nothing is drawn: a lock."""
    return ended(last_step(block(*racks, **options), "6-6"))


# --- the hand's end ------------------------------------------------------------------------------


@BOTH
def test_vip_alone_went_out_the_others_hold_7_12_3_scores_22(name: str) -> None:
    end = ended(last_step(hand_of(name, "6-5", "4-3", "6-6", "3-0"), "6-5"))
    assert said(end) == (OUT, 0, (22, 0, 0, 0))
    assert end.totals == (22, 0, 0, 0)
    assert end.player_scores is None


@BOTH
def test_vip_two_the_winner_scores_what_the_other_holds(name: str) -> None:
    step = last_step(hand_of(name, "6-5 6-4", "6-6 3-2"), "6-5", "6-6 L", "6-4 L")
    assert said(ended(step)) == (OUT, 0, (5, 0))


def heavier_pair(**options: Any) -> Step:
    """Seat 0 goes out; the partner holds 20, the other side 6 and 4."""
    state = block("5-3 5-5", "4-0 1-1", "6-6 4-4", "2-1 1-0", partners=True, **options)
    return last_step(state, "5-3", "pass", "pass", "pass", "5-5 L")


def test_vip_partners_going_out_with_the_heavier_pair_wins_the_hand_10_minus_20_is_0() -> None:
    end = ended(heavier_pair())
    assert pips_left(end) == [0, 6, 20, 4]
    assert said(end) == (OUT, 0, (0, 0))


def test_vip_a_hand_won_for_0_is_a_won_hand() -> None:
    step = heavier_pair(wins=1)
    assert step.state.wins == (1, 0)
    assert step.state.result is not None


def test_vip_partners_the_partners_rest_is_taken_off() -> None:
    state = block("5-3 5-5", "6-6 4-4", "4-0 1-1", "2-1 1-0", partners=True)
    step = last_step(state, "5-3", "pass", "pass", "pass", "5-5 L")
    assert said(ended(step)) == (OUT, 0, (20 + 4 - 6, 0))


def test_vip_lock_the_lowest_result_wins_also_if_another_locked() -> None:
    """9, 9, 9 and 7: 27 - 7."""
    end = locked("6-6 5-4", "5-3 1-0", "5-2 2-0", "4-0 2-1")
    assert said(end) == (LOCK, 3, (0, 0, 0, 20))
    assert end.seat == 0


def test_vip_lock_four_alone_9_9_14_20_nobody_scores() -> None:
    end = locked("6-6 5-4 0-0", "4-1 3-0 1-0", "5-1 3-2 2-1", "5-5 4-4 2-0")
    assert pips_left(end) == [9, 9, 14, 20]
    assert said(end) == (LOCK, None, (0, 0, 0, 0))


def test_vip_lock_three_tied_lowest_nobody_scores() -> None:
    end = locked("6-6 5-4", "5-3 1-0", "5-2 2-0", "4-4 4-3")
    assert pips_left(end) == [9, 9, 9, 15]
    assert said(end) == (LOCK, None, (0, 0, 0, 0))


def test_vip_lock_four_tied_nobody_scores() -> None:
    end = locked("6-6 5-4", "5-3 1-0", "5-2 2-0", "4-3 1-1")
    assert said(end) == (LOCK, None, (0, 0, 0, 0))


def test_vip_lock_a_tie_above_the_lowest_does_not_matter() -> None:
    end = locked("6-6 5-4", "3-0 0-0", "5-2 2-0", "4-3 1-1")
    assert said(end) == (LOCK, 1, (0, 27 - 3, 0, 0))


def test_vip_lock_partners_results_are_added() -> None:
    """0 and 2 hold 9 + 2, 1 and 3 hold 9 + 8, though seat 3 holds less than seat 0."""
    end = locked("6-6 5-4", "5-3 1-0", "0-0 2-0", "3-1 4-0", partners=True)
    assert said(end) == (LOCK, 0, (17 - 11, 0))


def test_vip_lock_partners_tied_nobody_scores() -> None:
    """9 + 4 and 8 + 5."""
    end = locked("6-6 5-4", "5-3 0-0", "2-1 1-0", "3-0 2-0", partners=True)
    assert said(end) == (LOCK, None, (0, 0))


def test_vip_0_0_counts_nothing_at_a_hands_end() -> None:
    assert said(ended(last_step(block("6-5", "0-0"), "6-5"))) == (OUT, 0, (0, 0))


def test_vip_a_house_rule_can_make_0_0_count() -> None:
    end = ended(last_step(block("6-5", "0-0", blank_pips=10), "6-5"))
    assert said(end) == (OUT, 0, (10, 0))
    tied = locked("6-6 0-0", "5-4 1-0", blank_pips=10)
    assert said(tied) == (LOCK, None, (0, 0))


# --- going_out_wins off --------------------------------------------------------------------------


def test_vip_going_out_wins_off_the_lowest_result_wins_after_going_out_too() -> None:
    """Side 0 goes out and its partner holds 12, side 1 holds 6 and 4."""
    racks = ("6-5", "4-2", "6-6", "4-0")
    off = last_step(block(*racks, partners=True, going_out_wins=False), "6-5")
    assert said(ended(off)) == (OUT, 1, (0, 12 - 10))
    assert off.state.wins == (0, 1)
    on = last_step(block(*racks, partners=True), "6-5")
    assert said(ended(on)) == (OUT, 0, (0, 0))


def test_vip_going_out_wins_off_alone_who_went_out_has_the_lowest() -> None:
    step = last_step(block("6-5", "4-3", "6-6", "3-0", going_out_wins=False), "6-5")
    assert said(ended(step)) == (OUT, 0, (22, 0, 0, 0))


def test_vip_going_out_wins_off_alone_an_opponent_with_0_0_alone_ties_at_0() -> None:
    two = last_step(block("6-5", "0-0", going_out_wins=False), "6-5")
    assert said(ended(two)) == (OUT, None, (0, 0))
    four = last_step(block("6-5", "0-0", "4-3", "3-0", going_out_wins=False), "6-5")
    assert said(ended(four)) == (OUT, None, (0, 0, 0, 0))
    assert four.state.wins == (0, 0, 0, 0)


def test_vip_going_out_wins_off_partners_tied_nobody_scores() -> None:
    step = last_step(block("6-5", "4-3", "6-6", "4-1", partners=True, going_out_wins=False), "6-5")
    assert said(ended(step)) == (OUT, None, (0, 0))


def test_vip_a_tie_after_going_out_is_no_seka() -> None:
    options = {"going_out_wins": False, "lock_tie": "seka"}
    step = last_step(block("6-5", "4-3", "6-6", "4-1", partners=True, **options), "6-5")
    assert (ended(step).winner, ended(step).bank) == (None, 0)


# --- who starts ----------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("word", range(4))
def test_vip_the_lot_names_the_first_starter(name: str, word: int) -> None:
    shuffle = shuffle_of(word, 4)
    assert deal_hand(table(name, seats=4), shuffle).state.turn == shuffle.starter(0, 4)


@BOTH
@pytest.mark.parametrize("starter", range(4))
def test_vip_after_going_out_the_seat_after_the_starter_starts(name: str, starter: int) -> None:
    racks = ["4-3", "6-6", "3-0"]
    racks.insert(starter, "6-5")
    state = last_step(hand_of(name, *racks, starter=starter), "6-5").state
    assert deal_hand(state, shuffle_of("rotate", 4)).state.turn == (starter + 1) % 4


@pytest.mark.parametrize("starter", range(4))
def test_vip_after_a_lock_the_seat_after_the_starter_starts(starter: int) -> None:
    """Not the seat after the one that locked: the tenth placement is seat starter + 1's."""
    start = table("vip-draw", seats=4, deal=4)
    step = last_step(before_the_lock(seats=4, starter=starter, state=start), "6-5 R")
    assert ended(step).kind is LOCK
    assert deal_hand(step.state, shuffle_of("lock", 4)).state.turn == (starter + 1) % 4


def test_vip_a_starter_the_rules_do_not_name_is_refused() -> None:
    state = last_step(block("6-5", "2-1"), "6-5").state
    with pytest.raises(InvalidDeal):
        dealt("4-3", "6-1", starter=0, state=state)
    assert dealt("4-3", "6-1", starter=1, state=state).state.turn == 1


@BOTH
def test_vip_any_tile_opens(name: str) -> None:
    state = hand_of(name, "6-6 1-0", "5-5 1-1")
    assert legal_actions(state) == (play("1-0"), play("6-6"))
    state = hand_of(name, "6-6 1-0", "5-5 1-1", forced_opening="always")
    assert legal_actions(state) == (play("1-0"), play("6-6"))  # the lot names no tile


# --- drawing -------------------------------------------------------------------------------------


def test_vip_draw_who_cannot_play_draws_until_playable() -> None:
    state = hand_of("vip-draw", "6-6 6-0", "5-4 2-1", stock="3-3 6-2 6-3")
    step = last_step(state, "6-6", "draw")
    assert step.events == (TilesDrawn(1, tiles("3-3 6-2")),)
    end = ended(last_step(step.state, "6-2 R", "6-0 L"))
    assert said(end) == (OUT, 0, (9 + 3 + 6, 0))


def test_vip_block_never_draws() -> None:
    state = played(block("6-6 6-0", "5-4 2-1"), "6-6")
    assert legal_actions(state) == (Pass(),)
    with pytest.raises(NothingToDraw):
        apply(state, Draw())
    assert (view_for(state, 1)["stock"], view_for(state, 1)["drawable"]) == (24, 0)


def test_vip_block_locks_though_playable_tiles_lie_in_the_stock() -> None:
    assert said(locked("6-6 1-0", "5-4 3-2")) == (LOCK, 0, (14 - 1, 0))


def test_vip_draw_does_not_lock_while_the_stock_has_a_playable_tile() -> None:
    state = played(hand_of("vip-draw", "6-6 1-0", "5-4 3-2"), "6-6")
    assert legal_actions(state) == (Draw(),)


def test_vip_draw_locks_over_a_useless_stock() -> None:
    step = last_step(before_the_lock(seats=4, state=table("vip-draw", seats=4, deal=4)), "6-5 R")
    assert ended(step).kind is LOCK
    assert view_for(step.state, None)["stock"] == 12
    assert not any(isinstance(event, TilesDrawn) for event in events_of(step.state))


def test_vip_draw_a_lock_may_wait_for_the_empty_stock() -> None:
    start = table("vip-draw", seats=4, deal=4, lock_waits_for_empty_stock=True)
    state = played(before_the_lock(seats=4, state=start), "6-5 R")
    assert legal_actions(state) == (Draw(),)
    step = apply(state, Draw())
    assert len(step.events[0].tiles) == 12  # type: ignore[union-attr]
    assert ended(step).kind is LOCK
    assert ended(step).seat == 1  # who placed the last tile, not who drew


# --- the table -----------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize(("seats", "deal"), [(2, 7), (4, 5)])
def test_vip_7_tiles_for_two_5_for_four(name: str, seats: int, deal: int) -> None:
    state = deal_hand(table(name, seats=seats), shuffle_of("deal", seats)).state
    assert view_for(state, None)["counts"] == [deal] * seats
    assert view_for(state, None)["ruleset"]["deal"] == deal


@BOTH
@pytest.mark.parametrize("deal", [1, 5, 6, 7])
def test_vip_the_deal_is_an_option(name: str, deal: int) -> None:
    state = deal_hand(table(name, seats=4, deal=deal), shuffle_of("deal", 4)).state
    assert view_for(state, None)["counts"] == [deal] * 4


@BOTH
@pytest.mark.parametrize(("seats", "partners"), [(3, False), (2, True), (1, False), (5, False)])
def test_vip_is_played_by_two_or_four(name: str, seats: int, partners: bool) -> None:
    with pytest.raises(InvalidRuleset):
        table(name, seats=seats, partners=partners)


@BOTH
def test_vip_nothing_scores_while_playing(name: str) -> None:
    state = played(hand_of(name, "5-5 6-0", "5-0 3-3"), "5-5", "5-0 R")
    assert state.totals == (0, 0)
    assert view_for(state, None)["sum"] is None


@BOTH
def test_vip_goes_to_100_and_its_stake_is_11(name: str) -> None:
    assert preset(name).to_json()["target"] == 100
    assert table(name, seats=4).stake == 11


@BOTH
def test_vip_has_no_accounts_to_show(name: str) -> None:
    view = view_for(last_step(hand_of(name, "6-5", "2-1"), "6-5").state, None)
    assert (view["drafts"], view["open"], view["bank"], view["wins"]) == (None, None, 0, [1, 0])
    assert view["length"] == {"kind": "target", "number": 100}
    assert (view["ended"][0]["drafts"], view["ended"][0]["bank"]) == (None, 0)


# --- house rules ---------------------------------------------------------------------------------


def test_vip_fives_of_partners_go_to_their_side() -> None:
    """10 for 5-5, and 3 + 0 - 2 for the hand."""
    end = ended(last_step(block("5-5", "2-1", "1-1", "0-0", partners=True, fives=True), "5-5"))
    assert said(end) == (OUT, 0, (11, 0))


def test_vip_fives_count_for_the_loser_too() -> None:
    state = block("5-5 2-1", "5-0 4-3", fives=True)
    assert played(state, "5-5").totals == (10, 0)
    step = last_step(state, "5-5", "5-0 R")
    assert said(ended(step)) == (LOCK, 0, (10 + 4, 10))


@pytest.mark.parametrize(("scoring", "score"), [("opponents_pips", 10), ("one_win", 1)])
def test_vip_another_hand_scoring_may_be_chosen(scoring: str, score: int) -> None:
    step = last_step(block("6-5", "4-3", "6-6", "3-0", partners=True, hand_scoring=scoring), "6-5")
    assert said(ended(step)) == (OUT, 0, (score, 0))


def test_vip_with_seka_a_tied_lock_fills_a_bank_for_the_next_winner() -> None:
    """9 and 9 make 18; then 9 - 1 and the bank."""
    step = last_step(block("6-6 5-4", "5-3 1-0", lock_tie="seka"), "6-6")
    assert said(ended(step)) == (LOCK, None, (0, 0))
    assert (ended(step).bank, step.state.bank) == (18, 18)
    step = last_step(dealt("5-4 0-0", "6-6 1-0", starter=1, state=step.state).state, "6-6")
    assert said(ended(step)) == (LOCK, 1, (0, 8 + 18))
    assert step.state.bank == 0
    assert step.state.drafts is step.state.open is None


def test_vip_draw_pairs_may_be_chosen() -> None:
    state = hand_of("vip-draw", "6-6 6-0", "5-4 2-1", stock="6-2 3-3 6-3", draw="pairs")
    step = last_step(state, "6-6", "draw")
    assert step.events == (TilesDrawn(1, tiles("6-2 3-3")),)
