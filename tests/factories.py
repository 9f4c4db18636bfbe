"""Builders of people, tournaments and matches for tests, through the services of the house."""

import itertools
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.utils import timezone

from league.accounts.models import Player, User
from league.accounts.services import player_create, user_create
from league.clubs.models import Club
from league.clubs.services import club_create
from league.results.models import Match
from league.results.services import match_open, match_start
from league.seasons.models import Season
from league.seasons.services import season_create
from league.tournaments.models import Fixture, Round, Tournament
from league.tournaments.services import entry_create, round_create, tournament_create

AZNIF_SHORT = {"preset": "aznif", "deal": 5, "hands": 3}
DEFAULT_TERMS: dict[str, Any] = {"ruleset": AZNIF_SHORT, "seats": 4}
PASSWORD = "kara-üzüm-27"
_NUMBERS = itertools.count(1)


def build_player(name: str | None = None) -> Player:
    """A player without a user."""
    return player_create(name=name or f"Oyuncu {next(_NUMBERS)}")


def build_players(count: int) -> list[Player]:
    """Several players without users."""
    return [build_player() for _ in range(count)]


def build_user(username: str | None = None, name: str | None = None, **flags: bool) -> User:
    """A user with a player, who logs in with `PASSWORD`; `flags` as is_superuser=True."""
    user = user_create(username=username or f"oyuncu{next(_NUMBERS)}", password=PASSWORD, name=name)
    for flag, value in flags.items():
        setattr(user, flag, value)
    user.save()
    return user


def build_club(name: str | None = None) -> Club:
    """A club of Ordu."""
    return club_create(name=name or f"Ordu Domino {next(_NUMBERS)}", city="Ordu")


def build_season(club: Club | None = None) -> Season:
    """A season of this year."""
    return season_create(
        club=club or build_club(),
        name=f"Sezon {next(_NUMBERS)}",
        starts_on=date(2026, 1, 1),
        ends_on=date(2026, 12, 31),
    )


def build_tournament(season: Season | None = None, **terms: Any) -> Tournament:
    """An Aznif tournament of 3 hands with 5 tiles at four-player tables, unless told otherwise."""
    return tournament_create(
        season=season or build_season(),
        name=f"Turnuva {next(_NUMBERS)}",
        **(DEFAULT_TERMS | terms),
    )


def build_round(
    tournament: Tournament | None = None,
    tables: Sequence[Sequence[Player]] | None = None,
    starts_at: datetime | None = None,
) -> Round:
    """A round that is due; its players are entered where they were not."""
    tournament = tournament or build_tournament()
    tables = tables if tables is not None else [build_players(tournament.seats)]
    for player in (player for players in tables for player in players):
        if not tournament.entries.filter(player=player).exists():
            entry_create(tournament=tournament, player=player)
    return round_create(
        tournament=tournament,
        starts_at=starts_at or timezone.now() - timedelta(seconds=1),
        tables=tables,
    )


def build_fixture(
    tournament: Tournament | None = None, players: Sequence[Player] | None = None
) -> Fixture:
    """The only fixture of a round that is due."""
    made = build_round(tournament, [players] if players is not None else None)
    return made.fixtures.get()


def build_match(
    tournament: Tournament | None = None, players: Sequence[Player] | None = None
) -> Match:
    """A fixture's match that is being played, its players in the order of seats."""
    fixture = build_fixture(tournament, players)
    match = match_open(fixture=fixture)
    seated = [seat.player for seat in fixture.seats.order_by("seat")]
    return match_start(match=match, players=seated)


def moment(text: str) -> datetime:
    """An aware moment in UTC: `moment("2026-11-30 19:17")`."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
