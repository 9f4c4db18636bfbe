"""The supervisor's register of children, as an earlier start left it."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from league.console import processes
from league.console.supervisor import stop_orphans


@pytest.fixture
def orphan() -> Iterator[subprocess.Popen[bytes]]:
    """A process that nobody looks after."""
    argv = [sys.executable, "-c", "print(flush=True); import signal; signal.pause()"]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline()
    yield process
    process.kill()
    process.communicate()


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[1]", "null", "7", '"x"', '{"a":1}', '[{"name":"x"}]', "[[]]", "[" * 100_000),
        '[{"pid":"self","started":"1","stop":15}]',
        '[{"pid":-1,"started":"","stop":15}]',
        '[{"pid":2,"started":"","stop":1000}]',
        '[{"pid":2,"started":null,"stop":15}]',
    ],
)
def test_a_damaged_register_lists_nobody(tmp_path: Path, text: str) -> None:
    register = tmp_path / "children.json"
    register.write_text(text)
    stop_orphans(register)
    assert not register.exists()


def test_a_register_of_other_bytes_lists_nobody(tmp_path: Path) -> None:
    register = tmp_path / "children.json"
    register.write_bytes(b"\xff\0")
    stop_orphans(register)
    stop_orphans(register)
    assert not register.exists()


def test_orphans_beside_damaged_rows_are_stopped(
    tmp_path: Path, orphan: subprocess.Popen[bytes]
) -> None:
    started = processes.started_at(orphan.pid)
    row = {"name": "x", "pid": orphan.pid, "started": started, "stop": int(signal.SIGTERM)}
    register = tmp_path / "children.json"
    register.write_text(json.dumps([1, row, {"name": "x"}]))
    stop_orphans(register)
    assert orphan.wait(10) == -signal.SIGTERM
    assert not register.exists()
