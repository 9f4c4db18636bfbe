"""The supervisor: starts programs, prefixes their logs, restarts what dies, stops all in order.

Knows processes only, not what they do. Pure: no Django.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from league.console import processes
from league.console.processes import Program
from league.console.runenv import write_private

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds before a restart
STEADY = float(os.environ.get("AYAZ_STEADY_SECONDS", "30"))  # alive so long: healthy again
PATIENCE = 12.0  # seconds a child has for stopping by itself


class StopRequested(Exception):
    """Somebody pressed Ctrl-C or sent SIGTERM."""


class StepFailed(Exception):
    """A program that must succeed before the next may start did not."""


@dataclass
class Running:
    """A process and the thread that reads its log."""

    process: subprocess.Popen[bytes]
    reader: threading.Thread

    def drain(self) -> None:
        """Wait for the last lines of a process that ended; a grandchild may hold the pipe open."""
        self.reader.join(2)


@dataclass
class Child:
    """One supervised program."""

    program: Program
    running: Running
    since: float
    pause: float = FIRST_PAUSE
    again_at: float | None = None
    finished: bool = False

    @property
    def process(self) -> subprocess.Popen[bytes]:
        return self.running.process

    def alive(self) -> bool:
        return self.process.poll() is None


@dataclass
class Step:
    """A program that runs to its end; its log is shown only if it fails."""

    program: Program
    running: Running
    lines: list[str]


@dataclass
class Supervisor:
    """Keeps `children` alive until it is told to stop. `register` is the file of their pids."""

    register: Path
    children: dict[str, Child] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    signals: int = 0

    def catch_signals(self) -> None:
        """Let SIGINT and SIGTERM ask for a stop; a second one makes it a hasty stop."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)

    def _on_signal(self, _number: int, _frame: object) -> None:
        self.signals += 1

    def check(self) -> None:
        """Raise StopRequested if a signal came."""
        if self.signals:
            raise StopRequested

    # --- starting

    def start(self, program: Program) -> Child:
        """Start a program that is to live until the end."""
        child = Child(program, _start(program), time.monotonic())
        self.children[program.name] = child
        self._write_register()
        return child

    def begin(self, program: Program) -> Step:
        """Start a program that is to end by itself; `finish` waits for it."""
        lines: list[str] = []
        step = Step(program, _spawn(program, lines.append), lines)
        self.steps.append(step)
        return step

    def finish(self, step: Step) -> str:
        """Return what a step printed as its last line.

        Raises StepFailed when it fails, StopRequested when a signal came first.
        """
        while step.running.process.poll() is None:
            self.check()
            time.sleep(0.02)
        self.steps.remove(step)
        step.running.drain()
        if step.running.process.returncode == 0:
            return step.lines[-1] if step.lines else ""
        for line in step.lines:
            _log(step.program.name, line)
        raise StepFailed(f"{step.program.name} failed (exit {step.running.process.returncode})")

    def run(self, program: Program) -> str:
        """Run a program to its end, as `finish` says."""
        return self.finish(self.begin(program))

    def drop(self, name: str) -> None:
        """Stop one child and forget it."""
        child = self.children.pop(name)
        processes.end(child.process, child.program.stop, seconds=PATIENCE)
        self._write_register()

    def alive(self, name: str) -> Callable[[], bool]:
        """Return a check that a child lives; the check raises StopRequested when asked to stop."""

        def check() -> bool:
            self.check()
            return self.children[name].alive()

        return check

    # --- living

    def watch(self) -> None:
        """Restart what dies until a signal comes."""
        while not self.signals:
            self.tend()
            time.sleep(0.1)

    def tend(self) -> None:
        """Look after each child once."""
        for child in self.children.values():
            self._tend(child)

    def _tend(self, child: Child) -> None:
        now = time.monotonic()
        if child.finished or child.alive():
            if now - child.since > STEADY:
                child.pause = FIRST_PAUSE
        elif child.process.returncode == 0 and not child.program.endless:
            child.finished = True
            self._write_register()
        elif child.again_at is None:
            processes.signal_group(child.process.pid, signal.SIGKILL)  # what it left behind
            child.again_at = now + child.pause
            code = child.process.returncode
            _log("up", f"{child.program.name} died ({code}); again in {child.pause:g} s")
        elif now >= child.again_at:
            self._restart(child)

    def _restart(self, child: Child) -> None:
        child.running = _start(child.program)
        child.since, child.again_at = time.monotonic(), None
        child.pause = min(child.pause * 2, LONGEST_PAUSE)
        self._write_register()

    # --- stopping

    def stop(self) -> None:
        """Stop the children, the one that was started last first; then forget them."""
        for step in self.steps:
            processes.end(step.running.process, step.program.stop, seconds=PATIENCE)
        for child in reversed(self.children.values()):
            patience = PATIENCE if self.signals < 2 else 0.5
            program = child.program
            was_alive = child.alive()
            if not processes.end(child.process, program.stop, seconds=patience):
                _log("up", f"{program.name} had to be killed")
            if was_alive:
                processes.signal_group(child.process.pid, signal.SIGKILL)  # what it left behind
            child.running.drain()
        self.register.unlink(missing_ok=True)

    def _write_register(self) -> None:
        rows = [
            {
                "name": child.program.name,
                "pid": child.process.pid,
                "started": processes.started_at(child.process.pid),
                "stop": int(child.program.stop),
            }
            for child in self.children.values()
            if not child.finished
        ]
        write_private(self.register, json.dumps(rows))


def stop_orphans(register: Path) -> None:
    """Stop the children of a supervisor that was killed, the one started last first."""
    for row in reversed(_rows(register)):
        orphan = _orphan(row)
        if orphan is not None:
            processes.stop_foreign(*orphan, seconds=PATIENCE)
    register.unlink(missing_ok=True)


def _rows(register: Path) -> list[object]:
    """Return what a register lists; one that is absent or damaged lists nothing."""
    try:
        rows = json.loads(register.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return []
    return rows if isinstance(rows, list) else []


def _orphan(row: object) -> tuple[int, str, signal.Signals] | None:
    """Return a row's process, when it started and its signal, unless the row is damaged."""
    match row:
        case {"pid": int(pid), "started": str(started), "stop": int(stop)} if pid > 1:
            known = stop in set(signal.Signals)
            return (pid, started, signal.Signals(stop)) if known else None
    return None


def say(line: str) -> None:
    """Print a line; a terminal that went away is no reason to stop."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


def _log(name: str, line: str) -> None:
    say(f"{name:<9}| {line}")


def _start(program: Program) -> Running:
    return _spawn(program, lambda line: _log(program.name, line))


def _spawn(program: Program, sink: Callable[[str], None]) -> Running:
    process = processes.spawn(program, output=subprocess.PIPE)
    reader = threading.Thread(target=_copy_lines, args=(process, sink), daemon=True)
    reader.start()
    return Running(process, reader)


def _copy_lines(process: subprocess.Popen[bytes], sink: Callable[[str], None]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        sink(line.decode("utf-8", "replace").rstrip())
