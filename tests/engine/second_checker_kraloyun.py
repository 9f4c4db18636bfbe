"""The section *Kraloyun*: the highest double opens, and a won hand is a won hand.

The standard library alone.
"""

from __future__ import annotations

from tests.engine.second_checker_shapes import Tile, is_double


def highest_double(held: list[Tile]) -> Tile:
    """6-6 down to 0-0; without a double the tile with most pips, then the higher half."""
    doubles = [tile for tile in held if is_double(tile)]
    return max(doubles) if doubles else max(held, key=lambda tile: (sum(tile), tile[0]))


def one_win(results: list[int], winner: int) -> int:
    """A won hand scores 1, whatever is left in the racks."""
    return 1
