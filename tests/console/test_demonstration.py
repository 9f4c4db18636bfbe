"""The demonstration league, and what its robots do with a view."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from io import StringIO
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.utils import timezone

from engine.errors import InvalidRuleset
from engine.rulesets import FAMILIES
from league.accounts.models import Player, User
from league.accounts.services import player_create
from league.clubs.models import Club
from league.console import demonstration
from league.console.demonstration import (
    demonstration_ensure,
    demonstration_tournament,
    logins_renew,
    round_starts_at,
    unfinished,
)
from league.console.games import GAMES, game_shown
from league.console.logins import reset_hint
from league.console.news import Login, News, news_from_json
from league.console.robots import Json, next_wish
from league.tournaments.models import Fixture, FixtureSeat, FixtureStatus, Round

NOW = datetime(2026, 9, 1, 18, tzinfo=UTC)
PAUSE = timedelta(minutes=10)


def made(name: str = "aznif", seats: int = 4) -> tuple[Login, ...]:
    return demonstration_ensure(game=game_shown(name, seats), now=NOW, between_rounds=PAUSE)


def tables_of_round(number: int) -> list[set[int]]:
    fixtures = Fixture.objects.filter(round__number=number)
    return [set(fixture.seats.values_list("player_id", flat=True)) for fixture in fixtures]


@pytest.mark.django_db
def test_an_empty_database_gets_a_club_32_players_and_two_rounds() -> None:
    made()
    assert Club.objects.get().city == "Ordu"
    assert FixtureSeat.objects.values("player").distinct().count() == 32
    assert [len(tables_of_round(number)) for number in (1, 2)] == [8, 8]
    tournament = demonstration_tournament()
    assert tournament is not None
    assert unfinished(tournament)
    assert [round_starts_at(tournament, number) for number in (1, 2)] == [NOW, NOW + PAUSE]
    assert len(demonstration.robot_tokens(tournament)) == 32
    assert (tournament.ruleset["deal"], tournament.ruleset["hands"], tournament.stake) == (5, 3, 3)


def shown() -> list[tuple[str, int]]:
    return [(name, seats) for name in GAMES for seats in FAMILIES[name].partners]


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "seats"), shown())
def test_every_game_can_be_shown(name: str, seats: int) -> None:
    """All sit at full tables; with three at a table two of the 32 sit out."""
    made(name, seats)
    tournament = demonstration_tournament()
    assert tournament is not None
    assert (tournament.ruleset["preset"], tournament.seats) == (name, seats)
    assert tournament.partners == (seats == 4 and name not in {"aznif", "kraloyun"})
    for number in (1, 2):
        tables = tables_of_round(number)
        assert [len(table) for table in tables] == [seats] * (32 // seats)
        assert len(set.union(*tables)) == 32 // seats * seats
        own = Player.objects.get(user__username=demonstration.PLAYER)
        assert any(own.pk in table for table in tables)


def test_a_game_that_is_not_played_so_is_refused() -> None:
    with pytest.raises(InvalidRuleset, match="vip-draw is not played with 3 seats"):
        game_shown("vip-draw", 3)
    with pytest.raises(InvalidRuleset, match="no preset is named"):
        game_shown("whist", 4)


@pytest.mark.parametrize(
    "options", [{"demo_game": "whist"}, {"demo_game": "vip-draw", "demo_seats": 3}]
)
def test_up_refuses_such_a_game_before_it_starts_anything(options: dict[str, Any]) -> None:
    with pytest.raises(CommandError, match=r"^--demo-game: "):
        call_command("up", **options)


@pytest.mark.django_db
def test_the_game_is_told_and_that_of_an_older_demonstration_stays() -> None:
    told = news_of("--game", "domino101", "--seats", "2")
    assert "The demonstration: Domino 101 · to 101 · 7 tiles each." in told.notes
    again = news_of("--game", "kraloyun", "--seats", "4")
    assert "The demonstration: Domino 101 · to 101 · 7 tiles each." in again.notes


@pytest.mark.django_db
def test_round_2_seats_nobody_with_an_opponent_of_round_1() -> None:
    made()
    first, second = ({frozenset(pair) for table in tables_of_round(number)
                      for pair in combinations(table, 2)} for number in (1, 2))  # fmt: skip
    assert not first & second


@pytest.mark.django_db
def test_its_three_logins_work() -> None:
    logins = made()
    assert [login.role for login in logins] == ["organizer", "player", "admin"]
    for login in logins:
        assert authenticate(username=login.username, password=login.password)
    assert User.objects.get(username="admin").is_superuser


@pytest.mark.django_db
def test_a_second_start_makes_nothing_and_shows_no_password() -> None:
    made()
    assert made() == ()
    assert Player.objects.count() == 33


@pytest.mark.django_db
def test_logins_that_nobody_saw_are_made_anew() -> None:
    for old, new in zip(made(), logins_renew(), strict=True):
        assert not authenticate(username=old.username, password=old.password)
        assert authenticate(username=new.username, password=new.password)


@pytest.mark.django_db
def test_a_database_with_anything_in_it_is_left_alone() -> None:
    player_create(name="Zeynep")
    told = news_of("--renew")
    assert (told.logins, told.robots) == ((), False)
    assert Player.objects.count() == 1


def news_of(*options: str) -> News:
    out = StringIO()
    call_command("demonstration", *options, stdout=out)
    return news_from_json(out.getvalue())


@pytest.mark.django_db
def test_what_is_told_is_true_whenever_it_is_told() -> None:
    first = news_of()
    assert [login.role for login in first.logins] == ["organizer", "player", "admin"]
    assert first.notes[-1].startswith("Round 2 starts in 10 min")
    second = news_of()
    assert (second.logins, second.robots) == ((), True)
    Round.objects.filter(number=2).update(starts_at=timezone.now() - timedelta(hours=1))
    later = news_of("--renew")
    assert [login.role for login in later.logins] == ["organizer", "player", "admin"]
    assert later.notes[-1].startswith("Round 2 is on")
    Fixture.objects.update(status=FixtureStatus.FINISHED)
    over = news_of()
    assert (over.robots, len(over.notes)) == (False, 1)


def view(
    can: list[str], *, me: int = 0, sat: int = 4, ready: int = 0, legal: Sequence[Json] = ()
) -> Json:
    seats = [{"seat": seat, "sat": seat < sat, "ready": seat < ready} for seat in range(4)]
    table = {"you": me, "can": can, "seats": seats, "manager": 0}
    return {"table": table, "match": {"legal": list(legal)}}


@pytest.mark.parametrize(
    ("seen", "wish"),
    [
        (view(["sit"], me=3, sat=3), {"do": "sit"}),
        (view(["start"], sat=3), None),
        (view(["start"]), {"do": "start"}),
        (view(["ready"], me=1, ready=1), {"do": "ready"}),
        (view([], me=1, ready=2), None),
        (view(["play"], legal=[{"play": "6-4"}]), {"do": "play", "tile": "6-4"}),
        (view(["play"], legal=[{"play": "6-4", "end": "L"}]),
         {"do": "play", "tile": "6-4", "end": "L"}),
        (view(["draw"], legal=[{"draw": True}]), {"do": "draw"}),
        (view(["pass"], legal=[{"pass": True}]), {"do": "pass"}),
    ],
)  # fmt: skip
def test_a_robot_does_what_a_willing_player_would(seen: Json, wish: Json | None) -> None:
    assert next_wish(seen, random.Random(1)) == wish


def test_the_way_to_a_new_password_is_a_line_for_this_installation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AYAZ_DATA", "/srv/a league")
    monkeypatch.setattr("sys.executable", str(Path.cwd() / ".venv/bin/python"))
    hint = "AYAZ_DATA='/srv/a league' .venv/bin/python manage.py changepassword NAME"
    assert reset_hint().endswith(hint)


def test_the_usual_directory_needs_no_naming(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AYAZ_DATA")
    assert "AYAZ_DATA" not in reset_hint()
