"""The line on the table: its two ends, what they count, and how the tiles lie.

What the ends can look like is a small automaton of 225 positions (empty, 28 lone tiles, and two
ends each with a number that is or is not a double), built once. Nothing here knows racks, seats or
scores.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from engine.tiles import NUMBERS, TILES, Suit, Tile


class End(StrEnum):
    """The end of the line a tile is placed at: left or right (rules.md, Words).

    >>> End("L") is End.L
    True
    """

    L = "L"
    R = "R"


_END_CODES: dict[End | None, int] = {None: 0, End.L: 1, End.R: 2}
_ENDS_BY_CODE: tuple[End | None, ...] = (None, End.L, End.R)


def placement_code(tile: Tile, end: End | None) -> int:
    """Number a placement: 84 in all, three for each tile (first on the line, left, right).

    >>> placement_code(Tile(1, 0), End.R)
    5
    """
    return tile.index * 3 + _END_CODES[end]


def placement_of(code: int) -> tuple[Tile, End | None]:
    """Give tile and end of a placement's number.

    >>> placement_of(5)
    (Tile(1, 0), <End.R: 'R'>)
    """
    return TILES[code // 3], _ENDS_BY_CODE[code % 3]


class Ends:
    """What both ends show: `left` and `right` numbers (-1 when empty) and what follows from them.

    `sum` counts a double at an end with both halves, a lone first tile once (rules.md, Aznif);
    `fits`, `left_fits` and `right_fits` are masks of the matching tiles; `after` leads to the ends
    after a placement, by its number. `bare` are the ends with the same numbers and no double.

    >>> EMPTY.left, EMPTY.fits, len(EMPTY.after)
    (-1, 0, 28)
    >>> lone = EMPTY.after[placement_code(Tile(5, 5), None)]
    >>> lone.left, lone.right, lone.sum
    (5, 5, 10)
    """

    __slots__ = ("after", "bare", "fits", "left", "left_fits", "right", "right_fits", "sum")

    def __init__(self, left: int, right: int, counted: int) -> None:
        """Make a position of the automaton; `_build` fills `after` and `bare` in."""
        self.left, self.right, self.sum = left, right, counted
        self.left_fits = Suit.MASKS[left] if left >= 0 else 0
        self.right_fits = Suit.MASKS[right] if right >= 0 else 0
        self.fits = self.left_fits | self.right_fits
        self.after: Mapping[int, Ends] = {}
        self.bare = self


def _build() -> Ends:
    """Build the automaton and give its start.

    An end is written as one number here, twice its number and 1 more for a double.
    """
    numbered = [(end >> 1, (end >> 1) << (end & 1)) for end in range(2 * len(NUMBERS))]
    pairs = [[Ends(a, b, left + right) for b, right in numbered] for a, left in numbered]
    for left, row in enumerate(pairs):
        for right, ends in enumerate(row):
            ends.after = _successors(left, right, pairs)
            ends.bare = pairs[left & ~1][right & ~1]
    empty = Ends(-1, -1, 0)
    empty.after = {placement_code(tile, None): _lone(tile, pairs) for tile in TILES}
    return empty


def _lone(tile: Tile, pairs: list[list[Ends]]) -> Ends:
    ends = Ends(tile.high, tile.low, tile.pips)
    ends.after = _successors(tile.high * 2 + tile.double, tile.low * 2 + tile.double, pairs)
    ends.bare = pairs[tile.high * 2][tile.low * 2]
    return ends


_NEXT = tuple(
    tuple((tile.index * 3, tile.other(number) * 2 + tile.double) for tile in Suit.of(number))
    for number in NUMBERS
)


def _successors(left: int, right: int, pairs: list[list[Ends]]) -> dict[int, Ends]:
    after = {code + 1: pairs[end][right] for code, end in _NEXT[left >> 1]}
    after.update({code + 2: pairs[left][end] for code, end in _NEXT[right >> 1]})
    return after


EMPTY = _build()


class Line(NamedTuple):
    """How the tiles lie: halves from left to right, and where the first tile is among them.

    The halves of a tile are a pair; `first` is None on an empty line.

    >>> Line(halves=((5, 6), (6, 4)), first=1).halves[0]
    (5, 6)
    """

    halves: tuple[tuple[int, int], ...]
    first: int | None


def line_of(placements: Iterable[tuple[Tile, End | None]]) -> Line:
    """Lay placements, in order of play, out from left to right.

    A first tile lies with its high half to the left.

    >>> line_of([(Tile(6, 4), None), (Tile(6, 5), End.L)])
    Line(halves=((5, 6), (6, 4)), first=1)
    """
    leftward: list[tuple[int, int]] = []
    rightward: list[tuple[int, int]] = []
    for tile, end in placements:
        if end is None:
            rightward.append((tile.high, tile.low))
        elif end is End.R:
            near = rightward[-1][1]
            rightward.append((near, tile.other(near)))
        else:
            near = (leftward or rightward)[-1 if leftward else 0][0]
            leftward.append((tile.other(near), near))
    halves = (*reversed(leftward), *rightward)
    return Line(halves, len(leftward) if halves else None)


def ends_after(placements: Iterable[tuple[Tile, End | None]]) -> Ends:
    """Follow placements from the empty line; KeyError where one does not fit.

    >>> ends = ends_after([(Tile(5, 5), None), (Tile(5, 0), End.R)])
    >>> ends.left, ends.right, ends.sum
    (5, 0, 10)
    """
    ends = EMPTY
    for tile, end in placements:
        ends = ends.after[placement_code(tile, end)]
    return ends
