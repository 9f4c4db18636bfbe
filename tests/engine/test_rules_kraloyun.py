"""rules.md, *Kraloyun*, sentence by sentence."""

from __future__ import annotations

from typing import Any

import pytest

from engine.actions import Draw, Pass
from engine.errors import InvalidDeal, InvalidRuleset, OpeningForced
from engine.events import OutcomeKind, TilesDrawn
from engine.match import MatchState, Phase, apply, deal_hand, legal_actions
from engine.rulesets import preset
from engine.view import view_for
from tests.engine.positions import (
    before_the_lock,
    ended,
    hand_of,
    last_step,
    pips_left,
    play,
    played,
    said,
    shuffle_of,
    stock_ending,
    table,
    then,
    tiles,
)

OUT, LOCK = OutcomeKind.OUT, OutcomeKind.LOCK


def of_kral(*racks: str, **options: Any) -> MatchState:
    return hand_of("kraloyun", *racks, **options)


def dry(*racks: str, **options: Any) -> MatchState:
    """Without drawing, so that short racks lock at once."""
    return of_kral(*racks, draw="none", **options)


# --- the opening ---------------------------------------------------------------------------------

DOUBLES = ("6-6", "5-5", "4-4", "3-3", "2-2", "1-1", "0-0")
FILL = ("6-5 5-4 4-3 3-2", "2-1 6-4 5-3 4-2")


def holding(*doubles: str) -> list[str]:
    """Two racks of four: seat 1 takes the first of these doubles, seat 0 the next, and so on."""
    hands = [list(doubles[1::2]), list(doubles[::2])]
    return [" ".join((own + fill.split())[:4]) for own, fill in zip(hands, FILL, strict=True)]


@pytest.mark.parametrize("at", range(7), ids=DOUBLES)
def test_kraloyun_the_highest_double_held_opens_6_6_down_to_0_0(at: int) -> None:
    racks = holding(*DOUBLES[at:])
    assert legal_actions(of_kral(*racks, starter=1)) == (play(DOUBLES[at]),)
    with pytest.raises(InvalidDeal):
        of_kral(*racks, starter=0)


@pytest.mark.parametrize(
    ("racks", "starter", "tile"),
    [
        (("6-4 5-3", "5-4 2-1"), 0, "6-4"),  # most pips
        (("5-4 2-1", "6-3 1-0"), 1, "6-3"),  # as many pips: the higher half
        (("4-3 5-2", "6-1 1-0"), 1, "6-1"),
        (("1-0 2-0", "3-0 2-1"), 1, "3-0"),
        (("6-4 5-4", "6-5 1-0", "6-3 2-0"), 1, "6-5"),
    ],
)
def test_kraloyun_nobody_has_a_double_most_pips_then_the_higher_half(
    racks: tuple[str, ...], starter: int, tile: str
) -> None:
    assert legal_actions(of_kral(*racks, starter=starter)) == (play(tile),)
    with pytest.raises(InvalidDeal):
        of_kral(*racks, starter=1 - starter)


def test_kraloyun_a_small_double_opens_before_a_heavy_tile() -> None:
    assert legal_actions(of_kral("6-5 6-4", "0-0 1-0", starter=1)) == (play("0-0"),)


def test_kraloyun_another_tile_may_not_open() -> None:
    with pytest.raises(OpeningForced):
        apply(of_kral("5-5 6-0", "4-4 1-0"), play("6-0"))


def test_kraloyun_every_hand_opens_so_after_going_out() -> None:
    step = last_step(of_kral("5-5", "4-4", hands=3), "5-5")
    state = then(step, "2-2", "3-3", starter=1)
    assert legal_actions(state) == (play("3-3"),)
    with pytest.raises(InvalidDeal):
        then(step, "2-2", "3-3", starter=0)


def test_kraloyun_every_hand_opens_so_after_a_lock() -> None:
    step = last_step(dry("6-6 2-1", "5-4 1-0", hands=3), "6-6")
    state = then(step, "2-2 6-5", "3-3 1-0", starter=1)
    assert legal_actions(state) == (play("3-3"),)


