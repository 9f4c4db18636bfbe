"""A whole running installation for browser, fault and socket tests.

`Stack.start()` makes a database of its own on the test run's PostgreSQL, and runs the real
`manage.py up --empty` on a free port with a data directory of its own. One a module is enough.
"""

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from league.console import processes
from tests.servers import SERVERS

CHECKOUT = Path(__file__).resolve().parent.parent
STARTS_WITHIN = 90.0  # seconds, on a slow and busy machine
STOPS_WITHIN = 60.0


@dataclass
class Stack:
    """A running `up`. `url` ends with a slash; `env` makes a management command meet it."""

    data: Path
    env: dict[str, str]
    database: str | None = None
    url: str = ""
    process: subprocess.Popen[str] | None = None
    log: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)  # what `up` is started through, if anything
    python: str = sys.executable  # what runs `up`

    @classmethod
    def start(cls, *options: str, **environment: str) -> "Stack":
        """Start on a new database of the test run's servers; `environment` is given to `up`."""
        SERVERS.start()
        name = f"stack_{secrets.token_hex(4)}"
        _create(name, template=_migrated())
        urls = _urls(name)
        stack = cls.prepared(database=name, **{**urls, **environment})
        _lend_statics(stack.data)
        stack.up("--empty", *options)
        return stack

    @classmethod
    def own(cls, *options: str, **environment: str) -> "Stack":
        """Start with a database and a broker of its own, which only it uses."""
        stack = cls.prepared(**environment)
        _lend_statics(stack.data)
        stack.up("--empty", *options)
        return stack

    @classmethod
    def prepared(cls, *, database: str | None = None, **environment: str) -> "Stack":
        """Return a stack that was not started, in a new data directory."""
        data = Path(tempfile.mkdtemp(prefix="ayaz-stack-"))
        if os.geteuid() == 0:
            data.chmod(0o711)  # ours, just made: the servers' user must reach what lies in it
        ours = ("DATABASE_URL", "MIGRATE_URL", "VALKEY_URL", "SECRET_KEY", "AYAZ_DATA")
        inherited = {key: value for key, value in os.environ.items() if key not in ours}
        return cls(data, {**inherited, "AYAZ_DATA": str(data), **environment}, database)

    def up(self, *options: str, port: int = 0) -> None:
        """Run `manage.py up` and wait until it says that it is ready."""
        argv = [*self.before, self.python, "manage.py", "up", "--port", str(port), *options]
        self.process = subprocess.Popen(
            argv, cwd=CHECKOUT, env=self.env, text=True, bufsize=1, process_group=0,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self.url = ""
        threading.Thread(target=self._read, args=(self.process,), daemon=True).start()
        ended = self.process.poll
        processes.wait_until(lambda: bool(self.url) or ended() is not None, seconds=STARTS_WITHIN)
        if not self.url:
            self.stop()
            pytest.fail(f"`up` did not become ready:\n{self.tail()}")

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            self.log.append(line.rstrip("\n"))
            if "is ready: " in line:
                self.url = line.rpartition("is ready: ")[2].strip()

    def tail(self, lines: int = 40) -> str:
        """Return the end of the log, for a failure's message."""
        return "\n".join(self.log[-lines:])

    def manage(self, *arguments: str, given: str = "") -> str:
        """Run a management command beside `up` and return its output; `shell` reads `given`."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=CHECKOUT, env=self.env, text=True, input=given, capture_output=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{arguments} failed:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def shell(self, code: str) -> str:
        """Run Python code with Django set up and return what it printed."""
        return self.manage("shell", "--no-imports", "-v", "0", "-c", code)

    def pids(self) -> dict[str, int]:
        """Return the children's pids by name, as the supervisor registered them."""
        rows = json.loads((self.data / "children.json").read_text())
        return {row["name"]: row["pid"] for row in rows}

    def kill(self, name: str) -> int:
        """Kill -9 a child by name and return its pid."""
        pid = self.pids()[name]
        os.kill(pid, signal.SIGKILL)
        return pid

    def stop(self) -> int:
        """Stop `up` as Ctrl-C does and return its exit status."""
        if self.process is None:
            return 0
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(STOPS_WITHIN)
        except subprocess.TimeoutExpired:
            self.kill_all()
            raise

    def kill_all(self) -> None:
        """Kill -9 the supervisor and every child, as a power cut would."""
        assert self.process is not None
        pids = [self.process.pid, *self.pids().values()]
        for pid in pids:
            processes.signal_group(pid, signal.SIGKILL)
        self.process.wait()

    def remove(self) -> None:
        """Stop, and remove the database and the data directory."""
        try:
            self.stop()
        finally:
            self._forget()

    def _forget(self) -> None:
        if self.database is not None:
            with psycopg.connect(SERVERS.postgres.owner_url, autocommit=True) as connection:
                name = sql.Identifier(self.database)
                connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))
        shutil.rmtree(self.data, ignore_errors=True)


def _urls(database: str) -> dict[str, str]:
    """Return the settings that lead to a database of the test run's servers."""
    owner, role = (
        f"{url.rpartition('/')[0]}/{database}"
        for url in (SERVERS.postgres.owner_url, SERVERS.postgres.application_url)
    )
    return {"DATABASE_URL": role, "MIGRATE_URL": owner, "VALKEY_URL": SERVERS.valkey.url}


def _create(database: str, template: str) -> None:
    made = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
    with psycopg.connect(SERVERS.postgres.owner_url, autocommit=True) as connection:
        connection.execute(made.format(sql.Identifier(database), sql.Identifier(template)))


@cache
def _migrated() -> str:
    """Return a database with the whole schema, to copy: `up` then finds nothing to migrate."""
    name = "stack_migrated"
    _create(name, template="template1")
    made = Stack.prepared(**_urls(name), SECRET_KEY=secrets.token_urlsafe(64))
    made.manage("migrate", "-v", "0")
    shutil.rmtree(made.data)
    return name


def _lend_statics(data: Path) -> None:
    """Let a new data directory begin with the static files an earlier stack collected."""
    lent = SERVERS.data / "lent-statics"
    if lent.exists():
        shutil.copytree(lent, data, dirs_exist_ok=True)


def keep_statics(stack: Stack) -> None:
    """Keep a started stack's static files for those that start later in this test run."""
    lent = SERVERS.data / "lent-statics"
    if not lent.exists():
        part = SERVERS.data / "lent-statics.part"
        shutil.copytree(stack.data / "static", part / "static")
        shutil.copy(stack.data / "static.fingerprint", part)
        part.rename(lent)


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    """An installation without a demonstration, one a test module."""
    running = Stack.start()
    keep_statics(running)
    yield running
    running.remove()
