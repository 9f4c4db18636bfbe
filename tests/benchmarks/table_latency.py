"""How long a move takes at one table: `python -m tests.benchmarks.table_latency`.

Starts an installation of its own, plays one Aznif match with four players and a spectator over
sockets, and prints one JSON line: milliseconds from sending a move until its acknowledgement, and
until the spectator got its event.
"""

import asyncio
import json
import random
import statistics
import time
import uuid
from contextlib import AsyncExitStack
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from league.console.robots import next_wish
from tests.servers import SERVERS
from tests.stack import Stack
from tests.tables.arrange import arrange
from tests.tables.client import socket_address

Json = dict[str, Any]


async def newest(socket: ClientConnection, version: int) -> Json:
    """Read until the view of a version has come, and return that view."""
    while True:
        frame: Json = json.loads(await asyncio.wait_for(socket.recv(), 20))
        if frame.get("v") == version and ("view" in frame or "snapshot" in frame):
            view: Json = frame.get("view") or frame["snapshot"]
            return view


async def acknowledged(socket: ClientConnection, command: Json) -> int:
    """Send a command and return the version of its acknowledgement."""
    await socket.send(json.dumps(command))
    while True:
        frame = json.loads(await asyncio.wait_for(socket.recv(), 20))
        if frame.get("ack") == command["id"]:
            return int(frame["v"])


async def measure(url: str, table: Json) -> tuple[list[float], list[float]]:
    """Play the match and return both times of each move in milliseconds."""
    address, acks, events = socket_address(url, table["id"]), [], []
    async with AsyncExitStack() as opened:
        headers = [{"Authorization": f"Token {token}"} for token in table["tokens"]] + [{}]
        sockets = [
            await opened.enter_async_context(connect(address, additional_headers=each, proxy=None))
            for each in headers
        ]
        version, rng = 0, random.Random(7)
        views = [await newest(socket, version) for socket in sockets]
        while views[-1]["table"]["status"] != "finished":
            seat, wish = next(
                (seat, wish) for seat in range(4) if (wish := next_wish(views[seat], rng))
            )
            command = {"id": str(uuid.uuid4()), "v": version, **wish}
            start = time.perf_counter()
            seen = asyncio.create_task(newest(sockets[-1], version + 1))
            version = await acknowledged(sockets[seat], command)
            acks.append((time.perf_counter() - start) * 1000)
            views[-1] = await seen
            events.append((time.perf_counter() - start) * 1000)
            for each in range(4):
                views[each] = await newest(sockets[each], version)
    return acks, events


def main() -> None:
    """Start, measure, print, stop."""
    stack = Stack.start()
    try:
        acks, events = asyncio.run(measure(stack.url, arrange(stack)[0]))
    finally:
        stack.remove()
        SERVERS.stop()
    row = {
        "commands": len(acks),
        "ack_ms_median": round(statistics.median(acks), 2),
        "ack_ms_p95": round(statistics.quantiles(acks, n=20)[-1], 2),
        "event_ms_median": round(statistics.median(events), 2),
        "event_ms_p95": round(statistics.quantiles(events, n=20)[-1], 2),
    }
    print(json.dumps(row))


if __name__ == "__main__":
    main()
