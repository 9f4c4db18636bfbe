"""Two writers of one match, and a writer that dies: one result, one set of postings."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection

from league.ledger.models import Account, Posting
from league.results.models import Match, MatchStatus, Result
from league.settlement.services import match_settle
from tests.at_once import together
from tests.factories import build_match, build_players, build_tournament
from tests.league.settlement.four import FOUR, posted

pytestmark = pytest.mark.django_db(transaction=True)

Settler = subprocess.Popen[str]


@pytest.fixture
def settlers() -> Iterator[Callable[[Match], Settler]]:
    """Start processes that settle a match on the test's database; they are gone afterwards."""
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    started: list[Settler] = []

    def start(match: Match) -> Settler:
        script = Path(__file__).with_name("settler.py")
        process = subprocess.Popen(
            [sys.executable, str(script), str(match.pk)],
            env=os.environ | {"DATABASE_URL": url.geturl()},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        assert heard(process) == "ready"
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def tell(process: Settler) -> None:
    """Let a process go on to its next step."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def heard(process: Settler) -> str:
    """The next line a process says; empty once it has ended."""
    assert process.stdout is not None
    return str(process.stdout.readline()).strip()


def test_two_processes_settle_one_match_at_the_same_instant(
    settlers: Callable[[Match], Settler],
) -> None:
    """Case C3: no lock of a process holds the other; the database allows one."""
    match = build_match()
    pair = [settlers(match), settlers(match)]
    for process in (*pair, *pair):  # begin, then commit as soon as possible
        tell(process)
    said = [(heard(process), heard(process)) for process in pair]
    result = Result.objects.get()
    assert said == [(f"settled {result.pk}", "committed")] * 2
    assert posted(match) == [3, -3, 1, -1]


def test_the_second_waits_until_the_first_has_committed(
    settlers: Callable[[Match], Settler],
) -> None:
    match = build_match()
    first, second = settlers(match), settlers(match)
    tell(first)
    settled = heard(first)
    tell(second)
    assert Result.objects.count() == 0
    tell(first)
    assert heard(first) == "committed"
    assert heard(second) == settled


def test_a_writer_killed_in_the_middle_leaves_nothing_and_the_next_settles(
    settlers: Callable[[Match], Settler],
) -> None:
    match = build_match()
    victim = settlers(match)
    tell(victim)
    assert heard(victim).startswith("settled")
    victim.kill()
    victim.wait(timeout=20)
    match.refresh_from_db()
    assert match.status == MatchStatus.PLAYING
    assert (Result.objects.count(), Posting.objects.count(), Account.objects.count()) == (0, 0, 0)
    match_settle(match_id=match.pk, **FOUR)
    assert posted(match) == [3, -3, 1, -1]


def test_threads_settling_one_match_leave_one_result() -> None:
    match = build_match()
    outcomes = together(*(lambda: match_settle(match_id=match.pk, **FOUR) for _ in range(4)))
    assert set(outcomes) == {Result.objects.get()}
    assert posted(match) == [3, -3, 1, -1]


def test_matches_of_the_same_players_settle_side_by_side() -> None:
    players = build_players(4)
    tournament = build_tournament()
    matches = [build_match(tournament, players[n:] + players[:n]) for n in range(4)]
    outcomes = together(
        *(lambda match=match: match_settle(match_id=match.pk, **FOUR) for match in matches)
    )
    assert {type(outcome) for outcome in outcomes} == {Result}
    accounts = Account.objects.all()
    assert {(account.balance, account.count) for account in accounts} == {(0, 4)}
