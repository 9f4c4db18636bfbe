"""VIP Domino, draw and block (rules.md, VIP Domino): the winner of a hand scores the difference.

Data only; what the values mean stands in deal, scoring and hand.
"""

from engine.rulesets.family import Family
from engine.rulesets.fields import (
    SCORED_BY_SIDE,
    BySeats,
    DrawRule,
    ForcedOpening,
    HandScoring,
    Length,
    LengthKind,
    LockTie,
    StarterRule,
)

VIP_DRAW = Family(
    name="vip-draw",
    deal=BySeats(two=7, three=5, four=5),
    length=Length(LengthKind.TARGET, 100),
    lengths=tuple(LengthKind),
    partners={2: (False,), 4: (False, True)},
    values={
        "draw": DrawRule.UNTIL_PLAYABLE,
        "reserve": 0,
        "first_starter": StarterRule.LOT,
        "next_starter": StarterRule.ROTATE,
        "starter_after_lock": StarterRule.ROTATE,
        "forced_opening": ForcedOpening.NO,
        "no_double_redeals": False,
        "lock_waits_for_empty_stock": False,
        "fives": False,
        "hand_scoring": HandScoring.DIFFERENCE,
        "locker_pays": None,
        "going_out_wins": True,
        "blank_pips": 0,
        "lock_tie": LockTie.NOBODY,
        "opening_minimum": 0,
        "bank_opens_account": None,
        "drafts_on_opening": None,
    },
    offers={
        "hand_scoring": SCORED_BY_SIDE,
        "opening_minimum": (0,),
    },
    by_player=False,
    stake=11,
)
VIP_BLOCK = VIP_DRAW._replace(name="vip-block", values={**VIP_DRAW.values, "draw": DrawRule.NONE})
