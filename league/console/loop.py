"""The event loop of a web process: uvloop, under Twisted's reactor."""

import uvloop
from twisted.internet import asyncioreactor


def choose() -> None:
    """Install the loop; to be called before Daphne is imported, which installs asyncio's own."""
    asyncioreactor.install(uvloop.new_event_loop())  # type: ignore[no-untyped-call]
