"""Cases from the world, part A: faults people reported elsewhere, with the right outcome."""

from __future__ import annotations

import itertools

import pytest

from engine.actions import Draw, Pass, Play, action_from_json
from engine.errors import EndOnEmptyLine
from engine.events import HandDealt, MatchEnded, OutcomeKind
from engine.line import End
from engine.match import Phase, apply, deal_hand, legal_actions
from engine.scoring import pips
from engine.tiles import TILES, Tile, mask_of
from engine.view import view_for
from tests.engine.positions import (
    aznif,
    before_the_lock,
    dealt,
    ended,
    last_step,
    play,
    played,
    scored,
    shuffle_of,
    steps_of,
)


def test_the_first_tile_of_a_later_hand_takes_no_end() -> None:
    """Case A1 (abw333/dominoes issue 87): every hand begins on an empty line."""
    start = aznif(seats=2, deal=2, hands=3)
    state = last_step(dealt("6-1 1-0", "6-5 5-2", state=start).state, "6-1", "6-5 L", "1-0 R").state
    state = deal_hand(state, shuffle_of("A1", 2)).state
    assert state.hand_number == 1
    for action in legal_actions(state):
        assert isinstance(action, Play)
        assert action.end is None
        with pytest.raises(EndOnEmptyLine):
            apply(state, Play(action.tile, End.R))


def test_a_lock_that_ties_still_has_a_next_starter() -> None:
    """Case A2 (abw333/dominoes commit 45b6fab): racks of equal pips at the lock."""
    racks = ("6-6 6-2 3-2 6-3 5-4 4-4", "6-1 1-0 6-0 6-4 6-5 5-3")
    state = dealt(*racks, state=aznif(seats=2, deal=6, hands=2)).state
    line = ("6-6", "6-1 L", "6-2 R", "1-0 L", "3-2 R", "6-0 L", "6-3 R", "6-4 R", "5-4 R", "6-5 R")
    step = last_step(state, *line)
    assert ended(step).kind is OutcomeKind.LOCK
    assert {pips(mask_of(rack)) for rack in ended(step).racks} == {8}
    shuffle = shuffle_of("A2", 2)
    assert deal_hand(step.state, shuffle).state.turn == shuffle.starter(1, 2)


def test_after_the_opening_all_others_may_pass_and_the_opener_plays_again() -> None:
    """Case A3 (abw333/dominoes commit 1d49d6f)."""
    state = dealt(
        "6-6 6-0 6-1 6-2 6-3 6-4 6-5",
        "0-0 1-0 2-0 3-0 4-0 5-0 1-1",
        "2-1 3-1 4-1 5-1 2-2 3-2 4-2",
        "5-2 3-3 4-3 5-3 4-4 5-4 5-5",
    ).state
    state = played(state, "6-6", "pass", "pass", "pass")
    assert state.turn == 0
    assert view_for(state, None)["passed"] == [1, 2, 3]
    assert len(legal_actions(state)) == 12
    state = played(state, "6-1 L")
    assert view_for(state, None)["passed"] == [1, 2, 3]
    assert view_for(played(state, "1-0 L"), None)["passed"] == [2, 3]


def test_after_the_opening_all_others_may_draw_in_vain_and_pass() -> None:
    """Case A3 with a stock: the first draws it out, the others have nothing left to draw."""
    state = dealt(
        "6-6 6-0 6-1 6-2 6-3 6-4 6-5",
        "0-0 1-0 2-0 3-0 4-0 5-0 1-1",
        "2-1 3-1 4-1 5-1 2-2 3-2 4-2",
    ).state
    state = played(state, "6-6", "draw", "pass", "pass")
    assert state.turn == 0
    assert view_for(state, 0)["counts"] == [6, 14, 7]


def test_28_different_tiles_one_double_blank() -> None:
    """Case A4 (keith-packard/kgames issue 9); a deal starts from all 28 again."""
    assert len(set(TILES)) == 28
    assert [tile for tile in TILES if tile.pips == 0] == [Tile(0, 0)]
    shuffle = shuffle_of("A4", 2)
    for attempt in range(5):
        assert sorted(shuffle.order(0, attempt)) == list(TILES)


@pytest.mark.parametrize("starter", [0, 1, 2])
def test_going_out_ends_the_hand_in_that_action_even_if_it_locks(starter: int) -> None:
    """Case A5 (keith-packard/kgames issue 8): it is *out*, whoever did it."""
    step = last_step(before_the_lock(seats=3, starter=starter, spare=0), "6-5 R")
    end = ended(step)
    assert (end.kind, end.seat) == (OutcomeKind.OUT, starter)
    assert end.racks[starter] == ()
    fives = before_the_lock(seats=3, starter=starter, spare=0).totals
    assert end.scores[starter] == fives[starter]


