"""The clock of all tables: does what falls due, and gives back the time when nobody could play.

Any number of clocks may run: the writer skips a table that somebody else holds, and a time-out is
bound to the version it was seen at. A deadline is a column; nothing is scheduled anywhere else.
"""

import logging
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

from django.db import connection, transaction
from django.utils import timezone

from tables import presence, selectors
from tables.failures import log_failure
from tables.models import Heartbeat, Table, TableStatus
from tables.services import table_drop_gone, table_timeout

logger = logging.getLogger(__name__)

TICK_SECONDS = 0.2
HEARTBEAT_SECONDS = 1.0
OUTAGE_SECONDS = 3.0
"""A gap between heartbeats that is longer than this was an outage."""
LONGEST_WAIT = 10.0
RETRY_SECONDS = 5.0
BATCH = 200
SWEEP_SECONDS = 5.0
ADVISORY_LOCK = 0x61796171

_SHIFT = """
WITH quiet AS (
    SELECT t.id, %(now)s - greatest(%(beat)s, (
        SELECT max(e.created_at) FROM tables_tableevent AS e WHERE e.table_id = t.id
    )) AS length
    FROM tables_table AS t
    WHERE t.status IN ('waiting', 'playing')
), gone AS (
    UPDATE tables_tableseat AS s SET gone_at = s.gone_at + quiet.length
    FROM quiet WHERE s.table_id = quiet.id AND s.gone_at IS NOT NULL
)
UPDATE tables_table AS t
SET deadline_at = t.deadline_at + quiet.length,
    empty_at = t.empty_at + quiet.length,
    press_due_at = t.press_due_at + quiet.length
FROM quiet
WHERE t.id = quiet.id AND coalesce(t.deadline_at, t.empty_at, t.press_due_at) IS NOT NULL
"""


def outage_shift(now: datetime) -> timedelta:
    """Move the deadlines by the time since the last heartbeat, if that was an outage; return it.

    Once only, however many clocks start: under an advisory lock, and the heartbeat is renewed with
    it. A table that was written to after the heartbeat is moved by the time since that. What
    deadlines are made of anew (since when a seat is empty, a press is due, somebody is gone) moves
    with them.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ADVISORY_LOCK])
        beat = Heartbeat.objects.filter(pk=Heartbeat.CLOCK).first()
        gap = timedelta() if beat is None else now - beat.beat_at
        if beat is None or gap <= timedelta(seconds=OUTAGE_SECONDS):
            gap = timedelta()
        else:
            cursor.execute(_SHIFT, {"now": now, "beat": beat.beat_at})
        heartbeat(now)
    return gap


def heartbeat(now: datetime) -> None:
    """Write down that the tables have a clock."""
    Heartbeat.objects.update_or_create(pk=Heartbeat.CLOCK, defaults={"beat_at": now})


def nobody_can_play(now: datetime) -> bool:
    """Tell whether no web process was heard for a while: then nobody can move in time.

    Where none was ever heard, as under a server of another make, there is nothing to wait for.
    """
    heard = Heartbeat.objects.filter(pk=Heartbeat.WEB).first()
    return heard is not None and now - heard.beat_at > timedelta(seconds=OUTAGE_SECONDS)


class Clock:
    """One clock. A table whose time-out fails is left alone for a while, the others go on."""

    def __init__(self) -> None:
        self._resting: dict[int, float] = {}
        self._next_beat = 0.0
        self._next_sweep = 0.0
        self._beat_until = datetime.min.replace(tzinfo=UTC)

    def run(self, stop: threading.Event) -> None:
        """Tick until `stop` is set, through losses of the database and the broker."""
        wait = TICK_SECONDS
        while not stop.is_set():
            try:
                self.tick()
                wait = TICK_SECONDS
            except Exception as error:
                wait = min(LONGEST_WAIT, wait * 2)
                logger.warning("no tick (%s); next in %.1f s", type(error).__name__, wait)
                connection.close()
            stop.wait(wait)

    def tick(self) -> int:
        """Do everything that is due now; return how many tables moved.

        The clock beats before each table as well: a long tick is no outage, and a sleep within it
        makes nobody late, since the writer looks at the deadline again. While no web process lives
        it does nothing, and does not beat, so that this time is given back too (cases.md B4).
        """
        if nobody_can_play(timezone.now()):
            return 0
        self._beat()
        self._sweep()
        return sum(self._timeout(table_id, version) for table_id, version in self._due())

    def _sweep(self) -> None:
        """Look who is gone from the tables without a clock: no deadline finds them."""
        if time.monotonic() < self._next_sweep:
            return
        self._next_sweep = time.monotonic() + SWEEP_SECONDS
        tables = Table.objects.filter(status=TableStatus.PLAYING, move_seconds__isnull=True)
        for table_id in tables.values_list("pk", flat=True):
            here = presence.here(table_id, selectors.holders_of(table_id))
            gone = [seat for seat, is_here in enumerate(here) if not is_here]
            self._attempt(table_id, partial(table_drop_gone, table_id=table_id, gone=gone))

    def _beat(self) -> None:
        """Renew the heartbeat; where it is old, give the time back before anything falls due.

        That is so at the start, after the database was away, and after a sleep of the machine,
        through which the steady clock may have stood still: so the wall clock is asked as well.
        """
        now = timezone.now()
        if time.monotonic() < self._next_beat and now < self._beat_until:
            return
        gap = outage_shift(now)
        if gap:
            presence.begin_anew()
            logger.info("deadlines moved by an outage of %.1f s", gap.total_seconds())
        self._next_beat = time.monotonic() + HEARTBEAT_SECONDS
        self._beat_until = now + timedelta(seconds=HEARTBEAT_SECONDS)

    def _due(self) -> list[tuple[int, int]]:
        now = time.monotonic()
        self._resting = {pk: until for pk, until in self._resting.items() if until > now}
        due = Table.objects.filter(deadline_at__lte=timezone.now()).exclude(pk__in=self._resting)
        return list(due.order_by("deadline_at").values_list("pk", "version")[:BATCH])

    def _timeout(self, table_id: int, version: int) -> bool:
        self._beat()
        return self._attempt(table_id, partial(table_timeout, table_id=table_id, version=version))

    def _attempt(self, table_id: int, act: Callable[[], bool]) -> bool:
        try:
            return act()
        except Exception as error:
            if not connection.is_usable():
                raise
            log_failure(logger, error, "table %s: time-out failed", table_id)
            self._resting[table_id] = time.monotonic() + RETRY_SECONDS
            return False
