"""The admin pages: everything can be looked at; what services write cannot be changed."""

import pytest
from django.contrib import admin
from django.core.cache import cache
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from rest_framework.authtoken.models import Token, TokenProxy

from league.accounts.models import Player, User
from league.clubs.models import Club, Membership
from league.ledger.models import Account, Posting
from league.results.models import Match, Result, Stint
from league.seasons.models import Season
from league.settlement.services import match_settle
from league.tournaments.models import (
    Fixture,
    HouseRuleset,
    Round,
    Stage,
    Tournament,
    TournamentEntry,
)
from tests.factories import (
    PASSWORD,
    build_match,
    build_player,
    build_season,
    build_user,
)
from tests.league.settlement.four import FOUR

pytestmark = pytest.mark.django_db

EDITABLE = (User, Player, Club, Membership, Season, HouseRuleset, Tournament, TournamentEntry)
READ_ONLY = (Stage, Round, Fixture, Match, Stint, Result, Account, Posting)


@pytest.fixture
def superuser(client: Client) -> Client:
    """A browser in which a superuser is logged in; one settled match stands."""
    client.force_login(build_user(is_superuser=True, is_staff=True))
    match_settle(match_id=build_match().pk, **FOUR)
    return client


def address(model: type[Model], page: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=args)


@pytest.mark.parametrize("model", [*EDITABLE, *READ_ONLY])
def test_every_list_and_search_opens(superuser: Client, model: type[Model]) -> None:
    assert superuser.get(address(model, "changelist"), {"q": "IŞIL"}).status_code == 200
    assert superuser.get(address(model, "changelist")).status_code == 200


@pytest.mark.parametrize("model", READ_ONLY)
def test_what_services_write_is_shown_and_never_changed(
    superuser: Client, model: type[Model]
) -> None:
    row = model._default_manager.first()
    assert row is not None
    change = address(model, "change", row.pk)
    assert superuser.get(change).status_code == 200
    assert superuser.post(change, {}).status_code == 403
    assert superuser.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    assert superuser.get(address(model, "add")).status_code == 403


@pytest.mark.parametrize("model", list(admin.site._registry), ids=lambda model: model.__name__)
def test_no_list_tells_what_a_column_holds_that_it_does_not_show(
    superuser: Client, model: type[Model]
) -> None:
    page = address(model, "changelist")
    shown = {"id", *admin.site._registry[model].list_filter}
    for field in model._meta.get_fields():
        ways = {f"{field.name}__{how}": "a" for how in ("regex", "gt")}
        for lookup, value in (ways if field.name in shown else ways | {field.name: "1"}).items():
            assert superuser.get(page, {lookup: value}).status_code == 400, lookup


@pytest.mark.parametrize(
    "lookup",
    ["auth_token__key__regex", "auth_token__key", "password", "password__startswith", "groups__x"],
)
def test_no_list_of_users_tells_a_token_or_a_password(superuser: Client, lookup: str) -> None:
    assert superuser.get(address(User, "changelist"), {lookup: "."}).status_code == 400


@pytest.mark.parametrize(
    "lookup",
    ["secret__regex", "secret__gt", "snapshot__icontains", "contributions__0__gt", "events__v"],
)
def test_no_list_of_tables_tells_what_is_dealt(superuser: Client, lookup: str) -> None:
    page = reverse("admin:tables_table_changelist")
    assert superuser.get(page, {lookup: "a"}).status_code == 400
    assert superuser.get(page, {"status": "\0"}).status_code == 400
    assert superuser.get(page, {"status__exact": "open", "o": "-2", "p": "1"}).status_code == 200


@pytest.mark.parametrize("model", list(admin.site._registry), ids=lambda model: model.__name__)
def test_every_filter_a_list_offers_works(superuser: Client, model: type[Model]) -> None:
    page = address(model, "changelist")
    changes = superuser.get(page).context["cl"]
    assert superuser.get(page, {"id": "1", "o": "-1"}).status_code == 200
    for offered in changes.filter_specs:
        for choice in offered.choices(changes):
            assert superuser.get(page + choice["query_string"]).status_code == 200, choice


def test_players_are_chosen_by_typing(superuser: Client) -> None:
    player = build_player("Işıl İnci")
    answer = superuser.get(
        reverse("admin:autocomplete"),
        {
            "term": "ISIL",
            "app_label": "tournaments",
            "model_name": "tournamententry",
            "field_name": "player",
        },
    )
    assert answer.json()["results"] == [{"id": str(player.pk), "text": "Işıl İnci"}]


