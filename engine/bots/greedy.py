"""Bots that look one move ahead: the heaviest tile, or the best score."""

from collections.abc import Sequence

from engine.actions import Action, Play
from engine.events import TilePlayed
from engine.match import MatchState, apply


def heaviest(state: MatchState, actions: Sequence[Action], chance: int) -> Action:
    """Give the tile with most pips: it leaves the least to pay for."""
    return max(actions, key=_weight)


def best_score(state: MatchState, actions: Sequence[Action], chance: int) -> Action:
    """Give what scores most now; among equals doubles first, then the heaviest."""
    return max(actions, key=lambda action: (_scored(state, action), *_double_first(action)))


def _weight(action: Action) -> int:
    return action.tile.pips if isinstance(action, Play) else 0


def _double_first(action: Action) -> tuple[bool, int]:
    return isinstance(action, Play) and action.tile.double, _weight(action)


def _scored(state: MatchState, action: Action) -> int:
    event = apply(state, action).events[0]
    return event.scored if isinstance(event, TilePlayed) else 0
