"""What beats ask: one question to the database and one to the broker for many sockets at once.

Each socket's beat is due every few seconds. Whoever asks within the same half second is answered
together, so that a thousand quiet sockets cost a process a few queries a second.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async

from tables import presence, selectors, tickets
from tables.presence import Holders, Lease
from tables.tickets import Ticket

logger = logging.getLogger(__name__)
GATHER_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Due:
    """A socket whose beat is due; `lease` where it holds a seat."""

    table_id: int
    ticket: Ticket | None
    holders: Holders
    lease: Lease | None


@dataclass(frozen=True, slots=True)
class Found:
    """Whether the socket's login still holds, the table's version, and who is present by seat.

    `version` is None where there is no such table, `present` where the broker said nothing.
    """

    welcome: bool
    version: int | None
    present: list[bool] | None


class Rounds:
    """Gathers what is due on one loop and answers it."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Due, asyncio.Future[Found]]] = []
        self._task: asyncio.Task[None] | None = None

    async def ask(self, due: Due) -> Found:
        """Return what is found for a socket. Raises what the database raises."""
        future: asyncio.Future[Found] = asyncio.get_running_loop().create_future()
        self._waiting.append((due, future))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._answer())
        return await future

    async def _answer(self) -> None:
        await asyncio.sleep(GATHER_SECONDS)
        asked, self._waiting, self._task = self._waiting, [], None
        waiting = [(due, future) for due, future in asked if not future.done()]
        try:
            found = await _find([due for due, _future in waiting])
        except Exception as error:
            _fail([future for _due, future in waiting], error)
            return
        for (_due, future), each in zip(waiting, found, strict=True):
            if not future.done():
                future.set_result(each)


def _fail(futures: Sequence["asyncio.Future[Found]"], error: Exception) -> None:
    for future in futures:
        if not future.done():
            future.set_exception(error)


async def _find(asked: Sequence[Due]) -> list[Found]:
    present = await _present(asked)  # first: leases live on while the database is away
    versions, welcome = await database_sync_to_async(_read)(asked)
    return [
        Found(
            welcome=due.ticket is None or due.ticket in welcome,
            version=versions.get(due.table_id),
            present=None
            if present is None
            else presence.by_seat(present[due.table_id], due.holders),
        )
        for due in asked
    ]


def _read(asked: Sequence[Due]) -> tuple[dict[int, int], set[Ticket]]:
    versions = selectors.versions_of({due.table_id for due in asked})
    return versions, tickets.welcome({due.ticket for due in asked if due.ticket is not None})


async def _present(asked: Sequence[Due]) -> dict[int, list[str]] | None:
    """Renew the leases and read who is present; a broker that is away changes nothing."""
    leases = [due.lease for due in asked if due.lease is not None]
    try:
        return await presence.renewed(leases, {due.table_id for due in asked})
    except Exception as error:
        logger.warning("presence unknown at %s sockets: %s", len(asked), type(error).__name__)
        return None


_rounds: WeakKeyDictionary[asyncio.AbstractEventLoop, Rounds] = WeakKeyDictionary()


async def ask(due: Due) -> Found:
    """Return what is found for a socket, together with all that ask on this loop meanwhile."""
    loop = asyncio.get_running_loop()
    if loop not in _rounds:
        _rounds[loop] = Rounds()
    return await _rounds[loop].ask(due)
