"""`manage.py up`, run for real: from nothing to /healthz, and through every way it may end."""

import os
import pwd
import re
import signal
import stat
import subprocess
import sys
import sysconfig
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from league.console import processes
from league.console.network import listen
from tests.stack import CHECKOUT, Stack

COUNT = "from league.accounts.models import User; print(User.objects.count())"


@pytest.fixture(scope="module")
def own() -> Iterator[Stack]:
    """An installation with its own embedded servers: these tests run in order and share it."""
    installation = Stack.prepared()
    installation.up("--empty")
    yield installation
    installation.remove()


def healthy(installation: Stack) -> bool:
    with urllib.request.urlopen(f"{installation.url}healthz", timeout=10) as answer:
        return bool(answer.status == 200)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def refused(*options: str, data: Path) -> str:
    """Return the one line with which an `up` that cannot start ends."""
    done = subprocess.run(
        [sys.executable, "manage.py", "up", "--empty", *options],
        cwd=CHECKOUT,
        env={**os.environ, "AYAZ_DATA": str(data)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    lines = (done.stdout + done.stderr).splitlines()
    assert len(lines) == 1, lines
    return lines[0]


def all_gone(pids: dict[str, int]) -> bool:
    return not any(processes.started_at(pid) for pid in pids.values())


def test_up_makes_everything_from_nothing(own: Stack) -> None:
    assert healthy(own)
    assert set(own.pids()) == {"postgres", "valkey", "beat", "worker", "clock", "daphne"}


def test_the_first_admin_is_printed_and_logs_in(own: Stack) -> None:
    assert logs_in(own)


def logs_in(installation: Stack) -> bool:
    """Return whether the first login that was printed still works."""
    line = next(line for line in installation.log if line.startswith("  admin"))
    _role, username, password = line.split()
    body = f"username={username}&password={password}".encode()
    with urllib.request.urlopen(f"{installation.url}api/v1/token/", body, timeout=60) as answer:
        return b"token" in answer.read()


def test_only_what_migrates_knows_the_owners_password(own: Stack) -> None:
    code = "import os; print('DATABASE_URL' in os.environ, 'AYAZ_OWNER_PASSWORD' in os.environ)"
    assert own.shell(code).split() == ["True", "False"]
    password = re.findall("AYAZ_OWNER_PASSWORD=(.+)", (own.data / "run.env").read_text())[0]
    for name, pid in own.pids().items():
        assert password.encode() not in Path(f"/proc/{pid}/environ").read_bytes(), name


def test_many_requests_at_once_share_few_connections(own: Stack) -> None:
    """PostgreSQL takes 100; each request has a thread of its own."""
    with ThreadPoolExecutor(20) as crowd:
        codes = list(crowd.map(lambda _number: status_of(f"{own.url}api/v1/seasons/"), range(300)))
    assert set(codes) == {200}
    count = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'ayaz_app'"
    held = own.shell(
        "from django.db import connection as c\n"
        f"with c.cursor() as s: s.execute({count!r}); print(s.fetchone()[0])"
    )
    assert int(held) <= 3 * 8 + 2  # Daphne's pool, the worker's and the clock's; this shell


def status_of(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_the_directory_and_its_secrets_are_closed(own: Stack) -> None:
    assert mode(own.data / "run.env") == 0o600
    assert mode(own.data / "postgres") == 0o700
    assert mode(own.data / "valkey" / "valkey.conf") == 0o600


def test_the_application_may_not_touch_the_schema(own: Stack) -> None:
    code = (
        "from django.db import connection, ProgrammingError\n"
        "for sql in ('TRUNCATE ledger_posting', 'CREATE TABLE x (a int)'):\n"
        "    try: connection.cursor().execute(sql)\n"
        "    except ProgrammingError as error: print('permission denied' in str(error))\n"
    )
    assert own.shell(code).split() == ["True", "True"]


def test_a_second_up_in_the_same_directory_is_refused(own: Stack) -> None:
    assert "in use by another `up`" in refused("--port", "0", data=own.data)
    assert healthy(own)


def test_a_busy_port_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0).listener as taken:
        port = str(taken.getsockname()[1])
        assert f"port {port}" in refused("--port", port, data=tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", ["daphne", "valkey", "postgres"])
def test_what_dies_is_started_again(own: Stack, name: str) -> None:
    old = own.kill(name)
    assert processes.wait_until(lambda: own.pids()[name] != old, seconds=20)
    assert processes.wait_until(lambda: _answers(own), seconds=30)


def _answers(installation: Stack) -> bool:
    try:
        return healthy(installation)
    except OSError:
        return False


def test_sigterm_stops_every_child_in_order(own: Stack) -> None:
    pids = own.pids()
    assert own.process is not None
    own.process.send_signal(signal.SIGTERM)
    assert own.process.wait(60) == 0
    assert all_gone(pids)
    assert not (own.data / "children.json").exists()
    assert not any("had to be killed" in line for line in own.log)


def test_a_second_start_finds_its_data_after_kill_9_of_the_whole_tree(own: Stack) -> None:
    own.up("--empty")
    own.kill_all()
    own.up("--empty")
    assert own.shell(COUNT).strip() == "1"


def test_an_interrupted_later_start_renews_no_password(own: Stack) -> None:
    own.stop()
    argv = [sys.executable, "manage.py", "up", "--empty", "--port", "0"]
    later = subprocess.Popen(
        argv, cwd=CHECKOUT, env=own.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:  # the web server is started last: by then the database has been looked at
        processes.wait_until(lambda: "daphne" in started(own), seconds=90)
    finally:
        later.kill()
        later.communicate()
    own.up("--empty")
    assert len([line for line in own.log if line.startswith("  admin")]) == 1
    assert logs_in(own)


def started(installation: Stack) -> set[str]:
    try:
        return set(installation.pids())
    except OSError:
        return set()


def test_children_of_a_killed_supervisor_are_stopped_at_the_next_start(own: Stack) -> None:
    pids = own.pids()
    assert own.process is not None
    own.process.kill()
    own.process.wait()
    own.up("--empty")
    assert all_gone(pids)
    assert own.shell(COUNT).strip() == "1"


def test_a_lost_run_env_is_made_anew_and_the_data_stay(own: Stack) -> None:
    before = re.findall("SECRET_KEY=(.+)", (own.data / "run.env").read_text())
    own.stop()
    (own.data / "run.env").unlink()
    own.up("--empty")
    assert re.findall("SECRET_KEY=(.+)", (own.data / "run.env").read_text()) != before
    assert own.shell(COUNT).strip() == "1"


def test_foreign_servers_replace_the_embedded_ones(stack: Stack) -> None:
    assert healthy(stack)
    assert set(stack.pids()) == {"beat", "worker", "clock", "daphne"}
    assert not (stack.data / "postgres").exists()


def reachable_python(become: list[str], packages: str) -> str | None:
    """Return an interpreter of our version with which that user can import our packages."""
    code = "import sys, django, psycopg; print(*sys.version_info[:2], sep='.')"
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    for python in (sys.executable, f"/usr/bin/python{version}"):
        done = subprocess.run(
            # through a shell: setpriv itself reaches more than the user it becomes
            [*become, "sh", "-c", 'cd "$2" && exec "$0" -c "$1"', python, code, str(CHECKOUT)],
            cwd="/", env={"PYTHONPATH": packages}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.stdout.strip() == version:
            return python
    return None


@pytest.mark.skipif(os.geteuid() != 0, reason="the other tests run as an ordinary user already")
def test_an_ordinary_user_needs_no_root() -> None:
    user = pwd.getpwnam("nobody")
    become = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    packages = sysconfig.get_path("purelib")
    python = reachable_python(become, packages)
    if python is None:
        pytest.skip("no interpreter of this version lies where an ordinary user can reach it")
    installation = Stack.prepared(HOME="/nonexistent", PYTHONPATH=packages)
    installation.before, installation.python = become, python
    installation.data.chmod(0o700)
    os.chown(installation.data, user.pw_uid, user.pw_gid)
    try:
        installation.up("--empty")
        assert healthy(installation)
        assert (installation.data / "run.env").stat().st_uid == user.pw_uid
        assert mode(installation.data) == 0o700
    finally:
        installation.remove()
