"""Aznif (rules.md, Aznif): fives are scored while playing, pips are lost at a hand's end.

Data only; what the values mean stands in deal, scoring and hand.
"""

from engine.rulesets.family import Family
from engine.rulesets.fields import (
    DrawRule,
    ForcedOpening,
    HandScoring,
    Length,
    LengthKind,
    StarterRule,
)

AZNIF = Family(
    name="aznif",
    deal=7,
    length=Length(LengthKind.HANDS, 11),
    lengths=(LengthKind.HANDS,),
    partners={2: (False,), 3: (False,), 4: (False, True)},
    values={
        "draw": DrawRule.UNTIL_PLAYABLE,
        "reserve": 0,
        "first_starter": StarterRule.LOT,
        "next_starter": StarterRule.WENT_OUT,
        "starter_after_lock": StarterRule.LOT,
        "forced_opening": ForcedOpening.NO,
        "no_double_redeals": False,
        "lock_waits_for_empty_stock": False,
        "fives": True,
        "hand_scoring": HandScoring.PIP_LOSS,
        "locker_pays": True,
        "going_out_wins": None,
        "blank_pips": 0,
        "lock_tie": None,
        "opening_minimum": 0,
        "bank_opens_account": None,
        "drafts_on_opening": None,
    },
    offers={
        "hand_scoring": (HandScoring.PIP_LOSS,),
        "opening_minimum": (0,),
    },
    by_player=True,
    stake=None,
)
