"""The tests' own PostgreSQL and Valkey: a pytest plugin, loaded by `-p tests.servers`.

Ports and passwords are chosen when the plugin is imported, before Django's settings load; the
servers themselves start when something outside `tests/engine` was collected, in a temporary
directory, through the same code as `manage.py up`. Whoever runs the tests needs no server.
"""

import os
import secrets
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from league.console import processes, servers

ENGINE = Path(__file__).resolve().parent / "engine"


@dataclass
class Servers:
    """What one test run started."""

    data: Path
    postgres: servers.Postgres
    valkey: servers.Valkey
    children: list[tuple[subprocess.Popen[bytes], processes.Program]] = field(default_factory=list)

    @property
    def log(self) -> Path:
        return self.data / "servers.log"

    def start(self) -> None:
        """Start both, once."""
        if self.children:
            return
        self.postgres.prepare()
        self.valkey.prepare()
        with self.log.open("ab") as log:
            for program in (self.postgres.program(), self.valkey.program()):
                self.children.append((processes.spawn(program, output=log), program))
        self.postgres.wait_ready()
        self.valkey.wait_ready()
        self.postgres.ensure_database()

    def stop(self) -> None:
        """Stop what was started and remove its files."""
        for child, program in reversed(self.children):
            processes.end(child, program.stop, seconds=10)
        self.children.clear()
        shutil.rmtree(self.data, ignore_errors=True)


def _chosen() -> Servers:
    data = Path(tempfile.mkdtemp(prefix="ayaz-tests-"))
    if os.geteuid() == 0:
        data.chmod(0o711)  # ours, just made: the servers' user must reach what lies in it
    home = servers.home_of(data)
    fast = servers.Durability.FAST
    passwords = [secrets.token_hex(16) for _ in range(3)]
    return Servers(
        data,
        servers.Postgres(home, servers.free_port(), passwords[0], passwords[1], fast),
        servers.Valkey(home, servers.free_port(), passwords[2], fast),
    )


SERVERS = _chosen()
# The owner serves here: the test runner makes databases and empties tables by TRUNCATE.
os.environ["DATABASE_URL"] = SERVERS.postgres.owner_url
os.environ["MIGRATE_URL"] = SERVERS.postgres.owner_url
os.environ["VALKEY_URL"] = SERVERS.valkey.url
os.environ["SECRET_KEY"] = secrets.token_urlsafe(48)
os.environ["AYAZ_DATA"] = str(SERVERS.data)


@pytest.hookimpl(trylast=True)
def pytest_configure() -> None:
    """Spare the tests collected static files and slow password hashes."""
    from django.conf import settings

    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def pytest_collection_finish(session: pytest.Session) -> None:
    """Start the servers if a collected test may ask for them."""
    needed = any(ENGINE not in item.path.parents for item in session.items)
    if needed and not session.config.option.collectonly:
        SERVERS.start()


def pytest_unconfigure() -> None:
    """Stop the servers, whatever the tests did."""
    SERVERS.stop()


@pytest.fixture(scope="session")
def running_servers() -> Servers:
    """The session's servers, for tests that start processes of their own."""
    SERVERS.start()
    return SERVERS
