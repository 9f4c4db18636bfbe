"""What one seat, or a spectator, may see of a state and of an event.

Foreign racks and the stock are counts, a foreign draw shows how many; everything else is open.
Whatever leaves the engine for people passes through here.
"""

from typing import Any

from engine.actions import action_to_json
from engine.events import (
    Event,
    HandDealt,
    HandEnded,
    Racks,
    TilePlayed,
    TilesDrawn,
    event_to_json,
    texts,
)
from engine.hand import HandState
from engine.line import line_of
from engine.match import MatchState, legal_actions
from engine.tiles import tiles_in

Json = dict[str, Any]


def view_for(state: MatchState, seat: int | None) -> Json:
    """Show a state to a seat, or with None to a spectator, as JSON values.

    Between hands the line, racks and counts are still those of the hand just finished. A seat that
    the table does not have is a `ValueError`.

    >>> from engine.match import new_match
    >>> from engine.rulesets import preset
    >>> view = view_for(new_match(preset("aznif"), seats=4), None)
    >>> view["phase"], view["rack"], view["legal"]
    ('deal', None, [])
    """
    return {**open_view(state), **own_view(state, seat)}


def open_view(state: MatchState) -> Json:
    """Show of a state what everybody may see: a view without `rack` and `legal`.

    Where one state is shown to many, this part is made once.
    """
    return {
        **_match_part(state),
        **_hand_part(state),
        "ended": _ended(state),
        "result": _result(state),
    }


def own_view(state: MatchState, seat: int | None) -> Json:
    """Show of a state what only one seat may see; with None nothing of it.

    A seat that the table does not have is a `ValueError`.

    >>> from engine.match import new_match
    >>> from engine.rulesets import preset
    >>> state = new_match(preset("aznif"), seats=4)
    >>> own_view(state, 2), own_view(state, None)
    ({'rack': [], 'legal': []}, {'rack': None, 'legal': []})
    """
    if seat is not None and seat not in range(state.seats):
        raise ValueError(f"the table has no seat {seat}")
    return {"rack": _rack(state, seat), "legal": _legal(state, seat)}


def _rack(state: MatchState, seat: int | None) -> list[str] | None:
    if seat is None:
        return None
    hand = state.hand
    return [] if hand is None else texts(tiles_in(hand.racks[seat]))


def _match_part(state: MatchState) -> Json:
    players = state.player_totals
    return {
        "ruleset": state.ruleset.to_json(),
        "seats": state.seats,
        "partners": state.partners,
        "stake": state.stake,
        "phase": state.phase.value,
        "hand": state.hand_number,
        "hands": state.ruleset.hands,
        "length": {"kind": state.ruleset.length.kind.value, "number": state.ruleset.length.number},
        "turn": state.turn,
        "totals": list(state.totals),
        "player_totals": None if players is None else list(players),
        "drafts": None if state.drafts is None else list(state.drafts),
        "open": None if state.open is None else list(state.open),
        "bank": state.bank,
        "wins": list(state.wins),
    }


def _hand_part(state: MatchState) -> Json:
    hand = state.hand
    if hand is None:
        return _nothing_dealt(state)
    line = line_of((event.tile, event.end) for event in hand.laid)
    return {
        "starter": hand.starter,
        "redeals": [reason.value for reason in hand.redeals],
        "line": [list(halves) for halves in line.halves],
        "first": line.first,
        "ends": {"L": hand.ends.left, "R": hand.ends.right} if hand.laid else None,
        "sum": hand.ends.sum if hand.laid and state.ruleset.fives else None,
        "counts": [rack.bit_count() for rack in hand.racks],
        "stock": len(hand.stock),
        "drawable": hand.drawable,
        "last": _last(hand),
        "passed": [owner for owner in range(state.seats) if hand.passed >> owner & 1],
    }


def _nothing_dealt(state: MatchState) -> Json:
    return {
        "starter": None,
        "redeals": [],
        "line": [],
        "first": None,
        "ends": None,
        "sum": None,
        "counts": [0] * state.seats,
        "stock": 0,
        "drawable": 0,
        "last": None,
        "passed": [],
    }


def _last(hand: HandState) -> Json | None:
    event = hand.last
    if event is None:
        return None
    if isinstance(event, TilePlayed):
        end = None if event.end is None else event.end.value
        return {"seat": event.seat, "play": event.tile.text, "end": end, "scored": event.scored}
    if isinstance(event, TilesDrawn):
        return {"seat": event.seat, "draw": len(event.tiles)}
    return {"seat": event.seat, "pass": True}


def _legal(state: MatchState, seat: int | None) -> list[Json]:
    if seat is None or seat != state.turn:
        return []
    return [action_to_json(action) for action in legal_actions(state)]


def _ended(state: MatchState) -> list[Json]:
    """Tell the finished hands; only the latest still has its racks to turn over."""
    shown = [_finished(event) for event in state.frame.ended]
    if shown:
        shown[-1]["racks"] = [texts(rack) for rack in state.frame.ended[-1].racks]
    return shown


def _finished(event: HandEnded) -> Json:
    return {
        "kind": event.kind.value,
        "seat": event.seat,
        "winner": event.winner,
        "scores": list(event.scores),
        "totals": list(event.totals),
        "drafts": None if event.drafts is None else list(event.drafts),
        "open": None if event.open is None else list(event.open),
        "bank": event.bank,
    }


def _result(state: MatchState) -> Json | None:
    result = state.result
    return None if result is None else {k: list(v) for k, v in result._asdict().items()}


def redact(event: Event, seat: int | None) -> Json:
    """Write an event as a seat, or with None a spectator, may see it.

    >>> from engine.tiles import Tile
    >>> drawn = TilesDrawn(1, (Tile(3, 0), Tile(5, 1)))
    >>> redact(drawn, 1)["tiles"], redact(drawn, 0)["tiles"], redact(drawn, None)["tiles"]
    (['3-0', '5-1'], 2, 2)
    """
    data = event_to_json(event)
    if isinstance(event, HandDealt):
        return {**data, **_deal_seen(event, seat)}
    if isinstance(event, TilesDrawn) and event.seat != seat:
        return {**data, "tiles": len(event.tiles)}
    return data


def _deal_seen(event: HandDealt, seat: int | None) -> Json:
    return {
        "racks": _racks_seen(event.racks, seat),
        "stock": len(event.stock),
        "redeals": [{"reason": redeal.reason.value} for redeal in event.redeals],
    }


def _racks_seen(racks: Racks, seat: int | None) -> list[list[str] | int]:
    return [texts(rack) if owner == seat else len(rack) for owner, rack in enumerate(racks)]
