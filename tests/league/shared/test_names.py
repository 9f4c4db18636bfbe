"""Names, slugs and the keys they are searched and sorted by."""

import doctest

from league.shared import folding, names


def test_the_examples_in_the_docstrings_run() -> None:
    for module in (folding, names):
        tried = doctest.testmod(module)
        assert tried.attempted > 0
        assert tried.failed == 0


def test_a_name_of_signs_alone_still_gets_a_slug() -> None:
    assert names.slug_of("***") == "x"
    assert names.slug_of("***", taken={"x"}) == "x-2"
    assert len(names.slug_of("ş" * 80, taken={"s" * 75})) <= names.NAME_LENGTH
