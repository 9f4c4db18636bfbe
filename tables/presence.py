"""Who is connected to a table: a lease in the broker for each socket, renewed while it lives.

A killed process leaves no ghost, since its leases run out; all sockets of a player are one
presence, whichever seat it sits in.
Presence is a courtesy: when the broker is away what was shown last stays, and play goes on.
"""

import asyncio
import logging
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from weakref import WeakKeyDictionary

import redis
from django.conf import settings
from redis.asyncio import Redis

logger = logging.getLogger(__name__)

LEASE_SECONDS = max(25.0, 2.5 * settings.AYAZ_BEAT_SECONDS)
_ASK_SECONDS = 1.0
_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Redis] = WeakKeyDictionary()


def _client() -> Redis:
    loop = asyncio.get_running_loop()
    if loop not in _clients:
        _clients[loop] = Redis.from_url(
            settings.VALKEY_URL,
            socket_timeout=5,
            socket_connect_timeout=5,
            decode_responses=True,
        )
    return _clients[loop]


_SINCE = "ayaz:presence:since"
"""Since when this broker knows of anybody: one that was restarted empty has to be told first."""


def _key(table_id: int) -> str:
    return f"ayaz:presence:{table_id}"


Holders = Sequence[int | None]
"""The players who hold a table's seats, by seat; None for an empty seat or a bot."""


@dataclass(frozen=True, slots=True)
class Lease:
    """What says for a while that a socket of a player at a table lives."""

    table_id: int
    player_id: int
    socket: str


async def renew(table_id: int, player_id: int, socket: str) -> None:
    """Say that this socket of a player lives."""
    await renewed([Lease(table_id, player_id, socket)], ())


async def renewed(leases: Sequence[Lease], tables: Collection[int]) -> dict[int, list[str]]:
    """Say that these sockets live, and return what is present then at each of the tables."""
    now = time.time()
    async with _client().pipeline(transaction=False) as pipe:
        for lease in leases:
            key = _key(lease.table_id)
            pipe.zadd(key, {f"{lease.player_id}:{lease.socket}": now + LEASE_SECONDS})
            pipe.zremrangebyscore(key, "-inf", now)
            pipe.expire(key, int(LEASE_SECONDS * 4))
        pipe.set(_SINCE, now, nx=True)
        for table_id in tables:
            pipe.zrangebyscore(_key(table_id), now, "+inf")
        answers = await pipe.execute()
    return dict(zip(tables, answers[len(answers) - len(tables) :], strict=True))


def begin_anew() -> None:
    """Let everybody count as present for a lease: after an outage all have to be told anew."""
    try:
        _asking().set(_SINCE, time.time())
    except redis.RedisError as error:
        logger.warning("presence not begun anew: %s", type(error).__name__)


async def release(table_id: int, player_id: int, socket: str) -> None:
    """Say that this socket of a player is gone."""
    await _client().zrem(_key(table_id), f"{player_id}:{socket}")


async def present(table_id: int, holders: Holders) -> list[bool]:
    """Return by seat whether a socket of its player lives."""
    return by_seat(await _client().zrangebyscore(_key(table_id), time.time(), "+inf"), holders)


def here(table_id: int, holders: Holders) -> list[bool]:
    """Return by seat whether a socket of its player lives, for the writer and the clock.

    Where the broker cannot be asked, or was restarted empty so lately that not every socket has
    told it, everybody counts as present: nobody drops for its sake.
    """
    now = time.time()
    try:
        with _asking().pipeline(transaction=False) as pipe:
            pipe.set(_SINCE, now, nx=True)
            pipe.get(_SINCE)
            pipe.zrangebyscore(_key(table_id), now, "+inf")
            _new, since, members = pipe.execute()
    except redis.RedisError as error:
        logger.warning("table %s: presence unknown: %s", table_id, type(error).__name__)
        return [True] * len(holders)
    if now - float(since) < LEASE_SECONDS:
        return [True] * len(holders)
    return by_seat(members, holders)


@cache
def _asking() -> redis.Redis:
    return redis.Redis.from_url(
        settings.VALKEY_URL,
        socket_timeout=_ASK_SECONDS,
        socket_connect_timeout=_ASK_SECONDS,
        decode_responses=True,
    )


def by_seat(members: Iterable[object], holders: Holders) -> list[bool]:
    """Return by seat whether its player is among what is present at the table."""
    here = {int(str(member).split(":", 1)[0]) for member in members}
    return [player in here for player in holders]
