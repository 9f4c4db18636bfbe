"""A tournament's page for its organizer: new rounds, players, a round taken back."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from league.accounts.models import Player, User
from league.clubs.models import Club, Role
from league.clubs.services import membership_create
from league.tournaments.models import Fixture, Round, Tournament
from league.tournaments.services import entry_create, fixture_mark_open
from tests.factories import (
    build_club,
    build_player,
    build_players,
    build_round,
    build_tournament,
    build_user,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    """Nine players are entered at tables of four."""
    made = build_tournament()
    for player in build_players(9):
        entry_create(tournament=made, player=player)
    return made


@pytest.fixture
def organizer(client: Client, tournament: Tournament) -> User:
    """Who runs the tournament's club, logged in."""
    user = _member(_club(tournament), Role.ORGANIZER)
    client.force_login(user)
    return user


def _club(tournament: Tournament) -> Club:
    return tournament.season.club


def _member(club: Club, role: Role = Role.MEMBER) -> User:
    user = build_user()
    membership_create(club=club, player=user.player, role=role)
    return user


def _address(tournament: Tournament) -> str:
    return f"/tournaments/{tournament.pk}/"


def _soon() -> str:
    return timezone.localtime(timezone.now() + timedelta(hours=2)).strftime("%Y-%m-%dT%H:%M")


def _draw(number: int = 1, starts_at: str | None = None) -> dict[str, object]:
    return {"do": "draw", "number": number, "starts_at": starts_at or _soon()}


def _said(page: str) -> list[str]:
    """Return the sentences that the page alerts its reader to."""
    return [unescape(text) for text in re.findall(r'role="alert">([^<]*)<', page)]


def _outsider(who: str, tournament: Tournament) -> User:
    match who:
        case "member":
            return _member(_club(tournament))
        case "organizer elsewhere":
            return _member(build_club(), Role.ORGANIZER)
    return build_user()


PRESSES = ("draw", "enter", "remove", "")


@pytest.mark.parametrize("who", ["nobody", "player", "member", "organizer elsewhere"])
def test_others_see_nothing_to_organize_and_may_not(
    client: Client, tournament: Tournament, who: str
) -> None:
    made = build_round(tournament, starts_at=timezone.now() + timedelta(days=1))
    if who != "nobody":
        client.force_login(_outsider(who, tournament))
    assert "Organize" not in client.get(_address(tournament)).text
    for do in PRESSES:
        given = _draw(2) | {"do": do, "round": made.pk, "players": build_player().pk}
        assert client.post(_address(tournament), given).status_code == 403
    assert (Round.objects.count(), tournament.entries.count()) == (1, 13)


