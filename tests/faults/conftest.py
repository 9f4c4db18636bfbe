"""One installation for all fault tests of a run: it takes longer to start than to hurt."""

from collections.abc import Iterator

import pytest

from tests.faults.game import Grounds


@pytest.fixture(scope="package")
def grounds() -> Iterator[Grounds]:
    """An installation with two web processes and servers of its own."""
    with Grounds.running() as running:
        yield running
