"""Whole matches of every game, at every number of seats, through the one writer to the ledger."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from engine.record import check_record
from engine.rulesets import FAMILIES
from engine.scoring import points_alone, points_partners
from league.ledger.models import Posting
from league.results.models import Result
from league.settlement.verification import ledger_faults
from tables.models import Table, TableStatus
from tables.selectors import record_of_table
from tables.services import table_timeout
from tests.engine.second_checker import check
from tests.tables.builders import bring_back, build_table, come, play_out, start

pytestmark = pytest.mark.django_db

# A match's length, where the usual one is long for a test; each kind of length occurs.
LENGTHS: dict[str, dict[str, int]] = {
    "aznif": {"hands": 3},
    "vip-draw": {"target": 40},
    "vip-block": {"wins": 2},
    "domino101": {"target": 30},
    "kraloyun": {"wins": 2},
}
STAKE = 7


def _tables() -> Iterator[tuple[str, int, bool]]:
    for name, family in FAMILIES.items():
        for seats, partnerships in family.partners.items():
            yield from ((name, seats, partners) for partners in partnerships)


def _rules(name: str, seats: int) -> dict[str, Any]:
    deal = 5 if name.startswith("vip") and seats == 4 else 7
    return {"preset": name, "deal": deal, **LENGTHS[name]}


@pytest.mark.parametrize(("name", "seats", "partners"), list(_tables()))
def test_a_match_of_every_game_from_the_start_to_record_and_postings(
    name: str, seats: int, partners: bool, client: Client
) -> None:
    stake = 3 if name == "aznif" else STAKE
    table = build_table(ruleset=_rules(name, seats), seats=seats, partners=partners, stake=stake)
    start(table)
    play_out(table)

    table.refresh_from_db()
    assert table.status == TableStatus.FINISHED
    record = json.loads(client.get(f"/api/v1/tables/{table.pk}/record/").content)
    check(record)
    assert check_record(record).result is not None
    result = Result.objects.get(match=table.match)
    points = (points_partners if partners else points_alone)(result.places, stake)
    assert result.points == list(points) == record["result"]["points"]
    posted = Posting.objects.filter(result=result).order_by("stint__seat")
    assert [posting.points for posting in posted] == result.points
    assert list(ledger_faults()) == []


@pytest.mark.parametrize(("name", "seats"), [("domino101", 2), ("kraloyun", 3)])
def test_the_clock_alone_plays_a_match_of_forced_openings_and_draws(name: str, seats: int) -> None:
    table = build_table(ruleset=_rules(name, seats), seats=seats)
    start(table)
    come(table)
    while table.status != TableStatus.FINISHED:
        Table.objects.filter(pk=table.pk).update(deadline_at=timezone.now())
        assert table_timeout(table_id=table.pk, version=table.version)
        bring_back(table)
        table.refresh_from_db()
    check(record_of_table(table))
