"""The examples in the engine's docstrings run."""

import doctest
import importlib
import pkgutil

import pytest

import engine

MODULES = [
    name
    for _, name, _ in pkgutil.walk_packages(engine.__path__, "engine.")
    if name != "engine.__main__"
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name: str) -> None:
    failed, _ = doctest.testmod(
        importlib.import_module(name), optionflags=doctest.IGNORE_EXCEPTION_DETAIL
    )
    assert failed == 0


def test_there_are_examples() -> None:
    tried = sum(doctest.testmod(importlib.import_module(name)).attempted for name in MODULES)
    assert tried > 40
