"""Kraloyun (rules.md, Kraloyun): the highest double opens, and a won hand is a won hand.

Data only; what the values mean stands in deal, scoring and hand.
"""

from engine.rulesets.family import Family
from engine.rulesets.fields import (
    SCORED_BY_SIDE,
    DrawRule,
    ForcedOpening,
    HandScoring,
    Length,
    LengthKind,
    LockTie,
    StarterRule,
)

KRALOYUN = Family(
    name="kraloyun",
    deal=7,
    length=Length(LengthKind.HANDS, 1),
    lengths=tuple(LengthKind),
    partners={2: (False,), 3: (False,), 4: (False, True)},
    values={
        "draw": DrawRule.UNTIL_PLAYABLE,
        "reserve": 0,
        "first_starter": StarterRule.HIGHEST_DOUBLE,
        "next_starter": StarterRule.HIGHEST_DOUBLE,
        "starter_after_lock": StarterRule.HIGHEST_DOUBLE,
        "forced_opening": ForcedOpening.ALWAYS,
        "no_double_redeals": False,
        "lock_waits_for_empty_stock": True,
        "fives": False,
        "hand_scoring": HandScoring.ONE_WIN,
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
        "going_out_wins": (True,),
        "opening_minimum": (0,),
    },
    by_player=False,
    stake=11,
)
