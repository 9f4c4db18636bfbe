"""rules.md, *Common to all*, paragraph by paragraph."""

from __future__ import annotations

import pytest

from engine.actions import Draw, Pass, Play
from engine.errors import (
    EndMissing,
    EndOnEmptyLine,
    MustDraw,
    MustPlay,
    NothingToDraw,
    TileDoesNotFit,
    TileNotInRack,
)
from engine.events import HandDealt, OutcomeKind, Passed, TilesDrawn
from engine.line import End
from engine.match import (
    Phase,
    apply,
    deal_hand,
    events_of,
    legal_actions,
    new_match,
)
from engine.rulesets import preset
from engine.tiles import TILES, Suit, Tile, tile_from_text
from engine.view import view_for
from tests.engine.positions import (
    aznif,
    before_the_lock,
    dealt,
    ended,
    last_step,
    play,
    played,
    shuffle_of,
    steps_of,
    tiles,
)


def test_the_set_is_the_28_double_six_tiles() -> None:
    assert len(set(TILES)) == 28
    assert sum(tile.pips for tile in TILES) == 168
    assert [tile.text for tile in TILES if tile.double] == [f"{n}-{n}" for n in range(7)]


def test_a_suit_is_the_seven_tiles_with_one_number_the_double_once() -> None:
    for number in range(7):
        assert len(Suit.of(number)) == 7
        assert Tile(number, number) in Suit.of(number)


def test_tiles_are_written_high_half_first() -> None:
    assert str(Tile(4, 6)) == "6-4"
    assert tile_from_text("6-4") is Tile(6, 4)


def test_every_hand_is_shuffled_afresh_from_all_28() -> None:
    shuffle = shuffle_of("afresh", 3)
    deals = []
    for step in steps_of(aznif(seats=3, hands=4), shuffle):
        deals += [event for event in step.events if isinstance(event, HandDealt)]
    assert len(deals) == 4
    orders = [tuple(t for rack in (*deal.racks, deal.stock) for t in rack) for deal in deals]
    assert all(sorted(order) == list(TILES) for order in orders)
    assert len(set(orders)) == 4


def test_seats_play_in_order_and_the_last_is_followed_by_the_first() -> None:
    state = dealt("6-1 0-0 1-0", "5-1 2-0 2-2", "6-6 3-0 3-3", "4-4 4-0 6-4", starter=2).state
    turns = [state.turn]
    for action in ("6-6", "6-4 L", "6-1 R"):
        state = played(state, action)
        turns.append(state.turn)
    assert turns == [2, 3, 0, 1]


def test_the_first_tile_is_any_of_the_starters() -> None:
    state = dealt("6-1 0-0 1-0", "5-1 2-0 2-2").state
    assert legal_actions(state) == (play("0-0"), play("1-0"), play("6-1"))


def test_afterwards_a_tile_must_match_an_end() -> None:
    state = played(dealt("6-1 0-0 1-0", "5-1 2-0 2-2").state, "6-1")
    with pytest.raises(TileDoesNotFit):
        apply(state, play("5-1 L"))
    assert legal_actions(state) == (play("5-1 R"),)


def test_a_double_lies_in_line_like_any_other_tile() -> None:
    state = dealt("6-1 5-0 2-0", "6-6 6-5 2-2").state
    state = played(state, "6-1", "6-6 L")
    assert view_for(state, None)["line"] == [[6, 6], [6, 1]]
    assert view_for(state, None)["ends"] == {"L": 6, "R": 1}


def test_there_is_no_spinner_the_line_has_two_ends() -> None:
    """After a double is covered on both sides nothing can be placed at it any more."""
    state = dealt("6-6 5-0 3-0 1-1", "6-5 6-4 6-3 2-2").state
    state = played(state, "6-6", "6-5 L", "5-0 L", "6-4 R")
    assert view_for(state, None)["ends"] == {"L": 0, "R": 4}
    with pytest.raises(TileDoesNotFit):
        apply(played(state, "3-0 L"), play("6-3 R"))


def test_a_tile_that_fits_both_ends_goes_to_the_end_the_player_names() -> None:
    state = played(dealt("5-4 1-0 2-0", "6-5 6-1 6-3", "6-4 0-0 1-1").state, "5-4", "6-5 L")
    assert legal_actions(state) == (play("6-4 L"), play("6-4 R"))
    assert view_for(played(state, "6-4 L"), None)["line"] == [[4, 6], [6, 5], [5, 4]]
    assert view_for(played(state, "6-4 R"), None)["line"] == [[6, 5], [5, 4], [4, 6]]


def test_with_the_same_number_at_both_ends_the_two_placements_still_differ() -> None:
    state = played(dealt("6-6 1-1 5-5", "6-4 6-3 5-0").state, "6-6")
    assert legal_actions(state) == (play("6-3 L"), play("6-4 L"), play("6-3 R"), play("6-4 R"))


def test_who_can_play_must_play_no_voluntary_pass_no_voluntary_draw() -> None:
    state = dealt("6-1 0-0 1-0", "5-1 2-0 2-2").state
    for action in (Draw(), Pass()):
        with pytest.raises(MustPlay):
            apply(state, action)
        with pytest.raises(MustPlay):
            apply(played(state, "6-1"), action)


def test_who_cannot_play_draws_until_able() -> None:
    state = played(dealt("6-1 0-0", "5-4 2-2", stock="3-3 5-3 4-1 6-2").state, "6-1")
    assert legal_actions(state) == (Draw(),)
    with pytest.raises(MustDraw):
        apply(state, Pass())
    step = apply(state, Draw())
    assert step.events == (TilesDrawn(1, tiles("3-3 5-3 4-1")),)
    assert step.state.turn == 1
    assert legal_actions(step.state) == (play("4-1 R"),)


