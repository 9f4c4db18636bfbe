"""A demonstration of another game than the usual one, from `up` to a hand's end, by robots."""

from collections.abc import Iterator
from typing import Any

import pytest

from league.console import processes
from tests.console import recompute
from tests.stack import Stack


@pytest.fixture(params=[("vip-block", 4)], ids=lambda game: game[0])
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


def test_robots_play_another_game_that_its_players_can_watch(
    shown: tuple[Stack, str, int],
) -> None:
    """The first hand that ends stands for all: matches to their end are played by the writer alone
    (tests/tables/test_families.py) and in the usual demonstration.
    """
    installation, name, seats = shown
    assert len(first_round(installation)) == 32 // seats

    def ended() -> list[dict[str, Any]]:
        opened = [row["table"] for row in first_round(installation) if row["table"]]
        views = [recompute.get(installation.url, f"tables/{table}/")["view"] for table in opened]
        return [view["match"] for view in views if view["match"] and view["match"]["ended"]]

    enough = processes.wait_until(lambda: bool(ended()), seconds=400, pause=1.0)
    assert enough, installation.tail()
    match = ended()[0]
    assert (match["ruleset"]["preset"], match["partners"]) == (name, seats == 4)
    assert len(match["ended"][-1]["racks"]) == seats
    installation.manage("ledger", "verify")
