"""Play at two tables while faults are brought about, and what must hold after each and at the end.

Eight people play over real sockets, each client the whole time the same: it connects anew and
sends again what was not answered, with the same id. Between two faults they hold their moves until
everybody shows what the server shows. Nobody plays at a third table, the witness: its deadline has
to move by each outage once, and by nothing else.
"""

import asyncio
import json
import random
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from engine.record import check_record
from tables.protocol import canonical, digest
from tests.faults.outside import Outside
from tests.stack import Stack
from tests.tables.arrange import arrange
from tests.tables.client import Client, Json, socket_address
from tests.waiting import until_on_loop

TABLES = 2
RULESET = {"preset": "aznif", "deal": 7, "hands": 5}
SETTINGS = {
    "AYAZ_STEADY_SECONDS": "0.1",
    "AYAZ_HAND_PAUSE_SECONDS": "2",
    "AYAZ_BEAT_SECONDS": "2",  # what nobody published is found by the beat
}
STOCK = 14  # tables that are opened at once
EVENTS = "SELECT command_id::text, table_id, seq FROM tables_tableevent WHERE table_id = ANY(%s)"
STATUS = "SELECT status FROM tables_table WHERE id = ANY(%s)"
POSTINGS = """
SELECT t.id, s.seat FROM ledger_posting p JOIN results_result r ON r.id = p.result_id
JOIN tables_table t ON t.match_id = r.match_id JOIN results_stint s ON s.id = p.stint_id
WHERE t.id = ANY(%s) ORDER BY t.id, s.seat
"""
START = """
from datetime import timedelta
from django.utils import timezone
from tables.models import Table
from tests.tables.builders import start
start(Table.objects.get(pk={table}))
Table.objects.filter(pk={table}).update(deadline_at=timezone.now() + timedelta(hours=1))
"""


class Grounds:
    """An installation with two web processes and servers of its own, and the witness in it."""

    def __init__(self, stack: Stack) -> None:
        self.stack, self.outside = stack, Outside(stack)
        self.people, self.stock = 0, list[Json]()
        self.witness: int = self.tables(1)[0]["id"]
        self.stack.shell(START.format(table=self.witness))
        self.outside.install()
        self.due_at = self._deadline()

    @classmethod
    @contextmanager
    def running(cls) -> Iterator["Grounds"]:
        """Start such an installation; it ends with the block."""
        stack = Stack.own("--processes", "2", **SETTINGS)
        try:
            yield cls(stack)
        finally:
            stack.remove()

    def tables(self, count: int) -> list[Json]:
        """Open tables with people of their own."""
        if len(self.stock) < count:
            self.stock += arrange(self.stack, STOCK + 1, first=self.people, ruleset=RULESET)
            self.people += STOCK + 1
        return [self.stock.pop() for _table in range(count)]

    def _deadline(self) -> datetime:
        asked = "SELECT deadline_at FROM tables_table WHERE id = %s"
        moment: datetime = self.outside.ask(asked, self.witness)[0][0]
        return moment

    def check_deadline(self) -> int:
        """Check that each outage moved the witness's deadline once; return how many there were."""
        gaps = self.outside.gaps()
        assert self._deadline() - self.due_at == sum(gaps, timedelta())
        return len(gaps)


