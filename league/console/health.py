"""Whether this installation can serve: its database and its broker answer, both, and soon.

The answer names what is missing and nothing else. Connections are new ones with short deadlines,
opened side by side on the event loop, so a hanging server holds up nobody's page. Everybody who
asks within a second gets one answer, so a crowd takes no connections from the tables.
"""

import asyncio
import logging
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

SECONDS = 2.0
KEPT_SECONDS = 1.0
_log = logging.getLogger(__name__)
_CONNECTING = ("host", "port", "user", "password", "dbname", "sslmode", "options")


@dataclass(frozen=True)
class _Asked:
    """What was asked last, on one event loop."""

    at: float
    task: asyncio.Task[dict[str, str]]

    def serves(self, loop: asyncio.AbstractEventLoop) -> bool:
        fresh = loop.time() - self.at < KEPT_SECONDS or not self.task.done()
        return self.task.get_loop() is loop and fresh


_last: _Asked | None = None


@never_cache
@require_safe
async def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 when both answered, 503 otherwise."""
    global _last
    loop = asyncio.get_running_loop()
    if _last is None or not _last.serves(loop):
        _last = _Asked(loop.time(), loop.create_task(_ask()))
    body = await asyncio.shield(_last.task)  # whoever hangs up takes the answer from nobody
    return JsonResponse(body, status=200 if set(body.values()) == {"ok"} else 503)


async def _ask() -> dict[str, str]:
    checks = {"database": _ping_database(), "broker": _ping_broker()}
    answered = await asyncio.gather(*(_answers(name, ping) for name, ping in checks.items()))
    return dict(zip(checks, ("ok" if answer else "down" for answer in answered), strict=True))


async def _answers(name: str, ping: Awaitable[None]) -> bool:
    try:
        async with asyncio.timeout(SECONDS):
            await ping
    except (OSError, TimeoutError, psycopg.Error, RedisError) as error:
        _log.warning("%s does not answer: %s", name, type(error).__name__)
        return False
    return True


async def _ping_database() -> None:
    params: dict[str, Any] = connection.get_connection_params()
    known = {key: params[key] for key in _CONNECTING if params.get(key)}
    async with await psycopg.AsyncConnection.connect(**known, autocommit=True) as fresh:
        await fresh.execute("SELECT 1")


async def _ping_broker() -> None:
    client = Redis.from_url(settings.VALKEY_URL, retry=Retry(NoBackoff(), 0))
    try:
        await client.ping()
    finally:
        await client.aclose()
