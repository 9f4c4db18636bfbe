"""A match played on paper first: what the people of the browser test will meet, by the engine.

They play the first tile of the rack that fits; where it fits at both ends they choose the right
one. So a secret decides the whole match, and one can be looked for that holds what a test is about.
"""

import hashlib
from dataclasses import dataclass

from engine.actions import Action, Draw, Pass, Play
from engine.fairness import Shuffle
from engine.line import End
from engine.match import MatchState, Phase, apply, deal_hand, legal_actions, new_match
from engine.rulesets import ruleset_from_json
from engine.view import view_for

RULESET = {"preset": "aznif", "deal": 5, "hands": 3}
SEATS = 4


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What happens in the match of a secret, and how it ends."""

    secret: bytes
    moves: int
    draws: int
    passes: int
    choices: int
    places: tuple[int, ...]
    points: tuple[int, ...]


def secret_with_a_draw_and_a_choice() -> Rehearsal:
    """Return the shortest of the first matches that hold a draw, a pass and a choice of end."""
    matches = (rehearse(hashlib.sha256(b"rehearsal %d" % n).digest()) for n in range(60))
    fitting = [match for match in matches if match.draws and match.passes and match.choices]
    return min(fitting, key=lambda match: match.moves)


def rehearse(secret: bytes) -> Rehearsal:
    """Play the match of a secret to its end."""
    shuffle = Shuffle(secret, ("",) * SEATS)
    state = new_match(ruleset_from_json(RULESET), seats=SEATS)
    done: list[Action] = []
    choices = 0
    while state.phase != Phase.OVER:
        if state.phase == Phase.DEAL:
            state = deal_hand(state, shuffle).state
            continue
        action, chosen = _next(state)
        choices += chosen
        done.append(action)
        state = apply(state, action).state
    assert state.result is not None
    return Rehearsal(
        secret=secret,
        moves=len(done),
        draws=sum(isinstance(action, Draw) for action in done),
        passes=sum(isinstance(action, Pass) for action in done),
        choices=choices,
        places=tuple(state.result.places),
        points=tuple(state.result.points),
    )


def _next(state: MatchState) -> tuple[Action, bool]:
    """Return what the person on turn does, and whether an end had to be chosen."""
    legal = legal_actions(state)
    if not isinstance(legal[0], Play):
        return legal[0], False
    by_tile: dict[str, list[Play]] = {}
    for action in legal:
        assert isinstance(action, Play)
        by_tile.setdefault(str(action.tile), []).append(action)
    rack = view_for(state, state.turn)["rack"]
    plays = by_tile[next(tile for tile in rack if tile in by_tile)]
    right = next((play for play in plays if play.end == End.R), plays[0])
    return right, len(plays) > 1
