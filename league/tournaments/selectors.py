"""Reads of tournaments and fixtures."""

from datetime import datetime

from django.db.models import Prefetch, QuerySet

from league.accounts.models import Player
from league.tournaments.models import Fixture, FixtureSeat, FixtureStatus, Round, Tournament

_SEATS = Prefetch("seats", FixtureSeat.objects.select_related("player").order_by("seat"))


def fixtures_seated() -> QuerySet[Fixture]:
    """Return every fixture with its round, tournament and seated players at hand."""
    return (
        Fixture.objects.select_related("round__stage__tournament__season__club")
        .prefetch_related(_SEATS)
        .order_by("round__stage__number", "round__number", "number", "pk")
    )


def fixtures_of(tournament: Tournament) -> QuerySet[Fixture]:
    """Return a tournament's fixtures in the order of stages, rounds and tables."""
    return fixtures_seated().filter(round__stage__tournament=tournament)


def fixtures_due(now: datetime) -> QuerySet[Fixture]:
    """Return the fixtures whose time has come and whose table does not stand yet."""
    return fixtures_seated().filter(status=FixtureStatus.SCHEDULED, round__starts_at__lte=now)


def fixtures_ahead(player: Player) -> QuerySet[Fixture]:
    """Return the fixtures a player is seated at and has not finished, the next first."""
    return (
        fixtures_seated()
        .filter(seats__player=player)
        .exclude(status=FixtureStatus.FINISHED)
        .order_by("round__starts_at", "pk")
    )


def rounds_ahead(now: datetime) -> QuerySet[Round]:
    """Return the rounds that have not begun yet, the next first."""
    return (
        Round.objects.select_related("stage__tournament__season")
        .filter(starts_at__gt=now)
        .order_by("starts_at", "pk")
    )
