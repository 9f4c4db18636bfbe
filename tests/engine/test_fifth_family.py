"""A family of one's own: a name, values and a hook, and nothing of the engine is changed."""

import json

import pytest

from engine.__main__ import simulate
from engine.events import TilePlayed, texts
from engine.match import events_of, new_match
from engine.record import check_record, parse_record, record_of
from engine.rulesets import FAMILIES, preset
from engine.rulesets.family import Family
from engine.rulesets.fields import DrawRule as Draw
from engine.rulesets.fields import ForcedOpening, HandScoring, Length, LengthKind, LockTie
from engine.rulesets.fields import StarterRule as Starter
from engine.snapshot import dump, load
from engine.view import view_for

DOUBLES = Family(
    name="doubles", deal=6, length=Length(LengthKind.HANDS, 5), lengths=(LengthKind.HANDS,),
    partners={2: (False,), 3: (False,)}, by_player=False, stake=11, offers={"fives": (False,)},
    values={
        "draw": Draw.UNTIL_PLAYABLE, "reserve": 1, "first_starter": Starter.LOT,
        "next_starter": Starter.ROTATE, "starter_after_lock": Starter.ROTATE,
        "forced_opening": ForcedOpening.NO, "no_double_redeals": False, "blank_pips": 3,
        "lock_waits_for_empty_stock": False, "fives": False, "locker_pays": None,
        "hand_scoring": HandScoring.DIFFERENCE, "going_out_wins": True, "opening_minimum": 0,
        "lock_tie": LockTie.NOBODY, "bank_opens_account": None, "drafts_on_opening": None,
    },
    placement_score=lambda tile, ends: int(tile.double),  # each double placed scores 1
)  # fmt: skip


def test_a_fifth_family_is_simulated_checked_and_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FAMILIES, "doubles", DOUBLES)
    start = new_match(preset("doubles"), seats=3)
    for record in simulate(start, seed=1, matches=5):
        state = check_record(parse_record(json.dumps(record)))
        assert load(json.loads(json.dumps(dump(state)))) == state
        events = events_of(state)
        left = [texts(rack) for rack in events[-2].racks]  # type: ignore[union-attr]
        assert [view_for(state, seat)["rack"] for seat in range(3)] == left
        played = [event for event in events if isinstance(event, TilePlayed)]
        assert sum(event.scored for event in played) > 0
        assert all(event.scored == event.tile.double for event in played)
        again = record_of(events=events, ruleset=start.ruleset, seats=3, partners=False, stake=11)
        assert again | {"proof": record["proof"]} == record
        assert check_record(again) == state