def test_a_press_from_elsewhere_is_refused(tournament: Tournament, organizer: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(organizer)
    assert strict.post(_address(tournament), _draw()).status_code == 403
    assert Round.objects.count() == 0


def test_looking_draws_nothing(client: Client, tournament: Tournament, organizer: User) -> None:
    given = {key: str(value) for key, value in _draw().items()}
    assert client.get(_address(tournament), given).status_code == 200
    assert client.put(_address(tournament), given).status_code == 405
    assert Round.objects.count() == 0


def test_the_part_that_renews_itself_has_no_forms(
    client: Client, tournament: Tournament, organizer: User
) -> None:
    assert "<form" not in client.get(_address(tournament), headers={"hx-request": "true"}).text


def test_the_page_says_what_the_lot_will_do_and_in_which_time_zone(
    client: Client, tournament: Tournament, organizer: User
) -> None:
    page = client.get(_address(tournament)).text
    assert "9 players are entered." in page
    assert "The lot seats them at 2 tables." in page
    assert "1 of those who played most sits out." in page
    assert "Time zone: Europe/Istanbul" in page


@pytest.mark.parametrize("superuser", [True, False])
def test_a_round_is_drawn_at_the_sites_time_and_shown(
    client: Client, tournament: Tournament, organizer: User, superuser: bool
) -> None:
    if superuser:
        client.force_login(build_user(is_superuser=True))
    tomorrow = (timezone.localtime() + timedelta(days=1)).date().isoformat()
    answer = client.post(_address(tournament), _draw(1, f"{tomorrow}T19:30"), follow=True)
    made = Round.objects.get()
    assert timezone.localtime(made.starts_at).strftime("%Y-%m-%d %H:%M") == f"{tomorrow} 19:30"
    assert answer.redirect_chain == [(_address(tournament), 302)]
    [out] = Player.objects.filter(entries__tournament=tournament, fixture_seats__isnull=True)
    said = f"Round 1 is drawn: 2 tables. Sitting out this round: {out.name}."
    assert said in answer.text
    assert f'id="round-{made.pk}"' in answer.text
    assert "Draw round 2" in answer.text


def test_a_second_press_makes_no_second_round(
    client: Client, tournament: Tournament, organizer: User
) -> None:
    client.post(_address(tournament), _draw())
    answer = client.post(_address(tournament), _draw())
    assert answer.status_code == 400
    assert _said(answer.text) == ["Round 1 exists already."]
    assert 'name="number" value="2"' in answer.text
    assert Round.objects.count() == 1


@pytest.mark.parametrize(
    ("starts_at", "text"),
    [
        ("", "Choose when the round begins."),
        ("yarın", "This is not a date and a time."),
        ("2026-02-30T10:00", "This is not a date and a time."),
        ("0001-01-01T00:00", None),
        ("9999-12-31T23:59", "A round begins from now on, and within a year."),
        ("2020-01-01T10:00", "A round begins from now on, and within a year."),
        ("\0", "This is not a date and a time."),
    ],
)
def test_a_bad_time_is_said_in_one_sentence_and_kept_to_be_mended(
    client: Client, tournament: Tournament, organizer: User, starts_at: str, text: str | None
) -> None:
    given = {"do": "draw", "number": 1, "starts_at": starts_at}
    answer = client.post(_address(tournament), given)
    assert answer.status_code == 400
    [said] = _said(answer.text)
    assert text is None or said == text
    assert 'aria-invalid="true"' in answer.text
    assert Round.objects.count() == 0


@pytest.mark.parametrize("local", ["2027-03-28T02:30", "2026-10-25T02:30"])
def test_a_time_that_the_clocks_skip_or_repeat_is_asked_for_again(
    client: Client,
    tournament: Tournament,
    organizer: User,
    settings: Settings,
    local: str,
) -> None:
    settings.TIME_ZONE = "Europe/Berlin"
    answer = client.post(_address(tournament), _draw(1, local))
    assert answer.status_code == 400
    assert _said(answer.text) == [
        "The clocks change then, and this time comes twice or never: choose another."
    ]
    assert f'value="{local}"' in answer.text
    assert "Time zone: Europe/Berlin" in answer.text
    assert Round.objects.count() == 0


@pytest.mark.parametrize("number", ["", "x", "-1", "9" * 5000])
def test_a_nonsense_number_makes_no_round(
    client: Client, tournament: Tournament, organizer: User, number: str
) -> None:
    answer = client.post(_address(tournament), _draw() | {"number": number})
    assert answer.status_code == 400
    assert len(_said(answer.text)) == 1
    assert Round.objects.count() == 0


def test_members_not_entered_are_offered_and_added(
    client: Client, tournament: Tournament, organizer: User
) -> None:
    new = [_member(_club(tournament)).player for _ in range(2)]
    entered = _member(_club(tournament)).player
    entry_create(tournament=tournament, player=entered)
    page = client.get(_address(tournament)).text
    offered = set(re.findall(r'name="players" type="checkbox" value="(\d+)"', page))
    assert offered == {str(player.pk) for player in [*new, organizer.player]}
    given = {"do": "enter", "players": [player.pk for player in new]}
    answer = client.post(_address(tournament), given, follow=True)
    assert "2 players are added." in answer.text
    assert tournament.entries.filter(player__in=new).count() == 2


def test_pressing_twice_enters_nobody_twice(
    client: Client, tournament: Tournament, organizer: User
) -> None:
    given = {"do": "enter", "players": [organizer.player.pk]}
    client.post(_address(tournament), given)
    answer = client.post(_address(tournament), given)
    assert answer.status_code == 400
    assert _said(answer.text) == [f"{organizer.player.name} is entered already."]


def test_none_but_members_can_be_entered_and_one_bad_choice_enters_nobody(
    client: Client, tournament: Tournament, organizer: User
) -> None:
    for bad in (build_player().pk, "x", "0", "9" * 30):
        given = {"do": "enter", "players": [organizer.player.pk, bad]}
        answer = client.post(_address(tournament), given)
        assert answer.status_code == 400
        assert _said(answer.text) == ["Only members of the club can be entered."]
    answer = client.post(_address(tournament), {"do": "enter"})
    assert _said(answer.text) == ["Choose who shall play."]
    assert tournament.entries.count() == 9


def test_too_few_are_told_to_be_too_few(client: Client) -> None:
    tournament = build_tournament()
    client.force_login(_member(_club(tournament), Role.ORGANIZER))
    assert "A table needs 4." in client.get(_address(tournament)).text
    answer = client.post(_address(tournament), _draw())
    assert _said(answer.text) == ["A table seats 4: enter more players first."]


def test_a_round_is_taken_back_while_no_table_stands(
    client: Client, tournament: Tournament, organizer: User
) -> None:
    client.post(_address(tournament), _draw())
    pressed = {"do": "remove", "round": Round.objects.get().pk}
    assert "Take this round back" in client.get(_address(tournament)).text
    answer = client.post(_address(tournament), pressed, follow=True)
    assert "The round is taken back." in answer.text
    assert Fixture.objects.count() == Round.objects.count() == 0
    assert _said(client.post(_address(tournament), pressed).text) == [
        "This is not the last round any more."
    ]


def test_a_round_with_a_table_is_not_offered_to_be_taken_back(
    client: Client, tournament: Tournament, organizer: User
) -> None:
    made = build_round(tournament)
    fixture_mark_open(fixture=made.fixtures.get())
    assert "Take this round back" not in client.get(_address(tournament)).text
    answer = client.post(_address(tournament), {"do": "remove", "round": made.pk})
    assert _said(answer.text) == ["A table of this round stands already."]
    assert Round.objects.count() == 1


def _ends(tournament: Tournament, days: int) -> None:
    season = tournament.season
    season.ends_on = timezone.localdate() + timedelta(days=days)
    season.save()


def test_home_leads_organizers_to_what_they_run(
    client: Client, tournament: Tournament, organizer: User
) -> None:
    _ends(tournament, 0)
    other = build_tournament()
    _ends(other, 0)
    page = client.get("/").text
    assert "You organize" in page
    assert f'id="organized-{tournament.pk}" href="{_address(tournament)}"' in page
    assert f"organized-{other.pk}" not in page
    client.force_login(_member(_club(tournament)))
    assert "You organize" not in client.get("/").text


def test_home_forgets_seasons_that_are_over(
    client: Client, tournament: Tournament, organizer: User
) -> None:
    _ends(tournament, -1)
    assert "You organize" not in client.get("/").text
