"""The demonstration as `up` brings it to an empty directory: played by robots over their sockets.

Beat and worker open its tables. The robots think for no time here, and round 2 starts soon.
"""

import asyncio
import json
import random
import re
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from league.console import processes
from league.console.robots import League, Robot
from tests.console import recompute
from tests.stack import CHECKOUT, Stack

SCRIPT = CHECKOUT / "tests" / "console" / "recompute.py"
ROUND_SECONDS = 10


@pytest.fixture(scope="module")
def demonstration() -> Iterator[Stack]:
    """A fresh directory with servers of its own: these tests run in order and share it."""
    installation = Stack.prepared(AYAZ_ROBOT_SECONDS="0", AYAZ_ROUND_SECONDS=str(ROUND_SECONDS))
    installation.up()
    yield installation
    installation.remove()


def read(installation: Stack, path: str) -> Any:
    return recompute.get(installation.url, path)


def page(installation: Stack, path: str) -> str:
    with urllib.request.urlopen(f"{installation.url}{path}", timeout=60) as answer:
        return str(answer.read().decode())


def tournament_id(installation: Stack) -> int:
    links = re.findall(r'href="/tournaments/(\d+)/"', page(installation, "seasons/ordu-demo/"))
    return int(links[0])


def fixtures(installation: Stack, number: int) -> list[Any]:
    rows = read(installation, f"tournaments/{tournament_id(installation)}/fixtures/")["results"]
    return [row for row in rows if row["round"] == number]


def statuses(installation: Stack, number: int) -> list[str]:
    return sorted(row["status"] for row in fixtures(installation, number))


def login(installation: Stack, role: str) -> tuple[str, str]:
    line = next(line for line in installation.log if line.startswith(f"  {role} "))
    _role, username, password = line.split()
    return username, password


def await_that(installation: Stack, condition: Callable[[], bool], seconds: float) -> None:
    assert processes.wait_until(condition, seconds=seconds, pause=0.5), installation.tail()


def test_it_prints_address_and_logins(demonstration: Stack) -> None:
    assert any(f"Ayaz is ready: {demonstration.url}" in line for line in demonstration.log)
    users = [login(demonstration, role)[0] for role in ("organizer", "player", "admin")]
    assert users == ["organizer", "elif", "admin"]
    assert set(demonstration.pids()) >= {"beat", "worker", "clock", "daphne", "robots"}


def test_the_standings_move(demonstration: Stack) -> None:
    """Within a minute on an idle machine of two cores; a busy one is given more."""
    address = "seasons/ordu-demo/standings/"
    await_that(demonstration, lambda: bool(read(demonstration, address)["results"]), 400)


def test_robots_play_round_1_to_its_end(demonstration: Stack) -> None:
    def over() -> bool:
        return statuses(demonstration, 1) == ["finished"] * 8

    await_that(demonstration, over, 400)
    rows = read(demonstration, "seasons/ordu-demo/standings/")["results"]
    assert len(rows) == 32


def test_round_2_opens_at_its_time_and_leaves_the_printed_players_seat(
    demonstration: Stack,
) -> None:
    def others_finished() -> bool:
        return statuses(demonstration, 2) == ["finished"] * 7 + ["open"]

    await_that(demonstration, others_finished, 400)
    table = next(row["table"] for row in fixtures(demonstration, 2) if row["status"] == "open")

    def others_sat() -> bool:
        return [seat["sat"] for seat in seats_of(demonstration, table)].count(True) == 3

    await_that(demonstration, others_sat, 60)
    left = [seat for seat in seats_of(demonstration, table) if not seat["sat"]]
    assert [seat["player"]["name"] for seat in left] == ["Elif Aydınoğlu"]


def seats_of(installation: Stack, table: int) -> list[Any]:
    seats: list[Any] = read(installation, f"tables/{table}/")["view"]["table"]["seats"]
    return seats


def test_who_logs_in_as_the_printed_player_plays_it_to_the_end(demonstration: Stack) -> None:
    username, password = login(demonstration, "player")
    body = urlencode({"username": username, "password": password}).encode()
    with urllib.request.urlopen(f"{demonstration.url}api/v1/token/", body, timeout=60) as answer:
        token = json.load(answer)["token"]
    table = next(row["table"] for row in fixtures(demonstration, 2) if row["status"] == "open")
    there = League(demonstration.url, "localhost", tournament_id(demonstration), 0)
    person = Robot(there, table, token, random.Random(5))
    asyncio.run(asyncio.wait_for(person.play(), 240))
    assert statuses(demonstration, 2) == ["finished"] * 8
    await_that(demonstration, lambda: "robots" not in demonstration.pids(), 60)


def test_the_public_records_and_the_rules_give_the_same_standings(
    demonstration: Stack, tmp_path: Path
) -> None:
    """By a script of the standard library alone, run where it can import nothing of ours."""
    argv = [sys.executable, "-I", "-S", str(SCRIPT), demonstration.url, "ordu-demo"]
    done = subprocess.run(
        [*argv, str(tournament_id(demonstration))],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "32 players recomputed, 16 matches\n"


def test_the_ledger_holds_and_a_second_start_goes_on(demonstration: Stack) -> None:
    before = read(demonstration, "seasons/ordu-demo/standings/")
    assert demonstration.stop() == 0
    shown = len([line for line in demonstration.log if line.startswith("  player")])
    demonstration.up()
    assert shown == len([line for line in demonstration.log if line.startswith("  player")]) == 1
    assert read(demonstration, "seasons/ordu-demo/standings/") == before
    assert "32 accounts, 64 postings" in demonstration.manage("ledger", "verify")
