"""The 28 double-six tiles, and sets of them as 28-bit masks.

A tile's bit stands at its place in the order 0-0, 1-0, 1-1, 2-0, … 6-6. Nothing here knows a line,
a rack or a rule.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import attrgetter, or_
from typing import Any, ClassVar, NoReturn, TypeVar

from engine.errors import InvalidTile

T = TypeVar("T")

NUMBERS = range(7)


class Frozen:
    """A base for values that nobody may change after they were made.

    >>> Tile(6, 4).low = 3
    Traceback (most recent call last):
    AttributeError: Tile cannot be changed
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refuse."""
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        """Refuse."""
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __copy__(self) -> "Frozen":
        """Give the value itself: it never changes."""
        return self

    def __deepcopy__(self, memo: object) -> "Frozen":
        """Give the value itself: it never changes."""
        return self


class Tile(Frozen):
    """One of the 28 tiles; there is a single object for each, so `is` and `==` agree.

    `index` (0 … 27) is its place in the order 0-0, 1-0, 1-1, … 6-6, `bit` is 1 << index.

    >>> Tile(4, 6), Tile(6, 4).pips, Tile(5, 5).double
    (Tile(6, 4), 10, True)
    >>> Tile(7, 0)
    Traceback (most recent call last):
    engine.errors.InvalidTile: there is no tile 7-0
    """

    __slots__ = ("bit", "double", "high", "index", "low", "pips", "text")
    index: int
    bit: int
    high: int
    low: int
    pips: int
    double: bool
    text: str

    _known: ClassVar[dict[tuple[int, int], "Tile"]] = {}

    def __new__(cls, half: int, other: int) -> "Tile":
        """Find the tile with these two halves, in either order."""
        try:
            return cls._known[(half, other) if half >= other else (other, half)]
        except KeyError:
            raise InvalidTile(f"there is no tile {half}-{other}") from None

    @classmethod
    def _make(cls, high: int, low: int) -> "Tile":
        tile = object.__new__(cls)
        index = high * (high + 1) // 2 + low
        cells: dict[str, Any] = {
            "index": index,
            "bit": 1 << index,
            "high": high,
            "low": low,
            "pips": high + low,
            "double": high == low,
            "text": f"{high}-{low}",
        }
        for name, value in cells.items():
            object.__setattr__(tile, name, value)
        cls._known[high, low] = tile
        return tile

    def other(self, half: int) -> int:
        """Give the half that is not `half` (for a double the same again).

        >>> Tile(6, 4).other(6), Tile(5, 5).other(5)
        (4, 5)
        """
        return self.low if self.high == half else self.high

    def __str__(self) -> str:
        """Write it high half first: 6-4."""
        return self.text

    def __repr__(self) -> str:
        """Write it as it is made."""
        return f"Tile({self.high}, {self.low})"

    def __lt__(self, other: "Tile") -> bool:
        """Order tiles 0-0, 1-0, 1-1, … 6-6."""
        return self.index < other.index

    def __reduce__(self) -> tuple[type["Tile"], tuple[int, int]]:
        """Come back from a pickle as the one object of this tile."""
        return Tile, (self.high, self.low)


TILES = tuple(Tile._make(high, low) for high in NUMBERS for low in range(high + 1))
FULL_SET = (1 << len(TILES)) - 1
DOUBLES = sum([tile.bit for tile in TILES if tile.double])
_BY_TEXT = {tile.text: tile for tile in TILES}


def tile_from_text(text: object) -> Tile:
    """Read a tile written high half first; anything else is an `InvalidTile`.

    >>> tile_from_text("6-4")
    Tile(6, 4)
    >>> tile_from_text("4-6")
    Traceback (most recent call last):
    engine.errors.InvalidTile: no tile is written '4-6'
    """
    tile = _BY_TEXT.get(text) if isinstance(text, str) else None
    if tile is None:
        raise InvalidTile(f"no tile is written {brief(text)}")
    return tile


def brief(value: object) -> str:
    """Show a value from outside in an error sentence: ASCII, one line, at most 40 signs.

    >>> brief("6-7"), brief([6, 7]), brief(10**15)
    ("'6-7'", 'a list', 'a number of more than 15 digits')
    """
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**15:
        return "a number of more than 15 digits"
    shown = ascii(value)
    return shown if len(shown) <= 40 else shown[:37] + "..."


def mask_of(tiles: Iterable[Tile]) -> int:
    """Give the mask that holds these tiles.

    >>> mask_of([Tile(0, 0), Tile(1, 1)])
    5
    """
    return reduce(or_, map(bit_of, tiles), 0)


bit_of: Callable[[Tile], int] = attrgetter("bit")


def by_mask(things: Sequence[T]) -> tuple[tuple[T, ...], ...]:
    """Give the subsets of seven things, by the seven bits of a mask that holds them.

    >>> by_mask("abcdefg")[0b101]
    ('a', 'c')
    """
    subsets: list[tuple[T, ...]] = [()]
    for thing in things:
        subsets += [(*subset, thing) for subset in subsets]
    return tuple(subsets)


_FIRST, _SECOND, _THIRD, _FOURTH = (by_mask(TILES[at : at + 7]) for at in range(0, 28, 7))


def tiles_in(mask: int) -> tuple[Tile, ...]:
    """List the tiles of a mask, 0-0 first.

    >>> tiles_in(5)
    (Tile(0, 0), Tile(1, 1))
    """
    low = _FIRST[mask & 127] + _SECOND[mask >> 7 & 127]
    return low + _THIRD[mask >> 14 & 127] + _FOURTH[mask >> 21]


_PIPS = tuple(
    tuple(sum(tile.pips for tile in subset) for subset in subsets)
    for subsets in (_FIRST, _SECOND, _THIRD, _FOURTH)
)


def pips_in(mask: int) -> int:
    """Count the pips of a mask's tiles.

    >>> pips_in(0b1111)  # 0-0, 1-0, 1-1, 2-0
    5
    """
    first, second, third, fourth = _PIPS
    low = first[mask & 127] + second[mask >> 7 & 127]
    return low + third[mask >> 14 & 127] + fourth[mask >> 21]


class Suit:
    """The suits: the seven tiles that carry one number, the double once, as masks by number.

    >>> Suit.MASKS[0].bit_count()
    7
    """

    MASKS: ClassVar[tuple[int, ...]] = tuple(
        mask_of(tile for tile in TILES if number in (tile.high, tile.low)) for number in NUMBERS
    )

    @classmethod
    def of(cls, number: int) -> tuple[Tile, ...]:
        """Give the seven tiles of a number.

        >>> [str(tile) for tile in Suit.of(2)]
        ['2-0', '2-1', '2-2', '3-2', '4-2', '5-2', '6-2']
        """
        return tiles_in(cls.MASKS[number])
