"""`manage.py demonstration`: fills an empty database with the demonstration league."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from league.console.demonstration import BETWEEN_ROUNDS, Demonstration, demonstration_ensure
from league.console.logins import RESET


class Command(BaseCommand):
    help = "Makes the demonstration in an empty database; the last line is what to tell, as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--renew", action="store_true", help="nobody saw the last passwords")

    def handle(self, *args: Any, **options: Any) -> None:
        found = demonstration_ensure(now=timezone.now(), renew=options["renew"])
        self.stdout.write(json.dumps(_news(found), ensure_ascii=False))


def _news(found: Demonstration | None) -> dict[str, Any]:
    notes = [RESET]
    if found is not None and found.logins:
        minutes = int(BETWEEN_ROUNDS.total_seconds() // 60)
        notes += [
            "Round 1 is being played by the accounts of its players.",
            f"Round 2 starts in {minutes} minutes: log in as the player and take your seat.",
        ]
    logins = [] if found is None else list(found.logins)
    return {"logins": logins, "notes": notes, "robots": bool(found and found.unfinished)}
