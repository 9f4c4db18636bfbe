"""Who is connected to a table: a lease in the broker for each socket, renewed while it lives.

A killed process leaves no ghost, since its leases run out; all sockets of a seat are one presence.
Presence is a courtesy: when the broker is away nobody is shown as present, and play goes on.
"""

import asyncio
import time
from weakref import WeakKeyDictionary

from django.conf import settings
from redis.asyncio import Redis

LEASE_SECONDS = 25.0
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


def _key(table_id: int) -> str:
    return f"ayaz:presence:{table_id}"


async def renew(table_id: int, seat: int, socket: str) -> None:
    """Say that this socket of a seat lives."""
    key, now = _key(table_id), time.time()
    async with _client().pipeline(transaction=False) as pipe:
        pipe.zadd(key, {f"{seat}:{socket}": now + LEASE_SECONDS})
        pipe.zremrangebyscore(key, "-inf", now)
        pipe.expire(key, int(LEASE_SECONDS * 4))
        await pipe.execute()


async def release(table_id: int, seat: int, socket: str) -> None:
    """Say that this socket of a seat is gone."""
    await _client().zrem(_key(table_id), f"{seat}:{socket}")


async def present(table_id: int, seats: int) -> list[bool]:
    """Return by seat whether a socket of its player lives."""
    members = await _client().zrangebyscore(_key(table_id), time.time(), "+inf")
    here = {int(str(member).split(":", 1)[0]) for member in members}
    return [seat in here for seat in range(seats)]
