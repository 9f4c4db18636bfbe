"""The writer's short way for a move: the same gates as in `services`, on the server's event loop.

Two statements and no thread. Nothing is locked while Python thinks: a move is bound to a version,
and its one writing statement does nothing where that version does not stand any more. It carries
out the move that is nearly always sent – new, allowed, and not the match's last. Of all else it
says nothing and changes nothing: then `services.command_execute` does it or says why not.
"""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from psycopg import AsyncConnection, Error

from engine.errors import IllegalAction
from engine.match import Phase
from tables import broadcast, playing, pools, rows, selectors
from tables.answers import Answer
from tables.failures import log_failure
from tables.models import Table, TableStatus
from tables.position import Change
from tables.protocol import Command
from tables.refusals import Refused
from tables.scene import Scene
from tables.tickets import Ticket

logger = logging.getLogger(__name__)
Connection = AsyncConnection[Any]


_running: set[asyncio.Task[Answer | None]] = set()


async def move_through(*, table_id: int, ticket: Ticket, command: Command) -> Answer | None:
    """Do what `move_try` does, to its end even if who waits for it is gone."""
    move = asyncio.create_task(move_try(table_id=table_id, ticket=ticket, command=command))
    _running.add(move)
    move.add_done_callback(_running.discard)
    return await asyncio.shield(move)


def idle() -> bool:
    """Tell whether no move is under way in this process."""
    return not _running


async def move_try(*, table_id: int, ticket: Ticket, command: Command) -> Answer | None:
    """Carry out a move and return the answer, or None where this is not the way for it.

    What is acknowledged is committed. Whatever the database says against it is no answer either:
    whether the move was committed is seen by its id.
    """
    pool = await pools.pool()
    try:
        async with pool.connection() as connection:
            change = await _carry_out(connection, table_id, ticket, command)
    except Error as error:
        log_failure(logger, error, "table %s: no short way for a move", table_id)
        return None
    if change is None:
        return None
    broadcast.publish_from_loop(change)
    return Answer(command.id, version=change.position.version)


async def _carry_out(
    connection: Connection, table_id: int, ticket: Ticket, command: Command
) -> Change | None:
    read = await connection.execute(rows.READ_TABLE, _asking(table_id, ticket, command))
    scene = _scene(await read.fetchall(), ticket, command)
    if scene is None:
        return None
    before = scene.table.deadline_at
    if not _moved(scene):
        return None
    written = await connection.execute(rows.WRITE_MOVE, rows.written(scene, before))
    return scene.change() if written.rowcount else None


def _scene(found: Sequence[rows.Row], ticket: Ticket, command: Command) -> Scene | None:
    """Return the scene of a seat's own new move at the version that stands, else None."""
    if not found:
        return None
    table = rows.table_of(found[0])
    return _seated(table, found, ticket, command) if _is_plain(table, command) else None


def _is_plain(table: Table, command: Command) -> bool:
    """Tell whether nothing else comes with a move at this table."""
    playing_on = table.status == TableStatus.PLAYING and not table.watch_delay
    return playing_on and table.version == command.v


def _seated(
    table: Table, found: Sequence[rows.Row], ticket: Ticket, command: Command
) -> Scene | None:
    seats, asked = rows.seats_of(found), rows.asked_of(found[0])
    own = selectors.seat_of_user(seats, ticket.user_id)
    if own is None or own.player is None or own.player.user is None or asked.known:
        return None
    user = own.player.user
    if not ticket.holds(user, token=asked.token, session=asked.session):
        return None
    return Scene.of_command(table=table, seats=seats, seat=own.seat, user=user, command=command)


def _asking(table_id: int, ticket: Ticket, command: Command) -> dict[str, Any]:
    return {
        "table": table_id,
        "id": command.id,
        "user": ticket.user_id,
        "token": ticket.token,
        "session": ticket.session,
    }


def _moved(scene: Scene) -> bool:
    """Make the move; tell whether it was allowed and the match goes on."""
    try:
        playing.move(scene)
    except (Refused, IllegalAction):
        return False
    if scene.state is None or scene.state.phase is Phase.OVER:
        return False
    scene.step()
    return True
