"""`manage.py grant`: what `up` does after `migrate`, for installations that run without `up`."""

import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.console.grants import grant


class Command(BaseCommand):
    help = "Gives the role of DATABASE_URL its rights, as the owner in MIGRATE_URL."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        owner_url, url = (os.environ.get(key, "") for key in ("MIGRATE_URL", "DATABASE_URL"))
        if not grant(owner_url=owner_url, url=url):
            raise CommandError("MIGRATE_URL must name another role than DATABASE_URL.")
        self.stdout.write("granted")