def test_kraloyun_every_hand_opens_so_after_a_drawn_hand_and_without_a_double() -> None:
    step = last_step(dry("6-6 2-1", "2-0 1-0", hands=3), "6-6")
    assert ended(step).winner is None
    state = then(step, "6-1 1-0", "5-4 2-0", starter=1)
    assert legal_actions(state) == (play("5-4"),)


def test_kraloyun_the_shuffle_names_the_same_starter_and_tile() -> None:
    for word in range(20):
        state = deal_hand(table("kraloyun", seats=2, deal=1), shuffle_of(word, 2)).state
        assert len(legal_actions(state)) == 1


# --- drawing -------------------------------------------------------------------------------------


def test_kraloyun_drawing_one_at_a_time_until_the_first_playable() -> None:
    state = played(of_kral("6-6 6-0", "5-4 2-1", stock="4-3 5-5 6-2 6-3"), "6-6")
    step = apply(state, Draw())
    assert step.events == (TilesDrawn(1, tiles("4-3 5-5 6-2")),)


def test_kraloyun_the_drawn_tile_is_placed_in_the_same_turn_at_the_end_named() -> None:
    """6-2 fits both ends of the double, nothing else fits."""
    state = played(of_kral("6-6 6-0", "5-4 2-1", stock="4-3 6-2"), "6-6", "draw")
    assert state.turn == 1
    assert legal_actions(state) == (play("6-2 L"), play("6-2 R"))


def test_kraloyun_a_drawn_tile_that_fits_one_end_goes_there() -> None:
    state = of_kral("6-6 6-0 4-4", "6-3 5-4 2-1", stock="5-1 3-1")
    state = played(state, "6-6", "6-3 L", "6-0 R")
    step = apply(state, Draw())
    assert step.events == (TilesDrawn(1, tiles("5-1 3-1")),)
    assert legal_actions(step.state) == (play("3-1 L"),)


def test_kraloyun_went_out_wins_at_once() -> None:
    step = last_step(of_kral("6-6 6-0", "6-2 2-1"), "6-6", "6-2 L", "6-0 R")
    assert said(step) == (OUT, 0, (1, 0))


# --- the lock ------------------------------------------------------------------------------------


def test_kraloyun_a_lock_only_when_the_stock_is_drawn_out() -> None:
    """All sixes lie and both ends show 6: the next seat draws the whole stock, then it is over."""
    state = before_the_lock(seats=2, state=table("kraloyun", seats=2, deal=6))
    state = played(state, "6-5 R")
    assert state.phase is Phase.PLAY
    assert legal_actions(state) == (Draw(),)
    step = apply(state, Draw())
    assert len(step.events[0].tiles) == 16  # type: ignore[union-attr]
    assert (ended(step).kind, ended(step).seat) == (LOCK, 1)
    assert view_for(step.state, None)["stock"] == 0
    assert ended(step).winner == 1  # seat 0 holds what it drew


def test_kraloyun_the_reserve_need_not_be_drawn_out() -> None:
    racks = ("6-6 1-1", "5-4 2-1")
    stock = stock_ending("6-0 6-1 6-2 6-3 6-4 6-5", *racks)
    state = played(of_kral(*racks, stock=stock, reserve=6), "6-6")
    step = apply(state, Draw())
    assert len(step.events[0].tiles) == 18  # type: ignore[union-attr]
    assert said(step) == (LOCK, 0, (1, 0))
    assert view_for(step.state, None)["stock"] == 6


def test_kraloyun_the_wait_is_an_option() -> None:
    start = table("kraloyun", seats=2, deal=6, lock_waits_for_empty_stock=False)
    step = last_step(before_the_lock(seats=2, state=start), "6-5 R")
    assert ended(step).kind is LOCK


