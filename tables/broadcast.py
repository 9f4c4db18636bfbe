"""Telling the people at a table what was committed: a redacted frame a seat, one for spectators.

Publishing is a hint. It happens after the commit, on a thread of its own, in the order of the
commits of this process; a failure is logged and never reaches the writer, since clients find a gap
by the version and ask to resume.
"""

import asyncio
import atexit
import json
import logging
import os
import queue
import threading
from collections.abc import Iterator
from typing import Any

from channels.layers import get_channel_layer
from django.utils import timezone

from tables.failures import log_failure
from tables.position import Change, Receiver, clock_of, view_of
from tables.protocol import canonical, digest

logger = logging.getLogger(__name__)
QUEUE_SIZE = 10_000


def group_of(table_id: int, receiver: Receiver) -> str:
    """Return the channel group of a seat's or the spectators' sockets."""
    return f"table.{table_id}.{'spectators' if receiver is None else receiver}"


def receivers_of(seats: int) -> tuple[Receiver, ...]:
    """Return everybody who gets frames: the seats, and None for spectators."""
    return (*range(seats), None)


def messages_of(change: Change) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give each group's message: the frame as text, its version and the hash of the view in it."""
    position = change.position
    clock = json.dumps(clock_of(position, timezone.now()))
    for receiver in receivers_of(len(position.seats)):
        view = canonical(view_of(position, receiver))
        event = canonical(change.event_for(receiver))
        text = f'{{"event":{event},"v":{position.version},"view":{view},"clock":{clock}}}'
        yield (
            group_of(position.table_id, receiver),
            {"type": "table.event", "v": position.version, "text": text, "hash": digest(view)},
        )


async def send(change: Change) -> None:
    """Publish a change to every group; a failure is logged, and the other groups get theirs."""
    layer, position = get_channel_layer(), change.position
    sends = [layer.group_send(group, message) for group, message in messages_of(change)]
    results = await asyncio.gather(*sends, return_exceptions=True)
    failures = [result for result in results if isinstance(result, Exception)]
    if failures:
        text = "table %s: version %s unpublished to %s of %s groups"
        values = position.table_id, position.version, len(failures), len(results)
        log_failure(logger, failures[0], text, *values)


class Publisher:
    """A thread with an event loop that publishes what is put in, first in, first out."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self._queue: queue.Queue[Change | threading.Event] = queue.Queue(QUEUE_SIZE)
        self._thread = threading.Thread(target=self._run, name="publisher", daemon=True)
        self._thread.start()

    def put(self, change: Change) -> None:
        """Take a change for publishing; when the broker is so slow that none fits, say so."""
        try:
            self._queue.put_nowait(change)
        except queue.Full:
            logger.error("table %s: too much to publish", change.position.table_id)

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
    def _send(runner: asyncio.Runner, change: Change) -> None:
        try:
            runner.run(send(change))
        except Exception as error:  # the thread lives as long as its process
            log_failure(logger, error, "table %s: unpublished", change.position.table_id)


_publisher: Publisher | None = None
_lock = threading.Lock()


def _own_publisher() -> Publisher:
    """Return this process's publisher: a forked child's is not its parent's."""
    global _publisher
    with _lock:
        if _publisher is None or _publisher.pid != os.getpid():
            _publisher = Publisher()
        return _publisher


def publish(change: Change) -> None:
    """Publish a committed change soon. Never raises for what the broker does."""
    _own_publisher().put(change)


def drain(seconds: float = 2.0) -> bool:
    """Wait until what this process published is out (before it ends)."""
    if _publisher is None or _publisher.pid != os.getpid():
        return True
    return _publisher.drain(seconds)


atexit.register(drain)
