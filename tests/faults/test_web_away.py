"""Every Daphne hangs, the clock lives: nobody can move, so nobody loses on time (cases.md B4)."""

import os
import signal
from collections.abc import Callable
from contextlib import closing
from typing import Any

import psycopg
import pytest

from tests.faults.game import Grounds
from tests.waiting import until_on_loop

pytestmark = pytest.mark.faults

BEGIN = """
from datetime import timedelta
from django.utils import timezone
from tables.models import Table
from tests.tables.builders import start
table = Table.objects.get(pk={table})
start(table)
Table.objects.filter(pk=table.pk).update(deadline_at=timezone.now() + timedelta(seconds=6))
"""
BACK = "SELECT now() - beat_at < interval '1 s' FROM tables_heartbeat WHERE id = 1"
LATE = "SELECT deadline_at < now() - interval '2 s' FROM tables_table WHERE id = %s"
STANDS = "SELECT version, deadline_at - now() > interval '0 s' FROM tables_table WHERE id = %s"


async def test_case_b4_nobody_loses_on_time_while_no_web_process_answers(grounds: Grounds) -> None:
    """The turn's six seconds run out in the outage, and are there again after it."""
    table = grounds.tables(1)[0]["id"]
    await until_on_loop(lambda: len(grounds.outside.daphnes()) == 2)
    pids = list(grounds.outside.daphnes().values())
    with closing(psycopg.connect(grounds.outside.url, autocommit=True)) as database:
        ask = asking(database)
        await until_on_loop(lambda: ask(BACK)[0])
        send(pids, signal.SIGSTOP)
        try:
            grounds.stack.shell(BEGIN.format(table=table))
            await until_on_loop(lambda: ask(LATE, table)[0])
            assert ask(STANDS, table) == (5, False)  # due for ten ticks, and left alone
        finally:
            send(pids, signal.SIGCONT)
        await until_on_loop(lambda: ask(BACK)[0])
        version, in_time = ask(STANDS, table)
        assert (version, in_time) == (5, True)
        await until_on_loop(lambda: ask(STANDS, table)[0] == 6)  # then the clock goes on as ever


def send(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        os.kill(pid, number)


def asking(database: Any) -> Callable[..., Any]:
    """Return a way to ask the database for one row."""

    def ask(statement: str, *values: int) -> Any:
        return database.execute(statement, values).fetchone()

    return ask
