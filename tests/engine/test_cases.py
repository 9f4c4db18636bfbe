"""Cases from the world, part A: faults people reported elsewhere, with the right outcome.

In every family in which they can happen.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.actions import Draw, Pass, Play, action_from_json
from engine.errors import EndOnEmptyLine
from engine.events import HandDealt, HandEnded, MatchEnded, OutcomeKind
from engine.line import End
from engine.match import MatchState, Phase, Step, apply, deal_hand, legal_actions
from engine.scoring import pips
from engine.tiles import TILES, Tile, mask_of
from engine.view import view_for
from tests.engine.positions import (
    TABLES,
    aznif,
    before_the_lock,
    dealt,
    ended,
    hand_of,
    last_step,
    pips_left,
    play,
    played,
    scored,
    shuffle_of,
    steps_of,
    table,
)

VIP_OR_KRAL = ("vip-draw", "vip-block", "kraloyun")
every_family = pytest.mark.parametrize("name", TABLES)
AT_TABLES = [(name, *at) for name, tables in TABLES.items() for at in tables]
at_every_table = pytest.mark.parametrize(("name", "seats", "partners"), AT_TABLES)

FREE: dict[str, Any] = {"first_starter": "lot", "draw": "none"}
"""Anybody starts, with any tile, and nothing is drawn."""


# --- A1 ------------------------------------------------------------------------------------------


@at_every_table
def test_the_first_tile_of_a_later_hand_takes_no_end(name: str, seats: int, partners: bool) -> None:
    """Case A1 (abw333/dominoes issue 87): every hand begins on an empty line."""
    start = table(name, seats=seats, partners=partners, hands=3)
    begun = [
        step.state
        for step in steps_of(start, shuffle_of("A1", seats))
        if isinstance(step.events[0], HandDealt)
    ]
    assert len(begun) == 3
    for state in begun:
        for action in legal_actions(state):
            assert isinstance(action, Play)
            assert action.end is None
            for end in End:
                with pytest.raises(EndOnEmptyLine):
                    apply(state, Play(action.tile, end))


# --- A2 ------------------------------------------------------------------------------------------


def tied(name: str, **options: Any) -> Step:
    """A lock of 9 and 9."""
    racks = ("1-1 5-4", "4-0 3-2")
    start = table(name, seats=2, deal=2, hands=2, **{**FREE, **options})
    return last_step(dealt(*racks, state=start).state, "1-1")


@every_family
def test_a_lock_that_ties_still_has_a_next_starter(name: str) -> None:
    """Case A2 (abw333/dominoes commit 45b6fab), by each family's own rule."""
    step = tied(name)
    assert (ended(step).kind, ended(step).winner) == (OutcomeKind.LOCK, None)
    assert deal_hand(step.state, shuffle_of("A2", 2)).state.phase is Phase.PLAY


@every_family
@pytest.mark.parametrize(
    ("rule", "starter"),
    [("last_placer", 0), ("rotate", 1), ("first_double", 1), ("highest_double", 0), ("lot", 1)],
)
def test_a_lock_that_ties_has_a_next_starter_by_every_rule(
    name: str, rule: str, starter: int
) -> None:
    """Case A2: seat 1 holds 2-2 then, seat 0 holds 3-3."""
    step = tied(name, starter_after_lock=rule)
    state = dealt("3-3 1-0", "2-2 3-2", starter=starter, state=step.state).state
    assert state.turn == starter


def test_aznif_a_lock_that_ties_has_its_next_starter_by_lot() -> None:
    """Case A2 (abw333/dominoes commit 45b6fab): racks of equal pips at the lock."""
    racks = ("6-6 6-2 3-2 6-3 5-4 4-4", "6-1 1-0 6-0 6-4 6-5 5-3")
    state = dealt(*racks, state=aznif(seats=2, deal=6, hands=2)).state
    line = ("6-6", "6-1 L", "6-2 R", "1-0 L", "3-2 R", "6-0 L", "6-3 R", "6-4 R", "5-4 R", "6-5 R")
    step = last_step(state, *line)
    assert ended(step).kind is OutcomeKind.LOCK
    assert {pips(mask_of(rack)) for rack in ended(step).racks} == {8}
    shuffle = shuffle_of("A2", 2)
    assert deal_hand(step.state, shuffle).state.turn == shuffle.starter(1, 2)


