"""The clock: whole matches by time-outs alone, several clocks at once, and time given back."""

import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from engine.match import Phase
from engine.record import check_record
from league.ledger.models import Posting
from tables import heartbeat as web_heartbeat
from tables.clock import Clock, heartbeat, nobody_can_play, outage_shift
from tables.models import Heartbeat, Table, TableEvent, TableSeat, TableStatus
from tables.selectors import record_of_table
from tables.services import table_timeout
from tests.stack import CHECKOUT, Stack
from tests.tables.builders import bring_back, build_table, come, play_until, send, sit_all, start
from tests.tables.builders import command as order
from tests.waiting import until

pytestmark = pytest.mark.django_db
together = pytest.mark.django_db(transaction=True)


def make_due(*tables: Table) -> None:
    """Let the tables' time be up, but not that of a seat that is empty."""
    going_on = Table.objects.filter(pk__in=[table.pk for table in tables], empty_at__isnull=True)
    going_on.filter(deadline_at__isnull=False).update(deadline_at=timezone.now())


def make_empty(table: Table, ago: timedelta) -> None:
    """Let a table's seat be empty, a press due and somebody gone since then."""
    since = timezone.now() - ago
    Table.objects.filter(pk=table.pk).update(empty_at=since, press_due_at=since)
    TableSeat.objects.filter(table=table, seat=1).update(gone_at=since)


def deadline(table: Table) -> datetime:
    table.refresh_from_db()
    assert table.deadline_at is not None
    return table.deadline_at


def test_clock_plays_a_whole_match_alone() -> None:
    """Of people who never move: after three moves by the clock each has to come back."""
    table, clock = build_table(), Clock()
    sit_all(table)
    come(table)
    for _tick in range(1000):
        make_due(table)
        if not clock.tick():
            break
        bring_back(table)
    table.refresh_from_db()
    assert table.status == TableStatus.FINISHED
    assert check_record(record_of_table(table)).phase == Phase.OVER
    assert Posting.objects.count() == 4
    assert clock.tick() == 0


def test_nothing_happens_before_the_deadline() -> None:
    table = build_table()
    start(table)
    assert Clock().tick() == 0
    assert deadline(table) > timezone.now() + timedelta(seconds=25)


def test_table_starts_by_itself_only_when_everybody_sits() -> None:
    table = build_table()
    for seat in range(3):
        send(table, seat, order("sit"))
    table.refresh_from_db()
    assert table.deadline_at is None
    send(table, 3, order("sit"))
    make_due(table)
    assert Clock().tick() == 1
    table.refresh_from_db()
    assert table.status == TableStatus.PLAYING


def test_next_hand_comes_after_the_pause() -> None:
    table = build_table()
    start(table)
    play_until(table, lambda state: state.phase == Phase.DEAL)
    assert deadline(table) < timezone.now() + timedelta(seconds=13)
    send(table, 1, order("ready"))
    make_due(table)
    assert Clock().tick() == 1
    state = play_until(table, lambda state: True)
    assert (state.phase, state.hand_number) == (Phase.PLAY, 1)
    assert not table.seats.filter(ready=True).exists()


