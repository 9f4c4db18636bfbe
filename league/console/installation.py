"""One installation on one machine: its data directory and everything `up` starts for it.

The order of starting is the reverse of the order of stopping. Pure: no Django, which only the
children load; what they must know stands in `run.env` and in their environment.
"""

import contextlib
import fcntl
import http.client
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from league.console import runenv, servers
from league.console.grants import grant
from league.console.network import Address
from league.console.news import News, news_from_json
from league.console.processes import Program
from league.console.supervisor import Step, StepFailed, Supervisor, stop_orphans
from league.shared.datadir import CHECKOUT, OWNERS_KEYS

URLS = ("MIGRATE_URL", "DATABASE_URL", "VALKEY_URL")
STATICS = "static.fingerprint"
HEALTHY_WITHIN = 90.0  # seconds
LINGER_SECONDS = 1.0  # for the last children of a server that was killed, before the next try
UNTOLD = "first-start"  # stands while logins may have been made that nobody saw
TOLD = "told"  # stands once somebody saw them: from then on passwords are people's own


class DirectoryInUse(Exception):
    """Another `up` works in the data directory."""


class Content(Enum):
    """What an empty database is filled with at first start."""

    DEMONSTRATION = "demonstration"
    FIRST_ADMIN = "first_admin"


@contextlib.contextmanager
def lock(data: Path) -> Iterator[None]:
    """Hold the data directory for us alone. Raises DirectoryInUse."""
    descriptor = os.open(data / "up.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        pid = os.pread(descriptor, 20, 0).decode() or "?"
        os.close(descriptor)
        raise DirectoryInUse(f"{data} is in use by another `up` (process {pid})") from error
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, str(os.getpid()).encode(), 0)
    try:
        yield
    finally:
        os.close(descriptor)