class Game:
    """One match at each of two tables, for a few faults."""

    def __init__(self, grounds: Grounds, rng: random.Random) -> None:
        self.grounds, self.outside, self.rng = grounds, grounds.outside, rng
        self.tables = [(table["id"], table["tokens"]) for table in grounds.tables(TABLES)]
        self.moving = asyncio.Event()  # unset while the moves are held
        self.slowly = True
        self.converged = 0
        seats = [(table, token) for table, tokens in self.tables for token in tokens]
        self.clients = [self._client(table, token) for table, token in seats]

    def _client(self, table: int, token: str) -> Client:
        rng = random.Random(self.rng.random())
        return Client(self.grounds.stack.url, table, token, pause=self._pause(), rng=rng)

    def _pause(self) -> Callable[[], Awaitable[None]]:
        async def pause() -> None:
            await self.moving.wait()
            await asyncio.sleep(self.rng.uniform(0.03, 0.15) if self.slowly else 0.005)

        return pause

    async def play(self, faults: list[Callable[["Game"], Awaitable[None]]]) -> None:
        """Play to the end through these faults, with what must hold after each of them."""
        playing = asyncio.gather(*[client.play() for client in self.clients])
        try:
            for fault in faults:
                await self._once(fault)
            self.slowly = False
            self.moving.set()
            await playing
        finally:
            playing.cancel()
            with suppress(asyncio.CancelledError):
                await playing

    async def _once(self, fault: Callable[["Game"], Awaitable[None]]) -> None:
        await self.spread()
        self.moving.set()
        await self.everybody_plays()
        await asyncio.sleep(self.rng.uniform(0, 0.2))
        assert not any(client.finished for client in self.clients), "a match ended too early"
        await fault(self)
        await self.converge()

    # --- how play stands

    @property
    def acked(self) -> int:
        """How many commands were acknowledged."""
        return sum(len(client.acked) for client in self.clients)

    async def everybody_plays(self) -> None:
        """Wait until all are connected and something was acknowledged since."""
        await until_on_loop(lambda: all(self._served(client) for client in self.clients))
        before = self.acked
        await until_on_loop(lambda: self.acked > before)

    async def spread(self) -> None:
        """Let clients connect anew until each of two web processes serves a few of them."""
        await until_on_loop(lambda: len(self.outside.daphnes()) == 2)
        while len({self.serving(client) for client in self.clients} - {None}) < 2:
            for client in self.rng.sample(self.clients, len(self.clients) // 2):
                if client.socket is not None:
                    await client.socket.close()
            await until_on_loop(lambda: all(self._served(client) for client in self.clients))

    def serving(self, client: Client) -> int | None:
        """Return the web process that a client is connected to."""
        if client.socket is None or client.socket.transport.is_closing():
            return None
        return self.outside.served_by(client.socket.local_address[1])

    def _served(self, client: Client) -> bool:
        return client.connected and client.version >= 0

    def pending(self, pid: int) -> set[str]:
        """Return the ids of the commands that a web process's clients wait for an answer to."""
        return {
            client.pending["id"]
            for client in self.clients
            if client.pending is not None and self.serving(client) == pid
        }

    # --- what must hold after a fault

    async def converge(self) -> None:
        """Hold the moves, and wait until each client shows, by hash, what the server shows."""
        self.moving.clear()
        for client in self.clients:
            await self._converged(client)
        self.converged += 1

    async def _converged(self, client: Client) -> None:
        async with asyncio.timeout(90):
            while await self._shown(client) != (client.version, digest(canonical(client.view))):
                await asyncio.sleep(0.05)

    async def _shown(self, client: Client) -> tuple[int, str]:
        """Return version and hash of what the server shows to who comes anew in a client's name."""
        headers = {"Authorization": f"Token {client.token}"}
        address = socket_address(self.grounds.stack.url, client.table)
        with suppress(OSError, WebSocketException):
            async with connect(address, additional_headers=headers, proxy=None) as socket:
                frame = json.loads(await socket.recv())
                if "snapshot" in frame:
                    return frame["v"], digest(canonical(frame["snapshot"]))
        return -1, ""

    # --- and at the end

    def check(self) -> None:
        """Check what was acknowledged against the database, and results against the ledger."""
        ask, tables = self.outside.ask, [table for table, _tokens in self.tables]
        rows = ask(EVENTS, tables)
        events = {command: [table, version] for command, table, version in rows}
        assert [each for client in self.clients for each in _lost(client, events)] == []
        assert len(events) == len(rows)
        assert ask(STATUS, tables) == [("finished",)] * len(tables)
        assert ask(POSTINGS, tables) == [
            (table, seat) for table in sorted(tables) for seat in range(4)
        ]
        for table in tables:
            self._check_record(table)

    def _check_record(self, table: int) -> None:
        address = f"{self.grounds.stack.url}api/v1/tables/{table}/record/"
        with urllib.request.urlopen(address, timeout=20) as answer:
            check_record(json.load(answer))


def _lost(client: Client, events: dict[str, Any]) -> list[str]:
    """Return the commands that were acknowledged and are not in the database at that version."""
    acked = client.acked.items()
    return [each for each, version in acked if events.get(each) != [client.table, version]]
