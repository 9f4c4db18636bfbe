"""Snapshots: a state of a match as JSON values, for storage and for pickles.

A snapshot holds every hidden tile (never the secret), so it is shown to nobody. What is read may
come from an old or damaged store, so anything else than what `dump` writes is refused.
"""

import copyreg
from collections.abc import Mapping
from itertools import chain
from typing import Any

from engine import hand as hands
from engine.accounts import Accounts
from engine.deal import Before, opening_tile
from engine.errors import EngineError, InvalidSnapshot
from engine.events import (
    HandEnded,
    Passed,
    RedealReason,
    TilePlayed,
    TilesDrawn,
    event_from_json,
    event_to_json,
    flags_from,
    list_from,
    number_from,
    numbers_from,
    texts,
)
from engine.hand import HandState, Past, Position
from engine.line import ends_after
from engine.log import Log
from engine.match import (
    RECENT_HANDS,
    Frame,
    MatchState,
    Phase,
    first_state,
    legal_actions,
    made_state,
    new_match,
)
from engine.rulesets import ruleset_from_json
from engine.scoring import MatchResult
from engine.tiles import FULL_SET, TILES, Tile, brief, mask_of, tile_from_text, tiles_in

FORMAT = 2
_WITHOUT_ACCOUNTS = 1  # the format that knew totals alone; tables under way may still have it


def dump(state: MatchState) -> dict[str, object]:
    """Write a state as JSON values, small and of a size that does not grow with the match.

    It holds every hidden tile (never the secret): for storage, not for people.

    >>> from engine.rulesets import preset
    >>> data = dump(new_match(preset("kraloyun"), seats=3))
    >>> data["format"], data["phase"], data["hand"]
    (2, 'deal', None)
    """
    frame, hand = state.frame, state.hand
    return {
        "format": FORMAT,
        "ruleset": state.ruleset.to_json(),
        "seats": state.seats,
        "partners": state.partners,
        "stake": frame.stake,
        "phase": frame.phase.value,
        "hand_number": frame.hand_number,
        "accounts": _dump_accounts(frame.accounts),
        "ended": [event_to_json(event) for event in frame.ended],
        "result": None if frame.result is None else [list(part) for part in frame.result],
        "hand": None if hand is None else _dump_hand(hand),
    }


def _dump_accounts(accounts: Accounts) -> dict[str, object]:
    return {
        name: value if isinstance(value, int) else list(value)
        for name, value in accounts._asdict().items()
    }


def _dump_hand(hand: HandState) -> dict[str, object]:
    return {
        "starter": hand.starter,
        "turn": hand.turn,
        "racks": [texts(tiles_in(rack)) for rack in hand.racks],
        "redeals": [reason.value for reason in hand.redeals],
        "stock": texts(hand.stock),
        "laid": [event_to_json(event) for event in hand.laid],
        "scores": list(hand.scores),
        "passed": hand.passed,
        "last": None if hand.last is None else event_to_json(hand.last),
    }


