"""Who does not read what is sent is cut off before it costs memory; the table goes on."""

import asyncio
import socket as socket_module
from collections.abc import Iterator

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.stack import Stack, keep_statics
from tests.tables.arrange import arrange, outcome
from tests.tables.client import Client, Json, socket_address

UNREAD = 16 * 1024  # the shortest match sends several times as much to each


@pytest.fixture(scope="module")
def narrow_stack() -> Iterator[Stack]:
    """An installation where little may wait for somebody who does not read."""
    running = Stack.start(AYAZ_UNREAD_BYTES=str(UNREAD), AYAZ_HAND_PAUSE_SECONDS="1")
    keep_statics(running)
    yield running
    running.remove()


async def deaf(stack: Stack, table: Json) -> ClientConnection:
    """A spectator who takes a few frames and then reads nothing any more."""
    address = socket_address(stack.url, table["id"])
    narrow = socket_module.socket()
    narrow.setsockopt(socket_module.SOL_SOCKET, socket_module.SO_RCVBUF, 2048)
    host, port = stack.url.removeprefix("http://").rstrip("/").split(":")
    narrow.connect((host, int(port)))
    return await connect(
        address, sock=narrow, max_queue=1, compression=None, proxy=None, ping_interval=None
    )


async def read_to_the_end(socket: ClientConnection) -> tuple[int, ConnectionClosed]:
    """Read what still comes; return how much it was, and how it ended."""
    read = 0
    async with asyncio.timeout(20):
        while True:
            try:
                read += len(await socket.recv())
            except ConnectionClosed as closed:
                return read, closed


async def test_who_does_not_read_is_cut_off_and_the_match_is_played_to_its_end(
    narrow_stack: Stack,
) -> None:
    (table,) = arrange(narrow_stack, 1)
    players = [Client(narrow_stack.url, table["id"], token) for token in table["tokens"]]
    watching = Client(narrow_stack.url, table["id"])
    idle = await deaf(narrow_stack, table)
    async with asyncio.timeout(120):
        await asyncio.gather(*[client.play() for client in (*players, watching)])
    sent = sum(len(str(frame)) for frame in watching.frames)
    assert sent > 4 * UNREAD, "too little was sent to cut anybody off"
    read, closed = await read_to_the_end(idle)
    assert closed.rcvd is None, "it was cut off, not told"
    assert read < sent / 2
    assert watching.connections == 1
    assert outcome(narrow_stack, [table["id"]])["status"] == ["finished"]
