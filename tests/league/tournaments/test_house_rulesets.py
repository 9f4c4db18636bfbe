"""House rule sets: what stands, how they go on, and that those who took one keep it."""

import pytest
from django.db import Error, IntegrityError, transaction
from django.db.models import Model
from django.utils import timezone, translation

from engine.rulesets import PRESETS, preset
from league.clubs.models import Club
from league.results.services import match_open
from league.shared.errors import DomainError
from league.tournaments.models import HouseRuleset
from league.tournaments.selectors import house_rules, house_rulesets_in_use
from league.tournaments.services import (
    house_ruleset_create,
    house_ruleset_retire,
    house_ruleset_revise,
    tournament_create,
)
from tests.at_once import together
from tests.factories import (
    build_club,
    build_fixture,
    build_match,
    build_season,
    build_tournament,
    build_user,
)

pytestmark = pytest.mark.django_db

FRIDAY = {"preset": "aznif", "deal": 5, "hands": 3, "locker_pays": False}
SUNDAY = {"preset": "aznif", "deal": 6, "hands": 5}


def build_house(club: Club | None = None, name: str = "Cuma", **changes: object) -> HouseRuleset:
    return house_ruleset_create(club=club or build_club(), name=name, ruleset=FRIDAY | changes)


def refusal_of(error: pytest.ExceptionInfo[DomainError]) -> str:
    return error.value.code


def test_a_house_rule_set_is_derived_from_a_preset_and_keeps_its_version() -> None:
    user = build_user()
    club = build_club()
    made = house_ruleset_create(club=club, name=" Cuma  akşamı", ruleset=FRIDAY, created_by=user)
    made.refresh_from_db()
    assert (made.name, made.version, made.created_by) == ("Cuma akşamı", 1, user)
    assert made.ruleset == FRIDAY | {"version": 1}
    assert house_rules(made) == preset("aznif", deal=5, hands=3, locker_pays=False, version=1)


@pytest.mark.parametrize("name", PRESETS)
def test_every_game_can_be_derived_from(name: str) -> None:
    made = house_ruleset_create(club=build_club(), name="Cuma", ruleset={"preset": name})
    assert house_rules(made) == preset(name, version=1)


def test_a_deal_may_be_left_to_the_number_of_seats() -> None:
    house = house_ruleset_create(
        club=build_club(), name="Cuma", ruleset={"preset": "vip-draw", "target": 50}
    )
    season = build_season(house.club)
    deals = [
        build_tournament(season, ruleset=house, seats=seats).ruleset["deal"] for seats in (2, 4)
    ]
    assert deals == [7, 5]


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"preset": "chess"}, "unknown_preset", "There is no rule set of this name."),
        ({"preset": None}, "unknown_preset", "There is no rule set of this name."),
        ({"deal": 8}, "out_of_range", "Tiles dealt to each seat: A number"),
        ({"deal": True}, "wrong_type", "Tiles dealt to each seat: A field"),
        ({"reserve": 28}, "reserve", "The stock is too small"),
        ({"lock_tie": "seka"}, "not_offered", "A lock with a shared least total: This game"),
        ({"hand_scoring": "one_win"}, "not_offered", "What a hand's end scores: This game"),
        ({"spinner": True}, "unknown_field", "The rule set has a field"),
        ({"target": 100}, "length", "A match has one length"),
        ({"hands": 0}, "out_of_range", "Length of a match: A number"),
    ],
)
def test_each_contradiction_has_a_sentence_that_names_the_field(
    changes: dict[str, object], code: str, words: str
) -> None:
    with pytest.raises(DomainError) as refused:
        house_ruleset_create(club=build_club(), name="Cuma", ruleset=FRIDAY | changes)
    assert refusal_of(refused) == code
    assert refused.value.text.startswith(words)
    assert not HouseRuleset.objects.exists()


