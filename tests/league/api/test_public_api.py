"""The API as a program outside sees it."""

import hashlib
import json
from io import StringIO

import pytest
from django.core.management import call_command
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from league.ledger.models import Account
from league.settlement.services import match_settle
from league.shared.api import Refusal
from league.shared.errors import DomainError
from tests.factories import (
    PASSWORD,
    build_match,
    build_player,
    build_players,
    build_season,
    build_tournament,
    build_user,
)

pytestmark = pytest.mark.django_db


def test_lists_are_wrapped_in_results(api: APIClient) -> None:
    season = build_season()
    answer = api.get("/api/v1/seasons/")
    assert answer.status_code == 200
    assert answer.json() == {"results": [{"slug": season.slug, "name": season.name}]}


def test_a_seasons_tournaments_lead_on_to_their_fixtures(api: APIClient) -> None:
    season = build_season()
    first, second = build_tournament(season), build_tournament(season)
    build_tournament()
    rows = api.get(f"/api/v1/seasons/{season.slug}/tournaments/").json()["results"]
    assert rows == [{"id": one.pk, "name": one.name} for one in (second, first)]
    assert api.get(f"/api/v1/tournaments/{rows[0]['id']}/fixtures/").json() == {"results": []}
    assert api.get("/api/v1/seasons/yok/tournaments/").status_code == 404


def test_standings_name_the_player_rank_points_and_matches_played(api: APIClient) -> None:
    match = build_match()
    match_settle(
        match_id=match.pk,
        scores=[10, 5, 5, -3],
        places=[1, 2, 2, 4],
        points=[3, 0, 0, -3],
        record=None,
    )
    assert match.fixture is not None
    season = match.fixture.round.stage.tournament.season
    rows = api.get(f"/api/v1/seasons/{season.slug}/standings/").json()["results"]
    players = [seat.player for seat in match.fixture.seats.order_by("seat")]
    expected = zip(players, (1, 2, 2, 4), (3, 0, 0, -3), strict=True)
    assert rows == [
        {
            "player": {"id": player.pk, "name": player.name},
            "rank": rank,
            "points": points,
            "played": 1,
        }
        for player, rank, points in expected
    ]


def test_a_statements_chain_can_be_recomputed_from_the_outside(api: APIClient) -> None:
    players = [build_player(name) for name in ("Işıl İnci", "Əli", "Çağrı", "Nigar")]
    for _ in range(2):
        match = build_match(players=players)
        match_settle(
            match_id=match.pk,
            scores=[4, 3, 2, 1],
            places=[1, 2, 3, 4],
            points=[3, 1, -1, -3],
            record=None,
        )
    rows = api.get(f"/api/v1/players/{players[0].pk}/statement/").json()["results"]
    head = "0" * 64
    for row in rows:
        assert row["facts"]["previous"] == head
        text = json.dumps(row["facts"], sort_keys=True, separators=(",", ":"))
        head = hashlib.sha256(text.encode()).hexdigest()
        assert row["hash"] == head
    assert [row["balance"] for row in rows] == [3, 6]
    assert rows[0]["tournament"]["id"] != rows[1]["tournament"]["id"]
    assert Account.objects.get(player=players[0]).head == head