# --- A3 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["aznif", *VIP_OR_KRAL])
@pytest.mark.parametrize("partners", [False, True])
def test_all_others_may_pass_and_the_opener_plays_again(name: str, partners: bool) -> None:
    """Case A3 (abw333/dominoes commit 1d49d6f): four racks of seven, no stock."""
    racks = (
        "6-6 6-0 6-1 6-2 6-3 6-4 6-5",
        "0-0 1-0 2-0 3-0 4-0 5-0 1-1",
        "2-1 3-1 4-1 5-1 2-2 3-2 4-2",
        "5-2 3-3 4-3 5-3 4-4 5-4 5-5",
    )
    state = played(hand_of(name, *racks, partners=partners), "6-6", "pass", "pass", "pass")
    assert state.turn == 0
    assert view_for(state, None)["passed"] == [1, 2, 3]
    assert len(legal_actions(state)) == 12
    state = played(state, "6-1 L")
    assert view_for(state, None)["passed"] == [1, 2, 3]
    assert view_for(played(state, "1-0 L"), None)["passed"] == [2, 3]


def test_101_all_others_may_pass_and_the_opener_plays_again() -> None:
    """Case A3 in a later hand, for in the first the opponents hold a tile of the suit."""
    racks = ("1-1 6-5", "2-1 4-3", "6-6 5-5", "6-4 3-3")
    first = last_step(hand_of("domino101", *racks, partners=True), "1-1", "2-1 R").state
    state = dealt("1-1 3-3", "4-4 5-4", "6-5 5-5", "2-1 6-6", starter=1, state=first).state
    state = played(state, "4-4")
    for seat in (2, 3, 0):
        assert (state.turn, legal_actions(state)) == (seat, (Pass(),))
        state = played(state, "pass")
    assert (state.turn, legal_actions(state)) == (1, (play("5-4 L"), play("5-4 R")))


@pytest.mark.parametrize("name", ["domino101", "kraloyun"])
def test_all_others_may_draw_in_vain_and_pass(name: str) -> None:
    """Case A3 with a stock: the first draws it out but for the reserve, the other finds nothing."""
    racks = ("6-6 6-0 6-1 6-2 6-3", "0-0 1-0 2-0 3-0 4-0", "2-1 3-1 4-1 5-1 3-2")
    stock = "1-1 2-2 4-2 5-2 3-3 4-3 5-3 4-4 5-4 5-5 5-0 6-4 6-5"
    start = table(name, seats=3, deal=5, first_starter="highest_double", reserve=2)
    state = played(dealt(*racks, stock=stock, state=start).state, "6-6", "draw", "pass", "pass")
    assert state.turn == 0
    assert view_for(state, 0)["counts"] == [4, 16, 5]


def test_aznif_all_others_may_draw_in_vain_and_pass() -> None:
    """Case A3 with a stock: the first draws it out, the others have nothing left to draw."""
    state = dealt(
        "6-6 6-0 6-1 6-2 6-3 6-4 6-5",
        "0-0 1-0 2-0 3-0 4-0 5-0 1-1",
        "2-1 3-1 4-1 5-1 2-2 3-2 4-2",
    ).state
    state = played(state, "6-6", "draw", "pass", "pass")
    assert state.turn == 0
    assert view_for(state, 0)["counts"] == [6, 14, 7]


# --- A4 ------------------------------------------------------------------------------------------


@at_every_table
def test_28_different_tiles_in_every_hand(name: str, seats: int, partners: bool) -> None:
    """Case A4 (keith-packard/kgames issue 9); redeals: the rule book's tests of Domino 101."""
    start = table(name, seats=seats, partners=partners, hands=5)
    for step in steps_of(start, shuffle_of("A4", seats)):
        for event in step.events:
            if isinstance(event, HandDealt):
                parts = [*event.racks, event.stock]
                assert sorted(tile for part in parts for tile in part) == list(TILES)


