"""The examples in the engine's docstrings run."""

import doctest
import importlib
import pkgutil

import engine

MODULES = [name for _, name, _ in pkgutil.walk_packages(engine.__path__, "engine.")]


def test_the_examples_hold_word_for_word() -> None:
    results = {name: doctest.testmod(importlib.import_module(name)) for name in MODULES}
    assert [name for name, result in results.items() if result.failed] == []
    assert sum(result.attempted for result in results.values()) > 300
