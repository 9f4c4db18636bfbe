"""Moments of matches that the board's tests look at: which game, and what has just happened.

In these matches everybody does the first legal thing, so a secret decides all of a match, and one
can be looked for in which the moment comes. The tests' installation plays on to it by the service.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from engine.actions import Draw
from engine.events import HandDealt, OutcomeKind, TilesDrawn
from engine.fairness import Shuffle
from engine.match import MatchState, Phase, apply, deal_hand, legal_actions, new_match
from engine.rulesets import ruleset_from_json

VIP = {"preset": "vip-draw", "deal": 5, "target": 100}
DOMINO101 = {"preset": "domino101", "deal": 7, "target": 101}
KRALOYUN = {"preset": "kraloyun", "deal": 7, "wins": 3}


@dataclass(frozen=True)
class Scene:
    """A moment of a match under a rule set; `comes` knows it."""

    comes: Callable[[MatchState], bool]
    ruleset: dict[str, Any] = field(hash=False)
    seats: int
    partners: bool = False


def drew_in_pairs_beside_a_bank(state: MatchState) -> bool:
    drew = state.hand is not None and isinstance(state.hand.last, TilesDrawn)
    return state.phase == Phase.PLAY and state.bank > 0 and drew


def seka(state: MatchState) -> bool:
    return state.phase == Phase.DEAL and state.bank > 0


def opened_with_the_bank(state: MatchState) -> bool:
    """A winner took the bank, and the account opened with drafts in it."""
    if state.phase != Phase.DEAL or len(state.frame.ended) < 2:
        return False
    before, last = state.frame.ended[-2:]
    if last.winner is None or before.open is None or before.drafts is None:
        return False
    opened = state.open is not None and state.open[last.winner] and not before.open[last.winner]
    return opened and before.bank > 0 and before.drafts[last.winner] > 0


def drafted(state: MatchState) -> bool:
    return state.phase == Phase.DEAL and state.drafts is not None and any(state.drafts)


def in_the_second_hand(state: MatchState) -> bool:
    laid = state.hand is not None and len(state.hand.laid) >= 6
    return state.phase == Phase.PLAY and state.hand_number == 1 and laid


def won_by_a_lock(state: MatchState) -> bool:
    ended = state.frame.ended
    locked = bool(ended) and ended[-1].kind == OutcomeKind.LOCK and ended[-1].winner is not None
    return state.phase == Phase.DEAL and locked


def before_the_opening(state: MatchState) -> bool:
    return state.phase == Phase.PLAY and state.hand is not None and not state.hand.laid


def a_hand_has_ended(state: MatchState) -> bool:
    return state.phase == Phase.DEAL and state.hand_number > 0


def must_draw(state: MatchState) -> bool:
    return legal_actions(state) == (Draw(),)


def match_is_over(state: MatchState) -> bool:
    return state.phase == Phase.OVER


SCENES = {
    "pairs": Scene(drew_in_pairs_beside_a_bank, DOMINO101, 2),
    "draw": Scene(must_draw, DOMINO101, 2),
    "over": Scene(match_is_over, DOMINO101, 4, partners=True),
    "seka": Scene(seka, DOMINO101, 3),
    "opened": Scene(opened_with_the_bank, DOMINO101, 2),
    "drafted": Scene(drafted, DOMINO101, 4, partners=True),
    "vip": Scene(in_the_second_hand, VIP, 4, partners=True),
    "vip-lock": Scene(won_by_a_lock, VIP, 4, partners=True),
    "kraloyun": Scene(before_the_opening, KRALOYUN, 3),
    "kraloyun-won": Scene(a_hand_has_ended, KRALOYUN, 3),
}


def _states(scene: Scene, secret: bytes) -> Iterator[MatchState]:
    shuffle = Shuffle(secret, ("",) * scene.seats)
    rules = ruleset_from_json(scene.ruleset)
    state = new_match(rules, seats=scene.seats, partners=scene.partners)
    while state.phase != Phase.OVER:
        deal = state.phase == Phase.DEAL
        state = (deal_hand(state, shuffle) if deal else apply(state, legal_actions(state)[0])).state
        yield state


def _secrets() -> Iterator[bytes]:
    return (hashlib.sha256(b"scene %d" % number).digest() for number in range(2000))


@cache
def secret_and_state(name: str) -> tuple[bytes, MatchState]:
    """Return the first secret in whose match the moment comes, and the state then."""
    scene = SCENES[name]
    for secret in _secrets():
        found = next(filter(scene.comes, _states(scene, secret)), None)
        if found is not None:
            return secret, found
    raise AssertionError(f"no match comes to {name}")


def secret_with_redeals(ruleset: dict[str, Any], seats: int, partners: bool, starter: int) -> bytes:
    """Return a secret whose first deal was refused, and whose `starter` opens."""
    start = new_match(ruleset_from_json(ruleset), seats=seats, partners=partners)
    for secret in _secrets():
        dealt = deal_hand(start, Shuffle(secret, ("",) * seats)).events[0]
        assert isinstance(dealt, HandDealt)
        if dealt.redeals and dealt.starter == starter:
            return secret
    raise AssertionError("no first deal was refused")
