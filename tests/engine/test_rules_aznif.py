"""rules.md, *Aznif*: fives while playing, pips at a hand's end, scores by player and by side."""

from __future__ import annotations

import pytest

from engine.events import HandEnded, MatchEnded, OutcomeKind
from engine.line import Ends
from engine.match import deal_hand
from engine.rulesets import StarterRule, preset
from engine.scoring import fives, pips
from engine.tiles import TILES, mask_of
from engine.view import view_for
from tests.engine.positions import (
    aznif,
    before_the_lock,
    dealt,
    ended,
    last_step,
    match_of,
    played,
    scored,
    shuffle_of,
    steps_of,
    tiles,
)


def opening(tile: str) -> int:
    """What a tile scores as the first of a hand."""
    spare = [other for other in ("1-0", "2-0", "3-0", "4-0") if other != tile]
    return scored(last_step(dealt(f"{tile} {spare[0]}", f"{spare[1]} {spare[2]}").state, tile))


@pytest.mark.parametrize(
    ("tile", "score"),
    [("5-5", 10), ("6-4", 10), ("3-2", 5), ("4-1", 5), ("5-0", 5), ("0-0", 0), ("6-6", 0)],
)
def test_aznif_a_lone_first_tile_counts_its_pips_once(tile: str, score: int) -> None:
    assert opening(tile) == score


def test_aznif_no_other_opening_scores() -> None:
    scoring = {tile.text for tile in TILES if opening(tile.text)}
    assert scoring == {"5-5", "6-4", "3-2", "4-1", "5-0"}


def test_aznif_after_each_placement_5_10_15_and_20_score_themselves() -> None:
    def at_ends_of(total: int) -> int:
        return fives(TILES[0], Ends(0, 0, total))

    assert [total for total in range(25) if at_ends_of(total)] == [5, 10, 15, 20]
    assert all(at_ends_of(total) == total for total in (5, 10, 15, 20))


def test_aznif_the_source_5_3_at_the_left_makes_3_and_2() -> None:
    """The club's page: ends 5 and 2, 5-3 at the left leaves 3 + 2 = 5."""
    state = played(dealt("5-2 0-0 1-0", "5-3 6-6 4-4").state, "5-2")
    assert scored(last_step(state, "5-3 L")) == 5


def test_aznif_the_source_3_and_a_double_six_make_15() -> None:
    state = played(dealt("6-3 0-0 1-0", "6-6 1-1 4-4").state, "6-3")
    assert scored(last_step(state, "6-6 L")) == 15


def test_aznif_the_source_1_and_a_double_five_make_11_no_score() -> None:
    state = played(dealt("5-1 0-0 1-0", "5-5 6-6 4-4").state, "5-1")
    step = last_step(state, "5-5 L")
    assert scored(step) == 0
    assert view_for(step.state, None)["sum"] == 11


def test_aznif_a_double_at_an_end_counts_both_halves() -> None:
    state = played(dealt("6-4 0-0 1-0", "6-6 1-1 2-2").state, "6-4")
    step = last_step(state, "6-6 L")
    assert view_for(step.state, None)["sum"] == 16
    assert scored(step) == 0


def test_aznif_the_opening_double_bare_on_one_side_counts_as_a_double_there() -> None:
    state = played(dealt("5-5 0-0 1-0", "5-0 5-1 2-2").state, "5-5")
    assert scored(last_step(state, "5-0 R")) == 10
    assert scored(last_step(state, "5-0 L")) == 10
    assert scored(last_step(state, "5-1 R")) == 0


def test_aznif_a_sum_of_0_never_scores() -> None:
    state = played(dealt("0-0 1-0 2-0", "3-0 4-0 1-1").state, "0-0")
    assert scored(last_step(state, "3-0 L")) == 0
    assert opening("0-0") == 0


def test_aznif_20_is_the_most_one_placement_can_make() -> None:
    """6-6 at one end and 4-4 at the other."""
    state = played(dealt("6-4 4-4 0-0", "6-6 1-1 2-2").state, "6-4", "6-6 L")
    assert scored(last_step(state, "4-4 R")) == 20


