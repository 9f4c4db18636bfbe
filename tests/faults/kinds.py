"""The kinds of faults, and how each is brought about at its exact instant of play.

Nothing in the installation helps: what is held is held by a lock in the database, by the broker's
own pause, or by a stop signal.
"""

import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from enum import Enum

import redis

from tests.faults.game import Game
from tests.faults.outside import alive, kill
from tests.tables.client import Client
from tests.waiting import until_on_loop


class Fault(Enum):
    """What dies, and when."""

    BEFORE_COMMIT = "a web process before the commit"
    BEFORE_ACK = "a web process between commit and acknowledgement"
    BEFORE_PUBLISH = "a web process between acknowledgement and publication"
    CLOCK = "the clock"
    TERMINATED = "one web process of two, by SIGTERM"
    BROKER = "the broker, restarted empty"
    DATABASE = "the database, restarted"


async def before_commit(game: Game) -> None:
    """Kill a web process whose move is written and waits within COMMIT: it never happened.

    Its server process is ended before the lock is given back; else the commit might follow.
    """
    with game.outside.no_commits():
        backend, pid = await game.outside.held()
        waiting = _uncommitted(game, pid)
        await kill(pid)
        game.outside.ask("SELECT pg_terminate_backend(%s)", backend.pid)
        gone = "SELECT 1 FROM pg_stat_activity WHERE pid = %s"
        await until_on_loop(lambda: not game.outside.ask(gone, backend.pid))
        assert waiting
        assert game.outside.events(waiting) == {}


async def before_ack(game: Game) -> None:
    """Kill a web process that was stopped within COMMIT, after the database has committed."""
    with game.outside.no_commits() as commit:
        _backend, pid = await game.outside.held()
        os.kill(pid, signal.SIGSTOP)
        waiting = _uncommitted(game, pid)
        commit()
        await until_on_loop(lambda: game.outside.events(waiting))
        assert waiting.isdisjoint(each for client in game.clients for each in client.acked)
        await kill(pid)


def _uncommitted(game: Game, pid: int) -> set[str]:
    """Return the commands that a web process was sent and that no commit holds, while none may.

    What was committed just before may be without an answer too.
    """
    pending = game.pending(pid)
    return pending - game.outside.events(pending).keys()


async def before_publish(game: Game) -> None:
    """Kill a web process whose acknowledgement a client has, while the broker publishes nothing.

    What it asked the broker for is dropped with its connections: nobody ever hears of that move.
    """
    with game.outside.nothing_published():
        known = _sent(game)
        await until_on_loop(lambda: _acked(game, known))
        client, version, pid = _acked(game, known)[0]
        ports = game.outside.broker_ports(pid)
        await kill(pid)
        game.outside.forget_publications(ports)
    await game.everybody_plays()
    heard = [frame for each in game.clients if each.table == client.table for frame in each.frames]
    assert not [frame for frame in heard if "event" in frame and frame["v"] == version]


def _sent(game: Game) -> set[str]:
    """Return the commands sent so far: those without an answer yet may be published already."""
    waiting = {client.pending["id"] for client in game.clients if client.pending is not None}
    return waiting.union(*[client.acked for client in game.clients])


def _acked(game: Game, known: set[str]) -> list[tuple[Client, int, int]]:
    """Return who has a new acknowledgement, its version, and the web process it came from."""
    fresh = [
        (client, max(client.acked[each] for each in client.acked.keys() - known))
        for client in game.clients
        if client.acked.keys() - known
    ]
    served = [(client, version, game.serving(client)) for client, version in fresh]
    return [(client, version, pid) for client, version, pid in served if pid is not None]


async def clock(game: Game) -> None:
    """Kill the clock; it comes back after up to five seconds, or more where the machine is slow."""
    outage = game.rng.uniform(0, 5)
    with game.outside.nothing_restarts():
        await kill(game.grounds.stack.pids()["clock"])
        game.moving.clear()  # the matches are not to be over before the next fault
        last = game.outside.beat_at()
        age = "SELECT extract(epoch FROM now() - beat_at) > %s FROM tables_heartbeat WHERE id = 1"
        await until_on_loop(lambda: game.outside.ask(age, outage)[0][0])
    await until_on_loop(lambda: game.outside.beat_at() > last)


async def terminated(game: Game) -> None:
    """End one of two web processes in good order while its clients play."""
    pid = game.rng.choice(list(game.outside.daphnes().values()))
    os.kill(pid, signal.SIGTERM)
    await until_on_loop(lambda: not alive(pid))


async def broker_restarted(game: Game) -> None:
    """Kill the broker, which comes back without anything it knew."""
    game.outside.broker().set("fault", 1)
    with game.outside.nothing_restarts():
        await kill(game.grounds.stack.pids()["valkey"])
        game.outside.forget_broker_files()

    def empty() -> bool:
        with suppress(redis.ConnectionError):
            return not game.outside.broker().exists("fault")
        return False

    await until_on_loop(empty)


async def database_restarted(game: Game) -> None:
    """Kill the database, which comes back by recovering what was committed."""
    await kill(game.grounds.stack.pids()["postgres"])
    await until_on_loop(game.outside.answers)
    last = game.outside.beat_at()
    await until_on_loop(lambda: game.outside.beat_at() > last)


BRING_ABOUT: dict[Fault, Callable[[Game], Awaitable[None]]] = {
    Fault.BEFORE_COMMIT: before_commit,
    Fault.BEFORE_ACK: before_ack,
    Fault.BEFORE_PUBLISH: before_publish,
    Fault.CLOCK: clock,
    Fault.TERMINATED: terminated,
    Fault.BROKER: broker_restarted,
    Fault.DATABASE: database_restarted,
}
