"""When a match stands still, and how it goes on: pauses, empty seats, *Continue*, the referee.

A room of the writer: it changes the scene it is given and never commits.
"""

from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings

from engine.match import Phase
from league.settlement.posting import By
from league.settlement.services import match_abandon, match_decide
from league.shared.errors import DomainError
from tables import playing, selectors, timing
from tables.models import Pause, TableEvent, TableSeat, TableStatus
from tables.protocol import MOVES, Ruling
from tables.refusals import Refused
from tables.scene import (
    Scene,
    may_organize,
    require,
    require_going_on,
    require_playing,
    require_press,
    set_deadline,
)


def stand_still(scene: Scene) -> None:
    """Keep what the turn has left, and let the clock wait for what the table waits for."""
    _keep_turn(scene)
    set_deadline(scene)


def _keep_turn(scene: Scene) -> None:
    table, state = scene.table, scene.state
    turn = state is not None and state.phase is Phase.PLAY
    if turn and table.turn_left_ms is None and table.deadline_at is not None:
        table.turn_left_ms = timing.left_ms(table.deadline_at, scene.now)


def go_on(scene: Scene) -> None:
    """Let the match go on where it stood; each seat keeps its own bank."""
    table = scene.table
    table.pause, table.press_due_at, table.empty_at = Pause.NONE, None, None
    for seat in scene.seats:
        if seat.gone_at is not None:  # it is counted anew
            seat.gone_at = None
            seat.save(update_fields=["gone_at"])
    set_deadline(scene)


def seat_emptied(scene: Scene, seat: TableSeat) -> None:
    """A seat has become empty: wait for somebody to sit down, and no longer than allowed.

    Whoever sits down in it has the whole time of a move. A referee who was called still decides.
    """
    table, state = scene.table, scene.state
    _keep_turn(scene)
    if state is not None and state.phase is Phase.PLAY and state.turn == seat.seat:
        _begin_turn_anew(scene, seat)
    if table.pause != Pause.REFEREE:
        table.pause = Pause.NONE
    table.press_due_at, table.empty_at = None, scene.now
    set_deadline(scene)


def _begin_turn_anew(scene: Scene, seat: TableSeat) -> None:
    """Keep what the turn so far has left of the seat's bank, and give the move's time again."""
    left = scene.table.turn_left_ms
    if left is not None:
        seat.bank_ms = timing.bank_after(seat.bank_ms, left)
        seat.save(update_fields=["bank_ms"])
    scene.table.turn_left_ms = playing.full_turn_ms(scene)


def seat_filled(scene: Scene, *, came_back: bool) -> None:
    """A seat is held again: with all held the match goes on, after *Continue* if hands changed."""
    table = scene.table
    if not came_back:
        table.press_due_at = scene.now
    if any(each.is_empty for each in scene.seats):
        return
    table.empty_at = None
    if table.press_due_at is not None:
        table.press_due_at = scene.now
    if table.press_due_at is None and not table.pause:
        go_on(scene)
    else:
        set_deadline(scene)


def drop(scene: Scene, seat: TableSeat) -> None:
    """The seat's player has dropped: the seat is kept until somebody sits down in it."""
    seat.dropped_at, seat.auto_moves, seat.ready = scene.now, 0, False
    seat.save(update_fields=["dropped_at", "auto_moves", "ready"])
    scene.told["dropped"] = seat.seat
    seat_emptied(scene, seat)


def longest_gone(scene: Scene, gone: Sequence[int]) -> TableSeat | None:
    """Note since when seats have no connection; return one that is gone for too long."""
    allowed = timedelta(seconds=settings.AYAZ_DROP_SECONDS)
    late = []
    for seat in scene.seats:
        away = seat.seat in gone and not seat.bot and not seat.is_empty
        since = (seat.gone_at or scene.now) if away else None
        if since != seat.gone_at:
            seat.gone_at = since
            seat.save(update_fields=["gone_at"])
        if since is not None and scene.now - since >= allowed:
            late.append(seat)
    return late[0] if late else None


