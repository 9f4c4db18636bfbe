"""Tells the clock that people can reach their tables: a beat of each web process, on a thread.

All web processes renew one row, so it is as young as the one that was heard last.
"""

import logging
import threading

from django.db import DatabaseError, connection
from django.utils import timezone

from tables.models import Heartbeat

logger = logging.getLogger(__name__)
SECONDS = 1.0


def beat() -> None:
    """Write down that a web process lives."""
    Heartbeat.objects.update_or_create(pk=Heartbeat.WEB, defaults={"beat_at": timezone.now()})


def run(stop: threading.Event) -> None:
    """Beat until `stop` is set, through losses of the database."""
    while not stop.is_set():
        try:
            beat()
        except DatabaseError as error:
            logger.warning("no beat (%s)", type(error).__name__)
        finally:
            connection.close()  # back to the pool: a thread that rests needs none
        stop.wait(SECONDS)


def start() -> threading.Event:
    """Beat on a thread of its own; return what ends it. The process ends without waiting for it."""
    stop = threading.Event()
    threading.Thread(target=run, args=(stop,), name="heartbeat", daemon=True).start()
    return stop
