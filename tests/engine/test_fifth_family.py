"""A family of one's own: a name, values and a hook, and nothing of the engine is changed."""

import json

import pytest

from engine.__main__ import simulate
from engine.events import TilePlayed
from engine.line import Ends
from engine.match import events_of, new_match
from engine.record import check_record, parse_record, record_of
from engine.rulesets import FAMILIES, preset
from engine.tiles import Tile


def one_a_double(tile: Tile, ends: Ends) -> int:
    """Each double placed scores 1."""
    return int(tile.double)


DOUBLES = FAMILIES["kraloyun"]._replace(name="doubles", placement_score=one_a_double)


def test_a_fifth_family_is_simulated_checked_and_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FAMILIES, "doubles", DOUBLES)
    ruleset = preset("doubles", hands=5)
    for record in simulate(new_match(ruleset, seats=3), seed=1, matches=5):
        state = check_record(parse_record(json.dumps(record)))
        events = events_of(state)
        played = [event for event in events if isinstance(event, TilePlayed)]
        assert {event.tile for event in played if event.scored} > {Tile(0, 0), Tile(6, 6)}
        assert all(event.scored == event.tile.double for event in played)
        again = record_of(events=events, ruleset=ruleset, seats=3, partners=False, stake=11)
        assert again["hands"] == record["hands"]
