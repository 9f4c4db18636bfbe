"""Domino 101 (rules.md, Domino 101): deals that are refused, a market in pairs, seka and drafts.

The values, and the reasons to refuse a deal; what the values mean stands in deal, scoring and hand.
"""

from engine.events import RedealReason
from engine.rulesets.family import Dealt, Family
from engine.rulesets.fields import (
    SCORED_BY_SIDE,
    BySeats,
    DraftsOnOpening,
    DrawRule,
    ForcedOpening,
    HandScoring,
    Length,
    LengthKind,
    LockTie,
    StarterRule,
)
from engine.tiles import DOUBLES, Suit, mask_of

TOO_MANY = 5


def crowded_suit(dealt: Dealt) -> bool:
    """Find a rack with five or more tiles of one suit, its double not counted.

    >>> from engine.tiles import Suit, TILES
    >>> crowded_suit(Dealt((Suit.of(3)[:5], TILES[:1]), first=True, opening=None))  # 3-3 is one
    False
    >>> crowded_suit(Dealt((Suit.of(3)[:6], TILES[:1]), first=True, opening=None))
    True
    """
    racks = [mask_of(rack) & ~DOUBLES for rack in dealt.racks]
    return any((rack & suit).bit_count() >= TOO_MANY for rack in racks for suit in Suit.MASKS)


def crowded_doubles(dealt: Dealt) -> bool:
    """Find a rack with five or more doubles.

    >>> from engine.tiles import TILES
    >>> doubles = tuple(tile for tile in TILES if tile.double)
    >>> [crowded_doubles(Dealt((doubles[:n],), first=True, opening=None)) for n in (4, 5)]
    [False, True]
    """
    return any((mask_of(rack) & DOUBLES).bit_count() >= TOO_MANY for rack in dealt.racks)


def suit_kept_from_opponents(dealt: Dealt) -> bool:
    """Say whether, in a first hand of four, one pair has none of the opening double's suit.

    The pair that opens holds the double itself, so it is the other one that is looked for.

    >>> from engine.tiles import Suit, Tile
    >>> racks = (Suit.of(1)[:3], (Tile(2, 2),), Suit.of(1)[3:], (Tile(3, 3),))
    >>> suit_kept_from_opponents(Dealt(racks, first=True, opening=Tile(1, 1)))
    True
    """
    opening = dealt.opening
    if not dealt.first or len(dealt.racks) != 4 or opening is None or not opening.double:
        return False
    pairs = (mask_of(dealt.racks[0] + dealt.racks[2]), mask_of(dealt.racks[1] + dealt.racks[3]))
    suit = Suit.MASKS[opening.high]
    return not all(pair & suit for pair in pairs)


DOMINO101 = Family(
    name="domino101",
    deal=7,
    length=Length(LengthKind.TARGET, 101),
    lengths=tuple(LengthKind),
    partners={2: (False,), 3: (False,), 4: (True,)},
    values={
        "draw": BySeats(DrawRule.PAIRS, DrawRule.UNTIL_PLAYABLE, DrawRule.NONE),
        "reserve": BySeats(2, 1, 0),
        "first_starter": StarterRule.FIRST_DOUBLE,
        "next_starter": StarterRule.WENT_OUT,
        "starter_after_lock": StarterRule.LAST_PLACER,
        "forced_opening": ForcedOpening.FIRST,
        "no_double_redeals": True,
        "lock_waits_for_empty_stock": False,
        "fives": False,
        "hand_scoring": HandScoring.OPPONENTS_PIPS,
        "locker_pays": None,
        "going_out_wins": True,
        "blank_pips": 10,
        "lock_tie": LockTie.SEKA,
        "opening_minimum": 13,
        "bank_opens_account": True,
        "drafts_on_opening": DraftsOnOpening.KEEP,
    },
    offers={
        "hand_scoring": SCORED_BY_SIDE,
        "going_out_wins": (True,),
    },
    by_player=False,
    stake=11,
    refusals={
        RedealReason.SUIT: crowded_suit,
        RedealReason.DOUBLES: crowded_doubles,
        RedealReason.OPPONENTS: suit_kept_from_opponents,
    },
)
