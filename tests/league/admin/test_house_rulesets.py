"""The admin pages of house rule sets: one is made, changed and retired, and nobody types JSON."""

import re
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.messages import get_messages
from django.template.response import TemplateResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from engine.rulesets import FAMILIES, PRESETS, Numbers, choices, preset, settable
from engine.rulesets.fields import FIELDS
from league.accounts.models import User
from league.clubs.models import Club, Role
from league.clubs.services import membership_create
from league.tournaments.forms import rules_fields
from league.tournaments.models import HouseRuleset, Tournament
from league.tournaments.selectors import house_rules
from league.tournaments.services import (
    house_ruleset_create,
    house_ruleset_retire,
    house_ruleset_revise,
)
from tests.factories import build_club, build_season, build_tournament, build_user

pytestmark = pytest.mark.django_db

LIST = reverse("admin:tournaments_houseruleset_changelist")
ADD = reverse("admin:tournaments_houseruleset_add")
NOT_AS_USUAL = {"reserve": 3, "blank_pips": 7, "opening_minimum": 20}


@pytest.fixture
def browser(client: Client) -> Client:
    """A browser in which a superuser is logged in."""
    client.force_login(build_user(is_superuser=True, is_staff=True))
    return client


def organizer_of(club: Club, **flags: bool) -> User:
    user = build_user(None, None, **({"is_staff": True} | flags))
    membership_create(club=club, player=user.player, role=Role.ORGANIZER)
    return user


def change_page(house: HouseRuleset) -> str:
    return reverse("admin:tournaments_houseruleset_change", args=[house.pk])


def form_of(game: str, **given: object) -> dict[str, object]:
    """What a browser sends of an untouched form, and `given`."""
    fields = rules_fields(FAMILIES[game])
    untouched = {name: field.initial for name, field in fields.items()}
    return {name: "" if value is None else value for name, value in (untouched | given).items()}


def make(browser: Client, game: str, **given: Any) -> Any:
    about = {"club": given.pop("club", None) or build_club().pk, "name": "Cuma"}
    return browser.post(f"{ADD}?preset={game}", form_of(game, **about | given))


def build_house(club: Club | None = None, **rules: object) -> HouseRuleset:
    rules = {"preset": "aznif", "deal": 5, "hands": 3} | rules
    return house_ruleset_create(club=club or build_club(), name="Cuma", ruleset=rules)


def errors_of(answer: Any) -> dict[str, list[str]]:
    assert answer.status_code == 200
    return dict(answer.context["adminform"].form.errors)


def words_of(answer: Any) -> list[str]:
    return [str(message) for message in get_messages(answer.wsgi_request)]


def test_the_way_to_a_new_one_begins_at_the_choice_of_a_game(browser: Client) -> None:
    page = browser.get(ADD).content.decode()
    assert re.findall(r'href="\?preset=([\w-]+)"', page) == list(PRESETS)
    assert "VIP Domino with drawing" in page
    assert browser.get(f"{ADD}?preset=chess").content.decode().count("?preset=") == len(PRESETS)


@pytest.mark.parametrize("game", PRESETS)
def test_each_game_has_a_form_that_is_saved_as_it_stands(browser: Client, game: str) -> None:
    page = browser.get(f"{ADD}?preset={game}")
    assert page.status_code == 200
    assert "{" not in "".join(
        re.findall(r"<(?:input|textarea|option)[^>]*>", page.content.decode())
    )
    assert make(browser, game).status_code == 302
    assert house_rules(HouseRuleset.objects.get()) == preset(game, version=1)


def ways_to_set() -> list[Any]:
    ways: list[Any] = []
    for game, family in FAMILIES.items():
        for field in settable(family):
            held = choices(family, field)
            values = [NOT_AS_USUAL[field]] if isinstance(held, Numbers) else held
            other = next(value for value in values if value != family.values[field])
            ways.append(pytest.param(game, field, other, id=f"{game}-{field}"))
    return ways


