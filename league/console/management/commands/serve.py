"""`manage.py serve`: one web server process, on a socket it was given or on one of its own."""

import gc
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

YOUNG, MIDDLE, OLD = 50_000, 20, 100
"""Objects made before a collection of the young; younger collections before an older one. By
Python's own 700, 10, 10 all sockets are walked through every few seconds, for a fifth of a second.
"""


def _collect_rarely() -> None:
    """Leave what was loaded alone for good, and look for cycles seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)


class Command(BaseCommand):
    help = "Serves HTTP and WebSockets; `up` starts it, containers may."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        place = parser.add_mutually_exclusive_group(required=True)
        place.add_argument("--fd", type=int, help="a listening socket that was inherited")
        place.add_argument("--port", type=int, help="a port, on all addresses")

    def handle(self, *args: Any, **options: Any) -> None:
        from league.asgi import application
        from league.console.webserver import DrainingServer  # chooses Twisted's reactor
        from tables import broadcast, heartbeat, moves

        descriptor, port = options["fd"], options["port"]
        inherited = descriptor is not None
        endpoint = f"fd:fileno={descriptor}" if inherited else f"tcp:port={port}"
        stop = heartbeat.start()
        _collect_rarely()
        DrainingServer(
            application, endpoint=endpoint, idle=lambda: moves.idle() and broadcast.idle()
        ).run()
        stop.set()
