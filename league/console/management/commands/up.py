"""`manage.py up`: everything this project needs, under one supervisor, until Ctrl-C."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from engine.errors import InvalidRuleset
from league.console import network, servers, statics
from league.console.games import GAMES, game_shown
from league.console.installation import Content, DirectoryInUse, Installation, lock
from league.console.news import News
from league.console.supervisor import StepFailed, StopRequested, say

RULE = "─" * 72


class Command(BaseCommand):
    help = "Starts database, broker, web server, workers and clock, and keeps them running."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="0: any free port")
        parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0: phones can reach it")
        parser.add_argument("--data", type=Path, help=f"data directory ({settings.DATA_DIR})")
        parser.add_argument("--empty", action="store_true", help="no demonstration, one admin")
        game, seats = settings.AYAZ_DEMO_GAME, settings.AYAZ_DEMO_SEATS
        games = ", ".join(GAMES)
        parser.add_argument(
            "--demo-game", default=game, help=f"what a new demonstration plays: {games}"
        )
        parser.add_argument("--demo-seats", type=int, default=seats, help="at each of its tables")
        parser.add_argument("--processes", type=int, default=1, help="web server processes")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["processes"] < 1:
            raise CommandError("--processes must be 1 or more")
        if not options["empty"]:
            _check_game(options["demo_game"], options["demo_seats"])
        data = (options["data"] or settings.DATA_DIR).expanduser().resolve()
        try:
            address = network.listen(options["host"], options["port"])
            servers.make_data_directory(data)
            with lock(data):
                self._run(data, address, options)
        except (network.BusyPort, DirectoryInUse, servers.ServerError, StepFailed) as error:
            sys.exit(f"up: {error}")
        except OSError as error:
            sys.exit(f"up: {data} cannot be used: {error}")
        except StopRequested:
            say("up       | stopped before it was ready")

    def _run(self, data: Path, address: network.Address, options: dict[str, Any]) -> None:
        installation = Installation(
            data=data,
            address=address,
            content=Content.FIRST_ADMIN if options["empty"] else Content.DEMONSTRATION,
            filling=() if options["empty"] else _filling(options),
            processes=options["processes"],
            given={key: os.environ[key] for key in settings.GIVEN},
            statics=statics.fingerprint(),
        )
        installation.run(tell=lambda news: say("\n".join(_block(address, news))))
        say("up       | stopped")


def _check_game(name: str, seats: int) -> None:
    try:
        game_shown(name, seats)
    except InvalidRuleset as error:
        raise CommandError(f"--demo-game: {error.text}") from error


def _filling(options: dict[str, Any]) -> tuple[str, ...]:
    return ("--game", options["demo_game"], "--seats", str(options["demo_seats"]))


def _block(address: network.Address, news: News) -> list[str]:
    """Return the lines people wait for."""
    lines = [RULE, f"Ayaz is ready: {address.url}"]
    lines += [f"  for phones in this network: {url}" for url in address.neighbours()]
    lines += [f"  {each.role:<10} {each.username:<22} {each.password}" for each in news.logins]
    return [*lines, *news.notes, "Stop it with Ctrl-C.", RULE]
