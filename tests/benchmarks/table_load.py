"""Many tables at once: `python -m tests.benchmarks.table_load --tables 250 --rates 100`.

Starts an installation of its own and plays Aznif at every table over sockets. Commands are sent by
a schedule that waits for nobody: what comes late counts from the moment when it was due, until the
table's last receiver has the event. Every frame is checked: versions without holes or doubles, no
tile that the receiver may not see, each beat's hash. One JSON line for each rate; `--idle` adds
one about spectators who only look on. `--search` ends at the first rate that does not hold.
"""

import argparse
import asyncio
import gc
import json
import os
import random
import re
import resource
import time
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from league.console.robots import next_wish
from tables.protocol import canonical, digest
from tests.servers import SERVERS
from tests.stack import Stack
from tests.tables.arrange import arrange
from tests.tables.client import socket_address

Json = dict[str, Any]
TILE = re.compile(r'"([0-6]-[0-6])"')
PATIENCE = 60.0  # seconds for what must come in the end
DIAL = 50  # connections that are being opened at once
TICK = 1 / os.sysconf("SC_CLK_TCK")
PLAYED = {"ruleset": {"preset": "aznif", "deal": 7, "hands": 11}, "move_seconds": 600}
HOLDS_WITHIN = 250.0  # milliseconds that the 99th percentile may reach


# --- what is checked of every frame -----------------------------------------------------


@dataclass
class Faults:
    """What must not be, counted; the first of each kind is kept to be looked at."""

    counts: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)

    def add(self, kind: str, detail: object = "") -> None:
        self.counts[kind] += 1
        self.first.setdefault(kind, str(detail)[:200])

    def taken(self) -> Json:
        """Return what was found since the last time."""
        found = {kind: [count, self.first[kind]] for kind, count in self.counts.items()}
        self.counts, self.first = Counter(), {}
        return found


def tiles_shown(text: str, frame: Json) -> set[str]:
    """Return the tiles a frame names, but for racks turned over at a hand's end."""
    shown = Counter(TILE.findall(text))
    view = frame.get("view") or frame["snapshot"]
    turned = [hand.get("racks", []) for hand in (view["match"] or {}).get("ended", [])]
    events = frame.get("event", {}).get("events", [])
    turned.extend(event["racks"] for event in events if event["kind"] == "hand_ended")
    shown.subtract(tile for racks in turned for rack in racks for tile in rack)
    return {tile for tile, count in shown.items() if count > 0}


@dataclass
class Seen:
    """What the receivers of a table have of one version: what each was shown, and the racks."""

    shown: dict[int, set[str]] = field(default_factory=dict)
    racks: dict[int, set[str]] = field(default_factory=dict)

    def leaks(self) -> Iterator[str]:
        """Give each tile that was shown to a receiver while it lay in somebody else's rack."""
        for receiver, tiles in self.shown.items():
            for owner, rack in self.racks.items():
                if owner != receiver and tiles & rack:
                    yield f"receiver {receiver} saw of seat {owner}: {sorted(tiles & rack)}"


# --- a table and its receivers ------------------------------------------------------------


@dataclass
class Board:
    """A table: its receivers (the seats first, then who looks on), and what was sent."""

    id: int
    tokens: list[str]
    faults: Faults
    rng: random.Random
    receivers: list["Receiver"] = field(default_factory=list)
    seen: dict[int, Seen] = field(default_factory=dict)
    version: int = -1
    acked: int = -1
    settled: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def over(self) -> bool:
        view = self.receivers[0].view
        return view is not None and view["table"]["status"] == "finished"

    def saw(self, receiver: "Receiver", text: str, frame: Json) -> None:
        """Note that a receiver has a version; with the last of them the table is settled."""
        view, version = receiver.view or {}, receiver.version
        seen = self.seen.setdefault(version, Seen())
        seen.shown[receiver.number] = tiles_shown(text, frame)
        match = view["match"]
        if match is not None and match["rack"] and match["phase"] == "play":
            seen.racks[receiver.number] = set(match["rack"])
        if len(seen.shown) < len(self.receivers):
            return
        for leak in self.seen.pop(version).leaks():
            self.faults.add("leak", f"table {self.id} v{version}: {leak}")
        self.version = max(self.version, version)
        self.settled.set()

    def wish(self) -> tuple["Receiver", Json] | None:
        """Return who acts next, and how."""
        for receiver in self.receivers[: len(self.tokens)]:
            wish = None if receiver.view is None else next_wish(receiver.view, self.rng)
            if wish is not None:
                return receiver, {"id": str(uuid.uuid4()), "v": receiver.version, **wish}
        return None

    async def act(self) -> float | None:
        """Send the next command as soon as everybody has the one before.

        Returns when it was sent, and comes back when the last receiver has its event; None: over.
        """
        found = self.wish()
        if found is None:
            return None
        receiver, command = found
        self.settled.clear()
        sent = time.perf_counter()
        await receiver.send(command)
        async with asyncio.timeout(PATIENCE):
            await self.settled.wait()
        return sent


