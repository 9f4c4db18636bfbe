"""What the demonstration can show: each game as it is usually played, short where it is long.

Pure: no Django.
"""

from dataclasses import dataclass

from engine.rulesets import PRESETS, Ruleset, preset

_OPTIONS: dict[str, dict[str, object]] = {
    "aznif": {"deal": 5, "hands": 3},
    "kraloyun": {"wins": 3},
}
_PARTNERS = frozenset({"vip-draw", "vip-block", "domino101"})
"""Games whose tables of four are shown with partners."""
GAMES = tuple(PRESETS)
MOST_SEATS = 4


@dataclass(frozen=True, slots=True)
class Game:
    """What is played, and by how many at a table."""

    ruleset: Ruleset
    seats: int
    partners: bool


def game_shown(name: str, seats: int) -> Game:
    """Return a game as the demonstration shows it. Raises InvalidRuleset if none is played so."""
    rules = preset(name, **_OPTIONS.get(name, {}))
    partners = seats == MOST_SEATS and name in _PARTNERS
    rules.at(seats, partners)
    return Game(rules, seats, partners)
