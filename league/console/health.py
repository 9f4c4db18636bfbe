"""Whether this installation can serve: its database and its broker answer, both, and soon.

The answer names what is missing and nothing else. Connections are new ones with short deadlines,
opened side by side on the event loop, so a hanging server holds up nobody's page.
"""

import asyncio
import logging
from collections.abc import Awaitable
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
_log = logging.getLogger(__name__)
_CONNECTING = ("host", "port", "user", "password", "dbname", "sslmode", "options")


@never_cache
@require_safe
async def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 when both answered, 503 otherwise."""
    checks = {"database": _ping_database(), "broker": _ping_broker()}
    answered = await asyncio.gather(*(_answers(name, ping) for name, ping in checks.items()))
    body = dict(zip(checks, ("ok" if answer else "down" for answer in answered), strict=True))
    return JsonResponse(body, status=200 if all(answered) else 503)


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