def test_an_answer_takes_as_many_queries_for_few_rows_as_for_many(
    api: APIClient, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = build_tournament()
    players = build_players(4)
    for _ in range(3):
        match = build_match(tournament, players)
        match_settle(
            match_id=match.pk,
            scores=[4, 3, 2, 1],
            places=[1, 2, 3, 4],
            points=[3, 1, -1, -3],
            record={"hands": []},
        )
    with django_assert_num_queries(2):
        rows = api.get(f"/api/v1/players/{players[0].pk}/statement/").json()["results"]
    assert [row["points"] for row in rows] == [3, 3, 3]
    with django_assert_num_queries(2):
        api.get(f"/api/v1/seasons/{tournament.season.slug}/standings/")


def test_a_statement_without_postings_is_empty_and_an_unknown_player_is_not_found(
    api: APIClient,
) -> None:
    assert api.get(f"/api/v1/players/{build_player().pk}/statement/").json() == {"results": []}
    for pk in (0, 2**63, 10**30):
        answer = api.get(f"/api/v1/players/{pk}/statement/")
        assert answer.status_code == 404
        assert answer.json()["errors"][0]["code"] == "not_found"
    assert api.get("/api/v1/seasons/yok/standings/").status_code == 404


def test_a_token_is_given_for_name_and_password(api: APIClient) -> None:
    build_user("ayaz")
    answer = api.post("/api/v1/token/", {"username": "ayaz", "password": PASSWORD}, format="json")
    assert answer.status_code == 200
    api.credentials(HTTP_AUTHORIZATION=f"Token {answer.json()['token']}")
    assert api.get("/api/v1/seasons/").status_code == 200
    api.credentials(HTTP_AUTHORIZATION="Token wrong")
    assert api.get("/api/v1/seasons/").status_code == 401


def test_a_wrong_password_gets_no_token(api: APIClient) -> None:
    build_user("ayaz")
    answer = api.post("/api/v1/token/", {"username": "ayaz", "password": "x"}, format="json")
    assert answer.status_code == 400
    assert answer.json()["type"] == "validation_error"


def test_attempts_on_a_name_are_throttled_whatever_address_they_claim(api: APIClient) -> None:
    wrong = {"username": "ayaz", "password": "x"}
    codes = [
        api.post(
            "/api/v1/token/", wrong, format="json", HTTP_X_FORWARDED_FOR=f"10.0.0.{n}"
        ).status_code
        for n in range(11)
    ]
    assert codes == [400] * 10 + [429]


def test_a_club_behind_one_address_logs_in_together(api: APIClient) -> None:
    codes = [
        api.post("/api/v1/token/", {"username": f"p{n}", "password": "x"}).status_code
        for n in range(32)
    ]
    assert codes == [400] * 32


@pytest.mark.parametrize("body", ["[]", "nonsense", '"x"', '{"username": {"a": 1}}', "{"])
def test_a_nonsense_login_is_refused_in_the_standard_form(api: APIClient, body: str) -> None:
    answer = api.post("/api/v1/token/", body, content_type="application/json")
    assert answer.status_code == 400
    assert {"type", "errors"} == set(answer.json())


@pytest.mark.parametrize("depth", [100, 900, 990, 2_000, 100_000])
@pytest.mark.parametrize("opening", ["[", '{"username":', '{"username":['])
def test_a_body_nested_deeply_is_refused_whatever_its_depth(
    api: APIClient, opening: str, depth: int
) -> None:
    closing = "".join({"[": "]", "{": "}"}[sign] for sign in opening[::-1] if sign in "[{")
    body = opening * depth + "1" + closing * depth
    answer = api.post("/api/v1/token/", body, content_type="application/json")
    assert answer.status_code == 400
    assert {"type", "errors"} == set(answer.json())


@pytest.mark.parametrize("kind", ["application/json", "application/x-www-form-urlencoded"])
def test_a_body_larger_than_is_read_is_too_large(api: APIClient, kind: str) -> None:
    body = "x" * (2_621_440 + 1)
    answer = api.post("/api/v1/token/", body, content_type=kind)
    assert answer.status_code == 413
    assert answer.json()["errors"][0]["code"] == "too_large"


@pytest.mark.parametrize("charset", ["zlib", "base64", "hex", "rot13", "idna", "utf-16", "x"])
@pytest.mark.parametrize(
    "kind",
    ["application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"],
)
def test_a_charset_that_is_none_is_no_failure(api: APIClient, kind: str, charset: str) -> None:
    body = b'--b\r\nContent-Disposition: form-data; name="username"\r\n\r\nx\xff\r\n--b--\r\n'
    answer = api.post("/api/v1/token/", body, content_type=f"{kind}; charset={charset}")
    assert answer.status_code == 400


def test_more_fields_than_are_read_are_refused(api: APIClient) -> None:
    body = "&".join(f"f{number}=1" for number in range(1_001))
    answer = api.post("/api/v1/token/", body, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 400


def test_a_domain_error_keeps_its_code_and_waiting_is_a_conflict() -> None:
    early = Refusal(DomainError("match_not_finished", "wait"))
    assert (early.status_code, early.get_codes()) == (409, "match_not_finished")
    assert Refusal(DomainError("wrong_seats", "no")).status_code == 400


def test_the_schema_is_valid_and_free_of_warnings(api: APIClient) -> None:
    out = StringIO()
    call_command("spectacular", "--fail-on-warn", "--validate", stdout=out)
    for part in ("standings", "tournaments"):
        assert f"/api/v1/seasons/{{slug}}/{part}/" in out.getvalue()
    assert api.get("/api/v1/schema/").status_code == 200
