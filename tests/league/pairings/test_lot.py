"""Seating by lot: few meet again, who played most sits out, and chance alone decides the rest."""

from itertools import combinations
from random import Random

import pytest

from league.pairings.lot import meetings, playing, seat_by_lot


def _rounds(players: int, seats: int, rounds: int, chance: int) -> list[list[list[int]]]:
    """Draw several rounds one after the other, each knowing those before."""
    earlier: list[list[int]] = []
    drawn = []
    for _round in range(rounds):
        tables = seat_by_lot(range(players), seats, meetings(earlier), Random(chance))
        drawn.append(tables)
        earlier += tables
    return drawn


@pytest.mark.parametrize("chance", range(20))
def test_after_two_rounds_of_four_in_pairs_the_third_is_the_one_left(chance: int) -> None:
    """A–B, C–D, then A–C, B–D: only A–D, B–C are left."""
    met = meetings(["AB", "CD", "AC", "BD"])
    tables = seat_by_lot("ABCD", 2, met, Random(chance))
    assert {frozenset(table) for table in tables} == {frozenset("AD"), frozenset("BC")}


@pytest.mark.parametrize("chance", range(5))
def test_sixteen_at_tables_of_four_meet_nobody_twice_in_three_rounds(chance: int) -> None:
    tables = [table for drawn in _rounds(16, 4, 3, chance) for table in drawn]
    pairs = [frozenset(pair) for table in tables for pair in combinations(table, 2)]
    assert len(pairs) == len(set(pairs))


def test_where_meeting_again_cannot_be_helped_it_happens_least() -> None:
    """Twelve at three tables: each table of four has two who sat at one of the three before."""
    first, second = _rounds(12, 4, 2, chance=1)
    before = {frozenset(pair) for table in first for pair in combinations(table, 2)}
    again = [
        pair for table in second for pair in combinations(table, 2) if frozenset(pair) in before
    ]
    assert len(again) == 3


@pytest.mark.parametrize(("players", "seats"), [(0, 4), (4, 4), (9, 3), (40, 4)])
def test_everybody_sits_once_and_every_table_is_full(players: int, seats: int) -> None:
    for tables in _rounds(players, seats, 4, chance=2):
        assert sorted(player for table in tables for player in table) == list(range(players))
        assert {len(table) for table in tables} <= {seats}


def test_the_same_chance_draws_the_same_lot_and_another_one_another() -> None:
    lots = [seat_by_lot(range(12), 4, {}, Random(chance)) for chance in (7, 7, 8)]
    assert lots[0] == lots[1] != lots[2]


def test_players_who_do_not_fill_their_tables_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="do not fill"):
        seat_by_lot(range(5), 4, {}, Random(1))


def test_who_played_most_sits_out() -> None:
    played = {"A": 2, "B": 1, "C": 2, "D": 1, "E": 3}
    on, out = playing("ABCDEF", 4, played, Random(3))
    assert "E" in out
    assert len(out) == 2
    assert {"B", "D", "F"} < set(on)


def test_sitting_out_goes_round() -> None:
    """Six at tables of four: after three rounds everybody has played twice."""
    played: dict[int, int] = {}
    for chance in range(3):
        on, _out = playing(range(6), 4, played, Random(chance))
        played |= {player: played.get(player, 0) + 1 for player in on}
    assert set(played.values()) == {2}


def test_a_lot_among_equals_is_not_the_order_of_entry() -> None:
    resting = {tuple(playing(range(5), 4, {}, Random(chance))[1]) for chance in range(40)}
    assert resting == {(0,), (1,), (2,), (3,), (4,)}