def test_an_account_that_could_never_open_is_a_contradiction() -> None:
    never = {"preset": "domino101", "lock_tie": "nobody", "opening_minimum": 10_000}
    with pytest.raises(DomainError) as refused:
        house_ruleset_create(club=build_club(), name="Cuma", ruleset=never)
    assert refusal_of(refused) == "contradiction"
    assert refused.value.text == (
        "What a won hand must be worth to open the account: With this value nobody could ever"
        " score."
    )


@pytest.mark.parametrize(
    ("language", "text"),
    [("tr", "El sonunda ne yazılır: "), ("az", "Əlin sonunda nə yazılır: ")],
)
def test_a_contradiction_is_told_in_the_readers_language(language: str, text: str) -> None:
    with translation.override(language), pytest.raises(DomainError) as refused:
        build_house(hand_scoring="one_win")
    assert refused.value.text.startswith(text)


def test_a_change_makes_the_next_version_and_retires_the_one_before() -> None:
    old = build_house()
    new = house_ruleset_revise(house=old, ruleset=SUNDAY)
    assert (new.club, new.name, new.version) == (old.club, "Cuma", 2)
    assert new.ruleset == SUNDAY | {"version": 2}
    assert old.retired_at is not None
    assert list(house_rulesets_in_use()) == [new]
    assert HouseRuleset.objects.get(version=1).ruleset == FRIDAY | {"version": 1}


def test_a_change_that_changes_nothing_is_refused() -> None:
    with pytest.raises(DomainError) as refused:
        house_ruleset_revise(house=build_house(), ruleset=FRIDAY)
    assert refusal_of(refused) == "nothing_changed"
    assert HouseRuleset.objects.get().retired_at is None


def test_a_change_that_cannot_be_played_retires_nothing() -> None:
    house = build_house()
    with pytest.raises(DomainError):
        house_ruleset_revise(house=house, ruleset=FRIDAY | {"deal": 0})
    assert HouseRuleset.objects.get().retired_at is None


def test_only_the_newest_version_is_changed() -> None:
    old = build_house()
    house_ruleset_revise(house=old, ruleset=SUNDAY)
    with pytest.raises(DomainError) as refused:
        house_ruleset_revise(house=HouseRuleset.objects.get(pk=old.pk), ruleset=SUNDAY)
    assert refusal_of(refused) == "house_ruleset_retired"


def test_retiring_twice_is_retiring_once() -> None:
    house = build_house()
    house_ruleset_retire(house=house)
    first = house.retired_at
    again = house_ruleset_retire(house=HouseRuleset.objects.get())
    assert first is not None
    assert again.retired_at == first


def test_a_club_has_a_name_once_and_a_retired_one_goes_on() -> None:
    club = build_club()
    house = build_house(club)
    with pytest.raises(DomainError) as refused:
        build_house(club)
    assert refusal_of(refused) == "house_ruleset_exists"
    assert build_house().version == 1  # another club's
    house_ruleset_retire(house=house)
    assert build_house(club).version == 2


def test_the_database_knows_a_version_once_and_one_in_use() -> None:
    house = build_house()
    for changes in ({"version": 1, "retired_at": timezone.now()}, {"version": 2}, {"version": 0}):
        given = {"club": house.club, "name": house.name, "ruleset": FRIDAY} | changes
        with pytest.raises(IntegrityError), transaction.atomic():
            HouseRuleset.objects.create(**given)


@pytest.mark.parametrize(
    "changes", [{"ruleset": SUNDAY}, {"name": "Pazar"}, {"version": 7}, {"retired_at": None}]
)
def test_the_database_refuses_to_alter_a_version(changes: dict[str, object]) -> None:
    house_ruleset_retire(house=build_house())
    with pytest.raises(Error, match="Cannot update"), transaction.atomic():
        HouseRuleset.objects.update(**changes)
    with pytest.raises(Error, match="Cannot delete"), transaction.atomic():
        HouseRuleset.objects.all().delete()