def test_28_different_tiles_one_double_blank() -> None:
    """Case A4 (keith-packard/kgames issue 9); a deal starts from all 28 again."""
    assert len(set(TILES)) == 28
    assert [tile for tile in TILES if tile.pips == 0] == [Tile(0, 0)]
    shuffle = shuffle_of("A4", 2)
    for attempt in range(5):
        assert sorted(shuffle.order(0, attempt)) == list(TILES)


# --- A5 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VIP_OR_KRAL)
@pytest.mark.parametrize("racks", [("6-6", "5-4"), ("6-6", "5-4", "3-2", "1-0")])
def test_going_out_ends_the_hand_in_that_action_even_if_it_locks(
    name: str, racks: tuple[str, ...]
) -> None:
    """Case A5 (keith-packard/kgames issue 8): it is *out*, whoever did it."""
    for starter in range(len(racks)):
        seated = racks[-starter:] + racks[:-starter] if starter else racks
        end = ended(last_step(hand_of(name, *seated, starter=starter, draw="none"), "6-6"))
        assert (end.kind, end.seat, end.winner) == (OutcomeKind.OUT, starter, starter)
        assert end.racks[starter] == ()


@pytest.mark.parametrize("starter", range(3))
def test_kraloyun_going_out_ends_the_hand_even_if_it_locks(starter: int) -> None:
    """Case A5: all seven sixes lie then, and both ends show 6."""
    start = table("kraloyun", seats=3, deal=4)
    state = before_the_lock(seats=3, starter=starter, spare=0, state=start)
    end = ended(last_step(state, "6-5 R"))
    assert (end.kind, end.seat, end.winner) == (OutcomeKind.OUT, starter, starter)


@pytest.mark.parametrize("starter", range(3))
def test_101_going_out_ends_the_hand_even_if_it_locks(starter: int) -> None:
    """Case A5: both ends show 6, and only 6-6, the reserve, is left of that suit."""
    racks = ["1-1 6-0 6-3 6-5", "6-1 6-2 6-4 5-5", "1-0 3-2 5-4 4-3"]
    racks = racks[-starter:] + racks[:-starter] if starter else racks
    stock = "0-0 2-0 2-1 2-2 3-0 3-1 3-3 4-0 4-1 4-2 4-4 5-0 5-1 5-2 5-3 6-6"
    line = ("1-1", "6-1 L", "1-0 R", "6-0 R", "6-2 R", "3-2 R", "6-3 R", "6-4 R", "5-4 R", "6-5 R")
    end = ended(last_step(hand_of("domino101", *racks, stock=stock, starter=starter), *line))
    assert (end.kind, end.seat, end.winner) == (OutcomeKind.OUT, starter, starter)


@pytest.mark.parametrize("starter", [0, 1, 2])
def test_aznif_going_out_ends_the_hand_even_if_it_locks(starter: int) -> None:
    """Case A5 (keith-packard/kgames issue 8): it is *out*, whoever did it."""
    step = last_step(before_the_lock(seats=3, starter=starter, spare=0), "6-5 R")
    end = ended(step)
    assert (end.kind, end.seat) == (OutcomeKind.OUT, starter)
    assert end.racks[starter] == ()
    fives = before_the_lock(seats=3, starter=starter, spare=0).totals
    assert end.scores[starter] == fives[starter]


# --- A6 ------------------------------------------------------------------------------------------


@every_family
def test_after_an_opening_double_the_second_tile_changes_one_end(name: str) -> None:
    """Case A6 (NimaBavari/GoMuggins commit 38ac5b1): the other end stays the double."""
    state = played(hand_of(name, "5-5 3-2 1-0", "5-3 5-1 4-2"), "5-5")
    assert view_for(played(state, "5-3 R"), None)["ends"] == {"L": 5, "R": 3}
    assert view_for(played(state, "5-3 L"), None)["ends"] == {"L": 3, "R": 5}