def test_after_an_opening_double_the_second_tile_changes_one_end() -> None:
    """Case A6 (NimaBavari/GoMuggins commit 38ac5b1): the other end stays the double."""
    state = played(dealt("5-5 0-0 1-0", "5-3 5-1 2-2").state, "5-5")
    right = view_for(played(state, "5-3 R"), None)
    assert (right["ends"], right["sum"]) == ({"L": 5, "R": 3}, 13)
    left = view_for(played(state, "5-3 L"), None)
    assert (left["ends"], left["sum"]) == ({"L": 3, "R": 5}, 13)


@pytest.mark.parametrize(("seats", "starter"), [(s, n) for s in (2, 3, 4) for n in range(s)])
def test_lock_scores_go_to_the_right_side_with_the_right_sign(seats: int, starter: int) -> None:
    """Case A7 (abw333/dominoes commit 3c408a8), for every position of the turn."""
    before = before_the_lock(seats=seats, starter=starter)
    end = ended(last_step(before, "6-5 R"))
    assert end.seat == (starter + 9) % seats
    expected = [
        five - sum(tile.pips for tile in rack)
        for five, rack in zip(before.totals, end.racks, strict=True)
    ]
    assert list(end.scores) == expected


@pytest.mark.parametrize("starter", range(4))
def test_lock_scores_of_partners_are_added(starter: int) -> None:
    """Case A7 with partners: 0 and 2 against 1 and 3."""
    start = aznif(seats=4, partners=True, deal=4)
    before = before_the_lock(seats=4, starter=starter, state=start)
    end = ended(last_step(before, "6-5 R"))
    players = end.player_scores
    assert players is not None
    assert end.scores == (players[0] + players[2], players[1] + players[3])
    assert sum(end.scores) == sum(before.totals) - sum(pips(mask_of(rack)) for rack in end.racks)


def test_an_action_names_the_end_and_not_the_number() -> None:
    """Case A8: line 4-4 4-2 2-5 5-4, both ends show 4."""
    state = dealt("4-2 5-4 0-0", "5-2 6-4 1-1", "4-4 3-3 1-0").state
    state = played(state, "4-2", "5-2 R", "4-4 L", "5-4 R")
    assert view_for(state, None)["line"] == [[4, 4], [4, 2], [2, 5], [5, 4]]
    right, left = last_step(state, "6-4 R"), last_step(state, "6-4 L")
    assert (scored(right), view_for(right.state, None)["sum"]) == (0, 14)
    assert (scored(left), view_for(left.state, None)["sum"]) == (10, 10)


def test_an_action_means_the_same_in_every_state() -> None:
    """Case A9 (google-deepmind/open_spiel pull 1018): never an index into a list."""
    state = played(dealt("5-4 1-0 2-0", "6-5 6-1 6-3", "6-4 0-0 1-1").state, "5-4", "6-5 L")
    action = action_from_json({"play": "6-4", "end": "L"})
    assert action is play("6-4 L")
    assert {action, play("6-4 L"), Play(Tile(4, 6), End.L)} == {action}
    assert Draw() is Draw()
    assert Pass() is Pass()
    for listed in legal_actions(state):
        assert apply(state, listed).events[0].tile is listed.tile  # type: ignore[union-attr]


def test_the_openings_of_aznif() -> None:
    """Case A10."""
    fives = {"5-5": 10, "6-4": 10, "3-2": 5, "4-1": 5, "5-0": 5, "0-0": 0, "6-6": 0}
    for tile, score in fives.items():
        state = dealt(f"{tile} 2-0", "1-1 2-2").state
        assert scored(last_step(state, tile)) == score


def test_the_second_tiles_of_aznif() -> None:
    """Case A10: 5-5 + 5-0 10, 5-5 + 5-1 nothing (11); 6-6 at one end and 4-4 at the other 20."""
    state = played(dealt("5-5 0-0 1-0", "5-0 5-1 2-2").state, "5-5")
    assert scored(last_step(state, "5-0 R")) == 10
    assert scored(last_step(state, "5-1 R")) == 0
    state = played(dealt("6-4 4-4 0-0", "6-6 1-1 2-2").state, "6-4", "6-6 L")
    assert scored(last_step(state, "4-4 R")) == 20


def test_every_match_comes_to_its_end() -> None:
    """No position waits for ever: whoever is on turn has something legal to do."""
    for seats, word in itertools.product((2, 3, 4), range(5)):
        steps = list(steps_of(aznif(seats=seats, deal=5, hands=2), shuffle_of(word, seats)))
        assert isinstance(steps[-1].events[-1], MatchEnded)
        for step in steps:
            assert bool(legal_actions(step.state)) == (step.state.phase is Phase.PLAY)
        assert sum(isinstance(event, HandDealt) for step in steps for event in step.events) == 2