def test_who_still_cannot_play_passes() -> None:
    """Four times seven tiles: there is no stock."""
    state = dealt(
        "6-6 6-0 0-0 1-0 2-0 3-0 4-0",
        "1-1 2-1 3-1 4-1 2-2 3-2 4-2",
        "6-1 6-2 6-3 6-4 6-5 5-0 5-1",
        "3-3 4-3 4-4 5-2 5-3 5-4 5-5",
    ).state
    state = played(state, "6-6")
    assert legal_actions(state) == (Pass(),)
    with pytest.raises(NothingToDraw):
        apply(state, Draw())
    step = apply(state, Pass())
    assert step.events == (Passed(1),)
    assert step.state.turn == 2


def test_who_drew_the_stock_out_in_vain_passes() -> None:
    """Seat 2 holds the only tiles that fit, so the hand is not locked."""
    state = aznif(seats=3, deal=7)
    state = dealt(
        "6-6 1-0 1-1 2-0 2-1 2-2 3-0",
        "3-1 3-2 3-3 4-0 4-1 4-2 4-3",
        "6-0 6-1 6-2 6-3 6-4 6-5 0-0",
        state=state,
    ).state
    state = played(state, "6-6")
    step = apply(state, Draw())
    assert [tile.text for tile in step.events[0].tiles] == [  # type: ignore[union-attr]
        "4-4", "5-0", "5-1", "5-2", "5-3", "5-4", "5-5",
    ]  # fmt: skip
    assert legal_actions(step.state) == (Pass(),)
    assert apply(step.state, Pass()).state.turn == 2


def test_a_tile_that_is_not_in_the_rack_cannot_be_played() -> None:
    state = dealt("6-1 0-0 1-0", "5-1 2-0 2-2").state
    with pytest.raises(TileNotInRack):
        apply(state, play("5-1"))


def test_the_line_once_begun_an_end_must_be_named() -> None:
    state = played(dealt("6-1 0-0 1-0", "5-1 2-0 2-2").state, "6-1")
    with pytest.raises(EndMissing):
        apply(state, Play(Tile(5, 1)))


def test_a_hand_ends_when_a_player_places_the_last_tile() -> None:
    step = last_step(dealt("6-1 1-0", "6-5 2-2").state, "6-1", "6-5 L", "1-0 R")
    assert ended(step).kind is OutcomeKind.OUT
    assert ended(step).seat == 0
    assert step.state.phase is Phase.OVER


def test_a_lock_no_rack_and_no_drawable_tile_is_playable() -> None:
    """All seven sixes lie and both ends show 6: the hand ends in that very action."""
    state = before_the_lock(seats=4)
    assert view_for(state, None)["ends"] == {"L": 6, "R": 5}
    step = last_step(state, "6-5 R")
    assert ended(step).kind is OutcomeKind.LOCK
    assert ended(step).seat == 1
    assert legal_actions(step.state) == ()


def test_the_engine_ends_a_locked_hand_and_nobody_draws_the_useless_rest() -> None:
    step = last_step(before_the_lock(seats=2), "6-5 R")
    assert view_for(step.state, None)["stock"] == 16
    assert not any(isinstance(event, TilesDrawn) for event in events_of(step.state))


def test_no_lock_while_a_drawable_tile_is_playable() -> None:
    """Nobody holds a six, but one lies in the stock: the seat on turn draws it."""
    state = played(dealt("6-6 1-0", "1-1 2-0", stock="5-5 6-2").state, "6-6")
    assert legal_actions(state) == (Draw(),)
    assert legal_actions(played(state, "draw")) == (play("6-2 L"), play("6-2 R"))


def test_a_tile_in_the_reserve_may_never_be_drawn() -> None:
    """One tile may be drawn, six are the reserve: all other sixes lie there, so it is a lock."""
    state = aznif(seats=3, deal=7, reserve=6)
    state = dealt(
        "6-6 1-0 1-1 2-0 2-1 2-2 3-0",
        "3-1 3-2 3-3 4-0 4-1 4-2 4-3",
        "4-4 5-0 5-1 5-2 5-3 5-4 5-5",
        stock="0-0 6-2",
        state=state,
    ).state
    step = last_step(state, "6-6")
    assert view_for(step.state, 0)["stock"] == 7
    assert view_for(step.state, 0)["drawable"] == 1
    assert ended(step).kind is OutcomeKind.LOCK


def test_a_last_tile_that_would_also_lock_is_going_out() -> None:
    step = last_step(before_the_lock(seats=3, spare=0), "6-5 R")
    assert ended(step).kind is OutcomeKind.OUT
    assert ended(step).seat == 0


def test_a_match_is_a_number_of_hands() -> None:
    for hands in (1, 2, 5):
        states = [
            step.state for step in steps_of(aznif(seats=2, hands=hands), shuffle_of(hands, 2))
        ]
        assert states[-1].phase is Phase.OVER
        assert states[-1].hand_number == hands - 1
        assert [state.phase for state in states].count(Phase.OVER) == 1


def test_the_first_tile_takes_no_end() -> None:
    state = dealt("6-1 0-0 1-0", "5-1 2-0 2-2").state
    for end in End:
        with pytest.raises(EndOnEmptyLine):
            apply(state, Play(Tile(6, 1), end))


def test_a_new_match_has_nothing_to_do_but_to_deal() -> None:
    state = new_match(preset("aznif"), seats=4)
    assert (state.phase, state.turn, legal_actions(state)) == (Phase.DEAL, None, ())
    assert deal_hand(state, shuffle_of("new", 4)).state.phase is Phase.PLAY
