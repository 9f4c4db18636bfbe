"""kill -9 of Daphne in the middle of play: nothing acknowledged is lost, nothing happens twice.

Eight people play at two tables over real sockets. The supervisor brings Daphne back, the clients
reconnect and send again what was not answered, with the same id (cases.md B1, B4).
"""

import asyncio
import json
import os
import random
import secrets
import signal
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from engine.record import check_record
from tests.stack import Stack, keep_statics
from tests.tables.arrange import arrange, outcome
from tests.tables.client import Client, Json

pytestmark = pytest.mark.faults

KILLS, AFTER_A_SEND = 20, 10
COUNTED = ("resent", "done_already")
WITHIN = 240.0  # seconds, on a slow and busy machine


@pytest.fixture(scope="module")
def quick_stack() -> Iterator[Stack]:
    """An installation whose supervisor restarts what dies again and again without waiting."""
    running = Stack.start(AYAZ_STEADY_SECONDS="0.1", AYAZ_HAND_PAUSE_SECONDS="2")
    keep_statics(running)
    yield running
    running.remove()


@dataclass
class Killer:
    """Kills Daphne at random instants of play, half of them just after a command was sent."""

    stack: Stack
    clients: list[Client]
    rng: random.Random
    in_flight: int = 0
    kills: int = 0
    sent: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self) -> None:
        moments = [True] * AFTER_A_SEND + [False] * (KILLS - AFTER_A_SEND)
        self.rng.shuffle(moments)
        for after_a_send in moments:
            await self._everybody_plays()
            await (self._just_sent() if after_a_send else self._some_time())
            self._kill()

    async def _everybody_plays(self) -> None:
        """Wait until all are connected again and something was acknowledged since."""
        await until(lambda: all(client.connected for client in self.clients))
        before = self._acked()
        await until(lambda: self._acked() > before)

    async def _just_sent(self) -> None:
        self.sent.clear()
        await self.sent.wait()
        await asyncio.sleep(self.rng.uniform(0, 0.003))

    async def _some_time(self) -> None:
        await asyncio.sleep(self.rng.uniform(0, 0.4))

    def _acked(self) -> int:
        return sum(len(client.acked) for client in self.clients)

    def _kill(self) -> None:
        assert not any(client.finished for client in self.clients), "a match ended too early"
        self.in_flight += any(client.pending for client in self.clients)
        os.kill(self.stack.pids()["daphne"], signal.SIGKILL)
        self.kills += 1
        for client in self.clients:
            client.connected = False


async def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for a condition."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.005)


async def test_twenty_kills_lose_nothing_and_double_nothing(quick_stack: Stack) -> None:
    seed = int(os.environ.get("AYAZ_FAULT_SEED") or secrets.randbits(32))
    print(f"AYAZ_FAULT_SEED={seed}")
    rng = random.Random(seed)
    tables = arrange(quick_stack, 2)
    clients = slow_clients(quick_stack, tables, rng)
    killer = Killer(quick_stack, clients, rng)
    for client in clients:
        client.on_sent = killer.sent.set
    async with asyncio.timeout(WITHIN):
        playing = asyncio.gather(*[client.play() for client in clients])
        await killer.run()
        for client in clients:
            client.pause = swift
        await playing

    report(killer)
    assert killer.kills == KILLS
    assert killer.in_flight >= 5
    check_database(quick_stack, clients, [table["id"] for table in tables])


def slow_clients(stack: Stack, tables: list[Json], rng: random.Random) -> list[Client]:
    """A client for each seat, that takes its time."""
    seats = [(table["id"], token) for table in tables for token in table["tokens"]]
    return [
        Client(stack.url, table, token, pause=slow(rng), rng=random.Random(rng.random()))
        for table, token in seats
    ]


def report(killer: Killer) -> None:
    resent, done = (sum(getattr(each, name) for each in killer.clients) for name in COUNTED)
    print(f"{killer.kills} kills, {killer.in_flight} between a send and its answer")
    print(f"{resent} commands sent again, {done} of them had been carried out before the kill")


def slow(rng: random.Random) -> Callable[[], "asyncio.Future[None]"]:
    def pause() -> "asyncio.Future[None]":
        return asyncio.ensure_future(asyncio.sleep(rng.uniform(0.05, 0.3)))

    return pause


async def swift() -> None:
    await asyncio.sleep(0.01)


def check_database(stack: Stack, clients: list[Client], tables: list[int]) -> None:
    found = outcome(stack, tables)
    for client in clients:
        assert client.pending is None or client.finished
        for command_id, version in client.acked.items():
            assert found["events"][command_id] == [client.table, version]
    assert len(found["events"]) == found["count"]
    assert found["status"] == ["finished"] * len(tables)
    assert sorted(found["postings"]) == [[table, seat] for table in tables for seat in range(4)]
    stack.manage("ledger", "verify")
    for table in tables:
        with urllib.request.urlopen(f"{stack.url}api/v1/tables/{table}/record/") as answer:
            check_record(json.load(answer))
