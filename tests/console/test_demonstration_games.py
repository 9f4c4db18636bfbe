"""Demonstrations of other games than the usual one, from `up` to the standings, by robots."""

from collections.abc import Iterator
from typing import Any

import pytest

from league.console import processes
from tests.console import recompute
from tests.engine.second_checker import check
from tests.stack import Stack

ENOUGH = 2  # finished tables


@pytest.fixture(params=[("domino101", 2)], ids=lambda game: game[0])
def shown(request: pytest.FixtureRequest) -> Iterator[tuple[Stack, str, int]]:
    """An `up` that shows a game, with robots that think for no time; round 2 is far away."""
    name, seats = request.param
    installation = Stack.prepared(AYAZ_ROBOT_SECONDS="0", AYAZ_ROUND_SECONDS="3600")
    installation.up("--demo-game", name, "--demo-seats", str(seats))
    yield installation, name, seats
    installation.remove()


def first_round(installation: Stack) -> list[dict[str, Any]]:
    seasons = recompute.get(installation.url, "seasons/ordu-demo/tournaments/")["results"]
    path = f"tournaments/{seasons[0]['id']}/fixtures/"
    rows = recompute.get(installation.url, path)["results"]
    return [row for row in rows if row["round"] == 1]


def test_robots_play_a_game_to_records_that_hold_and_to_the_standings(
    shown: tuple[Stack, str, int],
) -> None:
    """The first tables that finish stand for all: nobody sits at two in a round."""
    installation, name, seats = shown
    assert len(first_round(installation)) == 32 // seats

    def finished() -> list[dict[str, Any]]:
        return [row for row in first_round(installation) if row["status"] == "finished"]

    enough = processes.wait_until(lambda: len(finished()) >= ENOUGH, seconds=400, pause=1.0)
    assert enough, installation.tail()
    points: dict[int, int] = {}
    for row in finished():
        record = recompute.get(installation.url, f"tables/{row['table']}/record/")
        check(record)
        assert (record["ruleset"]["preset"], record["partners"]) == (name, seats == 4)
        by_seat = zip(record["players"], record["result"]["points"], strict=True)
        points.update({stints[0]["id"]: own for stints, own in by_seat})
    told = recompute.get(installation.url, "seasons/ordu-demo/standings/")["results"]
    assert points.items() <= {row["player"]["id"]: row["points"] for row in told}.items()
    installation.manage("ledger", "verify")
