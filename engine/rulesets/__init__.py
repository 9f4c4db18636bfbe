"""The presets by name, and the ways to make a rule set from one.

A new family is a file here and its name in `FAMILIES`. It scores and refuses by what is there or
by hooks of its own; its name for people stands in `league.tournaments.wording`.
"""

from engine.errors import InvalidRuleset, RulesetFault
from engine.rulesets.aznif import AZNIF
from engine.rulesets.base import Ruleset, Terms, build
from engine.rulesets.domino101 import DOMINO101
from engine.rulesets.family import Dealt, Family, PlacementScore, Refusal, choices, settable
from engine.rulesets.fields import (
    DEALS,
    LENGTHS,
    BySeats,
    DraftsOnOpening,
    DrawRule,
    ForcedOpening,
    HandScoring,
    Length,
    LengthKind,
    LockTie,
    Numbers,
    StarterRule,
    Value,
    at_seats,
)
from engine.rulesets.kraloyun import KRALOYUN
from engine.rulesets.vip import VIP_BLOCK, VIP_DRAW
from engine.tiles import brief

FAMILIES = {family.name: family for family in (AZNIF, VIP_DRAW, VIP_BLOCK, DOMINO101, KRALOYUN)}
PRESETS = tuple(FAMILIES)


def preset(name: str, /, **options: object) -> Ruleset:
    """Give a preset's rule set, with options changed; raise `InvalidRuleset`.

    A house rule set is made so: every field of rules.md's table, `deal`, one of `hands`, `target`
    and `wins`, and `version` may be given.

    >>> preset("aznif", deal=5, hands=3).to_json()
    {'preset': 'aznif', 'deal': 5, 'hands': 3}
    >>> preset("kraloyun", deal=7, wins=3, fives=True).to_json()
    {'preset': 'kraloyun', 'deal': 7, 'wins': 3, 'fives': True}
    >>> preset("vip-draw", hands=3, target=50)
    Traceback (most recent call last):
    engine.errors.InvalidRuleset: a match has one length, not hands and target
    """
    return build(_family(name), options)


def ruleset_from_json(data: object) -> Ruleset:
    """Read a rule set as a record writes it; preset, deal and length must stand there.

    >>> ruleset_from_json({"preset": "aznif", "deal": 7, "hands": 11}).next_starter.value
    'went_out'
    >>> ruleset_from_json({"preset": "aznif", "deal": 8, "hands": 11})
    Traceback (most recent call last):
    engine.errors.InvalidRuleset: deal is from 1 to 7, not 8
    """
    if not isinstance(data, dict):
        raise InvalidRuleset(RulesetFault.WRONG_TYPE, f"a rule set is an object, not {brief(data)}")
    options = dict(data)
    family = _family(options.pop("preset", None))
    if "deal" not in options:
        raise InvalidRuleset(RulesetFault.MISSING_FIELD, "a rule set says its deal", "deal")
    if not any(kind.value in options for kind in LengthKind):
        raise InvalidRuleset(
            RulesetFault.MISSING_FIELD, "a rule set says its hands, target or wins"
        )
    if options.get("version", 1) is None:
        raise InvalidRuleset(RulesetFault.WRONG_TYPE, "version is a number, not None", "version")
    return build(family, options)


def _family(name: object) -> Family:
    family = FAMILIES.get(name) if isinstance(name, str) else None
    if family is None:
        known = ", ".join(PRESETS)
        sentence = f"no preset is named {brief(name)}, only {known}"
        raise InvalidRuleset(RulesetFault.UNKNOWN_PRESET, sentence, "preset")
    return family


__all__ = [
    "DEALS",
    "FAMILIES",
    "LENGTHS",
    "PRESETS",
    "BySeats",
    "Dealt",
    "DraftsOnOpening",
    "DrawRule",
    "Family",
    "ForcedOpening",
    "HandScoring",
    "Length",
    "LengthKind",
    "LockTie",
    "Numbers",
    "PlacementScore",
    "Refusal",
    "Ruleset",
    "StarterRule",
    "Terms",
    "Value",
    "at_seats",
    "build",
    "choices",
    "preset",
    "ruleset_from_json",
    "settable",
]