@pytest.mark.parametrize(("game", "field", "value"), ways_to_set())
def test_every_field_of_every_game_can_be_set(
    browser: Client, game: str, field: str, value: object
) -> None:
    typed = {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
    assert make(browser, game, **{field: typed}).status_code == 302
    made = HouseRuleset.objects.get()
    assert house_rules(made) == preset(game, version=1, **{field: value})
    assert made.ruleset[field] == value
    shown = browser.get(change_page(made)).context["adminform"].form
    assert str(shown[field].value()) == str(typed)


@pytest.mark.parametrize(("game", "field"), [(g, f) for g in PRESETS for f in FIELDS])
def test_what_a_game_does_not_offer_is_not_asked(game: str, field: str) -> None:
    family = FAMILIES[game]
    if family.values[field] is None or (field in family.offers and len(family.offers[field]) == 1):
        assert field not in rules_fields(family)
    else:
        assert field in rules_fields(family)


@pytest.mark.parametrize(
    ("game", "given", "field", "words"),
    [
        ("aznif", {"deal": 8}, "deal", "less than or equal to 7"),
        ("aznif", {"deal": "x"}, "deal", "whole number"),
        ("aznif", {"reserve": 28}, "reserve", "The stock is too small for this reserve."),
        ("aznif", {"length_kind": "target"}, "length_kind", "not one of the available choices"),
        ("aznif", {"length_number": ""}, "length_number", "required"),
        ("aznif", {"length_number": 10_001}, "length_number", "less than or equal to 10000"),
        ("vip-draw", {"fives": "perhaps"}, "fives", "not one of the available choices"),
        ("kraloyun", {"hand_scoring": "pip_loss"}, "hand_scoring", "not one of the available"),
        ("domino101", {"opening_minimum": -1}, "opening_minimum", "greater than or equal to 0"),
        (
            "domino101",
            {"opening_minimum": 10_000, "lock_tie": "nobody"},
            "opening_minimum",
            "With this value nobody could ever score.",
        ),
        ("domino101", {"name": "\u200b"}, "name", "A name holds only printable letters."),
    ],
)
def test_a_contradiction_is_told_at_its_field(
    browser: Client, game: str, given: dict[str, object], field: str, words: str
) -> None:
    errors = errors_of(make(browser, game, **given))
    assert list(errors) == [field]
    assert words in errors[field][0]
    assert not HouseRuleset.objects.exists()


@pytest.mark.parametrize(
    ("game", "field", "words"),
    [
        ("vip-block", "forced_opening", "or the heaviest where nobody has one."),
        ("vip-block", "reserve", "Left empty: 0. It counts only where the stock is drawn from."),
        ("kraloyun", "length_number", "ends after 500 hands at the latest."),
    ],
)
def test_settings_that_change_nothing_are_told_at_their_input(
    browser: Client, game: str, field: str, words: str
) -> None:
    form = browser.get(f"{ADD}?preset={game}").context["adminform"].form
    assert form.fields[field].help_text.endswith(words)


def test_what_counts_hands_has_no_other_end() -> None:
    assert rules_fields(FAMILIES["aznif"])["length_number"].help_text == ""


def test_a_page_of_the_admin_keeps_what_it_is_given(rf: RequestFactory) -> None:
    request = rf.get(ADD)
    request.user = build_user(is_superuser=True, is_staff=True)
    pages = admin.site.get_model_admin(HouseRuleset)
    for path in (ADD, f"{ADD}?preset=aznif"):
        request.GET = rf.get(path).GET
        answer = pages.changeform_view(request, extra_context={"told": "so"})
        assert isinstance(answer, TemplateResponse)
        assert (answer.context_data or {})["told"] == "so"


def test_a_name_in_use_is_told_at_the_name(browser: Client) -> None:
    house = build_house()
    errors = errors_of(make(browser, "domino101", club=house.club.pk))
    assert errors == {"name": ["The club has a house rule set of this name."]}


def test_saving_a_change_makes_the_next_version(browser: Client) -> None:
    house = build_house(fives=False)
    page = browser.get(change_page(house))
    assert (
        "Fives are scored while playing: <strong>no</strong> (usually: yes)"
        in page.content.decode()
    )
    form = page.context["adminform"].form
    sent = {name: form[name].value() for name in form.fields}
    sent = {name: "" if value is None else value for name, value in sent.items()}
    answer = browser.post(change_page(house), sent | {"fives": "", "length_number": 5})
    assert answer.status_code == 302
    new = HouseRuleset.objects.get(retired_at__isnull=True)
    assert (new.version, new.ruleset) == (
        2,
        {"preset": "aznif", "deal": 5, "hands": 5, "version": 2},
    )
    assert new.created_by == User.objects.get(is_superuser=True)
    assert HouseRuleset.objects.get(version=1).ruleset["fives"] is False


def test_saving_nothing_new_is_refused(browser: Client) -> None:
    house = build_house()
    sent = form_of("aznif", deal=5, length_number=3)
    errors = errors_of(browser.post(change_page(house), sent))
    assert errors == {"__all__": ["Nothing was changed."]}
    assert HouseRuleset.objects.count() == 1


def test_a_retired_version_is_looked_at_and_never_changed(browser: Client) -> None:
    house = build_house(fives=False)
    house_ruleset_retire(house=house)
    page = browser.get(change_page(house))
    assert "<strong>no</strong> (usually: yes)" in page.content.decode()
    assert 'name="_save"' not in page.content.decode()
    assert browser.post(change_page(house), form_of("aznif")).status_code == 403
    delete = reverse("admin:tournaments_houseruleset_delete", args=[house.pk])
    assert browser.post(delete, {"post": "yes"}).status_code == 403


def retire(browser: Client, house: HouseRuleset, **more: str) -> Any:
    return browser.post(LIST, {"action": "retire", "_selected_action": house.pk} | more)


def test_retiring_asks_first_and_names_what_keeps_its_rules(browser: Client) -> None:
    house = build_house()
    tournament = build_tournament(build_season(house.club), ruleset=house)
    asked = retire(browser, house)
    assert tournament.name in asked.content.decode()
    assert "nothing is deleted" in asked.content.decode()
    assert HouseRuleset.objects.get().retired_at is None
    done = retire(browser, house, confirmed="yes")
    assert words_of(done) == ["1 house rule set is retired."]
    assert HouseRuleset.objects.get().retired_at is not None


def test_who_is_slower_is_told_so(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The form was clean when it was looked at; then another version came in between."""
    house = build_house()

    def overtaken(**given: Any) -> HouseRuleset:
        house_ruleset_retire(house=HouseRuleset.objects.get())
        return house_ruleset_revise(**given)

    monkeypatch.setattr("league.tournaments.admin.house_ruleset_revise", overtaken)
    answer = browser.post(change_page(house), form_of("aznif", deal=6, length_number=3))
    assert (answer.status_code, answer["Location"]) == (302, LIST)
    assert words_of(answer)[0].startswith("This version of the house rule set is no longer in use")
    assert HouseRuleset.objects.count() == 1


def test_organizers_run_their_own_clubs_house_rule_sets(client: Client) -> None:
    ours, theirs = build_house(), build_house()
    client.force_login(organizer_of(ours.club))
    assert client.get("/admin/").content.decode().count(LIST) > 0
    page = client.get(LIST).content.decode()
    assert (change_page(ours) in page, change_page(theirs) in page) == (True, False)
    assert client.get(change_page(ours)).status_code == 200
    assert client.get(change_page(theirs)).status_code == 302
    assert errors_of(make(client, "kraloyun", club=theirs.club.pk, name="Pazar"))["club"]
    assert make(client, "kraloyun", club=ours.club.pk, name="Pazar").status_code == 302
    retire(client, theirs, confirmed="yes")
    retire(client, ours, confirmed="yes")
    assert HouseRuleset.objects.get(pk=theirs.pk).retired_at is None
    assert HouseRuleset.objects.get(pk=ours.pk).retired_at is not None


def test_who_organizes_nothing_finds_no_house_rule_sets(client: Client) -> None:
    house = build_house()
    client.force_login(build_user(is_staff=True))
    for page in (LIST, ADD, change_page(house)):
        assert client.get(page).status_code == 403
    client.force_login(organizer_of(house.club, is_staff=False))
    assert client.get(LIST).status_code == 302


TOURNAMENTS = reverse("admin:tournaments_tournament_add")


def tournament_form(club: Club, rules: object, **given: object) -> dict[str, object]:
    about = {"season": build_season(club).pk, "name": "Kış", "seats": 4, "stake": ""}
    return about | {"move_seconds": 30, "rules": rules} | given


@pytest.mark.parametrize(
    ("game", "stake"),
    [("aznif", 11), ("vip-draw", 11), ("vip-block", 11), ("domino101", 11), ("kraloyun", 11)],
)
def test_a_tournament_is_made_of_each_game(browser: Client, game: str, stake: int) -> None:
    sent = tournament_form(
        build_club(), game, **({"partners": "on"} if game == "domino101" else {})
    )
    assert browser.post(TOURNAMENTS, sent).status_code == 302
    made = Tournament.objects.get()
    assert (made.ruleset["preset"], made.ruleset["version"], made.stake) == (game, 1, stake)
    assert made.ruleset["deal"] == (5 if game.startswith("vip") else 7)


def test_a_tournament_is_made_of_a_house_rule_set(browser: Client) -> None:
    house = build_house()
    assert browser.post(TOURNAMENTS, tournament_form(house.club, house.pk)).status_code == 302
    made = Tournament.objects.get()
    assert (made.house_ruleset, made.ruleset, made.stake) == (house, house.ruleset, 3)
    change = reverse("admin:tournaments_tournament_change", args=[made.pk])
    house_ruleset_retire(house=house)
    sent = tournament_form(house.club, "", season=made.season.pk, name="Yaz", stake=3)
    assert browser.post(change, sent).status_code == 302
    made.refresh_from_db()
    assert (made.name, made.house_ruleset, made.ruleset) == ("Yaz", house, house.ruleset)


def test_a_tournament_keeps_its_house_rule_set_within_its_club_only(browser: Client) -> None:
    house = house_ruleset_create(club=build_club(), name="Cuma", ruleset={"preset": "vip-draw"})
    made = build_tournament(build_season(house.club), ruleset=house)
    change = reverse("admin:tournaments_tournament_change", args=[made.pk])
    errors = errors_of(browser.post(change, tournament_form(build_club(), "")))
    assert errors == {"rules": ["This house rule set belongs to another club."]}
    answer = browser.post(change, tournament_form(house.club, "", seats=2))
    assert answer.status_code == 302
    made.refresh_from_db()
    assert (made.ruleset["deal"], made.house_ruleset) == (7, house)


def test_a_name_is_shown_as_it_was_typed_and_never_as_markup(browser: Client) -> None:
    house = build_house()
    given = {"club": house.club.pk, "name": "<b>Cuma"}
    assert make(browser, "kraloyun", **given).status_code == 302
    house = HouseRuleset.objects.get(name="<b>Cuma")
    made = build_tournament(build_season(house.club), ruleset=house)
    edit = reverse("admin:tournaments_tournament_change", args=[made.pk])
    confirm = {"action": "retire", "_selected_action": house.pk}
    pages = (browser.get(LIST), browser.get(edit), browser.post(LIST, confirm))
    for page in (*pages, browser.get(TOURNAMENTS), browser.get(change_page(house))):
        assert "&lt;b&gt;Cuma" in page.content.decode()
        assert "<b>Cuma" not in page.content.decode()


def test_a_house_rule_set_that_is_retired_or_anothers_cannot_be_chosen(browser: Client) -> None:
    house = build_house()
    errors = errors_of(browser.post(TOURNAMENTS, tournament_form(build_club(), house.pk)))
    assert errors == {"rules": ["This house rule set belongs to another club."]}
    house_ruleset_retire(house=house)
    errors = errors_of(browser.post(TOURNAMENTS, tournament_form(house.club, house.pk)))
    assert "not one of the available choices" in errors["rules"][0]


def test_terms_that_no_table_can_have_are_told_at_their_field(browser: Client) -> None:
    club = build_club()
    for game, given, field in (
        ("domino101", {}, "partners"),
        ("vip-draw", {"seats": 3}, "seats"),
        ("aznif", {"stake": 4}, "stake"),
        ("", {}, "rules"),
    ):
        answer = browser.post(TOURNAMENTS, tournament_form(club, game, **given))
        assert list(errors_of(answer)) == [field]


@pytest.mark.parametrize("query", ["", "?preset=chess"])
def test_what_no_form_sends_leads_to_the_choice_of_a_game(browser: Client, query: str) -> None:
    """Django would save a changed one as new."""
    answer = browser.post(change_page(build_house()) + query, {"_saveasnew": "1"})
    assert answer.status_code == 200
    assert 'href="?preset=kraloyun"' in answer.content.decode()
    assert HouseRuleset.objects.count() == 1
