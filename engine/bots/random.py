"""The bot that plays anything it may."""

from collections.abc import Sequence

from engine.actions import Action
from engine.match import MatchState


def any_action(state: MatchState, actions: Sequence[Action], chance: int) -> Action:
    """Give one of the actions, all as likely as the number is."""
    return actions[chance % len(actions)]
