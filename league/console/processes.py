"""Child processes: how they are started, recognised later, and stopped. Pure: no Django.

A child leads its own process group, so that a Ctrl-C reaches the supervisor alone, and on Linux
the kernel signals it when its parent dies, however that happened.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


@dataclass(frozen=True)
class Program:
    """What to run. `uid` None: as ourselves. `stop` is the signal that ends it in good order."""

    name: str
    argv: Sequence[str]
    cwd: Path
    env: Mapping[str, str]
    stop: signal.Signals = signal.SIGTERM
    uid: int | None = None
    pass_fds: Sequence[int] = ()
    endless: bool = True  # its end is a fault, even with exit status 0


def _die_with_parent(stop: signal.Signals) -> Callable[[], None] | None:
    """Return what the child calls just before it becomes the program (Linux only)."""
    if _LIBC is None:
        return None
    prctl = _LIBC.prctl
    return lambda: prctl(_PR_SET_PDEATHSIG, stop)


def spawn(program: Program, *, output: int | IO[bytes] | None) -> subprocess.Popen[bytes]:
    """Start `program` in a process group of its own, both its outputs going to `output`."""
    return subprocess.Popen(
        list(program.argv),
        cwd=program.cwd,
        env=dict(program.env),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        pass_fds=tuple(program.pass_fds),
        process_group=0,
        preexec_fn=_die_with_parent(program.stop),
        user=program.uid,
        group=program.uid,
        extra_groups=None if program.uid is None else [],
    )


def started_at(pid: int) -> str:
    """Return when `pid` started, in a form to compare with later; empty: no such process.

    A pid is used again sooner or later; a pid with its start time is not. A zombie counts as gone.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return _started_by_ps(pid)
    fields = stat.rpartition(")")[2].split()
    return "" if fields[0] in "ZX" else fields[19]


def _started_by_ps(pid: int) -> str:
    if Path("/proc/self/stat").exists():
        return ""
    command = ["ps", "-o", "lstart=", "-p", str(pid)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def signal_group(pid: int, number: signal.Signals) -> None:
    """Signal the process group that `pid` leads; one that is gone is no error."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def wait_until(condition: Callable[[], bool], *, seconds: float, pause: float = 0.02) -> bool:
    """Return whether `condition` came true within `seconds`."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(pause)
    return True


def stop_foreign(pid: int, started: str, stop: signal.Signals, *, seconds: float) -> None:
    """End a process that an earlier supervisor started, if it is still that process."""

    def gone() -> bool:
        return started_at(pid) != started

    if not started or gone():
        return
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, stop)
    if not wait_until(gone, seconds=seconds):
        signal_group(pid, signal.SIGKILL)
        wait_until(gone, seconds=5)


def end(child: subprocess.Popen[bytes], stop: signal.Signals, *, seconds: float) -> bool:
    """Stop a child of ours; return whether it went by itself, without the last resort."""
    if child.poll() is None:
        child.send_signal(stop)
    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        signal_group(child.pid, signal.SIGKILL)
        child.wait()
        return False
    return True
