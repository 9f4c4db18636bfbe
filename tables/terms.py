"""The rule set of a tournament or table: in words for people, as facts for the board's script.

Its names of fields and values are those of `league.tournaments.terms`.
"""

from typing import Any, Protocol

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.rulesets import Terms, ruleset_from_json
from engine.rulesets.base import at_seats
from league.tournaments.terms import field_text, length_text, preset_text, value_text

_FACTS = (
    "first_starter",
    "next_starter",
    "starter_after_lock",
    "hand_scoring",
    "locker_pays",
    "blank_pips",
    "lock_tie",
    "opening_minimum",
    "drafts_on_opening",
)


class Played(Protocol):
    """What is played under a rule set at so many seats: a tournament, a match."""

    ruleset: Any
    seats: Any
    partners: Any


def terms_of(played: Played) -> Terms:
    """Return the rule set at its table."""
    return ruleset_from_json(played.ruleset).at(played.seats, played.partners)


def board_rules(played: Played) -> dict[str, Any]:
    """Return what the board's script must know of the rules, and `words`, their lines."""
    terms = terms_of(played)
    facts = {name: getattr(terms.ruleset, name) for name in _FACTS}
    at_table = {"draw": terms.draw, "reserve": terms.reserve}
    return {**facts, **at_table, "words": [game_line(terms), *differences(terms)]}


def game_line(terms: Terms) -> str:
    """Return the game in a line: "Domino 101 · to 101 · 7 tiles each · partners"."""
    tiles = ngettext("%(n)d tile each", "%(n)d tiles each", terms.deal) % {"n": terms.deal}
    parts = [preset_text(terms.ruleset.preset), length_text(terms.ruleset.length), tiles]
    return " · ".join([*parts, _("partners")] if terms.partners else parts)


def differences(terms: Terms) -> list[str]:
    """Return what is played otherwise than the game's preset says, a line a field."""
    family = terms.ruleset.family
    lines = []
    for name, usual in family.values.items():
        value = at_seats(getattr(terms.ruleset, name), terms.seats)
        if value != at_seats(usual, terms.seats):
            lines.append(f"{field_text(name)}: {value_text(family, value)}")
    return lines
