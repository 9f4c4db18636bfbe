"""`manage.py clock`: the clock of all tables as a process. May run many times at once."""

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand

from tables import broadcast
from tables.clock import Clock


class Command(BaseCommand):
    help = "Does what falls due at live tables, until SIGTERM or Ctrl-C."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_signal: stop.set())
        Clock().run(stop)
        broadcast.drain()