def test_aznif_after_an_opening_double_the_second_tile_changes_one_end() -> None:
    """Case A6 with the sum of the ends: 5-5 counts 10 there."""
    state = played(dealt("5-5 0-0 1-0", "5-3 5-1 2-2").state, "5-5")
    right = view_for(played(state, "5-3 R"), None)
    assert (right["ends"], right["sum"]) == ({"L": 5, "R": 3}, 13)
    left = view_for(played(state, "5-3 L"), None)
    assert (left["ends"], left["sum"]) == ({"L": 3, "R": 5}, 13)


# --- A7 ------------------------------------------------------------------------------------------


def results(end: HandEnded, partners: bool) -> list[int]:
    left = pips_left(end)
    return [left[0] + left[2], left[1] + left[3]] if partners else left


@pytest.mark.parametrize("scoring", ["difference", "opponents_pips", "one_win"])
@pytest.mark.parametrize("starter", range(4))
@pytest.mark.parametrize(("seats", "partners"), [(2, False), (4, False), (4, True)])
def test_lock_scores_go_to_the_right_side_with_the_right_sign(
    seats: int, partners: bool, starter: int, scoring: str
) -> None:
    """Case A7 (abw333/dominoes commit 3c408a8), for every position of the turn."""
    starter %= seats
    start = table(
        "vip-draw",
        seats=seats,
        partners=partners,
        deal={2: 6, 4: 4}[seats],
        hand_scoring=scoring,
    )
    end = ended(last_step(before_the_lock(seats=seats, starter=starter, state=start), "6-5 R"))
    assert (end.kind, end.seat) == (OutcomeKind.LOCK, (starter + 9) % seats)
    left = results(end, partners)
    least = left.index(min(left))
    assert left.count(min(left)) == 1
    assert end.winner == least
    others = sum(left) - left[least]
    worth = {"difference": others - left[least], "opponents_pips": others, "one_win": 1}[scoring]
    assert end.scores == tuple(worth if side == least else 0 for side in range(len(left)))


OPENERS = ("1-1 5-4", "2-1 3-0", "4-0 5-0", "6-0 6-4")
"""9 + 9 against 3 + 16 when the second has placed 2-1: the opener's side wins 19."""

OTHERS = ("1-1 5-4", "2-1 3-0", "6-6 5-5", "4-0 0-0")
"""9 + 22 against 3 + 4 and 10 for 0-0: the other side, which locked, wins 31."""


@pytest.mark.parametrize("starter", range(4))
@pytest.mark.parametrize(("racks", "turn", "score"), [(OPENERS, 0, 19), (OTHERS, 1, 31)])
def test_101_lock_scores_go_to_the_right_pair(
    racks: tuple[str, ...], turn: int, score: int, starter: int
) -> None:
    """Case A7 for every position of the turn."""
    seated = racks[-starter:] + racks[:-starter] if starter else racks
    state = hand_of("domino101", *seated, starter=starter, partners=True)
    end = ended(last_step(state, "1-1", "2-1 R"))
    assert (end.kind, end.seat) == (OutcomeKind.LOCK, (starter + 1) % 4)
    winner = (starter + turn) % 2
    assert end.winner == winner
    assert end.scores == tuple(score if side == winner else 0 for side in (0, 1))


@pytest.mark.parametrize(("seats", "starter"), [(s, n) for s in (2, 3, 4) for n in range(s)])
def test_aznif_lock_scores_go_to_the_right_side(seats: int, starter: int) -> None:
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
def test_aznif_lock_scores_of_partners_are_added(starter: int) -> None:
    """Case A7 with partners: 0 and 2 against 1 and 3."""
    start = aznif(seats=4, partners=True, deal=4)
    before = before_the_lock(seats=4, starter=starter, state=start)
    end = ended(last_step(before, "6-5 R"))
    players = end.player_scores
    assert players is not None
    assert end.scores == (players[0] + players[2], players[1] + players[3])
    assert sum(end.scores) == sum(before.totals) - sum(pips(mask_of(rack)) for rack in end.racks)


