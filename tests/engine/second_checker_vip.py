"""The section *VIP Domino*: who wins a hand, and the difference it is worth.

Results are the pips left, by side. Every family but Aznif finds its winner here: with
`going_out_wins` or at a lock the words are the same. The standard library alone.
"""

from __future__ import annotations


def winner_of_hand(kind: str, placer: int, results: list[int], going_out_wins: bool) -> int | None:
    """The side that went out; at a lock, or without `going_out_wins`, the lowest result alone."""
    if kind == "out" and going_out_wins:
        return placer
    lowest = [side for side, result in enumerate(results) if result == min(results)]
    return lowest[0] if len(lowest) == 1 else None


def difference(results: list[int], winner: int) -> int:
    """The losing sides' results minus the winner's own, never below 0."""
    losing = sum(results) - results[winner]
    return max(0, losing - results[winner])
