"""The engine's simulated matches, held against a checker that shares nothing with it.

25 matches of each of the 8 variants in the ordinary run; AYAZ_SIMULATED_MATCHES says how many else
(1,000 of each are run before a release).
"""

from __future__ import annotations

import json
import os

import pytest

from engine.__main__ import simulate
from engine.errors import InvalidRecord
from engine.match import new_match
from engine.record import check_record, parse_record
from engine.rulesets import preset
from tests.engine.positions import VARIANTS
from tests.engine.second_checker import Refused, check
from tests.engine.test_record import BROKEN, GOLDEN, GOOD

MATCHES = int(os.environ.get("AYAZ_SIMULATED_MATCHES", "25"))


@pytest.mark.parametrize(("seats", "partners", "deal"), VARIANTS)
def test_both_checkers_hold_every_simulated_match(seats: int, partners: bool, deal: int) -> None:
    start = new_match(preset("aznif", deal=deal, hands=3), seats=seats, partners=partners)
    count = 0
    for record in simulate(start, seed=1, matches=MATCHES):
        check(json.loads(json.dumps(record)))
        check_record(parse_record(json.dumps(record)))
        count += 1
    assert count == MATCHES


@pytest.mark.parametrize("number", range(len(GOOD)))
def test_both_checkers_hold_the_good_records(number: int) -> None:
    check(GOOD[number])
    assert check_record(GOOD[number]).result is not None


def test_both_checkers_hold_the_golden_record() -> None:
    check(GOLDEN[0])
    assert check_record(GOLDEN[0]).result is not None


@pytest.mark.parametrize("number", range(len(BROKEN)), ids=lambda n: BROKEN[n]["wrong"])
def test_both_checkers_refuse_the_broken_records(number: int) -> None:
    with pytest.raises(Refused):
        check(BROKEN[number]["record"])
    with pytest.raises(InvalidRecord):
        check_record(BROKEN[number]["record"])