def abandon(scene: Scene) -> None:
    """Nobody sat down in the time allowed: the match is given up."""
    dropped = [each.seat for each in scene.seats if each.dropped_at is not None]
    match_abandon(match_id=scene.table.match_id, dropped=dropped)
    scene.table.status = TableStatus.ABANDONED
    scene.table.finished_at = scene.now
    set_deadline(scene)


# --- what people press


def press_continue(scene: Scene) -> None:
    """*Continue* after a seat changed hands, or after a pause."""
    require_playing(scene)
    table = scene.table
    require(table.empty_at is None, "seat_empty")
    require(table.stands_still, "not_still")
    require(table.pause != Pause.REFEREE or may_organize(scene), "referee_decides")
    require_press(scene)
    go_on(scene)


def press_pause(scene: Scene) -> None:
    """The manager lets everybody rest; the turn keeps what it had left."""
    require_going_on(scene)
    require_press(scene)
    scene.table.pause = Pause.MANAGER
    stand_still(scene)


def referee(scene: Scene) -> None:
    """Call the referee, or, as an organizer, rule."""
    command = scene.command
    if command is None or command.ruling is None:
        _call_referee(scene)
        return
    require(may_organize(scene), "not_organizer")
    require(bool(command.reason.strip()), "reason")
    require_playing(scene)
    scene.told.update(ruling=command.ruling.value, reason=command.reason.strip())
    _RULINGS[command.ruling](scene)


def _call_referee(scene: Scene) -> None:
    scene.own_seat  # noqa: B018 - refuses who has none
    require_playing(scene)
    require(scene.table.pause != Pause.REFEREE, "referee_called")
    require(scene.table.empty_at is None, "seat_empty")
    scene.table.pause = Pause.REFEREE
    stand_still(scene)


def _rule_continue(scene: Scene) -> None:
    require(scene.table.empty_at is None, "seat_empty")
    require(scene.table.stands_still, "not_still")
    go_on(scene)


def _rule_undo(scene: Scene) -> None:
    """Take the latest automatic move back, if nothing was moved since; its seat is on turn again.

    A move that ended the hand is taken back as long as the next is not dealt, so nobody is ready.
    """
    require(scene.table.empty_at is None, "seat_empty")
    moved = TableEvent.objects.filter(table=scene.table, undone=False, payload__do__in=list(MOVES))
    latest = moved.order_by("-seq").first()
    if latest is None or not latest.payload["auto"] or _dealt_since(scene, latest):
        raise Refused("nothing_to_undo")
    latest.undone = True
    latest.save(update_fields=["undone"])
    scene.state = selectors.state_from_events(scene.table)
    for seat in scene.seats:
        seat.ready = bool(seat.bot)
        seat.auto_moves = max(0, seat.auto_moves - (seat.seat == latest.seat))
        seat.save(update_fields=["ready", "auto_moves"])
    scene.table.turn_left_ms = playing.full_turn_ms(scene)
    scene.told["undone"] = latest.seq
    go_on(scene)


def _dealt_since(scene: Scene, event: TableEvent) -> bool:
    later = TableEvent.objects.filter(table=scene.table, seq__gt=event.seq)
    return later.filter(payload__do__in=["deal", "ready"]).exclude(payload__events=[]).exists()


def _rule_end(scene: Scene) -> None:
    """End the match by decision: the organizer names the places."""
    assert scene.command is not None
    table = scene.table
    try:
        match_decide(
            match_id=table.match_id,
            places=scene.command.places,
            record=selectors.record_by_decision(table),
            by=By(scene.user.pk if scene.user else None, scene.command.reason.strip()),
        )
    except DomainError as error:
        raise Refused("places" if error.code == "outcome" else "reason") from error
    table.status, table.finished_at, table.pause = TableStatus.FINISHED, scene.now, Pause.NONE
    table.press_due_at = table.empty_at = None
    set_deadline(scene)


_RULINGS = {
    Ruling.CONTINUE: _rule_continue,
    Ruling.UNDO: _rule_undo,
    Ruling.END: _rule_end,
}
