"""`manage.py demonstration`: fills an empty database with the demonstration league."""

from argparse import ArgumentParser
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from league.console.demonstration import (
    OWN_ROUND,
    demonstration_ensure,
    demonstration_tournament,
    logins_renew,
    round_starts_at,
    unfinished,
)
from league.console.logins import reset_hint
from league.console.news import Login, News
from league.tournaments.models import Tournament


class Command(BaseCommand):
    help = "Makes the demonstration in an empty database; the last line is what to tell, as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--renew", action="store_true", help="nobody saw the last passwords")

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        pause = timedelta(seconds=settings.AYAZ_ROUND_SECONDS)
        logins = demonstration_ensure(now=now, between_rounds=pause)
        tournament = demonstration_tournament()
        if options["renew"] and tournament is not None and not logins:
            logins = logins_renew()
        self.stdout.write(_news(tournament, logins, now).to_json())


def _news(tournament: Tournament | None, logins: tuple[Login, ...], now: datetime) -> News:
    if tournament is None:
        return News(notes=(reset_hint(),))
    robots = unfinished(tournament)
    notes = (reset_hint(), *_what_is_played(tournament, now)) if robots else (reset_hint(),)
    return News(logins, notes, robots)


def _what_is_played(tournament: Tournament, now: datetime) -> list[str]:
    """Return where the demonstration stands: a later start meets it in the middle."""
    seconds = (round_starts_at(tournament, OWN_ROUND) - now).total_seconds()
    if seconds <= 0:
        return ["Round 2 is on: log in as the player and take your seat."]
    minutes = max(1, round(seconds / 60))
    return [
        "Round 1 is played by the accounts of its players.",
        f"Round 2 starts in {minutes} min: log in as the player and take your seat.",
    ]
