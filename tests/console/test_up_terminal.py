"""`up --empty` on a terminal: it asks for the first admin, and Ctrl-C stops it."""

import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from league.console import processes
from tests.stack import CHECKOUT, Stack

SPAWN = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]))"
PASSWORD = "kara-üzüm-27"


class Terminal:
    """A program on a terminal of its own: what it shows, and what is typed."""

    def __init__(self, *argv: str, env: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SPAWN, *argv],
            cwd=CHECKOUT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
        )  # fmt: skip
        self.shown = ""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        while piece := self.process.stdout.read(4096):
            self.shown += piece.decode(errors="replace")

    def type_at(self, prompt: str, text: str) -> None:
        """Type a line once the prompt was shown."""
        assert processes.wait_until(lambda: prompt in self.shown, seconds=90), self.shown
        self.press(f"{text}\n")

    def press(self, keys: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(keys.encode())


@pytest.fixture
def installation() -> Iterator[Stack]:
    prepared = Stack.prepared()
    yield prepared
    prepared.remove()


def test_the_first_admin_is_asked_for_and_never_renewed(installation: Stack) -> None:
    terminal = Terminal(
        sys.executable, "manage.py", "up", "--empty", "--port", "0", env=installation.env
    )
    try:
        terminal.type_at("Username", "admin")
        terminal.type_at("Password:", PASSWORD)
        terminal.type_at("Password (again):", PASSWORD)
        ready = processes.wait_until(lambda: "Stop it with Ctrl-C" in terminal.shown, seconds=90)
        assert ready, terminal.shown
        assert "\n  admin " not in terminal.shown
        assert PASSWORD not in terminal.shown
        url = terminal.shown.rpartition("is ready: ")[2].split()[0]
        assert logs_in(url)
        pids = installation.pids()
        terminal.press("\x03")
        assert terminal.process.wait(60) == 0
        assert not any(processes.started_at(pid) for pid in pids.values())
    finally:
        terminal.process.kill()
        terminal.process.wait()
    installation.up("--empty")
    assert logs_in(installation.url)


def logs_in(url: str) -> bool:
    body = urlencode({"username": "admin", "password": PASSWORD}).encode()
    with urllib.request.urlopen(f"{url}api/v1/token/", body, timeout=60) as answer:
        return b"token" in answer.read()
