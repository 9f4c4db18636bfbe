"""How long a match may be planned: its record must stay one that everybody can check."""

import json
from typing import Any

import pytest

from engine.__main__ import simulate
from engine.record import MOST_BYTES, check_record, parse_record
from league.shared.errors import DomainError
from league.tournaments.planning import MOST_HANDS, house_rules_planned, match_planned


def rules(**length: int) -> dict[str, Any]:
    return {"preset": "aznif", "deal": 7, **length}


def test_the_record_of_the_longest_match_can_be_checked() -> None:
    planned = match_planned(ruleset=rules(hands=MOST_HANDS), seats=4, partners=False)
    [record] = simulate(planned, seed=1, matches=1)
    text = json.dumps(record)
    assert len(text) < 0.8 * MOST_BYTES  # names and stints come on top
    assert len(check_record(parse_record(text)).result or ()) == 3


def test_a_match_of_more_hands_is_refused() -> None:
    with pytest.raises(DomainError) as refused:
        match_planned(ruleset=rules(hands=MOST_HANDS + 1), seats=4, partners=False)
    assert refused.value.code == "out_of_range"
    with pytest.raises(DomainError) as refused:
        house_rules_planned(ruleset=rules(hands=MOST_HANDS + 1))
    assert refused.value.code == "out_of_range"