def tournament_form(season: Season, **changes: object) -> dict[str, object]:
    given = {"season": season.pk, "name": "Kış", "seats": 4, "move_seconds": 30, "stake": ""}
    return given | {"rules": "aznif"} | changes


def test_a_tournament_is_made_under_checked_terms(superuser: Client) -> None:
    season = build_season()
    answer = superuser.post(address(Tournament, "add"), tournament_form(season))
    assert answer.status_code == 302
    made = season.tournaments.get()
    wanted = {"preset": "aznif", "deal": 7, "hands": 11, "version": 1}
    assert (made.ruleset, made.stake) == (wanted, 11)


@pytest.mark.parametrize(
    ("model", "form"),
    [
        (Player, {}),
        (Club, {"slug": "x", "memberships-TOTAL_FORMS": 0, "memberships-INITIAL_FORMS": 0}),
        (Season, {"slug": "x", "starts_on": "2026-01-01", "ends_on": "2026-01-01"}),
        (Tournament, tournament_form(Season())),
    ],
)
def test_names_are_kept_as_the_services_keep_them(
    superuser: Client, model: type[Model], form: dict[str, object]
) -> None:
    ours = {"club": Club.objects.get().pk, "season": Season.objects.get().pk}
    form = {key: value for key, value in form.items() if value is not None}
    for name in ("Əl\u202ei", "\u200b", "Əli\u200b"):
        refused = superuser.post(address(model, "add"), form | ours | {"name": name})
        assert "A name holds only printable letters." in refused.content.decode()
    kept = superuser.post(address(model, "add"), form | ours | {"name": "  Əli\u00a0 Kış "})
    assert kept.status_code == 302
    assert model._default_manager.filter(name="Əli Kış").exists()


def test_a_season_that_ends_before_it_starts_is_refused_with_a_sentence(superuser: Client) -> None:
    form = {"club": Club.objects.get().pk, "name": "Kış", "slug": "x"}
    dates = {"starts_on": "2026-01-02", "ends_on": "2026-01-01"}
    answer = superuser.post(address(Season, "add"), form | dates)
    assert "A season ends on or after the day it starts." in answer.content.decode()


@pytest.mark.parametrize(
    "changes",
    [
        *({"rules": text} for text in ("", "{}", "7", "chess")),
        *({"seats": 9}, {"seats": ""}, {"stake": 4}, {"move_seconds": 0}),
    ],
)
def test_terms_that_cannot_be_played_are_refused_with_a_reason(
    superuser: Client, changes: dict[str, object]
) -> None:
    season = build_season()
    answer = superuser.post(address(Tournament, "add"), tournament_form(season, **changes))
    assert answer.status_code == 200
    assert answer.context["adminform"].form.errors
    assert not season.tournaments.exists()


def test_terms_stand_once_a_round_was_made(superuser: Client) -> None:
    tournament = Tournament.objects.get()
    change = address(Tournament, "change", tournament.pk)
    assert superuser.get(change).status_code == 200
    answer = superuser.post(change, {"name": "Yaz", "move_seconds": 20, "seats": 2})
    assert answer.status_code == 302
    tournament.refresh_from_db()
    assert (tournament.name, tournament.move_seconds, tournament.seats) == ("Yaz", 20, 4)


def test_the_admins_log_in_is_the_counted_one(client: Client) -> None:
    cache.clear()
    user = build_user(is_superuser=True, is_staff=True)
    answer = client.post("/admin/login/?next=/admin/", {"username": user.username, "password": "x"})
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/login/?next=%2Fadmin%2F")
    for _ in range(5):
        client.post("/accounts/login/", {"login": user.username, "password": "wrong"})
    right = {"login": user.username, "password": PASSWORD}
    refused = client.post("/accounts/login/", right)
    assert refused.status_code == 200
    assert "Too many failed login attempts" in refused.content.decode()
    cache.clear()
    entered = client.post("/accounts/login/?next=/admin/", right, follow=True)
    assert entered.redirect_chain == [("/admin/", 302)]


def test_an_ordinary_user_finds_no_admin_pages(client: Client) -> None:
    client.force_login(build_user())
    assert client.get("/admin/", follow=True).status_code == 403


def test_no_page_shows_tokens() -> None:
    assert not {Token, TokenProxy} & set(admin.site._registry)


def test_no_model_of_the_league_is_missing() -> None:
    assert set(admin.site._registry) >= {*EDITABLE, *READ_ONLY}
