"""Telling the people at a table what was committed: a redacted frame a seat, one for spectators.

Publishing is a hint. It happens after the commit, in the order of the commits of this process: on
the event loop where sockets are served, else on a thread of its own. A failure is logged and never
reaches the writer, since clients find a gap by the version and ask to resume.
"""

import asyncio
import atexit
import json
import logging
import os
import queue
import threading
from dataclasses import dataclass, field
from typing import Any

from channels.layers import get_channel_layer
from django.utils import timezone

from tables.failures import log_failure
from tables.position import Change, Receiver, Views, clock_of
from tables.protocol import canonical, digest

logger = logging.getLogger(__name__)
QUEUE_SIZE = 10_000


def table_group(table_id: int) -> str:
    """Return the channel group of all sockets at a table, whether seated or not."""
    return f"table.{table_id}"


@dataclass(frozen=True, slots=True)
class Said:
    """Something that was said at a table: everybody there hears the same frame."""

    table_id: int
    frame: dict[str, Any] = field(repr=False)


def message_of(item: Change | Said) -> dict[str, Any]:
    """Return what is published to a table's group.

    A change carries a frame for each seat that somebody holds, by player, and one for all others.
    Each socket passes on the one that is its player's: who has just lost a seat gets what everybody
    may see, and no rack ever again.
    """
    if isinstance(item, Said):
        return {"type": "table.said", "text": json.dumps(item.frame, ensure_ascii=False)}
    position, views = item.position, Views(item.position)
    return {
        "type": "table.event",
        "v": position.version,
        "holders": [seat.player_id for seat in position.seats],
        "frames": [seat.player_id and _frame(item, views, seat.seat) for seat in position.seats],
        "watched": _frame(item, views, None),
    }


def _frame(change: Change, views: Views, receiver: Receiver) -> dict[str, str]:
    """Return the frame of a receiver as text, and the hash of the view in it."""
    position = change.position
    clock = canonical(clock_of(position, receiver, timezone.now()))
    view = canonical(views.of(receiver))
    event = canonical(change.event_for(receiver))
    text = f'{{"event":{event},"v":{position.version},"view":{view},"clock":{clock}}}'
    return {"text": text, "hash": digest(view)}


async def send(item: Change | Said) -> None:
    """Publish something to its table's group; a failure is logged."""
    table_id, name = _name_of(item)
    try:
        await get_channel_layer().group_send(table_group(table_id), message_of(item))
    except Exception as error:  # clients find by the version what they missed
        log_failure(logger, error, "table %s: %s unpublished", table_id, name)


def _name_of(item: Change | Said) -> tuple[int, str]:
    if isinstance(item, Said):
        return item.table_id, "a saying"
    return item.position.table_id, f"version {item.position.version}"


class Publisher:
    """A thread with an event loop that publishes what is put in, first in, first out."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self._queue: queue.Queue[Change | Said | threading.Event] = queue.Queue(QUEUE_SIZE)
        self._thread = threading.Thread(target=self._run, name="publisher", daemon=True)
        self._thread.start()

    def put(self, item: Change | Said) -> None:
        """Take something for publishing; when the broker is so slow that none fits, say so."""
        try:
            self._queue.put_nowait(item)
        except queue.Full:
            logger.error("table %s: too much to publish: %s", *_name_of(item))

    def drain(self, seconds: float) -> bool:
        """Wait until everything put in before is out; tell whether that came in time."""
        done = threading.Event()
        try:
            self._queue.put(done, timeout=seconds)
        except queue.Full:
            return False
        return done.wait(seconds)

    def _run(self) -> None:
        with asyncio.Runner() as runner:
            while True:
                item = self._queue.get()
                if isinstance(item, threading.Event):
                    item.set()
                else:
                    self._send(runner, item)

    @staticmethod
    def _send(runner: asyncio.Runner, item: Change | Said) -> None:
        try:
            runner.run(send(item))
        except Exception as error:  # the thread lives as long as its process
            log_failure(logger, error, "table %s: %s unpublished", *_name_of(item))


_publisher: Publisher | None = None
_lock = threading.Lock()


def _own_publisher() -> Publisher:
    """Return this process's publisher: a forked child's is not its parent's."""
    global _publisher
    with _lock:
        if _publisher is None or _publisher.pid != os.getpid():
            _publisher = Publisher()
        return _publisher


def publish(item: Change | Said) -> None:
    """Publish soon what was committed. Never raises for what the broker does."""
    if _served is not None and _served.is_running():
        _served.call_soon_threadsafe(publish_from_loop, item)
    else:
        _own_publisher().put(item)


_served: asyncio.AbstractEventLoop | None = None


def serve() -> None:
    """Let everything that this process publishes go by the running loop, which serves sockets."""
    global _served
    _served = asyncio.get_running_loop()


_sending: set[asyncio.Task[None]] = set()


def publish_from_loop(item: Change | Said) -> None:
    """Publish what was committed by code on the running loop, after what was put in before it.

    When the broker is so slow that very much waits, this is left out, and the log says so.
    """
    if len(_sending) >= QUEUE_SIZE:
        logger.error("table %s: too much to publish: %s", *_name_of(item))
        return
    task = asyncio.create_task(send(item))
    _sending.add(task)
    task.add_done_callback(_sending.discard)


def idle() -> bool:
    """Tell whether everything that was given to the loop is out."""
    return not _sending


def drain(seconds: float = 2.0) -> bool:
    """Wait until what this process published is out (before it ends)."""
    if _publisher is None or _publisher.pid != os.getpid():
        return True
    return _publisher.drain(seconds)


atexit.register(drain)
