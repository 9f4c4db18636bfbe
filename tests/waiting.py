"""Waiting for something that others bring about: looked at again and again, up to a limit."""

import asyncio
from collections.abc import Callable

from league.console import processes

SECONDS = 60.0  # on a slow and busy machine


def until(condition: Callable[[], object], seconds: float = SECONDS) -> None:
    """Wait for a condition in a thread of its own."""
    came = processes.wait_until(lambda: bool(condition()), seconds=seconds, pause=0.005)
    assert came, "it never happened"


async def until_on_loop(condition: Callable[[], object], seconds: float = SECONDS) -> None:
    """Wait for a condition that others on the loop bring about."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.005)
