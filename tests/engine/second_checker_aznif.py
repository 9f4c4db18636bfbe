"""The section *Aznif*: the fives while playing, and the pips lost at the hand's end.

The standard library alone; a line is a list of pairs (left half, right half) as laid.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.engine.second_checker_shapes import Tile, is_double


def sum_of_ends(line: Sequence[tuple[int, int]]) -> int:
    """A lone tile counts its pips once; later a double at an end counts both its halves."""
    if len(line) == 1:
        return sum(line[0])
    left = sum(line[0]) if is_double(line[0]) else line[0][0]
    right = sum(line[-1]) if is_double(line[-1]) else line[-1][1]
    return left + right


def score_of_placement(line: Sequence[tuple[int, int]]) -> int:
    """`fives`: 5, 10, 15 or 20 at the ends score that sum, anything else nothing."""
    total = sum_of_ends(line)
    return total if total in (5, 10, 15, 20) else 0


def pips_left(rack: Sequence[Tile], blank_pips: int) -> int:
    return sum(blank_pips if tile == (0, 0) else sum(tile) for tile in rack)


def pip_loss(kind: str, placer: int, pips: list[int], locker_pays: bool) -> list[int]:
    """By seat: everybody loses the pips left, after a lock the locker only if `locker_pays`."""
    losses = [-left for left in pips]
    if kind == "lock" and not locker_pays:
        losses[placer] = 0
    return losses