def test_kraloyun_the_stock_drawn_out_in_vain_is_no_lock_while_another_can_play() -> None:
    """Seat 2 holds the sixes: seat 1 draws all and passes."""
    racks = (
        "6-6 1-0 1-1 2-0 2-1 2-2 3-0",
        "3-1 3-2 3-3 4-0 4-1 4-2 4-3",
        "6-0 6-1 6-2 6-3 6-4 6-5 0-0",
    )
    state = played(of_kral(*racks), "6-6", "draw")
    assert legal_actions(state) == (Pass(),)
    assert played(state, "pass").turn == 2


def test_kraloyun_without_drawing_nothing_is_waited_for() -> None:
    assert ended(last_step(dry("6-6 1-1", "5-4 2-1"), "6-6")).kind is LOCK


def test_kraloyun_lock_the_least_pips_win_1() -> None:
    step = last_step(dry("6-6 5-4", "3-2 2-1", "1-1 1-0"), "6-6")
    assert pips_left(ended(step)) == [9, 8, 3]
    assert said(step) == (LOCK, 2, (0, 0, 1))


def test_kraloyun_lock_shared_least_is_a_drawn_hand_nobody_scores() -> None:
    step = last_step(dry("6-6 2-1", "5-4 3-2", "3-0 0-0"), "6-6")
    assert said(step) == (LOCK, None, (0, 0, 0))
    assert step.state.wins == (0, 0, 0)
    assert ended(step).bank == 0


def test_kraloyun_lock_partners_the_pips_of_the_pair() -> None:
    """Seat 1 holds least, but 1 and 3 hold 2 + 18 against 9 + 8."""
    racks = ("6-6 5-4", "2-0 0-0", "4-3 1-0", "5-5 4-4")
    step = last_step(dry(*racks, partners=True), "6-6")
    assert said(step) == (LOCK, 0, (1, 0))
    alone = last_step(dry(*racks), "6-6")
    assert said(alone) == (LOCK, 1, (0, 1, 0, 0))


def test_kraloyun_lock_partners_shared_least() -> None:
    """9 + 8 and 8 + 9."""
    racks = ("6-6 5-4", "5-3 0-0", "4-3 1-0", "5-2 2-0")
    step = last_step(dry(*racks, partners=True), "6-6")
    assert said(step) == (LOCK, None, (0, 0))


# --- the match -----------------------------------------------------------------------------------


def test_kraloyun_a_match_is_one_hand() -> None:
    step = last_step(of_kral("6-6", "5-5", "4-4"), "6-6")
    assert step.state.result is not None
    assert step.state.result.scores == (1, 0, 0)
    assert step.state.result.places == (1, 2, 2)
    assert step.state.result.points == (11, -5, -5)


def test_kraloyun_a_drawn_match_gives_nobody_points() -> None:
    step = last_step(dry("6-6 2-1", "2-0 1-0"), "6-6")
    assert step.state.result is not None
    assert step.state.result.points == (0, 0)


def test_kraloyun_to_a_number_of_won_hands_drawn_ones_not_counted() -> None:
    step = last_step(dry("6-6 2-1", "2-0 1-0", wins=2), "6-6")
    step = last_step(then(step, "6-6 2-1", "5-4 1-0"), "6-6")
    assert (step.state.wins, step.state.phase) == ((1, 0), Phase.DEAL)
    step = last_step(then(step, "6-6 2-1", "2-0 1-0"), "6-6")
    step = last_step(then(step, "5-4 1-0", "6-6 2-1", starter=1), "6-6")
    assert (step.state.wins, step.state.phase) == ((1, 1), Phase.DEAL)
    step = last_step(then(step, "6-6 2-1", "5-4 1-0"), "6-6")
    assert step.state.wins == (2, 1)
    assert step.state.result is not None


@pytest.mark.parametrize(("seats", "partners"), [(2, False), (3, False), (4, False), (4, True)])
def test_kraloyun_is_played_by_two_three_and_four_partners_as_an_option(
    seats: int, partners: bool
) -> None:
    state = table("kraloyun", seats=seats, partners=partners)
    state = deal_hand(state, shuffle_of("kral", seats)).state
    assert view_for(state, None)["counts"] == [7] * seats