def test_who_made_a_version_may_be_forgotten() -> None:
    house = house_ruleset_create(
        club=build_club(), name="Cuma", ruleset=FRIDAY, created_by=build_user()
    )
    house_ruleset_retire(house=house)
    HouseRuleset.objects.update(created_by=None)
    assert HouseRuleset.objects.get().created_by is None


def test_a_tournament_is_made_from_a_house_rule_set() -> None:
    house = build_house()
    made = build_tournament(build_season(house.club), ruleset=house)
    assert (made.house_ruleset, made.ruleset, made.stake) == (house, house.ruleset, 3)


def test_a_tournament_is_made_from_a_preset() -> None:
    made = build_tournament(ruleset=preset("vip-draw"), partners=True)
    assert made.ruleset == {"preset": "vip-draw", "deal": 5, "target": 100, "version": 1}
    assert (made.house_ruleset, made.stake) == (None, 11)


def test_a_retired_house_rule_set_is_not_chosen_any_more() -> None:
    house = build_house()
    house_ruleset_retire(house=house)
    with pytest.raises(DomainError) as refused:
        build_tournament(build_season(house.club), ruleset=HouseRuleset.objects.get())
    assert refusal_of(refused) == "house_ruleset_retired"


def test_another_clubs_house_rule_set_is_not_chosen() -> None:
    with pytest.raises(DomainError) as refused:
        build_tournament(build_season(), ruleset=build_house())
    assert refusal_of(refused) == "house_ruleset_elsewhere"


def stored(*rows: Model) -> list[object]:
    for row in rows:
        row.refresh_from_db()
    return [getattr(row, "ruleset") for row in rows]  # noqa: B009 (rows of two models)


@pytest.mark.parametrize("change", ["revise", "retire"])
def test_tournaments_and_matches_keep_the_rules_they_were_made_under(change: str) -> None:
    house = build_house()
    tournament = build_tournament(build_season(house.club), ruleset=house)
    match = build_match(tournament)
    if change == "revise":
        house_ruleset_revise(house=house, ruleset=SUNDAY)
    else:
        house_ruleset_retire(house=house)
    later = match_open(fixture=build_fixture(tournament))
    assert stored(tournament, match, later) == [FRIDAY | {"version": 1}] * 3


@pytest.mark.django_db(transaction=True)
def test_two_changes_at_once_make_one_version_and_one_refusal() -> None:
    house = build_house()

    def change(deal: int) -> HouseRuleset:
        mine = HouseRuleset.objects.get(pk=house.pk)
        return house_ruleset_revise(house=mine, ruleset=SUNDAY | {"deal": deal})

    outcomes = together(lambda: change(6), lambda: change(7))
    codes = [outcome.code for outcome in outcomes if isinstance(outcome, DomainError)]
    assert codes == ["house_ruleset_retired"]
    versions = HouseRuleset.objects.order_by("version")
    assert [(row.version, row.retired_at is None) for row in versions] == [(1, False), (2, True)]


@pytest.mark.django_db(transaction=True)
def test_two_of_one_name_at_once_make_one() -> None:
    club = build_club()
    outcomes = together(lambda: build_house(club), lambda: build_house(club))
    codes = [outcome.code for outcome in outcomes if isinstance(outcome, DomainError)]
    assert codes == ["house_ruleset_exists"]
    assert HouseRuleset.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_retiring_while_a_tournament_chooses_leaves_a_whole_tournament_or_none() -> None:
    house = build_house()
    season = build_season(house.club)

    def choose() -> object:
        mine = HouseRuleset.objects.get(pk=house.pk)
        return tournament_create(season=season, name="Kış", ruleset=mine, seats=4)

    made, retired = together(
        choose, lambda: house_ruleset_retire(house=HouseRuleset.objects.get(pk=house.pk))
    )
    assert isinstance(retired, HouseRuleset)
    if isinstance(made, DomainError):
        assert made.code == "house_ruleset_retired"
        assert not season.tournaments.exists()
    else:
        assert season.tournaments.get().ruleset == FRIDAY | {"version": 1}
