"""`manage.py robots URL`: plays the demonstration's accounts, as people would, until it is over."""

import asyncio
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connection

from league.accounts.models import Player
from league.console.demonstration import (
    OWN_ROUND,
    PLAYER,
    demonstration_tournament,
    robot_tokens,
)
from league.console.robots import Crowd, League


class Command(BaseCommand):
    help = "Plays the demonstration's accounts over WebSockets with their tokens."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url", help="address of the server, as `up` prints it")

    def handle(self, *args: Any, **options: Any) -> None:
        tournament = demonstration_tournament()
        if tournament is None:
            self.stdout.write("There is no demonstration here.")
            return
        own = Player.objects.get(user__username=PLAYER)
        host, pace = settings.ALLOWED_HOSTS[0], settings.AYAZ_ROBOT_SECONDS
        league = League(options["url"], host, tournament.pk, pace)
        crowd = Crowd(league, robot_tokens(tournament), own.pk, OWN_ROUND)
        connection.close()
        asyncio.run(crowd.play())