def load(data: Mapping[str, Any]) -> MatchState:
    """Read what `dump` wrote; anything else is an `InvalidSnapshot`. The log starts empty.

    >>> from engine.rulesets import preset
    >>> state = new_match(preset("aznif"), seats=4)
    >>> load(dump(state)) == state
    True
    """
    try:
        if number_from(data["format"]) not in (_WITHOUT_ACCOUNTS, FORMAT):
            raise InvalidSnapshot(f"a snapshot of format {FORMAT} is needed")
        return _load(data)
    except InvalidSnapshot:
        raise
    except (EngineError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidSnapshot(f"a snapshot cannot be read: {type(error).__name__}") from error


def _load(data: Mapping[str, Any]) -> MatchState:
    ruleset = ruleset_from_json(data["ruleset"])
    fresh = new_match(
        ruleset, seats=data["seats"], partners=data["partners"], stake=data["stake"]
    ).frame
    result = data["result"]
    frame = fresh._replace(
        phase=_phase_from(data["phase"]),
        hand_number=number_from(data["hand_number"]),
        accounts=_accounts_from(data, fresh.accounts),
        ended=tuple(map(_hand_ended_from, list_from(data["ended"]))),
        result=None if result is None else MatchResult(*map(numbers_from, list_from(result))),
    )
    _check_progress(frame)
    hand = data["hand"]
    state = first_state(frame, Past()) if hand is None else _load_hand(frame, hand)
    _check_phase(state, dealt=hand is not None)
    return state


def _check_progress(frame: Frame) -> None:
    """Refuse a number of hands that does not go with those that are remembered."""
    over = frame.phase is Phase.OVER
    finished = frame.hand_number + over
    if frame.hand_number < 0 or len(frame.ended) != min(RECENT_HANDS, finished):
        raise InvalidSnapshot("the hand's number does not go with the hands that ended")
    if over != (frame.result is not None):
        raise InvalidSnapshot("a match has a result exactly when it is over")


def _check_phase(state: MatchState, *, dealt: bool) -> None:
    """Refuse a hand that is in play while the match waits for a deal, and the other way round."""
    playing = bool(legal_actions(state))
    if playing != (state.phase is Phase.PLAY) or dealt != bool(playing or state.frame.ended):
        raise InvalidSnapshot("the phase is not that of the hand")


def _phase_from(value: object) -> Phase:
    if not isinstance(value, str):
        raise InvalidSnapshot("a phase is a word")
    return Phase(value)


def _accounts_from(data: Mapping[str, Any], fresh: Accounts) -> Accounts:
    """Read the accounts; there are as many of everything as in a fresh match."""
    if data["format"] == _WITHOUT_ACCOUNTS:
        kept: dict[str, Any] = {**_dump_accounts(fresh), "totals": data["totals"]}
    else:
        kept = dict(data["accounts"])
    accounts = Accounts(
        totals=numbers_from(kept["totals"]),
        drafts=numbers_from(kept["drafts"]),
        open=flags_from(kept["open"]),
        bank=number_from(kept["bank"]),
        wins=numbers_from(kept["wins"]),
    )
    if _sizes(accounts) != _sizes(fresh):
        raise InvalidSnapshot("the accounts are not those of this table")
    return accounts


def _sizes(accounts: Accounts) -> list[int]:
    return list(map(len, (accounts.totals, accounts.drafts, accounts.open, accounts.wins)))


def _hand_ended_from(data: Mapping[str, Any]) -> HandEnded:
    event = event_from_json(data)
    if not isinstance(event, HandEnded):
        raise InvalidSnapshot("a finished hand is no hand_ended event")
    return event


def _played_from(data: Mapping[str, Any]) -> TilePlayed:
    event = event_from_json(data)
    if not isinstance(event, TilePlayed):
        raise InvalidSnapshot("a placement is no tile_played event")
    return event


def _load_hand(frame: Frame, data: Mapping[str, Any]) -> MatchState:
    _check_seats(frame.rules.terms.seats, data)
    frame = frame._replace(
        starter=data["starter"],
        redeals=_redeals_from(data),
        stock=tuple(map(tile_from_text, list_from(data["stock"]))),
        scores=numbers_from(data["scores"]),
    )
    if len(frame.scores) != len(frame.accounts.totals):
        raise InvalidSnapshot("every account has a score")
    past = _past_from(data)
    held = [tuple(map(tile_from_text, list_from(rack))) for rack in data["racks"]]
    _check_set((*chain(*held), *frame.stock, *[event.tile for event in past.laid]))
    racks = hands.packed(held)
    position = _position_after(frame, past, data["turn"], racks)
    return made_state(Log(past), 0, frame, position, racks)


def _redeals_from(data: Mapping[str, Any]) -> tuple[RedealReason, ...]:
    """Read why deals were refused; a table under way may have been stored before that was kept."""
    return tuple(map(RedealReason, list_from(data.get("redeals", []))))


def _check_seats(seats: int, data: Mapping[str, Any]) -> None:
    for seat in (data["starter"], data["turn"]):
        if number_from(seat) not in range(seats):
            raise InvalidSnapshot(f"there is no seat {brief(seat)}")
    if len(list_from(data["racks"])) != seats:
        raise InvalidSnapshot("every seat has a rack")


def _check_set(tiles: tuple[Tile, ...]) -> None:
    if len(tiles) != len(TILES) or mask_of(tiles) != FULL_SET:
        raise InvalidSnapshot("racks, stock and line are not the 28 tiles")


def _position_after(frame: Frame, past: Past, turn: int, racks: int) -> Position:
    rules, positions = frame.rules, frame.rules.positions
    if not past.laid:
        return positions.opening(turn, _forced(frame))
    ends = ends_after((event.tile, event.end) for event in past.laid)
    position = positions.on_line(ends, turn)
    out = 0 in hands.unpacked(racks, positions.seats)
    if out or hands.is_locked(rules, position, racks, frame.stock):
        return positions.closed(ends, turn)
    return position


def _forced(frame: Frame) -> Tile | None:
    """Give the tile that must open; who started the hand before it does not matter for that."""
    last = frame.ended[-1] if frame.ended else None
    before = Before(frame.hand_number, None, last)
    return opening_tile(frame.rules.terms.ruleset, before, frame.stock)


def _past_from(data: Mapping[str, Any]) -> Past:
    last = None if data["last"] is None else event_from_json(data["last"])
    if not isinstance(last, TilePlayed | TilesDrawn | Passed | None):
        raise InvalidSnapshot("the last move of a hand is no move")
    laid = tuple(map(_played_from, list_from(data["laid"])))
    return Past(laid, number_from(data["passed"]), last)


def _reduced(state: MatchState) -> tuple[Any, ...]:
    return load, (dump(state),)


copyreg.pickle(MatchState, _reduced)
