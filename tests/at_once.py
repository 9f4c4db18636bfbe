"""Running things at the same instant, each in a thread and on a database connection of its own."""

import threading
from collections.abc import Callable
from typing import Any

from django.db import connections


def together(*jobs: Callable[[], object]) -> list[Any]:
    """Run jobs in threads of their own at the same instant; return what each gave or raised."""
    gate = threading.Barrier(len(jobs))
    outcomes: list[Any] = [None] * len(jobs)

    def run(place: int, job: Callable[[], object]) -> None:
        try:
            gate.wait(timeout=20)
            outcomes[place] = job()
        except Exception as error:
            outcomes[place] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert not any(thread.is_alive() for thread in threads)
    return outcomes