def run_together(*works: Callable[[], object]) -> None:
    def closing(work: Callable[[], object]) -> None:
        try:
            work()
        finally:
            connection.close()

    threads = [threading.Thread(target=closing, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


@together
def test_two_clocks_play_several_tables_and_do_everything_once() -> None:
    tables = [build_table() for _ in range(3)]
    for table in tables:
        sit_all(table)
        come(table)

    def play() -> None:
        clock = Clock()
        for _tick in range(2000):
            make_due(*tables)
            clock.tick()
            for table in tables:
                bring_back(table)
            if not Table.objects.exclude(status=TableStatus.FINISHED).exists():
                return

    run_together(play, play)
    for table in tables:
        table.refresh_from_db()
        assert table.status == TableStatus.FINISHED
        check_record(record_of_table(table))
        numbers = TableEvent.objects.filter(table=table).values_list("seq", flat=True)
        assert list(numbers) == list(range(1, table.version + 1))
    assert Posting.objects.count() == 12


@together
def test_table_that_cannot_be_settled_does_not_stop_the_others() -> None:
    broken, sound = build_table(), build_table()
    for table in (broken, sound):
        start(table)
        come(table)
    broken.match.stints.all().delete()
    clock = Clock()
    for _tick in range(1000):
        make_due(broken, sound)
        if not clock.tick():
            break
        for table in (broken, sound):
            bring_back(table)
    broken.refresh_from_db()
    sound.refresh_from_db()
    assert sound.status == TableStatus.FINISHED
    assert broken.status == TableStatus.PLAYING
    assert Posting.objects.count() == 4


# --- outages


def test_first_start_ever_moves_nothing() -> None:
    table = build_table()
    start(table)
    before = deadline(table)
    assert not outage_shift(timezone.now())
    assert deadline(table) == before


def test_outage_moves_the_deadlines_by_its_length_once() -> None:
    table = build_table()
    start(table)
    before, now = deadline(table), timezone.now()
    quiet = timedelta(seconds=60)
    TableEvent.objects.filter(table=table).update(created_at=now - quiet * 2)
    heartbeat(now - quiet)
    assert outage_shift(now) == quiet
    assert deadline(table) == before + quiet
    assert not outage_shift(now)
    assert deadline(table) == before + quiet


def test_case_b4_what_deadlines_are_made_of_moves_with_them() -> None:
    """cases.md B4: also how long a seat is empty, a press is due, somebody is gone."""
    table, other = build_table(), build_table()
    for each in (table, other):
        start(each)
    now, quiet = timezone.now(), timedelta(seconds=60)
    TableEvent.objects.update(created_at=now - quiet * 2)
    make_empty(table, ago=quiet * 2)
    heartbeat(now - quiet)
    assert outage_shift(now) == quiet
    table.refresh_from_db()
    other.refresh_from_db()
    since = table.empty_at
    assert since is not None
    assert abs(now - quiet - since) < timedelta(seconds=5)
    assert table.press_due_at == table.seats.get(seat=1).gone_at == since
    assert (other.empty_at, other.press_due_at) == (None, None)


def test_case_b4_the_clock_waits_while_no_web_process_lives() -> None:
    """cases.md B4: Daphne dead, the clock alive: nobody can move, so nobody loses on time."""
    table, clock = build_table(), Clock()
    start(table)
    come(table)
    web(timedelta())
    assert clock.tick() == 0
    quiet = timedelta(seconds=60)
    then = timezone.now() - quiet
    TableEvent.objects.update(created_at=then - quiet)
    Heartbeat.objects.update(beat_at=then)
    Table.objects.update(deadline_at=then + timedelta(seconds=20))
    for _tick in range(3):
        assert clock.tick() == 0
    assert Heartbeat.objects.get(pk=Heartbeat.CLOCK).beat_at == then
    web(timedelta())
    clock = Clock()
    assert clock.tick() == 0
    assert abs(deadline(table) - timezone.now() - timedelta(seconds=20)) < timedelta(seconds=5)
    make_due(table)
    assert clock.tick() == 1


def web(ago: timedelta) -> None:
    """A web process was heard that long ago."""
    Heartbeat.objects.update_or_create(pk=Heartbeat.WEB, defaults={"beat_at": timezone.now() - ago})


@together
def test_web_process_beats_until_it_ends() -> None:
    stop = web_heartbeat.start()
    until(lambda: Heartbeat.objects.filter(pk=Heartbeat.WEB).exists())
    first = Heartbeat.objects.get(pk=Heartbeat.WEB).beat_at
    until(lambda: Heartbeat.objects.get(pk=Heartbeat.WEB).beat_at > first)
    stop.set()
    assert not nobody_can_play(timezone.now())
    assert nobody_can_play(timezone.now() + timedelta(seconds=10))


def test_case_b4_a_move_made_while_the_clock_was_away_counts_from_itself() -> None:
    """cases.md B4: nobody loses on time for an outage, nor wins an hour by it."""
    table = build_table()
    start(table)
    before, now = deadline(table), timezone.now()
    TableEvent.objects.filter(table=table).update(created_at=now - timedelta(seconds=5))
    heartbeat(now - timedelta(hours=1))
    outage_shift(now)
    assert deadline(table) == before + timedelta(seconds=5)


def test_short_gap_is_no_outage() -> None:
    now = timezone.now()
    heartbeat(now - timedelta(seconds=2))
    assert not outage_shift(now)
    assert Heartbeat.objects.get(pk=1).beat_at == now


@together
def test_two_clocks_that_start_together_give_the_time_back_once() -> None:
    table = build_table()
    start(table)
    before, now = deadline(table), timezone.now()
    quiet = timedelta(seconds=30)
    TableEvent.objects.filter(table=table).update(created_at=now - quiet * 2)
    heartbeat(now - quiet)
    gaps: list[timedelta] = []
    run_together(*[lambda: gaps.append(outage_shift(now))] * 2)
    assert sorted(gaps) == [timedelta(), quiet]
    assert deadline(table) == before + quiet


def test_a_second_clock_beside_a_living_one_moves_nothing() -> None:
    table = build_table()
    start(table)
    before = deadline(table)
    Clock().tick()
    Clock().tick()
    assert deadline(table) == before


@pytest.mark.parametrize("steady", [0, 60], ids=["paused machine", "stopped process"])
def test_case_b4_time_that_the_clock_slept_through_is_given_back(
    monkeypatch: pytest.MonkeyPatch, steady: int
) -> None:
    """cases.md B4: while a whole machine is paused, its steady clock may stand still as well."""
    clock, table, quiet = Clock(), build_table(), timedelta(seconds=60)
    start(table)
    assert clock.tick() == 0
    before = deadline(table)
    wall_now, steady_now = timezone.now, time.monotonic
    monkeypatch.setattr(timezone, "now", lambda: wall_now() + quiet)
    monkeypatch.setattr(time, "monotonic", lambda: steady_now() + steady)
    for _tick in range(3):
        assert clock.tick() == 0
    assert timedelta() <= deadline(table) - before - quiet < timedelta(seconds=5)


def test_case_b4_sleep_in_the_middle_of_a_tick_makes_nobody_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """cases.md B4: what was found due before the machine slept is looked at again after it."""
    clock, tables, quiet = Clock(), [build_table(), build_table()], timedelta(seconds=60)
    for table in tables:
        start(table)
    assert clock.tick() == 0
    wall_now = timezone.now

    def due_and_asleep() -> list[tuple[int, int]]:
        monkeypatch.setattr(timezone, "now", lambda: wall_now() + quiet)
        return [(table.pk, table.version) for table in tables]

    monkeypatch.setattr(clock, "_due", due_and_asleep)
    assert clock.tick() == 0


def test_a_long_tick_is_no_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables due at once take a while together; the clock's own work gives no time back."""
    clock, tables, waiting = Clock(), [build_table() for _ in range(4)], build_table()
    for table in (*tables, waiting):
        start(table)
    make_due(*tables)
    before, real = deadline(waiting), (timezone.now, time.monotonic)
    spent: list[float] = []

    def two_seconds_each(**given: int) -> bool:
        spent.append(2.0)
        return table_timeout(**given)

    monkeypatch.setattr("tables.clock.table_timeout", two_seconds_each)
    monkeypatch.setattr(timezone, "now", lambda: real[0]() + timedelta(seconds=sum(spent)))
    monkeypatch.setattr(time, "monotonic", lambda: real[1]() + sum(spent))
    assert clock.tick() == 4
    assert clock.tick() == 0
    assert deadline(waiting) == before


def test_deadline_that_passed_while_the_clock_lived_is_not_moved() -> None:
    table, clock = build_table(), Clock()
    start(table)
    come(table)
    assert clock.tick() == 0
    make_due(table)
    assert clock.tick() == 1


@together
def test_what_a_row_holds_never_reaches_the_log_of_a_failed_time_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """PostgreSQL names the refused row in its error, and a table's row holds the secret."""
    table = build_table()
    start(table)
    make_due(table)
    with connection.cursor() as cursor:
        cursor.execute(
            "ALTER TABLE tables_table ADD CONSTRAINT no_more CHECK (version < 6) NOT VALID"
        )
    try:
        assert Clock().tick() == 0
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE tables_table DROP CONSTRAINT no_more")
    [record] = [each for each in caplog.records if "time-out failed" in each.message]
    assert record.getMessage() == f"table {table.pk}: time-out failed: IntegrityError 23514"
    assert record.exc_info is None
    assert bytes(table.secret).hex()[:16] not in caplog.text


@together
def test_clock_stops_when_it_is_told() -> None:
    stop = threading.Event()
    table = build_table()
    sit_all(table)
    make_due(table)
    clock = Clock()

    def run() -> None:
        clock.run(stop)
        connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    until(lambda: Table.objects.get(pk=table.pk).status == TableStatus.PLAYING)
    stop.set()
    thread.join(5)
    assert not thread.is_alive()


@together
def test_clock_survives_the_loss_of_its_connection() -> None:
    table = build_table()
    sit_all(table)
    stop, pids = threading.Event(), []

    def run() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            pids.append(cursor.fetchone()[0])
        Clock().run(stop)
        connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    until(lambda: bool(pids) and Heartbeat.objects.exists())
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", pids)
    make_due(table)
    until(lambda: Table.objects.get(pk=table.pk).status == TableStatus.PLAYING)
    stop.set()
    thread.join(5)
    assert not thread.is_alive()


def test_clock_process_stops_on_sigterm(stack: Stack) -> None:
    clock = subprocess.Popen([sys.executable, "manage.py", "clock"], cwd=CHECKOUT, env=stack.env)
    until(lambda: _listens(clock.pid))
    clock.terminate()
    assert clock.wait(20) == 0


def _listens(pid: int) -> bool:
    """Tell whether a process handles SIGTERM itself by now."""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = int(re.search(r"SigCgt:\s*(\w+)", status)[1], 16)  # type: ignore[index]
    return bool(caught >> (signal.SIGTERM - 1) & 1)
