"""Matches that are played by the engine and settled with their whole records."""

from typing import Any

from engine.fairness import Shuffle
from engine.match import MatchState, Phase, apply, deal_hand, events_of, legal_actions, new_match
from engine.record import record_of
from engine.rulesets import ruleset_from_json
from league.results.models import Match, Result
from league.settlement.services import match_settle

SECRET = bytes([11] * 32)  # the third seat wins, the first is last


def settle_played(match: Match, secret: bytes = SECRET) -> Result:
    """Play a match to its end, always the first legal action, and settle it with its record."""
    shuffle = Shuffle(secret, ("",) * match.seats)
    state = _played(match, shuffle)
    assert state.result is not None
    record = record_of(
        events=events_of(state),
        ruleset=state.ruleset,
        seats=state.seats,
        partners=state.partners,
        stake=state.stake,
        shuffle=shuffle,
    )
    return match_settle(
        match_id=match.pk,
        scores=state.result.scores,
        places=state.result.places,
        points=state.result.points,
        record={**record, "players": _players(match)},
    )


def _played(match: Match, shuffle: Shuffle) -> MatchState:
    ruleset = ruleset_from_json(match.ruleset)
    state = new_match(ruleset, seats=match.seats, partners=match.partners, stake=match.stake)
    while state.phase is not Phase.OVER:
        state = deal_hand(state, shuffle).state
        while actions := legal_actions(state):
            state = apply(state, actions[0]).state
    return state


def _players(match: Match) -> list[list[dict[str, Any]]]:
    """The record's `players` of a match whose people sat there throughout."""
    seats = match.stints.select_related("player").order_by("seat")
    return [
        [
            {
                "id": stint.player_id,
                "name": str(stint.player),
                "from_hand": 0,
                "how": "start",
                "left": None,
            }
        ]
        for stint in seats
    ]
