"""A client of a live table for tests: plays by the protocol, through lost connections.

Keeps what it sent, what was acknowledged, and every frame it got. A command without an answer is
sent again with the same id after a reconnect. What the server says is checked as it comes: the
versions of events, and at each beat the hash of the own view (cases.md B1, B5).
"""

import asyncio
import json
import random
import uuid
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from league.console.robots import next_wish
from tables.protocol import canonical, digest

Json = dict[str, Any]
RETRY_SECONDS = 0.3  # after it a command is sent again, if nothing was heard before


def socket_address(url: str, table: int) -> str:
    """The WebSocket address of a table under an installation's address."""
    return f"{url.replace('http', 'ws', 1)}ws/tables/{table}/"


@dataclass
class Client:
    """One seat's player, or a spectator without a token."""

    url: str
    table: int
    token: str = ""
    pause: Callable[[], Awaitable[None]] = lambda: asyncio.sleep(0)
    rng: random.Random = field(default_factory=random.Random)
    frames: list[Json] = field(default_factory=list)
    acked: dict[str, int] = field(default_factory=dict)
    refused: list[Json] = field(default_factory=list)
    pending: Json | None = None
    view: Json | None = None
    version: int = -1
    until: int = -1
    connections: int = 0
    beats: int = 0
    gaps: int = 0
    unavailable: int = 0
    resent: int = 0
    done_already: int = 0
    joined_at: int = -1
    connected: bool = False
    socket: ClientConnection | None = None
    news: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def finished(self) -> bool:
        return self.view is not None and self.view["table"]["status"] == "finished"

    async def play(self) -> None:
        """Play (or only look) until the match is over."""
        while not self.finished:
            with suppress(OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
                await self._play_connected()
            self.connected = False
            if not self.finished:
                await asyncio.sleep(self.rng.uniform(0.05, 0.4))

    async def _play_connected(self) -> None:
        headers = {"Authorization": f"Token {self.token}"} if self.token else {}
        address = socket_address(self.url, self.table)
        async with connect(address, additional_headers=headers, proxy=None) as socket:
            self.connections += 1
            self.socket = socket
            self.version = -1
            acting = asyncio.create_task(self._act(socket))
            try:
                async for text in socket:
                    if self._read(json.loads(text)):
                        await socket.send(json.dumps(_resume()))
                    if self.finished:
                        return
            finally:
                acting.cancel()

    async def _act(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            await self._act_until_closed(socket)

    async def _act_until_closed(self, socket: ClientConnection) -> None:
        await self._next_news()
        self.connected = True
        if self.pending is not None:
            self.resent += 1
            await self._send(socket, self.pending)
        while True:
            await self._try_again(socket)
            command = self._command()
            if command is None:
                await self._next_news()
                continue
            await self.pause()
            command = self._command()
            if command is not None:
                await self._send(socket, command)

    async def _try_again(self, socket: ClientConnection) -> None:
        """Send once more what the server could not carry out just then."""
        if self.unavailable and self.pending is not None:
            self.unavailable = 0
            with suppress(TimeoutError):
                async with asyncio.timeout(RETRY_SECONDS):
                    await self._next_news()
            await self._send(socket, self.pending)

    async def _next_news(self) -> None:
        await self.news.wait()
        self.news.clear()

    def _command(self) -> Json | None:
        if self.pending is not None or self.view is None or self.version < self.until:
            return None
        wish = next_wish(self.view, self.rng)
        return None if wish is None else {"id": str(uuid.uuid4()), "v": self.version, **wish}

    async def _send(self, socket: ClientConnection, command: Json) -> None:
        self.pending = command
        await socket.send(json.dumps(command))

    def _read(self, frame: Json) -> bool:
        """Take a frame in; tell whether something is missing, so that all must be asked for."""
        self.frames.append(frame)
        missing = False
        if "snapshot" in frame:
            self.joined_at = frame["v"]
            self._see(frame["snapshot"], frame["v"])
        elif "event" in frame:
            missing = self._event(frame)
        elif "beat" in frame:
            missing = self._beat(frame)
        else:
            self._answer(frame)
        self.news.set()
        return missing

    def _see(self, view: Json, version: int) -> None:
        self.view, self.version = view, version

    def _event(self, frame: Json) -> bool:
        missing: bool = frame["v"] > self.version + 1
        self.gaps += missing
        if frame["v"] > self.version:
            self._see(frame["view"], frame["v"])
        return missing

    def _beat(self, frame: Json) -> bool:
        if frame["beat"] == self.version:
            assert frame["hash"] == digest(canonical(self.view))
            self.beats += 1
        return bool(frame["beat"] > self.version)

    def _answer(self, frame: Json) -> None:
        if "ack" in frame:
            self.acked[frame["ack"]] = self.until = frame["v"]
            self.done_already += frame["v"] <= self.joined_at
            self._answered(frame["ack"])
        elif frame.get("error") == "unavailable":
            self.unavailable += 1
        elif "error" in frame:
            self.refused.append(frame)
            self._answered(frame.get("id"))

    def _answered(self, command_id: str | None) -> None:
        if self.pending is not None and self.pending["id"] == command_id:
            self.pending = None


def _resume() -> Json:
    return {"id": str(uuid.uuid4()), "do": "resume"}
