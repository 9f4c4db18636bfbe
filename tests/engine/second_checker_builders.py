"""Match records made by hand for the second checker's tests: a hand is written in one line a rack.

Nothing is judged here, and nothing of the engine may enter. `a_hand` takes the outcome as the rule
book would have it; `a_match` and `a_game` put hands together, `refused` says why one must not hold.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.engine.second_checker import Refused, check, places_of, points_alone, points_of_partners
from tests.engine.second_checker_rulesets import PRESETS
from tests.engine.second_checker_shapes import TILE_OF

Record = dict[str, Any]

HERE = Path(__file__).parent


def lines_of(name: str) -> list[Record]:
    """The records of a JSON Lines file, in order."""
    text = (HERE / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


GOOD = lines_of("records/good.jsonl")
BROKEN = lines_of("records/broken.jsonl")
GOLDEN = [record for name in PRESETS for record in lines_of(f"golden/{name}.jsonl")]
AZNIF = [record for record in GOOD if record["ruleset"]["preset"] == "aznif"]


def moves_of(text: str, starter: int, seats: int) -> list[Record]:
    """Moves from `5-5=10, 5-0R=10, draw 1-0 2-0, pass`; whose turn it is goes round by itself."""
    moves: list[Record] = []
    seat = starter
    for word in filter(None, text.split(", ")):
        moves.append({"seat": seat, **move_of(word)})
        if not word.startswith("draw"):
            seat = (seat + 1) % seats
    return moves


def move_of(word: str) -> Record:
    if word == "pass":
        return {"pass": True}
    if word.startswith("draw"):
        return {"draw": word.split()[1:]}
    placed, _, scored = word.partition("=")
    move: Record = {"play": placed[:3]}
    if placed[3:]:
        move["end"] = placed[3:]
    if scored:
        move["scored"] = int(scored)
    return move


def a_hand(
    racks: str,
    moves: str,
    scores: list[int],
    *,
    stock: str = "",
    starter: int = 0,
    ends: str = "out 0",
    totals: list[int] | None = None,
    winner: int | None = None,
    **accounts: object,
) -> Record:
    """A hand by racks `5-5 1-0 / 6-6 2-1`; the stock is filled up with the tiles not named."""
    dealt = [rack.split() for rack in racks.split(" / ")]
    named = racks.replace("/", " ").split() + stock.split()
    kind, seat = ends.split()
    return {
        "racks": dealt,
        "stock": stock.split() + [tile for tile in TILE_OF if tile not in named],
        "starter": starter,
        "moves": moves_of(moves, starter, len(dealt)),
        "outcome": {
            "kind": kind,
            "seat": int(seat),
            "winner": winner,
            "scores": scores,
            "totals": totals or scores,
            **accounts,
        },
    }


def a_match(
    *hands: Record,
    places: list[int],
    points: list[int],
    partners: bool = False,
    **options: object,
) -> Record:
    racks = hands[0]["racks"]
    ruleset = {"preset": "aznif", "deal": len(racks[0]), "hands": len(hands), **options}
    return {
        "format": "domino-match/1",
        "ruleset": ruleset,
        "seats": len(racks),
        "partners": partners,
        "stake": len(hands),
        "hands": list(hands),
        "result": {
            "scores": hands[-1]["outcome"]["totals"],
            "places": places,
            "points": points,
        },
    }


def a_duel(*hands: Record, first_wins: bool = True, **options: Any) -> Record:
    """A match of two seats, one of them ahead."""
    points = len(hands) if first_wins else -len(hands)
    places = [1, 2] if first_wins else [2, 1]
    return a_match(*hands, places=places, points=[points, -points], **options)


def a_game(preset: str, *hands: Record, partners: bool = False, **options: Any) -> Record:
    """A match of any preset to the end, by hands if no length is said, with the result reckoned."""
    racks = hands[0]["racks"]
    length = {} if {"target", "wins"} & options.keys() else {"hands": len(hands)}
    totals = hands[-1]["outcome"]["totals"]
    places = places_of(totals * 2 if partners else totals)
    points = points_of_partners if partners else points_alone
    ruleset = {"preset": preset, "deal": len(racks[0]), **length, **options}
    return {
        "format": "domino-match/1",
        "ruleset": ruleset,
        "seats": len(racks),
        "partners": partners,
        "stake": 11,
        "hands": list(hands),
        "result": {"scores": totals, "places": places, "points": points(places, 11)},
    }


STINT: Record = {"id": 7, "name": "Əli", "from_hand": 0, "how": "start", "left": None}


def with_players(record: Record) -> Record:
    """The same as an export of a real table: who left or dropped, who or what sat down instead."""
    hands = len(record["hands"])
    dropped = {**STINT, "id": "b-2", "name": "", "left": "dropped"}
    bot = {**STINT, "id": None, "from_hand": hands // 2, "how": "bot"}
    later = {**STINT, "id": -1, "from_hand": hands // 2, "how": "substitute", "left": "voluntary"}
    last = {**STINT, "id": 0, "from_hand": hands, "how": "substitute"}
    seats = [[STINT], [dropped, bot, last], [dropped, later, last], [bot | {"from_hand": 0}]]
    return {**record, "players": seats[: record["seats"]]}


def unfinished(record: Record) -> Record:
    """The same, abandoned between two hands."""
    return {**record, "result": None, "ended": "abandoned"}


def stopped(record: Record) -> Record:
    """The same, abandoned in its last hand when the moves given are made."""
    *done, last = record["hands"]
    begun = {name: value for name, value in last.items() if name != "outcome"}
    return {**unfinished(record), "hands": [*done, begun]}


def refused(record: Record, match: str) -> None:
    with pytest.raises(Refused, match=match):
        check(record)
