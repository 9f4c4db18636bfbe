"""A table at one version, as a value, and what each receiver may see of it and do at it.

No database and no clock: services and selectors make a `Position` of rows, broadcasts and pages
make views of it. The secret enters only when the match is over; racks leave only through
`engine.view`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from engine.actions import Action, Draw, Play
from engine.events import Event
from engine.match import MatchState, Phase, legal_actions
from engine.scoring import match_result
from engine.view import open_view, own_view, redact
from tables.models import Pause, Table, TableKind, TableSeat, TableStatus
from tables.protocol import Do

Receiver = int | None
"""Who looks: a seat, or None for a spectator."""


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """A seat as everybody may see it."""

    seat: int
    player_id: int | None
    name: str
    bot: str
    sat: bool
    ready: bool
    empty: bool
    dropped: bool
    bank_ms: int
    auto_moves: int
    swap_with: int | None


@dataclass(frozen=True, slots=True)
class Decision:
    """Places and points by seat as an organizer named them, and why (empty: nothing is known)."""

    places: tuple[int, ...]
    points: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Position:
    """A table at a version. `secret` is hex, and empty until the match is over.

    The state, which holds racks and stock, stays out of the repr: that may reach a log.
    """

    table_id: int
    version: int
    status: str
    kind: str
    seats: tuple[SeatFacts, ...]
    manager: int | None
    commitment: str
    contributions: tuple[str, ...]
    secret: str
    fixture_id: int | None
    stake: int
    move_seconds: int | None
    bank_seconds: int
    pause: str
    empty: bool
    press_due: bool
    turn_left_ms: int | None
    chat: bool
    clockwise: bool
    deadline_at: datetime | None
    state: MatchState | None = field(repr=False)
    watched: MatchState | None = field(repr=False)
    delayed: bool = False
    decision: Decision | None = None

    def state_for(self, receiver: Receiver) -> MatchState | None:
        """Return the match as the receiver may know it: spectators may be some moves behind."""
        return self.state if receiver is not None else self.watched

    def late_for(self, receiver: Receiver) -> bool:
        """Tell whether the receiver is some moves behind."""
        return self.delayed and receiver is None

    def seat_of(self, player_id: int | None) -> Receiver:
        """Return the seat that a player holds; None for who holds none, and for nobody."""
        held = (seat.seat for seat in self.seats if player_id and seat.player_id == player_id)
        return next(held, None)

    @property
    def all_sat(self) -> bool:
        return all(seat.sat and not seat.empty for seat in self.seats)

    @property
    def stands_still(self) -> bool:
        """The match waits for somebody to sit down, to press, or to decide."""
        return self.status == TableStatus.PLAYING and bool(
            self.pause or self.empty or self.press_due
        )

    @property
    def between_hands(self) -> bool:
        return self.state is not None and self.state.phase == Phase.DEAL


def manager_of(table: Table, seats: Sequence[TableSeat]) -> int | None:
    """Return the manager's seat: who made a friendly table, else the lowest that is held."""
    held = [seat for seat in seats if seat.is_there and not seat.bot]
    own = (seat.seat for seat in held if table.owner_id and seat.player_id == table.owner_id)
    return next(own, held[0].seat if held else None)


