"""The cache behind the counts of log-ins. Nothing that must be kept may stand in it."""

import logging
from collections.abc import Callable
from typing import Any, ClassVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

SECONDS = 1.0  # a log-in asks several times
_log = logging.getLogger(__name__)


class OpenCache(RedisCache):
    """Acts as empty while the broker is away or full: people log in, their attempts uncounted."""

    failing: ClassVar[bool] = False

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        limits = {"socket_timeout": SECONDS, "socket_connect_timeout": SECONDS}
        options = {**limits, "retry": Retry(NoBackoff(), 0), **params.get("OPTIONS", {})}
        super().__init__(server, {**params, "OPTIONS": options})

    def add(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        return bool(
            _tried(
                lambda: super(OpenCache, self).add(key, value, timeout, version), True, kept=True
            )
        )

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return _tried(lambda: super(OpenCache, self).get(key, default, version), default)

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        _tried(lambda: super(OpenCache, self).set(key, value, timeout, version), None, kept=True)

    def delete(self, key: Any, version: int | None = None) -> bool:
        return bool(_tried(lambda: super(OpenCache, self).delete(key, version), False))


def _tried(ask: Callable[[], Any], otherwise: Any, *, kept: bool = False) -> Any:
    """Return the broker's answer, or `otherwise`; one line of the log tells that it began.

    It is over when the broker has `kept` something: a full one reads and deletes all the while.
    """
    try:
        answer = ask()
    except RedisError as error:
        if not OpenCache.failing:
            _log.warning("attempts to log in are not counted: %s", type(error).__name__)
        OpenCache.failing = True
        return otherwise
    if kept:
        OpenCache.failing = False
    return answer
