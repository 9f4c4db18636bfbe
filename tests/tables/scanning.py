"""Looks through frames for what their receiver may not see (cases.md B3)."""

import json
import re

from tests.tables.client import Json

TILE = re.compile(r'"([0-6]-[0-6])"')


def scan(frame: Json, seat: int | None, record: Json) -> None:
    """No tile but those on the line, in the own rack, and of hands that are over; no secret."""
    view = frame.get("view") or frame.get("snapshot")
    if view is None:
        assert not TILE.search(json.dumps(frame))
        return
    secret = record["proof"]["secret"]
    assert view["table"]["status"] == "finished" or secret not in json.dumps(frame)
    match = view["match"]
    if match is None:
        return
    own = set(match["rack"] or [])
    assert (match["rack"] is None) is (seat is None)
    if seat is not None:
        # between hands `hand` names the next one, and the rack is still the last one's
        number = match["hand"] - (match["phase"] == "deal")
        assert own <= _ever_held(record["hands"][number], seat)
    line = {f"{max(halves)}-{min(halves)}" for halves in match["line"]}
    assert set(TILE.findall(json.dumps(_without_finished_hands(frame)))) <= own | line


def _ever_held(hand: Json, seat: int) -> set[str]:
    drawn = [move["draw"] for move in hand["moves"] if move["seat"] == seat and "draw" in move]
    return {*hand["racks"][seat], *(tile for tiles in drawn for tile in tiles)}


def _without_finished_hands(frame: Json) -> Json:
    name = "view" if "view" in frame else "snapshot"
    match = {key: value for key, value in frame[name]["match"].items() if key != "ended"}
    events = frame.get("event", {}).get("events", [])
    kept = [event for event in events if event["kind"] != "hand_ended"]
    return {**frame, name: {**frame[name], "match": match}, "event": kept}