def test_aznif_the_placement_that_goes_out_scores_too() -> None:
    state = played(dealt("6-4 4-4", "6-6 1-1").state, "6-4", "6-6 L")
    step = last_step(state, "4-4 R")
    assert ended(step).kind is OutcomeKind.OUT
    assert ended(step).scores == (10 + 20, -2)


def test_aznif_without_fives_no_placement_scores() -> None:
    state = dealt("6-4 4-4", "6-6 1-1", state=aznif(seats=2, deal=2, fives=False)).state
    state = played(state, "6-4", "6-6 L")
    assert view_for(state, None)["sum"] is None
    assert ended(last_step(state, "4-4 R")).scores == (0, -2)


def test_aznif_the_worked_rack_costs_33() -> None:
    assert pips(mask_of(tiles("0-0 2-1 4-1 3-3 6-2 6-5"))) == 0 + 3 + 5 + 6 + 8 + 11 == 33


def test_aznif_went_out_every_other_player_loses_the_pips_left() -> None:
    state = dealt("5-3 3-0", "5-4 1-1", "4-2 6-6", "2-0 2-1").state
    step = last_step(state, "5-3", "5-4 L", "4-2 L", "2-0 L", "3-0 L")
    assert ended(step).kind is OutcomeKind.OUT
    assert ended(step).winner is None
    assert ended(step).scores == (0, -2, 5 - 12, -3)  # seat 2 scored 5 with 2 and 3 at the ends


def test_aznif_the_partner_of_who_went_out_loses_too() -> None:
    state = dealt(
        "5-3 3-0", "5-4 1-1", "4-2 6-6", "2-0 2-1",
        state=aznif(seats=4, partners=True, deal=2),
    ).state  # fmt: skip
    step = last_step(state, "5-3", "5-4 L", "4-2 L", "2-0 L", "3-0 L")
    assert ended(step).kind is OutcomeKind.OUT
    assert ended(step).racks == ((), tiles("1-1"), tiles("6-6"), tiles("2-1"))
    assert ended(step).player_scores == (0, -2, 5 - 12, -3)
    assert ended(step).scores == (0 + 5 - 12, -2 - 3)


def test_aznif_locked_hand_costs_every_player_the_locker_too() -> None:
    step = last_step(before_the_lock(seats=4), "6-5 R")
    left = [pips(mask_of(rack)) for rack in ended(step).racks]
    fives = view_for(before_the_lock(seats=4), None)["player_totals"]
    assert left[1] > 0
    assert list(ended(step).scores) == [five - pip for five, pip in zip(fives, left, strict=True)]


def test_aznif_with_locker_pays_off_the_locker_loses_nothing() -> None:
    start = aznif(seats=4, deal=4, locker_pays=False)
    before = before_the_lock(seats=4, state=start)
    fives = before.totals
    end = ended(last_step(before, "6-5 R"))
    left = [pips(mask_of(rack)) for rack in end.racks]
    left[1] = 0
    assert list(end.scores) == [five - pip for five, pip in zip(fives, left, strict=True)]


def test_aznif_0_0_costs_nothing() -> None:
    step = last_step(dealt("6-1 1-1", "6-5 0-0").state, "6-1", "6-5 L", "1-1 R")
    assert ended(step).player_scores == (0, 0)


def test_aznif_a_house_rule_can_make_0_0_cost_something() -> None:
    state = dealt("6-1 1-1", "6-5 0-0", state=aznif(seats=2, deal=2, blank_pips=10)).state
    assert ended(last_step(state, "6-1", "6-5 L", "1-1 R")).player_scores == (0, -10)


def test_aznif_scores_may_be_negative_and_the_match_is_ranked_by_final_score() -> None:
    state, _, _ = match_of("negative", aznif(seats=4, hands=5))
    assert state.result is not None
    ranked = sorted(zip(state.result.places, state.result.scores, strict=True))
    assert [score for _, score in ranked] == sorted(state.result.scores, reverse=True)
    assert min(state.result.scores) < 0


