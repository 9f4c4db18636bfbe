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
from league.console.games import game_shown
from league.console.logins import reset_hint
from league.console.news import Login, News
from league.tournaments.models import Tournament
from league.tournaments.wording import game_line, terms_of


class Command(BaseCommand):
    help = "Makes the demonstration in an empty database; the last line is what to tell, as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        game, seats = settings.AYAZ_DEMO_GAME, settings.AYAZ_DEMO_SEATS
        parser.add_argument("--game", default=game, help=f"a preset ({game})")
        parser.add_argument("--seats", type=int, default=seats, help=f"at a table ({seats})")
        parser.add_argument("--renew", action="store_true", help="nobody saw the last passwords")

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        pause = timedelta(seconds=settings.AYAZ_ROUND_SECONDS)
        game = game_shown(options["game"], options["seats"])
        logins = demonstration_ensure(game=game, now=now, between_rounds=pause)
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
    """Return what is played and where that stands: a later start meets it in the middle."""
    game = f"The demonstration: {game_line(terms_of(tournament))}."
    seconds = (round_starts_at(tournament, OWN_ROUND) - now).total_seconds()
    if seconds <= 0:
        return [game, "Round 2 is on: log in as the player and take your seat."]
    minutes = max(1, round(seconds / 60))
    return [
        game,
        "Round 1 is played by the accounts of its players.",
        f"Round 2 starts in {minutes} min: log in as the player and take your seat.",
    ]
