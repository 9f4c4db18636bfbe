"""A table while one command is carried out, and the questions that every command asks.

The rooms of the writer (seating, playing, stillness) take a `Scene`, change it and the rows it
holds, and raise `Refused`; only `services` and `moves` write the event and commit.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from engine.actions import Action, action_to_json
from engine.events import Event, event_to_json
from engine.match import MatchState, Phase
from engine.snapshot import dump
from league.accounts.models import Player, User
from tables import presence, selectors, timing
from tables.models import Pause, Table, TableEvent, TableKind, TableSeat, TableStatus
from tables.position import Change, Position, Shown, manager_of
from tables.protocol import Command, Do
from tables.refusals import Refused

SILENT = timedelta(seconds=60)
"""A manager who has not pressed for so long lets the part pass on (rules.md)."""


@dataclass(slots=True)
class Scene:
    """A locked table while one command is carried out, and what the command asks of whom.

    What holds racks stays out of its repr, which may reach a log.
    """

    table: Table
    seats: list[TableSeat]
    state: MatchState | None = field(repr=False)
    now: datetime
    command_id: UUID
    do: str
    seat: int | None = None
    user: User | None = None
    action: Action | None = field(default=None, repr=False)
    command: Command | None = field(default=None, repr=False)
    auto: bool = False
    events: list[Event] = field(default_factory=list, repr=False)
    told: dict[str, Any] = field(default_factory=dict)
    kept: list[TableSeat] = field(default_factory=list)

    @classmethod
    def of_command(
        cls,
        *,
        table: Table,
        seats: list[TableSeat],
        seat: int | None,
        user: User | None,
        command: Command,
    ) -> "Scene":
        """Return the scene of a person's command, on rows that are locked."""
        return cls(
            table=table,
            seats=seats,
            state=selectors.state_of(table),
            now=timezone.now(),
            command_id=command.id,
            do=command.do,
            seat=seat,
            user=user,
            action=command.action,
            command=command,
        )

    @property
    def own_seat(self) -> TableSeat:
        if self.seat is None:
            raise Refused("not_seated")
        return self.seats[self.seat]

    @property
    def player(self) -> Player:
        """The person who asks."""
        if self.user is None:
            raise Refused("not_allowed")
        player = Player.objects.filter(user=self.user).first()
        if player is None:
            raise Refused("no_player")
        return player

    @property
    def scheduled(self) -> bool:
        return self.table.kind == TableKind.SCHEDULED

    def keep(self, seat: TableSeat) -> None:
        """Have a seat's bank, automatic moves and readiness written with the table."""
        self.kept.append(seat)

    def step(self) -> None:
        """Go on to the next version, which holds the state as it is now."""
        self.table.version += 1
        if self.state is not None:
            self.table.snapshot = dump(self.state)

    def payload(self) -> dict[str, Any]:
        """Return what the event of this version says."""
        payload: dict[str, Any] = {"format": TableEvent.FORMAT, "do": self.do, "auto": self.auto}
        if self.user is not None:
            payload["by"] = self.user.pk
        if self.action is not None:
            payload["action"] = action_to_json(self.action)
        if self.do == Do.CONTRIBUTE and self.command is not None:
            payload["contribution"] = self.command.contribution
        return {**payload, **self.told, "events": [event_to_json(event) for event in self.events]}

    def position(self) -> Position:
        return selectors.position_of(self.table, self.seats, self.state)

    def change(self, shown: Shown | None = None) -> Change:
        """Return what is published once this is committed."""
        position, events = self.position(), tuple(self.events)
        return Change(position, self.do, self.seat, self.auto, events, self.told, shown)


def require(condition: bool, code: str) -> None:
    """Refuse the command unless the condition holds."""
    if not condition:
        raise Refused(code)


def require_waiting(scene: Scene) -> None:
    """Refuse unless people still sit down."""
    require(not scene.table.is_over, "match_over")
    require(scene.table.status == TableStatus.WAITING, "already_started")


def require_playing(scene: Scene) -> MatchState:
    """Refuse unless the match is under way, and return its state."""
    require(not scene.table.is_over, "match_over")
    if scene.state is None:
        raise Refused("not_started")
    return scene.state


def require_going_on(scene: Scene) -> MatchState:
    """Refuse unless the match is under way and does not stand still."""
    state = require_playing(scene)
    require(scene.table.empty_at is None, "seat_empty")
    require(scene.table.press_due_at is None, "continue_due")
    require(not scene.table.pause, "paused")
    return state


def may_organize(scene: Scene) -> bool:
    """Tell whether the person runs the tournament the table belongs to."""
    return scene.user is not None and scene.user.has_perm("tables.start_table", scene.table)


def require_press(scene: Scene) -> None:
    """Refuse unless the person may press *Start*, *Continue* or *Pause*.

    The manager and organizers always; while a press is due, the lowest seat that is present stands
    in for a manager who is gone, or silent for a minute (rules.md).
    """
    if may_organize(scene):
        return
    require(scene.seat is not None, "not_seated")
    manager = manager_of(scene.table, scene.seats)
    require(scene.seat == manager or _stands_in(scene, manager), "not_manager")


def _stands_in(scene: Scene, manager: int | None) -> bool:
    due = scene.table.press_due_at
    if due is None:
        return False
    here = presence.here(scene.table.pk, [each.player_id for each in scene.seats])
    if manager is not None and here[manager] and scene.now - due < SILENT:
        return False
    others = [each.seat for each in scene.seats if each.is_there and each.seat != manager]
    return scene.seat == next((seat for seat in others if here[seat]), None)


def set_deadline(scene: Scene) -> None:
    """Say when the clock acts next if nobody does before."""
    scene.table.deadline_at = _deadline(scene)


def _deadline(scene: Scene) -> datetime | None:
    table = scene.table
    if table.is_over:
        return None
    if table.empty_at is not None and scene.state is not None:
        return table.empty_at + timedelta(seconds=settings.AYAZ_SUBSTITUTE_SECONDS)
    if table.press_due_at is not None and table.pause != Pause.REFEREE:
        return table.press_due_at + timedelta(seconds=settings.AYAZ_START_SECONDS)
    if table.pause:
        waits = {
            Pause.MANAGER: settings.AYAZ_PAUSE_SECONDS,
            Pause.REFEREE: settings.AYAZ_REFEREE_SECONDS,
        }
        return scene.now + timedelta(seconds=waits[Pause(table.pause)])
    return None if scene.state is None else _turn_deadline(scene, scene.state)


def _turn_deadline(scene: Scene, state: MatchState) -> datetime | None:
    left, scene.table.turn_left_ms = scene.table.turn_left_ms, None
    if state.phase is Phase.DEAL:
        return scene.now + timedelta(seconds=settings.AYAZ_HAND_PAUSE_SECONDS)
    seat = scene.seats[state.turn or 0]
    if seat.bot:
        return scene.now + timedelta(seconds=settings.AYAZ_BOT_SECONDS)
    if scene.table.move_seconds is None:
        return None
    if left is None:
        left = timing.turn_ms(scene.table.move_seconds, seat.bank_ms)
    return timing.after_ms(scene.now, left)
