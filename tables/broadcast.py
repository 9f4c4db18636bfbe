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


def player_group(table_id: int, player_id: int) -> str:
    """Return the channel group of a player's sockets at a table, whether seated or not."""
    return f"table.{table_id}.player.{player_id}"


def watchers_group(table_id: int) -> str:
    """Return the channel group of the sockets that hold no seat at a table."""
    return f"table.{table_id}.watchers"


def messages_of(change: Change) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give each group's message: the frame as text, its version and the hash of the view in it.

    A seat's frame goes to who holds it now. Who has just lost a seat gets what everybody may see,
    by the group of their own, and no rack ever again.
    """
    position = change.position
    table_id = position.table_id
    for seat in position.seats:
        if seat.player_id is not None:
            yield player_group(table_id, seat.player_id), _message(change, seat.seat)
    watched = _message(change, None)
    yield watchers_group(table_id), watched
    for player_id in change.former:
        yield player_group(table_id, player_id), watched


def _message(change: Change, receiver: Receiver) -> dict[str, Any]:
    position = change.position
    clock = json.dumps(clock_of(position, timezone.now()))
    view = canonical(view_of(position, receiver))
    event = canonical(change.event_for(receiver))
    text = f'{{"event":{event},"v":{position.version},"view":{view},"clock":{clock}}}'
    return {
        "type": "table.event",
        "v": position.version,
        "text": text,
        "hash": digest(view),
        "seat": receiver,
        "holders": [seat.player_id for seat in position.seats],
    }


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