@dataclass
class Receiver:
    """One socket: a seat's player, or with a number beyond the seats somebody who looks on."""

    board: Board
    number: int
    socket: ClientConnection | None = None
    view: Json | None = None
    version: int = -1
    asked: set[str] = field(default_factory=set)
    task: asyncio.Task[None] | None = None

    async def open(self, url: str) -> None:
        """Connect and begin to read."""
        tokens = self.board.tokens
        known = self.number < len(tokens)
        headers = {"Authorization": f"Token {tokens[self.number]}"} if known else {}
        self.socket = await connect(
            socket_address(url, self.board.id), additional_headers=headers, proxy=None,
            compression=None, open_timeout=PATIENCE, ping_interval=None,
        )  # fmt: skip
        self.task = asyncio.create_task(self._read(self.socket))

    async def close(self) -> None:
        """Hang up."""
        if self.task is not None and self.socket is not None:
            self.task.cancel()
            with suppress(asyncio.CancelledError):
                await self.task
            await self.socket.close()

    async def send(self, command: Json) -> None:
        """Send a command; its answer is awaited by nobody, but missed in the end."""
        assert self.socket is not None
        self.asked.add(command["id"])
        await self.socket.send(json.dumps(command))

    async def _read(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for text in socket:
                self._take(str(text))
        self.board.faults.add("closed", f"table {self.board.id}: {socket.close_code}")

    def _take(self, text: str) -> None:
        frame: Json = json.loads(text)
        if "event" in frame or "snapshot" in frame:
            self._view(text, frame)
        elif "ack" in frame:
            self.board.acked = max(self.board.acked, frame["v"])
            self.asked.discard(frame["ack"])
        elif "beat" in frame:
            self._beat(frame)
        elif "error" in frame:
            self.asked.discard(frame.get("id", ""))
            self.board.faults.add("refused", text)
        elif not {"presence", "say"} & set(frame):
            self.board.faults.add("unknown frame", text)

    def _view(self, text: str, frame: Json) -> None:
        version = frame["v"]
        if "event" in frame and version != self.version + 1:
            kind = "hole" if version > self.version else "doubled or out of order"
            self.board.faults.add(kind, f"table {self.board.id}: {self.version} then {version}")
            if version <= self.version:
                return
        self.view, self.version = frame.get("view") or frame["snapshot"], version
        self._check_own(self.view)
        self.board.saw(self, text, frame)

    def _check_own(self, view: Json) -> None:
        table, match = view["table"], view["match"]
        seat = self.number if self.number < len(self.board.tokens) else None
        if table["you"] != seat or (seat is None and match and match["rack"] is not None):
            self.board.faults.add("wrong seat", f"table {self.board.id}: {table['you']}")
        if table["secret"] is not None and table["status"] != "finished":
            self.board.faults.add("secret", f"table {self.board.id}")

    def _beat(self, frame: Json) -> None:
        if frame["beat"] == self.version and frame["hash"] != digest(canonical(self.view)):
            self.board.faults.add("hash", f"table {self.board.id} v{self.version}")


async def all_at_once(jobs: Iterable[Any], most: int = DIAL) -> None:
    """Await jobs, so many at a time."""
    gate = asyncio.Semaphore(most)

    async def one(job: Any) -> None:
        async with gate:
            await job

    await asyncio.gather(*map(one, jobs))


# --- what it costs ------------------------------------------------------------------------


@dataclass(frozen=True)
class Processes:
    """The processes of an installation by what they are: web, database, broker, others."""

    roots: dict[str, list[int]]

    @classmethod
    def of(cls, stack: Stack) -> "Processes":
        postgres, valkey = (child.pid for child, _program in SERVERS.children)
        roots: dict[str, list[int]] = {"database": [postgres], "broker": [valkey]}
        for name, pid in stack.pids().items():
            kind = "web" if name.startswith(("web", "daphne")) else "others"
            roots.setdefault(kind, []).append(pid)
        return cls(roots)

    def cpu(self) -> dict[str, float]:
        """Return the CPU seconds each kind has used so far, and this client's own."""
        table = _process_table()
        used = {kind: sum(_tree(pid, table) for pid in pids) for kind, pids in self.roots.items()}
        return {**used, "client": time.process_time()}

    def web_memory(self) -> int:
        """Return the bytes of memory that the web processes hold (proportional set size)."""
        return sum(_memory(pid) for pid in self.roots["web"])


def _process_table() -> dict[int, tuple[int, float]]:
    """Each process's parent, and its CPU seconds with those of its ended children."""
    table = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(") ")[2].split()
            table[int(path.parent.name)] = int(fields[1]), sum(map(int, fields[11:15])) * TICK
    return table


def _tree(root: int, table: dict[int, tuple[int, float]]) -> float:
    children = (pid for pid, (parent, _used) in table.items() if parent == root)
    own = table[root][1] if root in table else 0.0
    return own + sum(_tree(child, table) for child in children)


def _memory(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


# --- the measurement ----------------------------------------------------------------------


@dataclass
class Run:
    """One rate: due moments by the clock alone, shared out among the tables in turn."""

    boards: list[Board]
    rate: float
    seconds: float
    warmup: float
    took: list[float] = field(default_factory=list)  # milliseconds from due to last receiver
    late: list[float] = field(default_factory=list)  # milliseconds from due to sent
    done: int = 0

    async def play(self) -> float:
        """Play; return how many seconds passed until the last command was through."""
        begin = time.perf_counter() + 0.1
        queues: list[asyncio.Queue[float | None]] = [asyncio.Queue() for _ in self.boards]
        workers = [
            asyncio.create_task(self._work(board, queue, begin))
            for board, queue in zip(self.boards, queues, strict=True)
        ]
        for number in range(int(self.rate * (self.warmup + self.seconds))):
            due = begin + number / self.rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            queues[number % len(queues)].put_nowait(due)
        for queue in queues:
            queue.put_nowait(None)
        await asyncio.gather(*workers)
        return time.perf_counter() - begin

    async def _work(self, board: Board, queue: "asyncio.Queue[float | None]", begin: float) -> None:
        while (due := await queue.get()) is not None:
            try:
                sent = await board.act()
            except (TimeoutError, ConnectionClosed) as error:
                board.faults.add("lost", f"table {board.id}: {type(error).__name__}")
                return
            if sent is None:
                return
            self.done += 1
            if due - begin >= self.warmup:
                self.took.append((time.perf_counter() - due) * 1000)
                self.late.append((sent - due) * 1000)


def percentile(values: list[float], part: float) -> float:
    """Return the value below which a part of them lies; nan of none."""
    if not values:
        return float("nan")
    return round(sorted(values)[min(len(values) - 1, int(part * len(values)))], 2)


async def measured(run: Run, processes: Processes, faults: Faults) -> Json:
    """Play at one rate and return the row."""
    before = processes.cpu()
    passed = await run.play()
    after = processes.cpu()
    used = {kind: after[kind] - before[kind] for kind in after}
    _note_missed(run.boards, faults)
    moves = max(run.done, 1)
    return {
        "rate": run.rate,
        "achieved": round(run.done / passed, 1),
        "commands": run.done,
        "p50_ms": percentile(run.took, 0.5),
        "p99_ms": percentile(run.took, 0.99),
        "max_ms": percentile(run.took, 1.0),
        "sent_late_p99_ms": percentile(run.late, 0.99),
        "cpu_ms_a_move": {kind: round(seconds * 1000 / moves, 3) for kind, seconds in used.items()},
        "server_and_database_cpu_ms_a_move": round(
            (used["web"] + used["database"]) * 1000 / moves, 3
        ),
        "client_cpu_share": round(used["client"] / passed, 3),
        "tables_over": sum(board.over for board in run.boards),
        "faults": faults.taken(),
    }


def _note_missed(boards: list[Board], faults: Faults) -> None:
    for board in boards:
        for receiver in board.receivers:
            if receiver.asked:
                faults.add("unanswered", f"table {board.id}: {len(receiver.asked)}")
            if receiver.version < board.acked:
                faults.add("lost", f"table {board.id}: {receiver.version} of {board.acked}")


async def sat_down(board: Board, url: str, watchers: int) -> None:
    """Open a table's sockets, sit down, and start."""
    board.receivers = [Receiver(board, number) for number in range(len(board.tokens) + watchers)]
    for receiver in board.receivers:
        await receiver.open(url)
    async with asyncio.timeout(PATIENCE):
        await board.settled.wait()
    while board.receivers[0].view is None or board.receivers[0].view["match"] is None:
        assert await board.act() is not None, f"table {board.id} does not start"


async def held(
    url: str, boards: list[Board], count: int, seconds: float, processes: Processes
) -> Json:
    """Let so many spectators look on at tables where nobody plays; return what they cost."""
    faults = Faults()
    crowd = [_spectator(boards[number % len(boards)].id, faults) for number in range(count)]
    memory, begun = processes.web_memory(), time.perf_counter()
    await all_at_once(spectator.open(url) for spectator in crowd)
    opened = time.perf_counter() - begun
    before = processes.cpu()
    await asyncio.sleep(seconds)
    after, grown = processes.cpu(), processes.web_memory() - memory
    row = {
        "idle": count,
        "opened_in_s": round(opened, 1),
        "held_s": seconds,
        "with_a_snapshot": sum(spectator.view is not None for spectator in crowd),
        "kib_a_socket": round(grown / max(count, 1) / 1024, 1),
        "cpu_share": {kind: round((after[kind] - before[kind]) / seconds, 3) for kind in after},
        "faults": faults.taken(),
    }
    await all_at_once(spectator.close() for spectator in crowd)
    return row


def _spectator(table: int, faults: Faults) -> Receiver:
    """Return somebody who looks on, with a board of their own that nobody plays at."""
    board = Board(table, [], faults, random.Random(table))
    board.receivers = [Receiver(board, 0)]
    return board.receivers[0]


async def measure(stack: Stack, options: argparse.Namespace) -> None:
    """Arrange the tables, measure each rate, print the rows."""
    faults, processes = Faults(), Processes.of(stack)
    arranged = arrange(stack, options.tables, **PLAYED)
    boards = [
        Board(table["id"], table["tokens"], faults, random.Random(options.seed + number))
        for number, table in enumerate(arranged)
    ]
    if options.idle:
        idle = await held(stack.url, boards, options.idle, options.hold, processes)
        print(json.dumps(idle), flush=True)
    memory = processes.web_memory()
    await all_at_once(sat_down(board, stack.url, options.watchers) for board in boards)
    sockets = sum(len(board.receivers) for board in boards)
    grown = (processes.web_memory() - memory) / max(sockets, 1) / 1024
    print(json.dumps({"tables": len(boards), "sockets": sockets, "kib_a_socket": round(grown, 1)}))
    gc.freeze()  # what stands will stand: the client's collector must not stop it in between
    for rate in options.rates:
        playing = [board for board in boards if not board.over]
        run = Run(playing, rate, options.seconds, options.warmup)
        row = await measured(run, processes, faults)
        print(json.dumps(row), flush=True)
        if options.search and not _holds(row):
            break
    for board in boards:
        await all_at_once(receiver.close() for receiver in board.receivers)


def _holds(row: Json) -> bool:
    return bool(row["p99_ms"] < HOLDS_WITHIN and row["achieved"] > 0.95 * row["rate"])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=250, help="four seats and sockets each")
    parser.add_argument("--watchers", type=int, default=0, help="spectators at each table")
    parser.add_argument("--rates", type=_rates, default=[100.0], help="commands a second: 100,200")
    parser.add_argument("--seconds", type=float, default=60.0, help="measured at each rate")
    parser.add_argument("--warmup", type=float, default=5.0, help="seconds before that")
    parser.add_argument("--search", action="store_true", help="end at a rate that does not hold")
    parser.add_argument("--processes", type=int, default=2, help="of the web server")
    parser.add_argument("--idle", type=int, default=0, help="spectators held before play begins")
    parser.add_argument("--hold", type=float, default=30.0, help="seconds that they are held")
    parser.add_argument("--seed", type=int, default=7, help="of the players' choices")
    return parser.parse_args()


def _rates(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]


def main() -> None:
    """Start, measure, print, stop."""
    options = _options()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # the servers inherit it
    stack = Stack.start("--processes", str(options.processes), AYAZ_SOCKETS_AN_ADDRESS="20000")
    try:
        asyncio.run(measure(stack, options))
    finally:
        stack.remove()
        SERVERS.stop()


if __name__ == "__main__":
    main()
