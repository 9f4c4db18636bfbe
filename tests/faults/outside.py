"""What the fault tests do to a running installation from outside: no hook stands in its code.

They look up which process holds which end of a connection, stop and kill processes by their pid,
hold back a commit with a lock, and what is published with the broker's own pause.
"""

import asyncio
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import redis

from league.console import processes, servers
from league.shared.datadir import read_run_env
from tests.stack import Stack
from tests.waiting import until_on_loop

LOCK = 0x6661756C
DEADLINE = 60.0  # seconds, on a slow and busy machine

INSTALL = f"""
CREATE FUNCTION fault_wait() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared({LOCK});
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER fault_wait AFTER INSERT ON tables_tableevent
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fault_wait();
CREATE TABLE fault_gap (length interval NOT NULL);
CREATE FUNCTION fault_gap() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    INSERT INTO fault_gap VALUES (NEW.beat_at - OLD.beat_at);
    RETURN NULL;
END $$;
CREATE TRIGGER fault_gap AFTER UPDATE ON tables_heartbeat FOR EACH ROW
    WHEN (NEW.id = 1 AND NEW.beat_at - OLD.beat_at > interval '3 s')
    EXECUTE FUNCTION fault_gap();
"""
"""An event's commit waits while a test holds the lock; the clock's outages are written down."""

WAITING = f"""
SELECT pid, client_port FROM pg_stat_activity JOIN pg_locks USING (pid)
WHERE locktype = 'advisory' AND objid = {LOCK} AND NOT granted AND client_port IS NOT NULL
"""


@dataclass(frozen=True)
class Backend:
    """A connection to PostgreSQL that waits to commit: its server process, its client's port."""

    pid: int
    port: int


@dataclass
class Outside:
    """An installation with servers of its own, and the ways into it. `url` is the owner's."""

    stack: Stack

    def __post_init__(self) -> None:
        known = read_run_env(self.stack.data)
        self.url, self.broker_url = known["MIGRATE_URL"], known["VALKEY_URL"]

    # --- processes

    def daphnes(self) -> dict[str, int]:
        """Return the web processes that live, by name."""
        found = self.stack.pids().items()
        return {name: pid for name, pid in found if "daphne" in name and alive(pid)}

    def holder(self, local: int, remote: int) -> int | None:
        """Return which web process has a connection from its port to another's."""
        wanted = f"socket:[{_inode(local, remote)}]"
        return next((pid for pid in self.daphnes().values() if wanted in _open_files(pid)), None)

    def served_by(self, port: int) -> int | None:
        """Return which web process serves a client's port."""
        return self.holder(urlsplit(self.stack.url).port or 0, port)

    def asked_by(self, backend: Backend) -> int | None:
        """Return which web process a PostgreSQL connection belongs to."""
        return self.holder(backend.port, urlsplit(self.url).port or 0)

    @contextmanager
    def nothing_restarts(self) -> Iterator[None]:
        """Let the supervisor stand still."""
        assert self.stack.process is not None
        os.kill(self.stack.process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.stack.process.pid, signal.SIGCONT)

    # --- the database

    def ask(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Ask the database on a connection of its own, which no outage outlives."""
        with closing(psycopg.connect(self.url, autocommit=True, connect_timeout=5)) as database:
            found = database.execute(statement, values)
            return found.fetchall() if found.description else []

    def answers(self) -> bool:
        """Tell whether the database takes connections."""
        try:
            return bool(self.ask("SELECT 1"))
        except psycopg.OperationalError:
            return False

    def install(self) -> None:
        """Put the tests' triggers in."""
        with closing(psycopg.connect(self.url, autocommit=True)) as database:
            database.execute(INSTALL)

    @contextmanager
    def no_commits(self) -> Iterator[Callable[[], None]]:
        """Hold back each commit of an event until what is given is called, or the block ends."""
        with closing(psycopg.connect(self.url, autocommit=True)) as database:
            database.execute("SELECT pg_advisory_lock(%s)", [LOCK])
            yield lambda: _run(database, "SELECT pg_advisory_unlock_all()")

    async def held(self) -> tuple[Backend, int]:
        """Wait until a web process waits for its commit; return the connection and the process."""
        while True:
            async with asyncio.timeout(DEADLINE):
                for row in self.ask(WAITING):
                    pid = self.asked_by(Backend(*row))
                    if pid is not None:
                        return Backend(*row), pid
                await asyncio.sleep(0.005)

    def events(self, ids: set[str]) -> dict[str, int]:
        """Return which of these commands were carried out, with their versions."""
        asked = "SELECT command_id::text, seq FROM tables_tableevent WHERE command_id = ANY(%s)"
        return dict(self.ask(asked, list(ids)))

    def beat_at(self) -> datetime:
        """Return when the clock was heard last."""
        moment: datetime = self.ask("SELECT beat_at FROM tables_heartbeat WHERE id = 1")[0][0]
        return moment

    def gaps(self) -> list[timedelta]:
        """Return the clock's outages so far."""
        return [length for (length,) in self.ask("SELECT length FROM fault_gap")]

    # --- the broker

    def broker(self) -> "redis.Redis":
        """Return a client of the broker."""
        return redis.Redis.from_url(self.broker_url, socket_timeout=5)

    @contextmanager
    def nothing_published(self) -> Iterator[None]:
        """Let the broker take no publication (and no other writing) meanwhile."""
        with closing(self.broker()) as broker:
            broker.client_pause(60_000, all=False)
            try:
                yield
            finally:
                broker.client_unpause()

    def forget_publications(self, ports: list[int]) -> None:
        """Let the broker drop what these dead connections asked for and did not get yet."""
        with closing(self.broker()) as broker:
            for port in ports:
                broker.client_kill_filter(addr=f"127.0.0.1:{port}", skipme=False)

    def broker_ports(self, pid: int) -> list[int]:
        """Return the ports of a process's connections to the broker."""
        files = _open_files(pid)
        remote = urlsplit(self.broker_url).port or 0
        rows = ((mine, inode) for mine, other, inode in _connections() if other == remote)
        return [mine for mine, inode in rows if f"socket:[{inode}]" in files]

    def forget_broker_files(self) -> None:
        """Remove what a dead broker kept, so that it comes back empty."""
        kept = servers.home_of(self.stack.data).directory / "valkey" / "appendonlydir"
        shutil.rmtree(kept)


def alive(pid: int) -> bool:
    """Tell whether a process lives; a zombie does not."""
    return processes.started_at(pid) != ""


async def kill(pid: int) -> None:
    """Kill -9 a process and wait until it is gone."""
    os.kill(pid, signal.SIGKILL)
    await until_on_loop(lambda: not alive(pid))


def _run(database: "psycopg.Connection[Any]", statement: str) -> None:
    database.execute(statement)


def _connections() -> Iterator[tuple[int, int, str]]:
    """Yield local port, remote port and inode of each TCP connection over IPv4."""
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        local, remote = (int(fields[place].rpartition(":")[2], 16) for place in (1, 2))
        yield local, remote, fields[9]


def _inode(local: int, remote: int) -> str | None:
    found = _connections()
    return next((inode for mine, other, inode in found if (mine, other) == (local, remote)), None)


def _open_files(pid: int) -> set[str]:
    """Return what a process has open, as the kernel names it."""
    names = set()
    for path in _listed(Path(f"/proc/{pid}/fd")):
        try:
            names.add(os.readlink(path))
        except OSError:  # closed meanwhile
            continue
    return names


def _listed(directory: Path) -> list[Path]:
    try:
        return list(directory.iterdir())
    except OSError:  # the process is gone
        return []
