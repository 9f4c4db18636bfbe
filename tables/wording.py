"""The rule set of a table as the board's script gets it: facts, and lines of words.

The words themselves are those of `league.tournaments.wording`.
"""

from typing import Any

from league.tournaments.wording import Played, differences, game_line, terms_of

_FACTS = (
    "first_starter",
    "next_starter",
    "starter_after_lock",
    "fives",
    "hand_scoring",
    "locker_pays",
    "blank_pips",
    "lock_tie",
    "opening_minimum",
    "drafts_on_opening",
)


def board_rules(played: Played) -> dict[str, Any]:
    """Return what the board's script must know of the rules, and `words`, their lines."""
    terms = terms_of(played)
    facts = {name: getattr(terms.ruleset, name) for name in _FACTS}
    at_table = {"draw": terms.draw, "reserve": terms.reserve}
    return {**facts, **at_table, "words": [game_line(terms), *differences(terms)]}
