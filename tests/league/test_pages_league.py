"""Pages of the league: standings, statement, club, log-in, language and errors."""

import re

import pytest
from django.test import Client

from league.accounts.models import User
from league.clubs.models import Role
from league.clubs.services import membership_create
from tests.factories import PASSWORD, build_club, build_player, build_season, build_user
from tests.reading import page_of
from tests.tables.builders import build_table, fixture_of, play_out, player_at, start

pytestmark = pytest.mark.django_db


def test_an_empty_season_says_so(client: Client) -> None:
    season = build_season()
    assert "No match has been settled yet" in page_of(client, f"/seasons/{season.slug}/")


def test_standings_mark_the_reader_and_show_what_was_settled(client: Client) -> None:
    table = build_table()
    start(table)
    play_out(table)
    season = fixture_of(table).round.stage.tournament.season
    user = player_at(table, 2).user
    assert user is not None
    client.force_login(user)
    page = page_of(client, f"/seasons/{season.slug}/", hx_request="true")
    rows = re.findall(r'<tr( class="me")? data-player="(\d+)"', page)
    assert len(rows) == 4
    assert [player for mark, player in rows if mark] == [str(user.player.pk)]


def test_standings_fragment_is_no_whole_page(client: Client) -> None:
    page = page_of(client, f"/seasons/{build_season().slug}/", hx_request="true")
    assert "<html" not in page
    assert 'id="standings"' in page


def test_caches_keep_page_and_fragment_apart(client: Client) -> None:
    address = f"/seasons/{build_season().slug}/"
    for headers in ({}, {"HX-Request": "true"}):
        answer = client.get(address, headers=headers)
        assert "HX-Request" in answer.headers["Vary"].split(", ")


def test_a_statement_runs_from_the_newest_posting_back(client: Client) -> None:
    table = build_table()
    start(table)
    play_out(table)
    player = player_at(table, 0)
    page = page_of(client, f"/players/{player.pk}/")
    assert fixture_of(table).round.stage.tournament.name in page
    assert page.count("<tr>") == 2


def test_a_player_without_postings_has_an_empty_statement(client: Client) -> None:
    assert "Nothing has been posted yet" in page_of(client, f"/players/{build_player().pk}/")


def test_a_club_shows_its_seasons_and_people(client: Client) -> None:
    club = build_club()
    season = build_season(club)
    member = build_player("Işıl İnci")
    membership_create(club=club, player=member, role=Role.ORGANIZER)
    page = page_of(client, f"/clubs/{club.slug}/")
    assert season.name in page
    assert "Işıl İnci" in page
    assert "organizer" in page


def test_logging_in_by_user_name_leads_home_with_the_players_name(client: Client) -> None:
    user = build_user(name="Nigar Əliyeva")
    form = {"login": user.username, "password": PASSWORD}
    response = client.post("/accounts/login/", form, follow=True)
    assert response.redirect_chain[-1][0] == "/"
    assert "Nigar Əliyeva" in response.content.decode()


def test_a_wrong_password_is_said_on_the_form(client: Client) -> None:
    user = build_user()
    response = client.post("/accounts/login/", {"login": user.username, "password": "wrong"})
    assert response.status_code == 200
    assert 'role="alert"' in response.content.decode()


@pytest.mark.parametrize(("asked", "lang"), [("tr", "tr"), ("az,en;q=0.5", "az"), ("fr", "en")])
def test_the_browser_chooses_the_language(client: Client, asked: str, lang: str) -> None:
    assert f'<html lang="{lang}">' in page_of(client, "/", accept_language=asked)


def test_a_chosen_language_stays_with_the_browser(client: Client) -> None:
    client.post("/i18n/setlang/", {"language": "tr", "next": "/"})
    assert '<html lang="tr">' in page_of(client, "/", accept_language="az")


def test_a_chosen_language_stays_with_the_account(client: Client) -> None:
    user = build_user()
    client.force_login(user)
    client.post("/i18n/setlang/", {"language": "az", "next": "/"})
    elsewhere = Client()
    elsewhere.force_login(user)
    assert '<html lang="az">' in page_of(elsewhere, "/", accept_language="en")


def test_an_unknown_language_changes_nothing(client: Client) -> None:
    user = build_user()
    client.force_login(user)
    client.post("/i18n/setlang/", {"language": "xx", "next": "/"})
    user.refresh_from_db()
    assert user.language == ""


def test_nobody_can_sign_up_or_reset_by_mail(client: Client) -> None:
    assert client.get("/accounts/signup/").status_code == 404
    assert client.get("/accounts/password/reset/").status_code == 404


def test_ones_own_page_leads_to_a_new_password_and_no_other_does(client: Client) -> None:
    user = build_user()
    client.force_login(user)
    link = 'href="/accounts/password/change/"'
    assert link in page_of(client, f"/players/{user.player.pk}/")
    assert link not in page_of(client, f"/players/{build_player().pk}/")


def test_an_account_without_a_player_has_the_way_to_a_new_password_above(client: Client) -> None:
    client.force_login(User.objects.create_user("tohum"))
    assert 'href="/accounts/password/change/"' in page_of(client, "/")


@pytest.mark.parametrize("language", ["tr", "az"])
def test_a_password_has_one_word_on_a_page(client: Client, language: str) -> None:
    client.force_login(build_user())
    address = "/accounts/password/change/"
    client.cookies["django_language"] = language
    refused = client.post(address, {"oldpassword": PASSWORD, "password1": "1", "password2": "1"})
    for page in (page_of(client, address), refused.text):
        assert re.search("şifr[eə]", page, re.IGNORECASE)
        assert not re.search("parol", page, re.IGNORECASE)


def test_the_old_address_of_an_icon_leads_to_it(client: Client) -> None:
    answer = client.get("/favicon.ico")
    assert answer.status_code == 302
    assert answer.headers["Location"].endswith("pictures/icon.svg")


def test_a_time_names_its_zone_and_gives_the_browser_the_moment(client: Client) -> None:
    table = build_table()
    start(table)
    play_out(table)
    page = page_of(client, f"/players/{player_at(table, 0).pk}/")
    assert re.search(
        r'<time datetime="[^"]+\+03:00">[^<]+, \d\d:\d\d \(Europe/Istanbul\)</time>', page
    )
