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
    """The end of the line a tile is placed at."""

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
    """What both ends show: `left` and `right` numbers (None when empty) and what follows from them.

    `sum` counts a double at an end with both halves, a lone first tile once (rules.md, Aznif);
    `fits`, `left_fits` and `right_fits` are masks of the matching tiles; `after` leads to the ends
    after a placement, by its number.
    """

    __slots__ = ("after", "fits", "left", "left_fits", "right", "right_fits", "sum")

    def __init__(self, left: int | None, right: int | None, counted: int) -> None:
        """Make a position of the automaton; `after` is filled when all positions exist."""
        self.left, self.right, self.sum = left, right, counted
        self.left_fits = 0 if left is None else Suit.MASKS[left]
        self.right_fits = 0 if right is None else Suit.MASKS[right]
        self.fits = self.left_fits | self.right_fits
        self.after: Mapping[int, Ends] = {}


class _Half(NamedTuple):
    """One end: its number, and whether the tile there is a double."""

    number: int
    double: bool

    @property
    def counts(self) -> int:
        return self.number * 2 if self.double else self.number

    def then(self, tile: Tile) -> "_Half":
        return _Half(tile.other(self.number), tile.double)


def _build() -> tuple[Ends, dict[tuple[_Half, _Half], Ends]]:
    halves = [_Half(number, double) for number in NUMBERS for double in (False, True)]
    pairs = {(a, b): Ends(a.number, b.number, a.counts + b.counts) for a in halves for b in halves}
    for (left, right), ends in pairs.items():
        ends.after = _successors(left, right, pairs)
    empty = Ends(None, None, 0)
    empty.after = {placement_code(tile, None): _lone(tile, pairs) for tile in TILES}
    return empty, pairs


def _lone(tile: Tile, pairs: dict[tuple[_Half, _Half], Ends]) -> Ends:
    ends = Ends(tile.high, tile.low, tile.pips)
    ends.after = _successors(_Half(tile.high, tile.double), _Half(tile.low, tile.double), pairs)
    return ends


def _successors(
    left: _Half, right: _Half, pairs: dict[tuple[_Half, _Half], Ends]
) -> dict[int, Ends]:
    at_left = {
        placement_code(tile, End.L): pairs[left.then(tile), right] for tile in Suit.of(left.number)
    }
    at_right = {
        placement_code(tile, End.R): pairs[left, right.then(tile)] for tile in Suit.of(right.number)
    }
    return at_left | at_right


EMPTY, _ = _build()


class Line(NamedTuple):
    """How the tiles lie: halves from left to right, and where the first tile is among them."""

    halves: tuple[tuple[int, int], ...]
    first: int | None


def line_of(placements: Iterable[int]) -> Line:
    """Lay placements (their numbers, in order of play) out from left to right.

    A first tile lies with its high half to the left.

    >>> codes = [placement_code(Tile(6, 4), None), placement_code(Tile(6, 5), End.L)]
    >>> line_of(codes)
    Line(halves=((5, 6), (6, 4)), first=1)
    """
    leftward: list[tuple[int, int]] = []
    rightward: list[tuple[int, int]] = []
    for tile, end in map(placement_of, placements):
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


def ends_after(placements: Iterable[int]) -> Ends:
    """Follow placements (their numbers) from the empty line; KeyError where one does not fit.

    >>> ends = ends_after([placement_code(Tile(5, 5), None), placement_code(Tile(5, 0), End.R)])
    >>> ends.left, ends.right, ends.sum
    (5, 0, 10)
    """
    ends = EMPTY
    for code in placements:
        ends = ends.after[code]
    return ends