@dataclass
class Installation:
    """What one run of `up` works on.

    `filling` is what the command that fills an empty database is told, `given` the environment as
    the user set it, `statics` a fingerprint of the static files' sources.
    """

    data: Path
    address: Address
    content: Content
    filling: Sequence[str]
    processes: int
    given: Mapping[str, str]
    statics: str
    supervisor: Supervisor = field(init=False)
    values: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.supervisor = Supervisor(self.data / "children.json")
        self.values = runenv.load(self.data)

    # --- the whole way up and down

    def run(self, *, tell: Callable[[News], None]) -> None:
        """Start everything, `tell` what people must know, keep it alive, stop everything.

        Ends by StopRequested from a start that was interrupted, else by returning.
        """
        stop_orphans(self.supervisor.register)
        self.supervisor.catch_signals()
        try:
            news = self._start()
            self._wait_healthy()
            tell(news)
            self._note_told()
            self.supervisor.watch()
        finally:
            self.supervisor.stop()

    def _start(self) -> News:
        self._make_secrets()
        collecting = self._collect_statics()
        self._start_servers()
        self.supervisor.run(self._manage("migrate", "--no-input"))
        grant(owner_url=self.values.get("MIGRATE_URL", ""), url=self.values["DATABASE_URL"])
        if self.content is Content.FIRST_ADMIN and sys.stdin.isatty():
            self._ask_for_admin()
        self._finish_statics(collecting)
        self._start_programs()
        news = self._fill()
        if news.robots:
            self.supervisor.start(self._manage("robots", self.address.url, endless=False))
        return news

    # --- secrets and servers

    def _make_secrets(self) -> None:
        """Store the passwords before anything asks for them."""
        self.values = runenv.with_secrets(self.values)
        self.values |= {key: self.given[key] for key in URLS if key in self.given}
        hosts, origins = self.address.allowed_hosts(), self.address.trusted_origins()
        self.values["ALLOWED_HOSTS"] = ",".join(hosts)
        self.values["CSRF_TRUSTED_ORIGINS"] = ",".join(origins)
        runenv.write(self.data, self.values)

    def _start_servers(self) -> None:
        if "DATABASE_URL" not in self.given:
            self._start_postgres()
        if "VALKEY_URL" not in self.given:
            self._start_valkey()
        runenv.write(self.data, self.values)

    def _start_postgres(self) -> None:
        home = servers.home_of(self.data)
        owner, application = (self.values[key] for key in runenv.PASSWORDS[:2])
        server = servers.Postgres(home, servers.free_port(), owner, application)
        server.prepare()
        self._start_server(server)
        server.ensure_database()
        self.values |= {"DATABASE_URL": server.application_url, "MIGRATE_URL": server.owner_url}

    def _start_valkey(self) -> None:
        home = servers.home_of(self.data)
        password = self.values[runenv.VALKEY_PASSWORD]
        server = servers.Valkey(home, servers.free_port(), password)
        server.prepare()
        self._start_server(server)
        self.values["VALKEY_URL"] = server.url

    def _start_server(self, server: servers.Postgres | servers.Valkey) -> None:
        """Start it; try again if it ended at once (the dead one's last children may linger)."""
        program = server.program()
        for last in (False, False, True):
            self.supervisor.start(program)
            try:
                server.wait_ready(alive=self.supervisor.alive(program.name))
            except servers.ServerError:
                if last:
                    raise
                self.supervisor.drop(program.name)
                time.sleep(LINGER_SECONDS)
            else:
                return

    # --- what Django's commands do

    def _environment(self) -> dict[str, str]:
        """Return what children are given: never the owner's password, which stands in run.env."""
        own = {"AYAZ_DATA": str(self.data), "DJANGO_SETTINGS_MODULE": "league.settings"}
        given = {key: value for key, value in self.given.items() if key not in OWNERS_KEYS}
        return {**given, **own, "PYTHONUNBUFFERED": "1"}

    def _python(
        self, name: str, *arguments: str, fds: Sequence[int] = (), endless: bool = True
    ) -> Program:
        return Program(
            name=name,
            argv=[sys.executable, *arguments],
            cwd=CHECKOUT,
            env=self._environment(),
            pass_fds=fds,
            endless=endless,
        )

    def _manage(self, command: str, *arguments: str, endless: bool = True) -> Program:
        return self._python(command, "manage.py", command, *arguments, endless=endless)

    def _collect_statics(self) -> Step | None:
        """Begin to collect the static files if their sources changed."""
        with contextlib.suppress(OSError):
            if (self.data / STATICS).read_bytes() == self.statics.encode():
                return None
        return self.supervisor.begin(self._manage("collectstatic", "--no-input", "--clear"))

    def _finish_statics(self, collecting: Step | None) -> None:
        if collecting is not None:
            self.supervisor.finish(collecting)
            (self.data / STATICS).write_text(self.statics)

    def _ask_for_admin(self) -> None:
        """Let the person at the terminal name the first admin."""
        argv = [sys.executable, "manage.py", "first_admin", "--ask"]
        asked = subprocess.run(argv, cwd=CHECKOUT, env=self._environment(), check=False)
        self.supervisor.check()
        if asked.returncode == 0 and not (self.data / UNTOLD).exists():
            self._note_told()

    def _fill(self) -> News:
        """Fill an empty database; logins that a killed start did not show are made anew."""
        untold = self.data / UNTOLD
        renew = ["--renew"] if untold.exists() else []
        if not (self.data / TOLD).exists():
            untold.touch(mode=0o600)
        return news_from_json(
            self.supervisor.run(self._manage(self.content.value, *self.filling, *renew))
        )

    def _note_told(self) -> None:
        (self.data / TOLD).touch(mode=0o600)
        (self.data / UNTOLD).unlink(missing_ok=True)

    def _start_programs(self) -> None:
        celery = ("-m", "celery", "--quiet", "-A", "league.celery")
        schedule = str(self.data / "beat-schedule")
        self.supervisor.start(self._python("beat", *celery, "beat", "-s", schedule))
        # Threads: Celery's prefork and Django's database connections do not mix.
        pool = ("--pool", "threads", "--concurrency", "2", "--without-gossip", "--without-mingle")
        self.supervisor.start(self._python("worker", *celery, "worker", *pool))
        self.supervisor.start(self._manage("clock"))
        descriptor = self.address.listener.fileno()
        for number in range(1, self.processes + 1):
            name = "daphne" if self.processes == 1 else f"daphne-{number}"
            serve = ("manage.py", "serve", "--fd", str(descriptor))
            self.supervisor.start(self._python(name, *serve, fds=[descriptor]))

    # --- health

    def _wait_healthy(self) -> None:
        end = time.monotonic() + HEALTHY_WITHIN
        while not self._healthy():
            self.supervisor.check()
            self.supervisor.tend()
            if time.monotonic() > end:
                raise StepFailed(f"/healthz did not answer 200 within {HEALTHY_WITHIN:g} s")
            time.sleep(0.1)

    def _healthy(self) -> bool:
        hosts = self.given.get("ALLOWED_HOSTS") or self.values["ALLOWED_HOSTS"]
        host = hosts.split(",")[0].strip().lstrip(".").replace("*", "localhost")
        headers = {"Host": host, "X-Forwarded-Proto": "https"}
        request = urllib.request.Request(f"{self.address.url}healthz", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError, http.client.HTTPException):
            return False
