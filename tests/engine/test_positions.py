"""The integer layer of a hand: positions, where placements lead, and how a rule enters."""

from __future__ import annotations

import pytest

from engine.actions import PLAYS, Draw, Pass, Play
from engine.hand import Position, Positions, move_from, packed, passed_from, unpacked
from engine.line import EMPTY, End, Ends, ends_after
from engine.rulesets import PlacementScore
from engine.scoring import fives, unscored
from engine.tiles import TILES, Tile, mask_of
from tests.engine.positions import aznif, dealt, played, tiles


def one_for_a_double(tile: Tile, ends: Ends) -> int:
    return int(tile.double)


def test_a_placement_may_score_by_its_tile_as_well_as_by_the_ends() -> None:
    opening = Positions(2, one_for_a_double).opening(0)
    scores = {play.tile: move[2] for play in PLAYS if (move := move_from(opening, play))}
    assert scores == {tile: int(tile.double) for tile in TILES}


@pytest.mark.parametrize("score", [fives, unscored, one_for_a_double])
def test_a_move_tells_bit_next_position_score_and_event(score: PlacementScore) -> None:
    positions = Positions(3, score)
    ends = ends_after([(Tile(6, 4), None)])
    position = positions.on_line(ends, 2)
    move = move_from(position, Play(Tile(6, 6), End.L))
    assert move is not None
    bit, after, scored, (event,) = move
    assert bit == packed([(), (), [Tile(6, 6)]])
    assert (after.seat, after.ends.left, after.ends.right) == (0, 6, 4)
    assert scored == event.scored == score(Tile(6, 6), after.ends)
    assert (event.seat, event.tile, event.end) == (2, Tile(6, 6), End.L)


def test_what_no_rack_could_do_leads_nowhere() -> None:
    positions = Positions(2, unscored)
    line = positions.on_line(ends_after([(Tile(6, 4), None)]), 0)
    for action in (Play(Tile(5, 5), End.L), Play(Tile(6, 6)), Draw(), Pass(), "6-6", None):
        assert move_from(line, action) is None
    closed = positions.closed(line.ends, 0)
    assert [play for play in PLAYS if move_from(closed, play)] == []


def test_an_opening_may_be_forced_to_one_tile() -> None:
    forced = Position(Positions(2, unscored), EMPTY, 1, Tile(6, 6).bit)
    assert [play for play in PLAYS if move_from(forced, play)] == [Play(Tile(6, 6))]


def test_there_is_one_position_for_the_same_ends_and_seat() -> None:
    positions = Positions(2, unscored)
    line = positions.on_line(ends_after([(Tile(6, 4), None)]), 0)
    passed = passed_from(line)
    assert (passed.ends, passed.seat) == (line.ends, 1)
    assert passed_from(passed) is line
    assert passed_from(line) is passed


def test_tables_that_play_alike_share_their_positions() -> None:
    one, other = aznif(seats=3).frame.rules, aznif(seats=3, deal=5, draw="none").frame.rules
    assert one.positions is other.positions
    assert one.positions is not aznif(seats=3, fives=False).frame.rules.positions
    assert one.positions is not aznif(seats=4).frame.rules.positions


def test_racks_are_packed_by_seat() -> None:
    racks = [tiles("0-0 6-6"), tiles("1-0"), (), tiles("6-6")]
    assert unpacked(packed(racks), 4) == tuple(map(mask_of, racks))


def test_the_hand_of_a_state_is_spread_out_to_be_read() -> None:
    state = played(dealt("6-1 0-0 4-4", "5-4 2-2 6-5", stock="3-3 5-3").state, "6-1", "6-5 L")
    hand = state.hand
    assert hand is not None
    assert (hand.starter, hand.turn, hand.scores) == (0, 0, (0, 0))
    assert hand.racks == (mask_of(tiles("0-0 4-4")), mask_of(tiles("5-4 2-2")))
    assert [event.tile.text for event in hand.laid] == ["6-1", "6-5"]
    assert hand.last is hand.laid[-1]
    assert (hand.stock[:2], len(hand.stock), hand.drawable) == (tiles("3-3 5-3"), 22, 22)
    assert (hand.ends.left, hand.ends.right, hand.passed) == (5, 1, 0)
