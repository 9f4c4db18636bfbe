"""How a hand is dealt: racks and stock from an order of the tiles, and who starts.

The order comes from a shuffle or from a record; no chance lives here.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.errors import InvalidDeal
from engine.events import HandEnded, OutcomeKind, Racks
from engine.rulesets import Ruleset, StarterRule, Terms
from engine.tiles import FULL_SET, TILES, Tile, mask_of


class Deal(NamedTuple):
    """Racks by seat as dealt, and the stock in drawing order."""

    racks: Racks
    stock: tuple[Tile, ...]


class Previous(NamedTuple):
    """The hand before: who started it and how it ended."""

    starter: int
    ended: HandEnded


def split(order: Sequence[Tile], seats: int, deal: int) -> Deal:
    """Deal an order out: seat 0 takes the first `deal` tiles, seat 1 the next, the stock the rest.

    >>> deal = split(TILES, 2, 7)
    >>> str(deal.racks[1][0]), len(deal.stock)
    ('3-1', 14)
    """
    taken = seats * deal
    racks = tuple([tuple(order[at : at + deal]) for at in range(0, taken, deal)])
    return Deal(racks, tuple(order[taken:]))


def check_deal(deal: Deal, terms: Terms) -> None:
    """Refuse a deal that is not the 28 tiles in racks of the right size with `InvalidDeal`."""
    size = terms.ruleset.deal
    if len(deal.racks) != terms.seats or any(len(rack) != size for rack in deal.racks):
        raise InvalidDeal(f"each of the {terms.seats} seats gets {size} tiles")
    tiles = [tile for rack in (*deal.racks, deal.stock) for tile in rack]
    if len(tiles) != len(TILES) or mask_of(tiles) != FULL_SET:
        raise InvalidDeal("racks and stock are not the 28 different tiles")


def starter_rule(ruleset: Ruleset, previous: Previous | None) -> StarterRule:
    """Say which rule names the starter of the hand after `previous` (None: of the first hand)."""
    if previous is None:
        return ruleset.first_starter
    locked = previous.ended.kind is OutcomeKind.LOCK
    return ruleset.starter_after_lock if locked else ruleset.next_starter


def fixed_starter(terms: Terms, previous: Previous | None) -> int | None:
    """Give the seat that must start, or None where the lot decides."""
    rule = starter_rule(terms.ruleset, previous)
    if previous is None or rule is StarterRule.LOT:
        return None
    if rule is StarterRule.ROTATE:
        return (previous.starter + 1) % terms.seats
    return previous.ended.seat
