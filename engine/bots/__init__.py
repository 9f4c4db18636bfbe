"""Bots: how a seat plays by itself. They see what their seat sees, never another rack.

`choose` takes the legal actions of the seat on turn; chance comes in as a number, so that the same
number gives the same action.
"""

from collections.abc import Callable, Mapping, Sequence

from engine.actions import Action, Play
from engine.bots.greedy import best_score, heaviest
from engine.bots.random import any_action
from engine.match import MatchState, legal_actions

Player = Callable[[MatchState, Sequence[Action], int], Action]
PLAYERS: Mapping[str, Player] = {
    "random": any_action,
    "heaviest": heaviest,
    "best": best_score,
}


def choose(name: str, state: MatchState, chance: int) -> Action:
    """Give the action that the bot of this name takes for the seat on turn.

    >>> from engine.fairness import Shuffle
    >>> from engine.match import deal_hand, new_match
    >>> from engine.rulesets import preset
    >>> shuffle = Shuffle(bytes(range(32)), ("", ""))
    >>> state = deal_hand(new_match(preset("aznif"), seats=2), shuffle).state
    >>> choose("heaviest", state, chance=0) in legal_actions(state)
    True
    """
    actions = legal_actions(state)
    if len(actions) == 1 or not isinstance(actions[0], Play):
        return actions[0]
    return PLAYERS[name](state, actions, chance)
