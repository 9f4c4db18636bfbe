"""The one writer of live tables: everything that happens at a table goes through here, or for a
plain move through `moves`, which takes the same steps.

Each command is one short transaction with its gates in a fixed order: lock the table's row; a known
command id gets its stored answer; a stale version gets a snapshot; then seat, rules and engine;
then event, snapshot, deadline and, at the match's end, the settlement. After the commit, and only
then, it is acknowledged and published. Sockets, clock and tasks call this; what happens in a match
is written nowhere else (an outage's shift of deadlines, by the clock, is no part of it).
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import uuid4

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from engine.errors import IllegalAction
from engine.match import MatchState, Phase
from league.accounts.models import User
from league.settlement.services import match_settle
from tables import broadcast, chat, playing, seating, selectors, stillness
from tables.answers import Answer, snapshot_frame
from tables.delay import let_watch
from tables.models import Bot, Table, TableEvent, TableSeat, TableStatus
from tables.protocol import MOVES, Command, Do
from tables.refusals import TEXTS, Refused, refusal_of
from tables.scene import Scene
from tables.tickets import Ticket

# --- the writer


def command_execute(*, table_id: int, ticket: Ticket | None, command: Command) -> Answer:
    """Carry out a person's command and return the answer; what is acknowledged is committed.

    `ticket` names who asks, a seat's player or an organizer; None is somebody who did not log in.
    """
    carry_out = _say if command.do is Do.SAY else _execute
    try:
        with transaction.atomic(durable=True):
            return carry_out(table_id, ticket, command)
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
        return _stored_answer(known, user, seat)
    if command.do in MOVES and command.v != table.version:
        return _stale(table, seats, seat, command)
    scene = Scene.of_command(table=table, seats=seats, seat=seat, user=user, command=command)
    HANDLERS[command.do](scene)
    _commit(scene)
    return Answer(command.id, version=table.version)


def _say(table_id: int, ticket: Ticket | None, command: Command) -> Answer:
    """Say something: it changes nothing of the match, so no row of it is locked."""
    table = Table.objects.select_related("match").filter(pk=table_id).first()
    if table is None:
        raise Refused("no_such_table")
    user, seat = _person_of(ticket, selectors.seats_of(table))
    chat.say(table=table, user=user, seat=seat, command=command)
    return Answer(command.id, version=table.version)


def _tables_to_lock() -> QuerySet[Table]:
    """Tables whose rows stay locked until the transaction ends; all else is read after that.

    Not against foreign keys: who speaks holds a player's row and refers to the table.
    """
    return Table.objects.select_for_update(no_key=True, of=("self",)).select_related("match")


def _person_of(ticket: Ticket | None, seats: Sequence[TableSeat]) -> tuple[User | None, int | None]:
    """Return who asks, as the account is now, and the seat; an account that was closed is refused.

    The seats were read with their users, so only for the others an account is looked up.
    """
    if ticket is None:
        return None, None
    own = selectors.seat_of_user(seats, ticket.user_id)
    user = ticket.user() if own is None or own.player is None else own.player.user
    if user is None or (own is not None and not ticket.admits(user)):
        raise Refused("not_allowed")
    return user, None if own is None else own.seat


def _stored_answer(event: TableEvent, user: User | None, seat: int | None) -> Answer:
    """Return the answer again to who sent it, in whatever seat by now, or in none."""
    by = event.payload.get("by")  # not there in what an older version wrote
    same = event.seat == seat if by is None else user is not None and user.pk == by
    if not same:
        raise Refused("duplicate_id")
    return Answer(event.command_id, version=event.seq)


def _stale(table: Table, seats: Sequence[TableSeat], seat: int | None, command: Command) -> Answer:
    position = selectors.position_of(table, seats, selectors.state_of(table))
    snapshot = snapshot_frame(table, position, seat)
    return Answer(command.id, code="stale", text=str(TEXTS["stale"]), snapshot=snapshot)


def _commit(scene: Scene) -> None:
    """Write what the scene came to; publish it once it is committed."""
    table = scene.table
    scene.step()
    TableEvent.objects.create(
        table=table,
        seq=table.version,
        command_id=scene.command_id,
        seat=scene.seat,
        payload=scene.payload(),
    )
    if scene.state is not None and scene.state.phase is Phase.OVER and not table.is_over:
        _finish(scene)
    shown = let_watch(scene)
    for seat in scene.kept:
        seat.save(update_fields=["ready", "bank_ms", "auto_moves"])
    table.save(update_fields=_WRITTEN)
    change = scene.change(shown)
    transaction.on_commit(lambda: broadcast.publish(change), robust=True)


_WRITTEN = [
    "version",
    "snapshot",
    "status",
    "contributions",
    "deadline_at",
    "finished_at",
    "pause",
    "empty_at",
    "press_due_at",
    "turn_left_ms",
    "watched",
    "watched_seq",
]


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


HANDLERS: dict[Do, Callable[[Scene], None]] = {
    Do.SIT: seating.sit,
    Do.SWAP: seating.swap,
    Do.LEAVE: seating.leave,
    Do.CONTRIBUTE: playing.contribute,
    Do.START: playing.press_start,
    Do.READY: playing.ready,
    Do.CONTINUE: stillness.press_continue,
    Do.PAUSE: stillness.press_pause,
    Do.REFEREE: stillness.referee,
    Do.PLAY: playing.move,
    Do.DRAW: playing.move,
    Do.PASS: playing.move,
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
    locked = Table.objects.select_for_update(no_key=True, of=("self",), skip_locked=True)
    return locked.select_related("match")


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
    """Do what falls due: what the table waits for, else something for the seat on turn."""
    table, state = scene.table, scene.state
    if state is None:
        playing.start_by_itself(scene)
    elif table.empty_at is not None:
        _seat_stayed_empty(scene)
    elif table.stands_still:
        scene.do = Do.CONTINUE
        stillness.go_on(scene)
    elif state.phase is Phase.DEAL:
        scene.do = "deal"
        playing.next_hand(scene, state)
    else:
        _turn_is_over(scene, state)


def _seat_stayed_empty(scene: Scene) -> None:
    """Nobody sat down: bots play on where the season allows it, else the match is given up."""
    empty = [seat for seat in scene.seats if seat.is_empty]
    if scene.table.bots_may_substitute and len(empty) < len(scene.seats):
        scene.do = Do.SIT
        for seat in empty:
            seating.bot_take_over(scene, seat, Bot.HEAVIEST)
        return
    scene.do = "abandon"
    stillness.abandon(scene)


def _turn_is_over(scene: Scene, state: MatchState) -> None:
    """Move for a bot, or for somebody whose time is spent; who is not there has dropped."""
    seat = scene.seats[state.turn or 0]
    if not seat.bot and playing.is_gone(scene, seat):
        scene.seat, scene.do = seat.seat, "drop"
        seat.bank_ms = 0
        scene.keep(seat)
        stillness.drop(scene, seat)
        return
    playing.move_for(scene, state, seat)
    over = scene.state is not None and scene.state.phase is Phase.OVER
    if not seat.bot and playing.count_auto_move(scene, seat) and not over:
        stillness.drop(scene, seat)


def table_drop_gone(*, table_id: int, gone: Sequence[int]) -> bool:
    """Note who has no connection at a table without a clock, and drop who is gone for too long.

    Returns whether somebody dropped. `gone` are seats. A table that somebody works on is left
    alone.
    """
    with transaction.atomic(durable=True):
        table = _tables_nobody_holds().filter(pk=table_id, status=TableStatus.PLAYING).first()
        if table is None or table.stands_still:
            return False
        scene = _timeout_scene(table, timezone.now())
        seat = stillness.longest_gone(scene, gone)
        if seat is None:
            return False
        scene.seat, scene.do = seat.seat, "drop"
        stillness.drop(scene, seat)
        _commit(scene)
        return True
