"""Every reason for which a table refuses has its sentence."""

from collections.abc import Iterator

import pytest

from engine.errors import IllegalAction
from tables.refusals import TEXTS, refusal_of


def _kinds(kind: type[IllegalAction]) -> Iterator[type[IllegalAction]]:
    yield kind
    for each in kind.__subclasses__():
        yield from _kinds(each)


@pytest.mark.parametrize("kind", list(_kinds(IllegalAction)), ids=lambda kind: kind.code)
def test_every_refusal_of_the_engine_has_a_sentence(kind: type[IllegalAction]) -> None:
    assert kind.code in TEXTS
    assert refusal_of(kind()).code == kind.code
