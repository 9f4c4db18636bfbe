"""Seating by lot: who plays a round, and who sits together. Pure: no Django, no database.

Players are any values that can be told apart, ids as a rule. Chance is passed in: from the same
chance the same lot falls. Who sits where at a table is left to chance as well.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from random import Random
from typing import TypeVar

P = TypeVar("P", bound=Hashable)
Met = Mapping[P, Mapping[P, int]]

LOTS = 6  # so many lots are cast, the one that brings together fewest who met before is kept
PASSES = 12  # over the seats of a lot; each pass only ever lessens who meets again


def meetings(earlier: Iterable[Collection[P]]) -> dict[P, Counter[P]]:
    """Return how often each player sat with each other one at the tables of earlier rounds."""
    met: dict[P, Counter[P]] = {}
    for table in earlier:
        for player in table:
            others = [other for other in table if other != player]
            met.setdefault(player, Counter()).update(others)
    return met


def playing(
    players: Sequence[P], seats: int, played: Mapping[P, int], chance: Random
) -> tuple[list[P], list[P]]:
    """Return who plays when tables seat `seats`, and who sits out: those who played most.

    Among those who played as much as each other, the lot decides.
    """
    drawn = chance.sample(players, len(players))
    drawn.sort(key=lambda player: played.get(player, 0))
    cut = len(drawn) - len(drawn) % seats
    return drawn[:cut], drawn[cut:]


def seat_by_lot(players: Sequence[P], seats: int, met: Met[P], chance: Random) -> list[list[P]]:
    """Return tables by lot that bring together few who met before, as often as `met` tells.

    Raises ValueError if the players do not fill their tables.
    """
    if len(players) % seats:
        raise ValueError("the players do not fill their tables")
    best: list[list[P]] = []
    for _lot in range(LOTS):
        tables = _cast(players, seats, chance)
        _part(tables, met)
        if not best or _again(tables, met) < _again(best, met):
            best = tables
        if not _again(best, met):
            break
    return best


def _cast(players: Sequence[P], seats: int, chance: Random) -> list[list[P]]:
    drawn = chance.sample(players, len(players))
    return [drawn[start : start + seats] for start in range(0, len(drawn), seats)]


def _again(tables: Iterable[Sequence[P]], met: Met[P]) -> int:
    """Return how many earlier meetings the tables repeat, each counted from both sides."""
    return sum(_known(player, table, met) for table in tables for player in table)


def _known(player: P, table: Iterable[P], met: Met[P], leaving: P | None = None) -> int:
    """Return how often `player` met the people of a table, without one who leaves it."""
    before = met.get(player)
    if not before:
        return 0
    return sum(before.get(other, 0) for other in table if other != leaving)


def _part(tables: list[list[P]], met: Met[P]) -> None:
    """Exchange players between tables as long as that lessens who meets again."""
    places = [(number, seat) for number, table in enumerate(tables) for seat in range(len(table))]
    for _pass in range(PASSES):
        moved = [_move(tables, met, number, seat) for number, seat in places]
        if not any(moved):
            return


def _move(tables: list[list[P]], met: Met[P], number: int, seat: int) -> bool:
    """Exchange who sits here with whom it helps most, if it helps at all."""
    here = tables[number]
    player = here[seat]
    if not _known(player, here, met):
        return False
    gains = {
        (there, place): _gain(met, here, player, tables[there], other)
        for there in range(len(tables))
        if there != number
        for place, other in enumerate(tables[there])
    }
    there, place = max(gains, key=gains.__getitem__, default=(number, seat))
    if gains.get((there, place), 0) <= 0:
        return False
    here[seat], tables[there][place] = tables[there][place], player
    return True


def _gain(met: Met[P], here: Sequence[P], player: P, there: Sequence[P], other: P) -> int:
    """Return how many meetings fewer are repeated if `player` and `other` change places."""
    now = _known(player, here, met) + _known(other, there, met)
    then = _known(player, there, met, leaving=other) + _known(other, here, met, leaving=player)
    return now - then
