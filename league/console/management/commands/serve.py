"""`manage.py serve --fd N`: one web server process on a listening socket it was given."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Serves HTTP and WebSockets on an inherited socket (started by `up`)."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--fd", type=int, required=True, help="the listening socket")

    def handle(self, *args: Any, **options: Any) -> None:
        from league.asgi import application
        from league.console.webserver import DrainingServer  # chooses Twisted's reactor

        DrainingServer(application, descriptor=options["fd"]).run()
