"""The public API of tables, fixtures and records, and what the admin may show."""

import json
import re

import pytest
from django.test import Client
from rest_framework.test import APIClient

from engine.record import check_record
from tables.models import Table
from tests.factories import build_fixture, build_user
from tests.tables.builders import build_table, fixture_of, play_out, start

pytestmark = pytest.mark.django_db


@pytest.fixture
def api() -> APIClient:
    return APIClient()


def test_table_is_shown_as_to_a_spectator(api: APIClient) -> None:
    table = build_table()
    start(table)
    answer = api.get(f"/api/v1/tables/{table.pk}/").json()
    assert (answer["id"], answer["status"], answer["version"]) == (table.pk, "playing", 5)
    assert answer["view"]["table"]["you"] is None
    assert answer["view"]["match"]["rack"] is None
    assert answer["clock"]["deadline"] > answer["clock"]["now"]
    assert bytes(table.secret).hex() not in json.dumps(answer)


def test_record_before_the_end_is_a_conflict(api: APIClient) -> None:
    table = build_table()
    for _moment in ("waiting", "playing"):
        answer = api.get(f"/api/v1/tables/{table.pk}/record/")
        assert answer.status_code == 409
        assert answer.json()["errors"][0]["code"] == "match_not_finished"
        if table.status == "waiting":
            start(table)


def test_record_of_a_finished_table_is_public_and_whole(api: APIClient) -> None:
    table = build_table()
    start(table)
    play_out(table)
    record = api.get(f"/api/v1/tables/{table.pk}/record/").json()
    check_record(record)
    assert record["format"] == "domino-match/1"
    assert [stint["how"] for stints in record["players"] for stint in stints] == ["start"] * 4
    answer = api.get(f"/api/v1/tables/{table.pk}/").json()
    assert answer["view"]["table"]["secret"] == record["proof"]["secret"]


def test_finished_table_whose_result_has_no_record(api: APIClient) -> None:
    table = build_table()
    start(table)
    play_out(table)
    table.match.results.update(record=None)
    answer = api.get(f"/api/v1/tables/{table.pk}/record/")
    assert answer.status_code == 404
    assert answer.json()["errors"][0]["code"] == "no_record"


def test_fixtures_with_table_and_result(api: APIClient) -> None:
    table = build_table()
    tournament = fixture_of(table).round.stage.tournament
    scheduled = build_fixture(tournament)
    start(table)
    play_out(table)
    rows = api.get(f"/api/v1/tournaments/{tournament.pk}/fixtures/").json()["results"]
    assert [row["id"] for row in rows] == [fixture_of(table).pk, scheduled.pk]
    played, coming = rows
    assert (played["table"], played["status"], played["round"]) == (table.pk, "finished", 1)
    assert sorted(played["result"]) == ["places", "points", "scores"]
    assert [seat["seat"] for seat in played["seats"]] == [0, 1, 2, 3]
    assert set(played["seats"][0]["player"]) == {"id", "name"}
    assert (coming["table"], coming["result"], coming["status"]) == (None, None, "scheduled")


@pytest.mark.parametrize(
    "path", ["tables/999999/", "tables/999999/record/", "tournaments/999999/fixtures/"]
)
def test_unknown_is_404(api: APIClient, path: str) -> None:
    assert api.get(f"/api/v1/{path}").status_code == 404


def test_nothing_can_be_written(api: APIClient) -> None:
    table = build_table()
    api.force_authenticate(build_user(is_superuser=True, is_staff=True))
    assert api.post(f"/api/v1/tables/{table.pk}/", {}).status_code == 405
    assert api.delete(f"/api/v1/tables/{table.pk}/").status_code == 405


def test_admin_shows_neither_secret_nor_snapshot(client: Client) -> None:
    table = build_table(secret=bytes(range(50, 82)))
    start(table)
    client.force_login(build_user(is_superuser=True, is_staff=True))
    table = Table.objects.get(pk=table.pk)
    assert table.snapshot is not None
    for path in ("", f"{table.pk}/change/"):
        page = client.get(f"/admin/tables/table/{path}")
        assert page.status_code == 200
        assert bytes(table.secret).hex() not in page.text
        assert "snapshot" not in page.text
        assert "secret" not in page.text


def test_admin_changes_nothing_at_a_table(client: Client) -> None:
    table = build_table()
    client.force_login(build_user(is_superuser=True, is_staff=True))
    page = client.get(f"/admin/tables/table/{table.pk}/change/").text
    assert not re.search(r'name="(match|status|version|seats-\d+-(seat|player|ready))"', page)
    assert client.post(f"/admin/tables/table/{table.pk}/change/", {}).status_code == 403
    assert client.get("/admin/tables/table/add/").status_code == 403
    assert client.post(f"/admin/tables/table/{table.pk}/delete/", {}).status_code == 403