def test_aznif_partners_scores_are_added_and_compared() -> None:
    state, _, _ = match_of("partners", aznif(seats=4, partners=True, hands=3))
    players = state.player_totals
    assert players is not None
    assert state.totals == (players[0] + players[2], players[1] + players[3])
    assert state.result is not None
    assert state.result.scores == state.totals
    assert len(set(state.result.places)) == 2


def test_aznif_the_lot_names_the_first_starter() -> None:
    shuffle = shuffle_of("lot", 4)
    step = deal_hand(aznif(seats=4, hands=3), shuffle)
    assert step.state.turn == shuffle.starter(0, 4)


def test_aznif_who_went_out_starts_the_next_hand() -> None:
    start = aznif(seats=2, deal=2, hands=2)
    step = last_step(dealt("6-1 1-0", "6-5 5-2", state=start).state, "6-1", "6-5 L", "1-0 R")
    assert ended(step).seat == 0
    assert deal_hand(step.state, shuffle_of("next", 2)).state.turn == 0


@pytest.mark.parametrize("word", range(6))
def test_aznif_after_a_lock_the_lot_names_the_starter(word: int) -> None:
    start = aznif(seats=4, deal=4, hands=2)
    state = last_step(before_the_lock(seats=4, state=start), "6-5 R").state
    shuffle = shuffle_of(word, 4)
    assert deal_hand(state, shuffle).state.turn == shuffle.starter(1, 4)


@pytest.mark.parametrize(
    ("rule", "starter"),
    [("rotate", 1), ("lot", None)],
)
def test_aznif_the_next_starter_is_a_field(rule: str, starter: int | None) -> None:
    start = aznif(seats=2, deal=2, hands=2, next_starter=rule)
    state = last_step(dealt("6-1 1-0", "6-5 5-2", state=start).state, "6-1", "6-5 L", "1-0 R").state
    shuffle = shuffle_of("field", 2)
    expected = shuffle.starter(1, 2) if starter is None else starter
    assert deal_hand(state, shuffle).state.turn == expected


@pytest.mark.parametrize(("rule", "starter"), [("rotate", 3), ("last_placer", 3)])
def test_aznif_the_starter_after_a_lock_is_a_field(rule: str, starter: int) -> None:
    """Seat 2 starts, so the tenth placement, the lock, is seat 3's."""
    start = aznif(seats=4, deal=4, hands=2, starter_after_lock=rule)
    state = last_step(before_the_lock(seats=4, starter=2, state=start), "6-5 R").state
    assert deal_hand(state, shuffle_of("after", 4)).state.turn == starter


def test_aznif_every_number_of_hands_5_or_7_tiles_at_2_3_and_4_seats() -> None:
    for seats in (2, 3, 4):
        for deal in (5, 7):
            for hands in (1, 3, 4):
                state, events, _ = match_of(
                    (seats, deal), aznif(seats=seats, deal=deal, hands=hands)
                )
                assert state.result is not None
                assert isinstance(events[-1], MatchEnded)
                assert state.stake == hands


def test_aznif_is_usually_played_as_the_table_says() -> None:
    ruleset = preset("aznif")
    assert (ruleset.deal, ruleset.hands, ruleset.reserve, ruleset.blank_pips) == (7, 11, 0, 0)
    assert ruleset.first_starter is StarterRule.LOT
    assert ruleset.next_starter is StarterRule.WENT_OUT
    assert ruleset.starter_after_lock is StarterRule.LOT
    assert ruleset.fives
    assert ruleset.locker_pays


def test_aznif_running_totals_show_what_the_hand_in_play_scored_so_far() -> None:
    state = played(dealt("5-5 0-0 1-0", "5-0 5-1 2-2").state, "5-5", "5-0 R")
    assert state.totals == (10, 10)
    assert state.player_totals == (10, 10)


def test_aznif_totals_add_up_over_the_hands() -> None:
    state = aznif(seats=3, hands=4)
    totals: tuple[int, ...] = (0, 0, 0)
    for step in steps_of(state, shuffle_of("sum", 3)):
        for event in step.events:
            if isinstance(event, HandEnded):
                totals = tuple(a + b for a, b in zip(totals, event.scores, strict=True))
                assert event.totals == totals
        state = step.state
    assert state.totals == totals
