"""The one writer of live tables: everything that happens at a table goes through here.

Each command is one short transaction with its gates in a fixed order: lock the table's row; a known
command id gets its stored answer; a stale version gets a snapshot; then seat, rules and engine;
then event, snapshot, deadline and, at the match's end, the settlement. After the commit, and only
then, it is acknowledged and published. Sockets, clock and tasks call this; nothing else writes.
"""

import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from engine.actions import Action, action_to_json
from engine.errors import IllegalAction
from engine.events import Event, event_to_json
from engine.match import MatchState, Phase, Step, apply, deal_hand, legal_actions, new_match
from engine.snapshot import dump
from league.accounts.models import User
from league.results.services import match_open, match_start
from league.settlement.services import match_settle
from league.tournaments.models import Fixture, FixtureStatus
from league.tournaments.selectors import fixtures_due
from league.tournaments.services import fixture_mark_open
from tables import broadcast, selectors
from tables.failures import log_failure
from tables.models import Table, TableEvent, TableSeat, TableStatus
from tables.position import Change, Position, clock_of, do_of, view_of
from tables.protocol import MOVES, Command, Do
from tables.refusals import TEXTS, Refused, refusal_of
from tables.tickets import Ticket

logger = logging.getLogger(__name__)
SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command's sender is told: acknowledged at `version`, or refused with `code`.

    `snapshot` comes with a stale version: the frame that shows how the table stands.
    """

    command_id: UUID
    version: int | None = None
    code: str = ""
    text: str = ""
    snapshot: dict[str, Any] | None = field(default=None, repr=False)

    def frames(self) -> list[dict[str, Any]]:
        """Return the frames to send, in order."""
        if self.version is not None:
            return [{"ack": str(self.command_id), "v": self.version}]
        error = {"error": self.code, "id": str(self.command_id), "text": self.text}
        return [error] if self.snapshot is None else [error, self.snapshot]


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
    contribution: str = ""
    auto: bool = False
    events: list[Event] = field(default_factory=list, repr=False)

    @property
    def own_seat(self) -> TableSeat:
        if self.seat is None:
            raise Refused("not_seated")
        return self.seats[self.seat]

    def position(self) -> Position:
        return selectors.position_of(self.table, self.seats, self.state)


# --- opening


@transaction.atomic
def table_open(*, fixture: Fixture, secret: bytes | None = None) -> Table:
    """Open the table of a fixture, or return the one that stands.

    `secret` (32 bytes) is given by tests and demonstrations only; else the system's randomness.
    """
    fixture = Fixture.objects.select_for_update().get(pk=fixture.pk)
    standing = Table.objects.filter(match__fixture=fixture).order_by("-match__number").first()
    if standing is not None:
        return standing
    table = _table_create(fixture, os.urandom(SECRET_BYTES) if secret is None else secret)
    if fixture.status == FixtureStatus.SCHEDULED:
        fixture_mark_open(fixture=fixture)
    return table


def _table_create(fixture: Fixture, secret: bytes) -> Table:
    match = match_open(fixture=fixture)
    table = Table.objects.create(
        match=match,
        secret=secret,
        contributions=[""] * match.seats,
        move_seconds=fixture.round.stage.tournament.move_seconds,
    )
    TableSeat.objects.bulk_create(
        TableSeat(table=table, seat=place.seat, player_id=place.player_id)
        for place in fixture.seats.order_by("seat")
    )
    return table


def tables_open_due(now: datetime) -> list[Table]:
    """Open the tables of all fixtures whose time has come; one that cannot be opened is logged."""
    opened = []
    for fixture in fixtures_due(now):
        try:
            opened.append(table_open(fixture=fixture))
        except Exception as error:
            log_failure(logger, error, "fixture %s: its table cannot be opened", fixture.pk)
    return opened


# --- the writer


def command_execute(*, table_id: int, ticket: Ticket | None, command: Command) -> Answer:
    """Carry out a person's command and return the answer; what is acknowledged is committed.

    `ticket` names who asks, a seat's player or an organizer; None is somebody who did not log in.
    """
    try:
        with transaction.atomic(durable=True):
            return _execute(table_id, ticket, command)
    except (Refused, IllegalAction) as error:
        refused = refusal_of(error)
        return Answer(command.id, code=refused.code, text=refused.text)


def _execute(table_id: int, ticket: Ticket | None, command: Command) -> Answer:
    table = _tables_to_lock().filter(pk=table_id).first()
    if table is None:
        raise Refused("no_such_table")
    seats = selectors.seats_of(table)
    user, seat = _person_of(ticket, seats)
    known = TableEvent.objects.filter(table=table, command_id=command.id).first()
    if known is not None:
        return _stored_answer(known, seat)
    if command.do in MOVES and command.v != table.version:
        return _stale(table, seats, seat, command)
    scene = _scene_of(table, seats, seat, user, command)
    HANDLERS[command.do](scene)
    _commit(scene)
    return Answer(command.id, version=table.version)


def _tables_to_lock() -> QuerySet[Table]:
    """Tables whose rows stay locked until the transaction ends; all else is read after that."""
    return Table.objects.select_for_update(of=("self",)).select_related("match")


def _person_of(ticket: Ticket | None, seats: Sequence[TableSeat]) -> tuple[User | None, int | None]:
    """Return who asks, as the account is now, and the seat; an account that was closed is refused.

    The seats were read with their users, so only for the others an account is looked up.
    """
    if ticket is None:
        return None, None
    own = next((each for each in seats if each.player.user_id == ticket.user_id), None)
    user = ticket.user() if own is None else own.player.user
    if user is None or (own is not None and not ticket.admits(user)):
        raise Refused("not_allowed")
    return user, None if own is None else own.seat


def _scene_of(
    table: Table, seats: list[TableSeat], seat: int | None, user: User | None, command: Command
) -> Scene:
    return Scene(
        table=table,
        seats=seats,
        state=selectors.state_of(table),
        now=timezone.now(),
        command_id=command.id,
        do=command.do,
        seat=seat,
        user=user,
        action=command.action,
        contribution=command.contribution,
    )


def _stored_answer(event: TableEvent, seat: int | None) -> Answer:
    if event.seat != seat:
        raise Refused("duplicate_id")
    return Answer(event.command_id, version=event.seq)


def _stale(table: Table, seats: Sequence[TableSeat], seat: int | None, command: Command) -> Answer:
    snapshot = snapshot_frame(selectors.position_of(table, seats, selectors.state_of(table)), seat)
    return Answer(command.id, code="stale", text=str(TEXTS["stale"]), snapshot=snapshot)


def snapshot_frame(position: Position, seat: int | None) -> dict[str, Any]:
    """Return the snapshot frame of a receiver."""
    return {
        "snapshot": view_of(position, seat),
        "v": position.version,
        "clock": clock_of(position, timezone.now()),
    }


def _commit(scene: Scene) -> None:
    """Write what the scene came to; publish it once it is committed."""
    table = scene.table
    table.version += 1
    if scene.state is not None:
        table.snapshot = dump(scene.state)
    TableEvent.objects.create(
        table=table,
        seq=table.version,
        command_id=scene.command_id,
        seat=scene.seat,
        payload=_payload(scene),
    )
    if scene.state is not None and scene.state.phase == Phase.OVER:
        _finish(scene)
    table.save(update_fields=_WRITTEN)
    change = Change(scene.position(), scene.do, scene.seat, scene.auto, tuple(scene.events))
    transaction.on_commit(lambda: broadcast.publish(change), robust=True)


_WRITTEN = ["version", "snapshot", "status", "contributions", "deadline_at", "finished_at"]


def _payload(scene: Scene) -> dict[str, Any]:
    payload: dict[str, Any] = {"format": TableEvent.FORMAT, "do": scene.do, "auto": scene.auto}
    if scene.action is not None:
        payload["action"] = action_to_json(scene.action)
    if scene.contribution:
        payload["contribution"] = scene.contribution
    return {**payload, "events": [event_to_json(event) for event in scene.events]}


def _finish(scene: Scene) -> None:
    """Settle the match in this same transaction: no last move without its result."""
    table = scene.table
    assert scene.state is not None
    table.status = TableStatus.FINISHED
    table.finished_at = scene.now
    table.deadline_at = None
    result = scene.state.result
    assert result is not None
    match_settle(
        match_id=table.match_id,
        scores=list(result.scores),
        places=list(result.places),
        points=list(result.points),
        record=selectors.record_from_events(table),
    )


# --- what each command does


def _require(condition: bool, code: str) -> None:
    if not condition:
        raise Refused(code)


def _require_waiting(scene: Scene) -> None:
    _require(scene.table.status != TableStatus.FINISHED, "match_over")
    _require(scene.table.status == TableStatus.WAITING, "already_started")


def _require_playing(scene: Scene) -> MatchState:
    _require(scene.table.status != TableStatus.FINISHED, "match_over")
    if scene.state is None:
        raise Refused("not_started")
    return scene.state


def _sit(scene: Scene) -> None:
    seat = scene.own_seat
    _require_waiting(scene)
    _require(seat.sat_at is None, "already_sat")
    seat.sat_at = scene.now
    seat.save(update_fields=["sat_at"])
    if all(each.sat_at is not None for each in scene.seats):
        scene.table.deadline_at = scene.now + timedelta(seconds=settings.AYAZ_START_SECONDS)


def _contribute(scene: Scene) -> None:
    seat = scene.own_seat
    _require_waiting(scene)
    _require(seat.sat_at is not None, "not_sat")
    scene.table.contributions[seat.seat] = scene.contribution


def _start(scene: Scene) -> None:
    _require(scene.seat is not None or _may_organize(scene), "not_seated")
    _require_waiting(scene)
    position = scene.position()
    _require(position.all_sat, "not_all_seated")
    _require(position.manager == scene.seat or _may_organize(scene), "not_manager")
    _begin(scene)


def _may_organize(scene: Scene) -> bool:
    return scene.user is not None and scene.user.has_perm("tables.start_table", scene.table)


def _begin(scene: Scene) -> None:
    match = scene.table.match
    match_start(match=match, players=[seat.player for seat in scene.seats])
    scene.table.status = TableStatus.PLAYING
    scene.state = new_match(
        selectors.ruleset_of(match), seats=match.seats, partners=match.partners, stake=match.stake
    )
    _deal(scene, scene.state)


def _deal(scene: Scene, state: MatchState) -> None:
    _take(scene, deal_hand(state, selectors.shuffle_of(scene.table)))


def _take(scene: Scene, step: Step) -> None:
    """Go on from the engine's step: new state, new deadline."""
    scene.state = step.state
    scene.events.extend(step.events)
    scene.table.deadline_at = scene.now + timedelta(seconds=_seconds_for(scene, step.state))


