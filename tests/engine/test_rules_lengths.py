"""rules.md, *Common to all*: a match is N hands, or to a target score, or to won hands."""

from __future__ import annotations

from typing import Any

import pytest

from engine.events import MatchEnded
from engine.match import MatchState, Phase, Step
from tests.engine.positions import dealt, ended, hand_of, last_step, shuffle_of, steps_of, table


def block(*racks: str, **options: Any) -> MatchState:
    return hand_of("vip-block", *racks, **options)


def then(step: Step, *racks: str, starter: int = 0) -> MatchState:
    """The next hand."""
    return dealt(*racks, starter=starter, state=step.state).state


def won(**options: Any) -> Step:
    """Seat 0 goes out against 3."""
    return last_step(block("6-5", "2-1", **options), "6-5")


def lost(step: Step) -> Step:
    """Seat 1 goes out against 7."""
    return last_step(then(step, "4-3", "6-1", starter=1), "6-1")


def level(**options: Any) -> Step:
    """10 and 10 while playing, then a lock with 7 and 7 left."""
    return last_step(block("5-5 4-3", "5-0 6-1", fives=True, **options), "5-5", "5-0 R")


def both_over(**options: Any) -> Step:
    """10 and 10 while playing, then a lock that seat 0 wins, 3 to 7."""
    return last_step(block("5-5 2-1", "5-0 4-3", fives=True, **options), "5-5", "5-0 R")


# --- hands ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["vip-draw", "vip-block", "domino101", "kraloyun"])
@pytest.mark.parametrize("hands", [1, 2, 4])
def test_a_match_of_n_hands(name: str, hands: int) -> None:
    steps = list(steps_of(table(name, seats=2, hands=hands), shuffle_of(name, 2)))
    assert steps[-1].state.hand_number == hands - 1
    assert isinstance(steps[-1].events[-1], MatchEnded)


def test_a_match_of_hands_ends_level_as_well() -> None:
    state = level(hands=1).state
    assert state.result is not None
    assert state.result.places == (1, 1)


# --- a target ------------------------------------------------------------------------------------


def test_a_target_match_ends_after_the_hand_in_which_a_side_reaches_it() -> None:
    assert won(target=3).state.phase is Phase.OVER
    short = won(target=4)
    assert short.state.phase is Phase.DEAL
    assert lost(short).state.phase is Phase.OVER


def test_a_target_is_looked_at_only_at_a_hands_end() -> None:
    """Seat 0 stands at 10 after the first placement, and seat 1 is there when the hand ends."""
    state = block("5-5 4-3", "5-0 6-1", fives=True, target=10)
    step = last_step(state, "5-5")
    assert step.state.totals == (10, 0)
    assert step.state.phase is Phase.PLAY


def test_several_over_the_target_the_highest_wins() -> None:
    step = both_over(target=5)
    assert step.state.totals == (14, 10)
    assert step.state.result is not None
    assert step.state.result.points == (11, -11)


def test_equal_over_the_target_they_play_on() -> None:
    step = level(target=10)
    assert step.state.totals == (10, 10)
    assert step.state.phase is Phase.DEAL
    over = last_step(then(step, "4-4 3-3", "6-6 1-0", starter=1), "6-6")
    assert over.state.totals == (10, 23)
    assert over.state.result is not None


def test_equal_over_the_target_they_play_on_though_others_are_below_it() -> None:
    state = block("5-5 4-3", "5-0 6-1", "4-2 3-1", "3-2 4-1", fives=True, target=10)
    step = last_step(state, "5-5", "5-0 R")
    assert step.state.totals == (10, 10, 0, 0)
    assert step.state.phase is Phase.DEAL


def test_one_above_two_level_ones_ends_it() -> None:
    """Seats 0 and 1 have 10 each; seat 2 wins the hand: 7 + 7 + 10 - 5."""
    state = block("5-5 4-3", "5-0 6-1", "2-1 1-1", "3-2 4-1", fives=True, target=10)
    step = last_step(state, "5-5", "5-0 R")
    assert step.state.totals == (10, 10, 19, 0)
    assert step.state.result is not None
    assert step.state.result.places == (2, 2, 1, 4)


# --- won hands -----------------------------------------------------------------------------------


def test_a_wins_match_ends_with_the_hand_that_makes_them_full() -> None:
    assert won(wins=1).state.phase is Phase.OVER
    step = lost(won(wins=2))
    assert (step.state.wins, step.state.phase) == ((1, 1), Phase.DEAL)
    step = last_step(then(step, "4-3", "1-1"), "4-3")
    assert (step.state.wins, step.state.phase) == ((2, 1), Phase.OVER)


def test_places_go_by_totals_in_a_wins_match_too() -> None:
    """Two hands won for 3 and 2 against one for 7."""
    step = last_step(then(lost(won(wins=2)), "4-3", "1-1"), "4-3")
    assert step.state.result is not None
    assert step.state.result.scores == (5, 7)
    assert step.state.result.places == (2, 1)


def test_a_tied_lock_is_nobodys_won_hand() -> None:
    step = last_step(block("6-6 2-1", "2-0 1-0", wins=1), "6-6")
    assert (ended(step).winner, step.state.wins) == (None, (0, 0))
    assert step.state.phase is Phase.DEAL


# --- the 500th hand ------------------------------------------------------------------------------


def scoreless(first: Step, hands: int) -> Step:
    """So many hands more, each won for nothing: the starter goes out against 0-0."""
    step = first
    for number in range(1, hands + 1):
        starter = number % 2
        racks = ("0-0", "6-5") if starter else ("6-5", "0-0")
        step = last_step(then(step, *racks, starter=starter), "6-5")
    return step


@pytest.mark.parametrize("length", ["target", "wins"])
def test_target_and_wins_matches_end_after_the_500th_hand_by_totals(length: str) -> None:
    step = scoreless(won(**{length: 10_000}), 498)
    assert (step.state.hand_number, step.state.phase) == (499, Phase.DEAL)
    step = last_step(then(step, "0-0", "6-5", starter=1), "6-5")
    assert step.state.wins == (250, 250)
    assert step.state.result is not None
    assert step.state.result.scores == (3, 0)
    assert step.state.result.points == (11, -11)


def test_the_500th_hand_may_end_a_match_level() -> None:
    step = last_step(block("6-5", "0-0", target=1), "6-5")
    step = scoreless(step, 499)
    assert step.state.result is not None
    assert step.state.result.points == (0, 0)


def test_drawn_hands_count_to_500_as_well() -> None:
    step = last_step(hand_of("kraloyun", "6-6 2-1", "2-0 1-0", draw="none", wins=1), "6-6")
    for _ in range(499):
        assert step.state.phase is Phase.DEAL
        step = last_step(then(step, "6-6 2-1", "2-0 1-0"), "6-6")
    assert step.state.phase is Phase.OVER


def test_matches_of_hands_are_not_cut_at_500() -> None:
    step = scoreless(won(hands=502), 500)
    assert (step.state.hand_number, step.state.phase) == (501, Phase.DEAL)
