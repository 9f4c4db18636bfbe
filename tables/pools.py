"""Connections to PostgreSQL for an event loop, a few for each web process, beside Django's own.

They are for what is written by hand (`rows`), each statement a transaction of its own: it is
prepared, times are in UTC.
"""

import asyncio
from typing import Any
from weakref import WeakKeyDictionary

import orjson
from django.db import connections
from psycopg import AsyncConnection
from psycopg.types.json import set_json_dumps, set_json_loads
from psycopg_pool import AsyncConnectionPool

MOST = 4
WAIT_SECONDS = 1.0  # for a connection; then the other way is taken, which waits longer
RECONNECT_SECONDS = 2.0  # attempts at longer and longer intervals; then they begin anew
LOCK_TIMEOUT = "500ms"  # somebody else works on the table: the other way is taken
_OWN = ("cursor_factory", "context", "pool", "prepare_threshold", "server_side_binding")
_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncConnectionPool] = WeakKeyDictionary()


async def pool() -> AsyncConnectionPool:
    """Return the running loop's pool, opened."""
    loop = asyncio.get_running_loop()
    if loop not in _pools:
        _pools[loop] = AsyncConnectionPool(
            kwargs=_parameters(),
            configure=_configure,
            open=False,
            min_size=1,
            max_size=MOST,
            timeout=WAIT_SECONDS,
            reconnect_timeout=RECONNECT_SECONDS,
        )
    await _pools[loop].open()
    return _pools[loop]


async def close() -> None:
    """Close the running loop's pool, if it has one."""
    own = _pools.pop(asyncio.get_running_loop(), None)
    if own is not None:
        await own.close()


def _parameters() -> dict[str, Any]:
    given = connections["default"].get_connection_params()
    ours = {name: value for name, value in given.items() if name not in _OWN}
    return {**ours, "autocommit": True, "prepare_threshold": 0}


async def _configure(connection: AsyncConnection[Any]) -> None:
    set_json_loads(orjson.loads, connection)
    set_json_dumps(orjson.dumps, connection)
    await connection.execute("SET TIME ZONE 'UTC'")
    await connection.execute(f"SET lock_timeout = '{LOCK_TIMEOUT}'")