def _seconds_for(scene: Scene, state: MatchState) -> float:
    if state.phase == Phase.PLAY:
        return scene.table.move_seconds
    return float(settings.AYAZ_HAND_PAUSE_SECONDS)


def _ready(scene: Scene) -> None:
    seat = scene.own_seat
    state = _require_playing(scene)
    _require(state.phase == Phase.DEAL, "not_between_hands")
    _require(not seat.ready, "already_ready")
    seat.ready = True
    if all(each.ready for each in scene.seats):
        _next_hand(scene, state)
    else:
        seat.save(update_fields=["ready"])


def _next_hand(scene: Scene, state: MatchState) -> None:
    for seat in scene.seats:
        seat.ready = False
    TableSeat.objects.filter(table=scene.table, ready=True).update(ready=False)
    _deal(scene, state)


def _move(scene: Scene) -> None:
    seat = scene.own_seat
    state = _require_playing(scene)
    _require(state.phase == Phase.PLAY, "no_hand_in_play")
    _require(state.turn == seat.seat, "not_your_turn")
    assert scene.action is not None
    _take(scene, apply(state, scene.action))


HANDLERS: dict[Do, Callable[[Scene], None]] = {
    Do.SIT: _sit,
    Do.CONTRIBUTE: _contribute,
    Do.START: _start,
    Do.READY: _ready,
    Do.PLAY: _move,
    Do.DRAW: _move,
    Do.PASS: _move,
}