# --- A8, A9 --------------------------------------------------------------------------------------


def four_at_both_ends(name: str) -> MatchState:
    racks = ("4-2 4-4 6-4 1-0", "5-2 5-4 3-3 1-1")
    state = hand_of(name, *racks, fives=True, **FREE)
    return played(state, "4-2", "5-2 R", "4-4 L", "5-4 R")


@every_family
def test_an_action_names_the_end_and_not_the_number(name: str) -> None:
    """Case A8: line 4-4 4-2 2-5 5-4, and fives are scored."""
    state = four_at_both_ends(name)
    assert view_for(state, None)["line"] == [[4, 4], [4, 2], [2, 5], [5, 4]]
    right, left = last_step(state, "6-4 R"), last_step(state, "6-4 L")
    assert (scored(right), view_for(right.state, None)["sum"]) == (0, 14)
    assert (scored(left), view_for(left.state, None)["sum"]) == (10, 10)


@every_family
def test_an_action_means_the_same_in_every_state(name: str) -> None:
    """Case A9 (google-deepmind/open_spiel pull 1018): never an index into a list."""
    state = four_at_both_ends(name)
    assert play("6-4 L") in legal_actions(state)
    for action in legal_actions(state):
        event = apply(state, action).events[0]
        assert (event.tile, event.end) == (action.tile, action.end)  # type: ignore[union-attr]


def test_an_action_is_the_same_value_however_it_was_made() -> None:
    """Case A9 (google-deepmind/open_spiel pull 1018): never an index into a list."""
    action = action_from_json({"play": "6-4", "end": "L"})
    assert action is play("6-4 L")
    assert {action, play("6-4 L"), Play(Tile(4, 6), End.L)} == {action}
    assert Draw() is Draw()
    assert Pass() is Pass()


# --- A10 -----------------------------------------------------------------------------------------


@every_family
@pytest.mark.parametrize(
    ("tile", "score"),
    [("5-5", 10), ("6-4", 10), ("3-2", 5), ("4-1", 5), ("5-0", 5), ("0-0", 0), ("6-6", 0)],
)
def test_the_openings_of_aznif_score_the_same_where_fives_are_chosen(
    name: str, tile: str, score: int
) -> None:
    """Case A10, elsewhere with `fives` set by a house rule; without it nothing scores."""
    racks = (f"{tile} 2-0", "1-1 2-2")
    assert scored(last_step(hand_of(name, *racks, fives=True, **FREE), tile)) == score
    assert scored(last_step(hand_of(name, *racks, fives=False, **FREE), tile)) == 0


def test_the_second_tiles_of_aznif() -> None:
    """Case A10: 5-5 + 5-0 10, 5-5 + 5-1 nothing (11); 6-6 at one end and 4-4 at the other 20."""
    state = played(dealt("5-5 0-0 1-0", "5-0 5-1 2-2").state, "5-5")
    assert scored(last_step(state, "5-0 R")) == 10
    assert scored(last_step(state, "5-1 R")) == 0
    state = played(dealt("6-4 4-4 0-0", "6-6 1-1 2-2").state, "6-4", "6-6 L")
    assert scored(last_step(state, "4-4 R")) == 20


# --- and so every match ends ---------------------------------------------------------------------


@at_every_table
def test_every_match_comes_to_its_end(name: str, seats: int, partners: bool) -> None:
    """No position waits for ever: whoever is on turn has something legal to do."""
    start = table(name, seats=seats, partners=partners, hands=2)
    for word in range(3):
        steps = list(steps_of(start, shuffle_of(word, seats)))
        assert isinstance(steps[-1].events[-1], MatchEnded)
        for step in steps:
            assert bool(legal_actions(step.state)) == (step.state.phase is Phase.PLAY)
        assert sum(isinstance(event, HandDealt) for step in steps for event in step.events) == 2
