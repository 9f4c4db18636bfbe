"""A real Chromium and a running installation for browser tests.

Without Chromium the tests skip and say why; with `CI=true` its absence is a failure.
"""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.rehearsal import Rehearsal, secret_with_a_draw_and_a_choice
from tests.stack import Stack, keep_statics

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# People decide when a hand goes on and when a match starts, however slow the machine is.
# Only at tables without a clock, which few tests use, somebody away drops at once.
PATIENCE = {
    "AYAZ_HAND_PAUSE_SECONDS": "900",
    "AYAZ_START_SECONDS": "900",
    "AYAZ_DROP_SECONDS": "1",
    "AYAZ_BOT_SECONDS": "0.2",
}


def chromium() -> str | None:
    """Return the path of Chromium: `AYAZ_CHROMIUM`, or the distribution's."""
    names = (os.environ.get("AYAZ_CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, filter(None, names))), None)


@pytest.fixture(scope="package")
def patient_stack() -> Iterator[Stack]:
    """An installation without a demonstration whose clocks wait for the test; it ends with the last
    of the browser's tests and is no load for the others.
    """
    running = Stack.start(**PATIENCE)
    keep_statics(running)
    yield running
    running.remove()


@pytest.fixture(scope="session")
def rehearsal() -> Rehearsal:
    """The match that the tests play: in it a draw and a choice of end occur."""
    return secret_with_a_draw_and_a_choice()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser, closed with the module: its event loop must not outlive it."""
    path = chromium()
    if path is None:
        reason = "browser tests need Chromium (Debian: apt-get install chromium)"
        pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)
    expect.set_options(timeout=20_000)  # a slow and busy machine
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield running
        running.close()