@dataclass(frozen=True, slots=True)
class Shown:
    """What spectators of a delayed table hear: the command that is shown to them by now."""

    do: str | None
    seat: int | None
    auto: bool
    events: tuple[Event, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Change:
    """What one accepted command or time-out did: the position after it, and its events."""

    position: Position
    do: str
    seat: int | None
    auto: bool
    events: tuple[Event, ...] = field(repr=False)
    told: dict[str, Any] = field(default_factory=dict)
    shown: Shown | None = None  # to who is behind; None where they hear what all hear

    def event_for(self, receiver: Receiver) -> dict[str, Any]:
        """Return the `event` of an event frame, as `receiver` may see it."""
        told = self if receiver is not None or self.shown is None else self.shown
        return {
            "do": told.do,
            "seat": told.seat,
            "auto": told.auto,
            **self.told,
            "events": [redact(event, receiver) for event in told.events],
        }


def can(position: Position, receiver: Receiver) -> list[str]:
    """Return what a seat may do now, in a stable order; who has none may take an empty one."""
    if receiver is None:
        return _can_without_seat(position)
    if position.status == TableStatus.WAITING:
        return _can_waiting(position, receiver)
    if position.status == TableStatus.PLAYING and position.state is not None:
        return _can_playing(position, position.state, receiver)
    return []


def _can_without_seat(position: Position) -> list[str]:
    waiting = position.status == TableStatus.WAITING and position.kind == TableKind.FRIENDLY
    playing = position.status == TableStatus.PLAYING and position.kind != TableKind.PRACTICE
    open_seat = any(seat.empty for seat in position.seats)
    return [Do.SIT] if open_seat and (waiting or playing) else []


def _can_waiting(position: Position, seat: int) -> list[str]:
    if not position.seats[seat].sat:
        return [Do.SIT]
    start = [Do.START] if position.all_sat and position.manager == seat else []
    swap = [] if position.kind == TableKind.SCHEDULED else [Do.SWAP]
    return [Do.CONTRIBUTE, *start, *swap, Do.LEAVE]


def _can_playing(position: Position, state: MatchState, seat: int) -> list[str]:
    """Say what somebody may do in a match under way; a dropped player come back, or nothing."""
    if position.seats[seat].dropped:
        return [Do.SIT]
    if position.stands_still:
        return [*_can_still(position, seat), Do.LEAVE]
    manager = [Do.PAUSE] if position.manager == seat else []
    return [*_can_move(position, state, seat), *manager, Do.REFEREE, Do.LEAVE]


def _can_still(position: Position, seat: int) -> list[str]:
    if position.empty or position.pause == Pause.REFEREE:
        return []
    own = [Do.CONTINUE] if position.manager == seat else []
    return [*own, Do.REFEREE]


def _can_move(position: Position, state: MatchState, seat: int) -> list[str]:
    if position.between_hands:
        return [] if position.seats[seat].ready else [Do.READY]
    if state.turn != seat:
        return []
    return list(dict.fromkeys(do_of(action) for action in legal_actions(state)))


def price_of(position: Position) -> int:
    """Return the points that leaving costs now (rules.md: 2N, whatever the standing)."""
    costs = position.kind == TableKind.SCHEDULED and position.status == TableStatus.PLAYING
    return 2 * position.stake if costs else 0


def do_of(action: Action) -> Do:
    """Return the command word of an action."""
    if isinstance(action, Play):
        return Do.PLAY
    return Do.DRAW if isinstance(action, Draw) else Do.PASS


def view_of(position: Position, receiver: Receiver) -> dict[str, Any]:
    """Return the whole view of a receiver: the table, and the match once it has begun."""
    return Views(position).of(receiver)


class Views:
    """The views of one position; what several receivers see alike is made once."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self._alike: dict[bool, tuple[dict[str, Any], dict[str, Any] | None]] = {}

    def of(self, receiver: Receiver) -> dict[str, Any]:
        """Return the view of a receiver."""
        position, late = self._position, self._position.late_for(receiver)
        if late not in self._alike:
            state = position.state_for(receiver)
            match = None if state is None else open_view(state)
            self._alike[late] = _table_of(position, state, late=late), match
        table, match = self._alike[late]
        return {
            "table": {**table, "you": receiver, "can": can(position, receiver)},
            "match": match and {**match, **self._own(receiver)},
        }

    def _own(self, receiver: Receiver) -> dict[str, Any]:
        state = self._position.state_for(receiver)
        return {} if state is None else own_view(state, receiver)


def _table_of(position: Position, state: MatchState | None, *, late: bool) -> dict[str, Any]:
    """Return what all see of the table who see the match at this state."""
    return {
        "id": position.table_id,
        "status": position.status,
        "kind": position.kind,
        "seats": _seats_of(position, late=late),
        "manager": position.manager,
        "commitment": position.commitment,
        "contributions": list(position.contributions),
        "secret": position.secret or None,
        "fixture": position.fixture_id,
        "stake": position.stake,
        "price": price_of(position),
        "move_seconds": position.move_seconds,
        "bank_seconds": position.bank_seconds,
        "pause": position.pause or None,
        "empty": position.empty,
        "press_due": position.press_due,
        "turn_left_ms": position.turn_left_ms,
        "chat": position.chat,
        "clockwise": position.clockwise,
        "standing": _standing_of(position, state),
        "decision": _decision_of(position),
    }


def _standing_of(position: Position, state: MatchState | None) -> dict[str, Any] | None:
    """Return places by seat, and at scheduled tables the points, if the match ended now.

    None before the first deal and once the match is over: then it has a result, or a decision.
    """
    if state is None or state.frame.starter is None or position.status != TableStatus.PLAYING:
        return None
    now = match_result(state.frame.rules.terms, state.totals, state.stake)
    return _ranked(position, now.places, now.points)


def _ranked(position: Position, places: Sequence[int], points: Sequence[int]) -> dict[str, Any]:
    counts = position.kind == TableKind.SCHEDULED
    return {"places": list(places), "points": list(points) if counts else None}


def _decision_of(position: Position) -> dict[str, Any] | None:
    decision = position.decision
    if decision is None:
        return None
    return {**_ranked(position, decision.places, decision.points), "reason": decision.reason}


def _seats_of(position: Position, *, late: bool) -> list[dict[str, Any]]:
    """Return the seats; who is behind does not learn by the ready ones that a hand has ended."""
    return [
        {
            "seat": seat.seat,
            "player": _player_of(seat),
            "bot": seat.bot or None,
            "sat": seat.sat,
            "ready": seat.ready and not late,
            "empty": seat.empty,
            "dropped": seat.dropped,
            "bank_ms": seat.bank_ms,
            "auto_moves": seat.auto_moves,
            "swap_with": seat.swap_with,
        }
        for seat in position.seats
    ]


def _player_of(seat: SeatFacts) -> dict[str, Any] | None:
    return None if seat.player_id is None else {"id": seat.player_id, "name": seat.name}


def clock_of(position: Position, receiver: Receiver, now: datetime) -> dict[str, int | None]:
    """Return the clock: the deadline and the server's time, both in epoch milliseconds.

    Who is behind gets no deadline of a turn that is not shown yet.
    """
    hidden = position.late_for(receiver) and not position.stands_still
    deadline = None if hidden else position.deadline_at
    return {
        "deadline": None if deadline is None else _milliseconds(deadline),
        "now": _milliseconds(now),
    }


def _milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
