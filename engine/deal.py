"""How a hand is dealt: racks and stock, which deals are refused, who starts and with which tile.

The order comes from a shuffle or from a record; no chance lives here.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.errors import InvalidDeal
from engine.events import HandEnded, OutcomeKind, Racks, Redeal, RedealReason
from engine.rulesets import Dealt, ForcedOpening, Ruleset, StarterRule, Terms
from engine.tiles import DOUBLES, FULL_SET, TILES, Tile, mask_of


class Deal(NamedTuple):
    """Racks by seat as dealt, and the stock in drawing order, its reserve last.

    >>> len(Deal((TILES[:7], TILES[7:14]), TILES[14:]).stock)
    14
    """

    racks: Racks
    stock: tuple[Tile, ...]


class Before(NamedTuple):
    """What a deal hangs on: the hand's number (from 0), and the hand before it.

    `starter` started the hand before and `ended` is its end; both None for a first hand.

    >>> Before(0).ended is None
    True
    """

    number: int
    starter: int | None = None
    ended: HandEnded | None = None


def split(order: tuple[Tile, ...], seats: int, deal: int) -> Deal:
    """Deal an order out: seat 0 takes the first `deal` tiles, seat 1 the next, the stock the rest.

    >>> deal = split(TILES, 2, 7)
    >>> str(deal.racks[1][0]), len(deal.stock)
    ('3-1', 14)
    """
    taken = seats * deal
    racks = tuple([order[at : at + deal] for at in range(0, taken, deal)])
    return Deal(racks, order[taken:])


def check_deal(deal: Deal, terms: Terms) -> None:
    """Refuse a deal that is not the 28 tiles in racks of the right size with `InvalidDeal`.

    >>> from engine.rulesets import preset
    >>> check_deal(split(TILES, 2, 5), preset("aznif").at(2, partners=False))
    Traceback (most recent call last):
    engine.errors.InvalidDeal: each of the 2 seats gets 7 tiles
    """
    size = terms.deal
    if len(deal.racks) != terms.seats or any(len(rack) != size for rack in deal.racks):
        raise InvalidDeal(f"each of the {terms.seats} seats gets {size} tiles")
    tiles = [tile for rack in (*deal.racks, deal.stock) for tile in rack]
    if len(tiles) != len(TILES) or mask_of(tiles) != FULL_SET:
        raise InvalidDeal("racks and stock are not the 28 different tiles")


# --- who starts, and with which tile ------------------------------------------------------------


# looked up once: a member's look-up by its name costs as much as a small function
_LOCK, _LOT, _ROTATE = OutcomeKind.LOCK, StarterRule.LOT, StarterRule.ROTATE
_NOT_FORCED, _FORCED_FIRST = ForcedOpening.NO, ForcedOpening.FIRST


def starter_rule(ruleset: Ruleset, before: Before) -> StarterRule:
    """Say which rule names the starter.

    >>> from engine.rulesets import preset
    >>> starter_rule(preset("domino101"), Before(0)).value
    'first_double'
    """
    if before.ended is None:
        return ruleset.first_starter
    locked = before.ended.kind is _LOCK
    return ruleset.starter_after_lock if locked else ruleset.next_starter


_HEAVIEST = sorted(TILES, key=lambda tile: (tile.double, tile.pips, tile.high), reverse=True)
_ONE_TO_BLANK = sorted(TILES, key=lambda tile: (tile.double, -(tile.high or 7)), reverse=True)
_NAMING: dict[StarterRule, tuple[Tile, ...]] = {
    StarterRule.HIGHEST_DOUBLE: tuple(_HEAVIEST),
    StarterRule.FIRST_DOUBLE: (*_ONE_TO_BLANK[:7], *_HEAVIEST[7:]),
}
"""Rules that look for a tile: the holder of the first of these that was dealt starts."""


def naming_tile(rule: StarterRule, stock: Sequence[Tile]) -> Tile | None:
    """Give the tile whose holder starts, None where no tile names the starter.

    6-6 down to 0-0, or 1-1 … 6-6 0-0; without a double the tile with most pips, then the higher
    half (rules.md, Kraloyun; Domino 101).

    >>> naming_tile(StarterRule.FIRST_DOUBLE, [Tile(1, 1)])
    Tile(2, 2)
    >>> naming_tile(StarterRule.HIGHEST_DOUBLE, [tile for tile in TILES if tile.double])
    Tile(6, 5)
    """
    if rule not in _NAMING:
        return None
    undealt = mask_of(stock)
    return next(tile for tile in _NAMING[rule] if not tile.bit & undealt)


def opening_tile(ruleset: Ruleset, before: Before, stock: Sequence[Tile]) -> Tile | None:
    """Give the tile that must open (`forced_opening`): the one that named the starter.

    >>> from engine.rulesets import preset
    >>> opening_tile(preset("kraloyun"), Before(0), stock=[Tile(6, 6)])
    Tile(5, 5)
    >>> opening_tile(preset("aznif"), Before(0), stock=[]) is None
    True
    """
    forced = ruleset.forced_opening
    if forced is _NOT_FORCED or (forced is _FORCED_FIRST and before.number):
        return None
    return naming_tile(starter_rule(ruleset, before), stock)


def fixed_starter(terms: Terms, before: Before, deal: Deal) -> int | None:
    """Give the seat that must start, or None where the lot decides.

    >>> from engine.rulesets import preset
    >>> terms = preset("kraloyun").at(2, partners=False)
    >>> fixed_starter(terms, Before(0), split(TILES, 2, 7))  # seat 1 holds 3-3
    1
    """
    rule = starter_rule(terms.ruleset, before)
    if rule is _LOT:
        return None
    tile = naming_tile(rule, deal.stock)
    if tile is not None:
        return next(seat for seat, rack in enumerate(deal.racks) if tile in rack)
    assert before.starter is not None  # the other rules go by the hand before
    assert before.ended is not None
    if rule is _ROTATE:
        return (before.starter + 1) % terms.seats
    return before.ended.seat


# --- which deals are refused --------------------------------------------------------------------


def reasons_to_redeal(terms: Terms, before: Before, deal: Deal) -> Iterator[RedealReason]:
    """Give every reason for which a deal is refused: the family's own, then `no_double_redeals`.

    >>> from engine.rulesets import preset
    >>> terms = preset("domino101").at(2, partners=False)
    >>> order = (*[tile for tile in TILES if tile.double], *[t for t in TILES if not t.double])
    >>> [reason.value for reason in reasons_to_redeal(terms, Before(3), split(order, 2, 7))]
    ['doubles']
    """
    ruleset, first = terms.ruleset, before.number == 0
    if ruleset.family.refusals:
        dealt = Dealt(deal.racks, first, opening_tile(ruleset, before, deal.stock))
        for reason, refuses in ruleset.family.refusals.items():
            if refuses(dealt):
                yield reason
    if first and ruleset.no_double_redeals and not DOUBLES & ~mask_of(deal.stock):
        yield RedealReason.NO_DOUBLE


def check_redeals(terms: Terms, before: Before, redeals: Sequence[Redeal], deal: Deal) -> None:
    """Refuse with `InvalidDeal` redeals without their reason, and a last deal that has one.

    >>> from engine.rulesets import preset
    >>> deal = split(TILES, 2, 7)
    >>> redeal = Redeal(deal.racks, deal.stock, RedealReason.DOUBLES)
    >>> check_redeals(preset("domino101").at(2, partners=False), Before(1), [redeal], deal)
    Traceback (most recent call last):
    engine.errors.InvalidDeal: redeal 1 has no reason doubles
    """
    for number, redeal in enumerate(redeals, start=1):
        refused = Deal(redeal.racks, redeal.stock)
        check_deal(refused, terms)
        if redeal.reason not in reasons_to_redeal(terms, before, refused):
            raise InvalidDeal(f"redeal {number} has no reason {redeal.reason}")
    reason = next(reasons_to_redeal(terms, before, deal), None)
    if reason is not None:
        raise InvalidDeal(f"this deal is refused, by reason {reason}: all is dealt again")
