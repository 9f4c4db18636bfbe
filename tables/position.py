"""A table at one version, as a value, and what each receiver may see of it and do at it.

No database and no clock: services and selectors make a `Position` of rows, broadcasts and pages
make views of it. The secret enters only when the match is over; racks leave only through
`engine.view.view_for` and `engine.view.redact`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from engine.actions import Action, Draw, Play
from engine.events import Event
from engine.match import MatchState, Phase, legal_actions
from engine.view import redact, view_for
from tables.models import TableStatus
from tables.protocol import Do

Receiver = int | None
"""Who looks: a seat, or None for a spectator."""


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """A seat as everybody may see it."""

    seat: int
    player_id: int
    name: str
    sat: bool
    ready: bool


@dataclass(frozen=True, slots=True)
class Position:
    """A table at a version. `secret` is hex, and empty until the match is over.

    The state, which holds racks and stock, stays out of the repr: that may reach a log.
    """

    table_id: int
    version: int
    status: str
    seats: tuple[SeatFacts, ...]
    commitment: str
    contributions: tuple[str, ...]
    secret: str
    fixture_id: int | None
    move_seconds: int
    deadline_at: datetime | None
    state: MatchState | None = field(repr=False)

    @property
    def all_sat(self) -> bool:
        return all(seat.sat for seat in self.seats)

    @property
    def manager(self) -> int | None:
        """The lowest seat whose player sat down."""
        return next((seat.seat for seat in self.seats if seat.sat), None)

    @property
    def between_hands(self) -> bool:
        return self.state is not None and self.state.phase == Phase.DEAL


@dataclass(frozen=True, slots=True)
class Change:
    """What one accepted command or time-out did: the position after it, and its events."""

    position: Position
    do: str
    seat: int | None
    auto: bool
    events: tuple[Event, ...] = field(repr=False)

    def event_for(self, receiver: Receiver) -> dict[str, Any]:
        """Return the `event` of an event frame, as `receiver` may see it."""
        return {
            "do": self.do,
            "seat": self.seat,
            "auto": self.auto,
            "events": [redact(event, receiver) for event in self.events],
        }


def can(position: Position, receiver: Receiver) -> list[str]:
    """Return what a seat may do now, in a stable order; a spectator nothing."""
    if receiver is None:
        return []
    if position.status == TableStatus.WAITING:
        return _can_waiting(position, receiver)
    if position.status == TableStatus.PLAYING and position.state is not None:
        return _can_playing(position, position.state, receiver)
    return []


def _can_waiting(position: Position, seat: int) -> list[str]:
    if not position.seats[seat].sat:
        return [Do.SIT]
    start = position.all_sat and position.manager == seat
    return [Do.CONTRIBUTE, Do.START] if start else [Do.CONTRIBUTE]


def _can_playing(position: Position, state: MatchState, seat: int) -> list[str]:
    if position.between_hands:
        return [] if position.seats[seat].ready else [Do.READY]
    if state.turn != seat:
        return []
    return list(dict.fromkeys(do_of(action) for action in legal_actions(state)))


def do_of(action: Action) -> Do:
    """Return the command word of an action."""
    if isinstance(action, Play):
        return Do.PLAY
    return Do.DRAW if isinstance(action, Draw) else Do.PASS


def view_of(position: Position, receiver: Receiver) -> dict[str, Any]:
    """Return the whole view of a receiver: the table, and the match once it has begun."""
    state = position.state
    return {
        "table": _table_of(position, receiver),
        "match": None if state is None else view_for(state, receiver),
    }


def _table_of(position: Position, receiver: Receiver) -> dict[str, Any]:
    return {
        "id": position.table_id,
        "status": position.status,
        "you": receiver,
        "seats": _seats_of(position.seats),
        "manager": position.manager,
        "can": can(position, receiver),
        "commitment": position.commitment,
        "contributions": list(position.contributions),
        "secret": position.secret or None,
        "fixture": position.fixture_id,
        "move_seconds": position.move_seconds,
    }


def _seats_of(seats: Sequence[SeatFacts]) -> list[dict[str, Any]]:
    return [
        {
            "seat": seat.seat,
            "player": {"id": seat.player_id, "name": seat.name},
            "sat": seat.sat,
            "ready": seat.ready,
        }
        for seat in seats
    ]


def clock_of(position: Position, now: datetime) -> dict[str, int | None]:
    """Return the clock: the deadline and the server's time, both in epoch milliseconds."""
    deadline = position.deadline_at
    return {
        "deadline": None if deadline is None else _milliseconds(deadline),
        "now": _milliseconds(now),
    }


def _milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
