"""kill -9 of the database and of the broker in the middle of play: the match goes on to its end.

What was published into a dead broker is found by the beat (cases.md B5); a command that met a dead
database is sent again with its id.
"""

import asyncio
import random
from collections.abc import Iterator

import pytest

from tests.faults.test_kill_daphne import check_database, slow, swift, until
from tests.stack import Stack
from tests.tables.arrange import arrange
from tests.tables.client import Client

pytestmark = pytest.mark.faults
WITHIN = 200.0


@pytest.fixture(scope="module")
def own_servers() -> Iterator[Stack]:
    """An installation with its own database and broker, which only it uses."""
    running = Stack.prepared(AYAZ_HAND_PAUSE_SECONDS="2")
    running.up("--empty")
    yield running
    running.remove()


async def test_match_goes_on_after_the_loss_of_broker_and_database(own_servers: Stack) -> None:
    table = arrange(own_servers)[0]
    rng = random.Random(9)
    clients = [Client(own_servers.url, table["id"], token) for token in table["tokens"]]
    for client in clients:
        client.pause = slow(rng)
    async with asyncio.timeout(WITHIN):
        playing = asyncio.gather(*[client.play() for client in clients])
        for name in ("valkey", "postgres"):
            await progress(clients, 8)
            own_servers.kill(name)
        await progress(clients, 4)
        for client in clients:
            client.pause = swift
        await playing
    check_database(own_servers, clients, [table["id"]])


async def progress(clients: list[Client], commands: int) -> None:
    """Wait until so many more commands were acknowledged."""

    def acked() -> int:
        return sum(len(client.acked) for client in clients)

    goal = acked() + commands
    await until(lambda: acked() >= goal, seconds=90)