@pytest.mark.parametrize(("seats", "partners"), [(1, False), (2, True), (3, True), (5, False)])
def test_kraloyun_is_not_played_otherwise(seats: int, partners: bool) -> None:
    with pytest.raises(InvalidRuleset):
        table("kraloyun", seats=seats, partners=partners)


def test_kraloyun_is_one_hand_for_a_stake_of_11() -> None:
    assert preset("kraloyun").to_json() == {"preset": "kraloyun", "deal": 7, "hands": 1}
    assert table("kraloyun", seats=4).stake == 11


# --- house rules ---------------------------------------------------------------------------------


def test_kraloyun_the_opening_may_be_free() -> None:
    state = of_kral("5-5 6-0", "4-4 1-0", forced_opening="no")
    assert legal_actions(state) == (play("5-5"), play("6-0"))


def test_kraloyun_the_opening_may_be_forced_in_the_first_hand_alone() -> None:
    step = last_step(of_kral("5-5", "4-4", hands=2, forced_opening="first"), "5-5")
    state = then(step, "5-5", "4-4")
    assert state.turn == 0
    step = last_step(dry("5-5 2-1", "4-4 1-0", hands=2, forced_opening="first"), "5-5")
    state = then(step, "5-5 6-0", "4-4 2-1")
    assert len(legal_actions(state)) == 2


def test_kraloyun_a_deal_without_doubles_may_be_dealt_again_in_the_first_hand() -> None:
    with pytest.raises(InvalidDeal):
        of_kral("5-4", "6-3", starter=1, no_double_redeals=True)
    step = last_step(of_kral("5-5", "4-4", hands=2, no_double_redeals=True), "5-5")
    assert legal_actions(then(step, "5-4", "6-3", starter=1)) == (play("6-3"),)


def test_kraloyun_where_the_lot_names_the_starter_nothing_is_forced() -> None:
    state = of_kral("5-5 6-0", "4-4 1-0", starter=1, first_starter="lot")
    assert legal_actions(state) == (play("1-0"), play("4-4"))


@pytest.mark.parametrize(("way", "starter"), [("went_out", 1), ("rotate", 0), ("first_double", 0)])
def test_kraloyun_another_next_starter(way: str, starter: int) -> None:
    """Seat 1 opened and went out; then seat 0 holds 1-1, seat 1 holds 6-6."""
    step = last_step(of_kral("4-4", "5-5", starter=1, hands=2, next_starter=way), "5-5")
    state = then(step, "1-1", "6-6", starter=starter)
    assert state.turn == starter
    with pytest.raises(InvalidDeal):
        then(step, "1-1", "6-6", starter=1 - starter)


@pytest.mark.parametrize(
    ("way", "starter"), [("last_placer", 1), ("rotate", 0), ("first_double", 0)]
)
def test_kraloyun_another_starter_after_a_lock(way: str, starter: int) -> None:
    step = last_step(dry("4-4 2-0", "5-5 1-0", starter=1, hands=2, starter_after_lock=way), "5-5")
    state = then(step, "1-1 3-2", "6-6 4-3", starter=starter)
    forced = {"first_double": 1}.get(way, 2)  # where a tile names the starter it must open
    assert len(legal_actions(state)) == forced
    with pytest.raises(InvalidDeal):
        then(step, "1-1 3-2", "6-6 4-3", starter=1 - starter)


@pytest.mark.parametrize(("scoring", "score"), [("difference", 14 - 3), ("opponents_pips", 14)])
def test_kraloyun_another_hand_scoring_may_be_chosen(scoring: str, score: int) -> None:
    step = last_step(dry("6-6 2-1", "5-4 5-0", hand_scoring=scoring), "6-6")
    assert said(step) == (LOCK, 0, (score, 0))


def test_kraloyun_with_seka_a_drawn_hand_fills_the_bank() -> None:
    step = last_step(dry("6-6 2-1", "2-0 1-0", hands=2, lock_tie="seka"), "6-6")
    assert ended(step).bank == 6
    step = last_step(then(step, "6-6 2-1", "5-4 1-0"), "6-6")
    assert said(step) == (LOCK, 0, (1 + 6, 0))
