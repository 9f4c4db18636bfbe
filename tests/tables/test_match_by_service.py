"""A whole match through the one writer, from the table's opening to standings and record."""

import pytest

from engine.match import Phase
from engine.record import check_record
from league.ledger.models import Posting
from league.results.models import MatchStatus, Result
from league.standings.selectors import standings_of
from league.tournaments.models import FixtureStatus
from tables.models import TableEvent, TableStatus
from tables.selectors import record_of_table
from tests.tables.builders import build_table, fixture_of, play_out, player_at, start, state_of

pytestmark = pytest.mark.django_db


def test_match_from_sitting_down_to_the_standings() -> None:
    table = build_table()
    start(table)
    assert table.status == TableStatus.PLAYING
    play_out(table)

    table.refresh_from_db()
    result = Result.objects.get(match=table.match)
    assert table.status == TableStatus.FINISHED
    assert table.deadline_at is None
    assert table.match.status == MatchStatus.FINISHED
    assert fixture_of(table).status == FixtureStatus.FINISHED
    state = state_of(table)
    assert state.phase == Phase.OVER
    assert state.result is not None
    assert result.points == list(state.result.points)
    posted = Posting.objects.filter(result=result).order_by("stint__seat")
    assert [posting.points for posting in posted] == result.points
    rows = standings_of(fixture_of(table).round.stage.tournament.season)
    assert sorted(row.points for row in rows) == sorted(result.points)


def test_record_of_a_finished_table_passes_the_checker() -> None:
    table = build_table()
    start(table)
    play_out(table)
    table.refresh_from_db()
    record = record_of_table(table)
    checked = check_record(record)
    assert checked.result is not None
    assert record["result"]["points"] == list(checked.result.points)
    assert record["proof"]["secret"] == bytes(table.secret).hex()
    assert [stints[0]["name"] for stints in record["players"]] == [
        player_at(table, seat).name for seat in range(4)
    ]


@pytest.mark.parametrize(
    ("seats", "partners", "deal"), [(2, False, 7), (3, False, 5), (4, True, 7)]
)
def test_every_number_of_seats(seats: int, partners: bool, deal: int) -> None:
    ruleset = {"preset": "aznif", "deal": deal, "hands": 3}
    table = build_table(seats=seats, partners=partners, ruleset=ruleset)
    start(table)
    play_out(table)
    table.refresh_from_db()
    check_record(record_of_table(table))


def test_every_version_has_its_event() -> None:
    table = build_table()
    start(table)
    play_out(table)
    table.refresh_from_db()
    numbers = list(TableEvent.objects.filter(table=table).values_list("seq", flat=True))
    assert numbers == list(range(1, table.version + 1))
