"""Over real sockets: a seat changes hands, and from then on so does everything that is secret.

cases.md B3: a frame of the seat never reaches who held it before, and who watched and then sits
down sees the own rack alone, on every socket, by event, by resume and by beat.
"""

import asyncio
import json
import urllib.request
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from engine.record import check_record
from tests.stack import Stack
from tests.tables.arrange import arrange
from tests.tables.client import Client, Json, socket_address
from tests.tables.scanning import scan
from tests.waiting import until_on_loop

WITHIN = 120.0


@dataclass
class Ear:
    """A socket that only listens, asks for what it missed now and then, and keeps every frame."""

    stack: Stack
    table: int
    token: str
    frames: list[Json] = field(default_factory=list)

    async def listen(self) -> None:
        """Keep frames until the match is over."""
        with suppress(ConnectionClosed):
            async with self.open() as socket:
                async for text in socket:
                    self.frames.append(json.loads(text))
                    if len(self.frames) % 15 == 0:
                        await socket.send(json.dumps({"id": str(uuid.uuid4()), "do": "resume"}))
                    if status_of(self.frames[-1]) == "finished":
                        return

    def open(self) -> connect:
        headers = {"Authorization": f"Token {self.token}"}
        address = socket_address(self.stack.url, self.table)
        return connect(address, additional_headers=headers, proxy=None)

    async def ask(self, **command: Any) -> Json:
        """Send a command on a socket of its own and return the answer."""
        command = {"id": str(uuid.uuid4()), **command}
        async with self.open() as socket:
            await socket.send(json.dumps(command))
            return await answer_to(socket, command["id"])


async def answer_to(socket: ClientConnection, command_id: str) -> Json:
    while True:
        frame: Json = json.loads(await socket.recv())
        if command_id in (frame.get("ack"), frame.get("id")):
            return frame


def view_of(frame: Json) -> Json | None:
    return frame.get("view") or frame.get("snapshot")


def status_of(frame: Json) -> str:
    view = view_of(frame)
    return "" if view is None else view["table"]["status"]


async def test_case_b3_a_seat_changes_hands_and_no_frame_shows_a_foreign_tile(
    stack: Stack,
) -> None:
    table, elsewhere = arrange(stack, 2)
    leaver, substitute = table["tokens"][1], elsewhere["tokens"][0]
    players = [Client(stack.url, table["id"], token) for token in table["tokens"]]
    watching = Client(stack.url, table["id"], substitute)
    ears = [
        Ear(stack, table["id"], token)
        for token in (leaver, leaver, substitute, substitute, table["tokens"][2])
    ]
    async with asyncio.timeout(WITHIN):
        playing = asyncio.gather(*[each.play() for each in (*players, watching)])
        listening = asyncio.gather(*[ear.listen() for ear in ears])
        await until_on_loop(lambda: players[0].version >= 12)
        wrong = await ears[0].ask(do="leave", price=0)
        assert wrong["error"] == "price"
        price = players[1].view["table"]["price"] if players[1].view else 0
        left_at = (await ears[0].ask(do="leave", price=price))["v"]
        sat_at = (await ears[2].ask(do="sit", seat=1))["v"]
        manager = Ear(stack, table["id"], table["tokens"][0])
        assert "ack" in await manager.ask(do="continue")
        await playing
        await listening
    record = record_of(stack, table["id"])
    check_record(record)
    assert [stint["how"] for stint in record["players"][1]] == ["start", "substitute"]
    for frames in (players[1].frames, ears[0].frames, ears[1].frames):
        assert seats_seen(frames, record) == {(True, 1), (False, None)}
        check_seats(frames, lambda version: 1 if version < left_at else None)
    for frames in (watching.frames, ears[2].frames, ears[3].frames):
        assert seats_seen(frames, record) == {(False, None), (True, 1)}
        check_seats(frames, lambda version: 1 if version >= sat_at else None)
    for seat, frames in ((0, players[0].frames), (2, ears[4].frames), (3, players[3].frames)):
        assert seats_seen(frames, record) == {(True, seat)}
    stack.manage("ledger", "verify")


def record_of(stack: Stack, table_id: int) -> Json:
    address = f"{stack.url}api/v1/tables/{table_id}/record/"
    with urllib.request.urlopen(address, timeout=20) as answer:
        record: Json = json.load(answer)
    return record


def seats_seen(frames: list[Json], record: Json) -> set[tuple[bool, int | None]]:
    """Scan every frame as for the seat it says it is for; return whether racks came with which."""
    seen = set()
    for frame in frames:
        view = view_of(frame)
        seat = None if view is None else view["table"]["you"]
        scan(frame, seat, record)
        if view is not None and view["match"] is not None:
            seen.add((view["match"]["rack"] is not None, seat))
    return seen


def check_seats(frames: list[Json], seat_at: Callable[[int], int | None]) -> None:
    """Check at each version that the frame was for the seat that was theirs then, or for none."""
    for frame in frames:
        view = view_of(frame)
        if view is not None:
            assert view["table"]["you"] == seat_at(frame["v"]), frame["v"]