# --- the clock's part


def table_timeout(*, table_id: int, version: int) -> bool:
    """Do what falls due at a table if it still stands at `version`; tell whether anything was done.

    A table that somebody else works on is left alone: their command wins, or the next tick.
    """
    with transaction.atomic(durable=True):
        table = _tables_nobody_holds().filter(pk=table_id).first()
        now = timezone.now()
        if table is None or table.version != version:
            return False
        if table.deadline_at is None or table.deadline_at > now:
            return False
        scene = _timeout_scene(table, now)
        _on_time(scene)
        _commit(scene)
        return True


def _tables_nobody_holds() -> QuerySet[Table]:
    """Tables to lock, without those that somebody else has locked."""
    return Table.objects.select_for_update(of=("self",), skip_locked=True).select_related("match")


def _timeout_scene(table: Table, now: datetime) -> Scene:
    seats = selectors.seats_of(table)
    return Scene(
        table=table,
        seats=seats,
        state=selectors.state_of(table),
        now=now,
        command_id=uuid4(),
        do="",
        auto=True,
    )


def _on_time(scene: Scene) -> None:
    """Start, deal the next hand, or move for the seat on turn (rules.md, Common to all)."""
    state = scene.state
    if state is None:
        scene.do = Do.START
        _begin(scene)
    elif state.phase == Phase.DEAL:
        scene.do = "deal"
        _next_hand(scene, state)
    else:
        scene.action = legal_actions(state)[0]
        scene.seat, scene.do = state.turn, do_of(scene.action)
        _take(scene, apply(state, scene.action))
