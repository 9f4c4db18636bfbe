"""Pages with live tables: what each reader sees, in which language, under which policy."""

import json
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone, translation

from engine.events import RedealReason
from engine.rulesets import DraftsOnOpening, HandScoring, LengthKind, StarterRule
from league.clubs.models import Role
from league.clubs.services import membership_create
from tables.models import Bot, Phrase, TableKind
from tables.protocol import Ruling
from tables.replay import replay_words
from tables.words import board_words
from tests.factories import build_club, build_players, build_round, build_tournament, build_user
from tests.reading import page_of
from tests.tables.builders import build_table, build_users, fixture_of, play_out, player_at, start

pytestmark = pytest.mark.django_db


def test_home_names_a_visitor_no_table_as_theirs(client: Client) -> None:
    table = build_table()
    page = page_of(client, "/")
    assert "My tables" not in page
    assert f'href="/tables/{table.pk}/"' in page


def test_home_asks_a_seated_player_to_sit_down(client: Client) -> None:
    user = build_users(1)[0]
    table = build_table([user.player, *build_players(3)])
    client.force_login(user)
    page = page_of(client, "/")
    assert re.search(rf'href="/tables/{table.pk}/">\s*Sit down', page)


def test_home_lists_the_next_rounds(client: Client) -> None:
    ahead = build_round(starts_at=timezone.now() + timedelta(hours=1))
    assert ahead.stage.tournament.name in page_of(client, "/")


@pytest.mark.parametrize("page", ["home", "tournament"])
def test_caches_keep_page_and_fragment_apart(client: Client, page: str) -> None:
    address = "/" if page == "home" else f"/tournaments/{build_tournament().pk}/"
    for headers in ({}, {"HX-Request": "true"}):
        response = client.get(address, headers=headers)
        assert "HX-Request" in response.headers["Vary"].split(", ")
        assert ("<html" in response.text) is not bool(headers)


def test_home_renews_its_lists_alone(client: Client) -> None:
    page = page_of(client, "/", hx_request="true")
    assert page.strip().startswith('<div id="lists"')


def test_tournament_leads_to_its_tables(client: Client) -> None:
    table = build_table()
    tournament = fixture_of(table).round.stage.tournament
    page = page_of(client, f"/tournaments/{tournament.pk}/")
    assert player_at(table, 0).name in page
    assert f'href="/tables/{table.pk}/"' in page


def test_tournament_shows_the_points_of_a_finished_fixture(client: Client) -> None:
    table = build_table()
    start(table)
    play_out(table)
    points = table.match.results.get(is_current=True).points
    page = page_of(client, f"/tournaments/{fixture_of(table).round.stage.tournament_id}/")
    shown = re.findall(r'<span class="number strong">([^<]+)</span>', page)
    assert shown == [f"{value:+d}".replace("-", "−") if value else "0" for value in points]


def test_tournament_with_rounds_to_come_has_no_table_yet(client: Client) -> None:
    tournament = build_tournament()
    build_round(tournament, starts_at=timezone.now() + timedelta(days=1))
    assert "/tables/" not in page_of(client, f"/tournaments/{tournament.pk}/")


def test_a_table_page_brings_the_board_its_words(client: Client) -> None:
    table = build_table()
    page = page_of(client, f"/tables/{table.pk}/", accept_language="az")
    found = re.search(r'<script id="words" type="application/json">(.*?)</script>', page)
    assert found is not None
    with translation.override("az"):
        assert json.loads(found[1]) == board_words()
    assert f'data-socket="/ws/tables/{table.pk}/"' in page


def test_a_table_page_holds_nothing_secret(client: Client) -> None:
    table = build_table()
    assert bytes(table.secret).hex() not in page_of(client, f"/tables/{table.pk}/")


def test_a_table_page_tells_its_own_organizers_that_they_may_start(client: Client) -> None:
    table = build_table()
    own, other = (build_user() for _ in range(2))
    club = fixture_of(table).round.stage.tournament.season.club
    membership_create(club=club, player=own.player, role=Role.ORGANIZER)
    membership_create(club=build_club(), player=other.player, role=Role.ORGANIZER)
    told = {}
    for user in (None, player_at(table, 0).user, other, own, build_user(is_superuser=True)):
        client.logout()
        if user is not None:
            client.force_login(user)
        told[user] = "data-organizer" in page_of(client, f"/tables/{table.pk}/")
    assert list(told.values()) == [False, False, False, True, True]


def test_a_table_page_leads_who_was_logged_out_back_to_it(client: Client) -> None:
    table = build_table()
    found = re.search(r'data-login="([^"]+)"', page_of(client, f"/tables/{table.pk}/"))
    assert found is not None
    assert found[1] == f"/accounts/login/?next=/tables/{table.pk}/"


def test_an_unknown_table_is_not_found(client: Client) -> None:
    response = client.get("/tables/999999/")
    assert response.status_code == 404
    assert "This page does not exist" in response.content.decode()


def _built_words() -> set[str]:
    """Words whose keys the script puts together from what views and rule sets say."""
    worth = set(HandScoring) - {HandScoring.PIP_LOSS}
    doubles = {StarterRule.FIRST_DOUBLE, StarterRule.HIGHEST_DOUBLE}
    return (
        {f"number_{n}" for n in range(7)}
        | {"fits_L", "fits_R", "fits_open"}
        | {f"hand_of_{kind}" for kind in LengthKind}
        | {f"worth_{scoring}" for scoring in worth}
        | {f"drafts_{what}" for what in DraftsOnOpening}
        | {f"opens_{rule}" for rule in doubles}
        | {f"redeal_{reason}" for reason in RedealReason}
        | {f"replay_{step}" for step in ("first", "back", "on", "last")}
        | {f"verify_{what}" for what in ("commitment", "deal", "redeal", "lot")}
        | _built_of_the_table()
    )


def _built_of_the_table() -> set[str]:
    """Words of what is said and decided at a table, and of why it stands still."""
    over = ("abandoned", "decided")
    return (
        {f"phrase_{phrase}" for phrase in Phrase}
        | {f"bot_{bot}" for bot in Bot if bot}
        | {f"kind_{kind}" for kind in TableKind}
        | {f"ruling_{ruling}" for ruling in Ruling}
        | {f"say_{what}" for what in ("came_back", "dropped", "left", "took_over")}
        | {f"still_{what}" for what in ("due", "empty")}
        | {f"until_{what}" for what in ("due", "empty", "manager", "referee")}
        | {f"{what}_help" for what in ("manager", "referee", *over)}
        | {f"{what}_points" for what in over}
        | {"decided_title"}
    )


def test_every_word_of_the_board_is_asked_for_and_exists() -> None:
    from pathlib import Path

    scripts = (Path(__file__).parents[2] / "tables/static/tables").glob("*.js")
    text = "\n".join(path.read_text(encoding="utf-8") for path in scripts)
    asked = set(re.findall(r'"([a-z]+(?:_[a-zA-Z0-9]+)*)"', text))
    words = set(board_words()) | set(replay_words())
    built = _built_words()
    assert words - asked - built == set()
    assert built - words == set()
    said = set(re.findall(r'\bsay\("(\w+)"', text))
    assert said - words == set()


@pytest.mark.parametrize("address", ["/", "/accounts/login/"])
def test_no_page_has_inline_code_or_style(client: Client, address: str) -> None:
    page = page_of(client, address)
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
    for script in re.findall(r"<script\b[^>]*>", page):
        assert " src=" in script or 'type="application/json"' in script


def test_pages_carry_the_strict_policy(client: Client) -> None:
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
