"""What happened in a match, one value a kind, and how that is written as JSON.

Events are facts: they carry all a state needs to be rebuilt, and nothing that must be looked up.
They hold hidden tiles; whoever shows one to people goes through `engine.view.redact`.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from engine.errors import EngineError, UnreadableEvent
from engine.line import End
from engine.tiles import Tile, brief, tile_from_text

Racks = tuple[tuple[Tile, ...], ...]
Scores = tuple[int, ...]


class OutcomeKind(StrEnum):
    """How a hand ended: somebody went out, or the line is locked (rules.md, Common to all)."""

    OUT = "out"
    LOCK = "lock"


class RedealReason(StrEnum):
    """Why a deal was refused (rules.md, Domino 101).

    SUIT: five non-doubles of one suit in a rack. DOUBLES: five doubles in a rack. OPPONENTS: the
    side that does not open has none of the opening double's suit. NO_DOUBLE: nobody has a double.
    """

    SUIT = "suit"
    DOUBLES = "doubles"
    OPPONENTS = "opponents"
    NO_DOUBLE = "no-double"


class Redeal(NamedTuple):
    """A refused deal: racks by seat and stock as they lay, and the reason."""

    racks: Racks
    stock: tuple[Tile, ...]
    reason: RedealReason


class HandDealt(NamedTuple):
    """A hand begins: racks by seat as dealt, the stock in drawing order (its reserve last)."""

    racks: Racks
    stock: tuple[Tile, ...]
    starter: int
    redeals: tuple[Redeal, ...] = ()


class TilePlayed(NamedTuple):
    """A seat placed a tile; `end` is None for the first of a hand, `scored` 0 mostly.

    >>> str(TilePlayed(0, Tile(5, 5), None, scored=10).tile)
    '5-5'
    """

    seat: int
    tile: Tile
    end: End | None
    scored: int = 0


class TilesDrawn(NamedTuple):
    """A seat drew these tiles from the stock, in this order: one turn's whole drawing."""

    seat: int
    tiles: tuple[Tile, ...]


class Passed(NamedTuple):
    """A seat could neither play nor draw."""

    seat: int


class HandEnded(NamedTuple):
    """A hand is over.

    `seat` went out or placed the last tile before the lock. `winner` is the winning side or None.
    `scores` is what the hand changed by side, placements included, and `totals` stand after it.
    `racks` are the tiles left by seat. `player_scores` is the change by seat where the rule set
    keeps scores by player too (Aznif), else None. `drafts` and `open` (by side) stand after it,
    None where every account is always open; so does the `bank`.
    """

    kind: OutcomeKind
    seat: int
    winner: int | None
    scores: Scores
    totals: Scores
    racks: Racks
    player_scores: Scores | None = None
    drafts: Scores | None = None
    open: tuple[bool, ...] | None = None
    bank: int = 0


class MatchEnded(NamedTuple):
    """The match is over: final scores by side; places (1 the best) and points by seat."""

    scores: Scores
    places: Scores
    points: Scores


Event = HandDealt | TilePlayed | TilesDrawn | Passed | HandEnded | MatchEnded
Json = dict[str, Any]


def texts(tiles: tuple[Tile, ...]) -> list[str]:
    """Write tiles in their order.

    >>> texts((Tile(6, 4), Tile(0, 0)))
    ['6-4', '0-0']
    """
    return [tile.text for tile in tiles]


def _redeal_to_json(redeal: Redeal) -> Json:
    return {
        "racks": [texts(rack) for rack in redeal.racks],
        "stock": texts(redeal.stock),
        "reason": redeal.reason.value,
    }


def _hand_dealt(event: HandDealt) -> Json:
    return {
        "kind": "hand_dealt",
        "racks": [texts(rack) for rack in event.racks],
        "stock": texts(event.stock),
        "starter": event.starter,
        "redeals": [_redeal_to_json(redeal) for redeal in event.redeals],
    }


def _tile_played(event: TilePlayed) -> Json:
    return {
        "kind": "tile_played",
        "seat": event.seat,
        "tile": event.tile.text,
        "end": None if event.end is None else event.end.value,
        "scored": event.scored,
    }


def _tiles_drawn(event: TilesDrawn) -> Json:
    return {"kind": "tiles_drawn", "seat": event.seat, "tiles": texts(event.tiles)}


def _passed(event: Passed) -> Json:
    return {"kind": "passed", "seat": event.seat}


def _hand_ended(event: HandEnded) -> Json:
    return {
        "kind": "hand_ended",
        "outcome": event.kind.value,
        "seat": event.seat,
        "winner": event.winner,
        "scores": list(event.scores),
        "totals": list(event.totals),
        "racks": [texts(rack) for rack in event.racks],
        "player_scores": None if event.player_scores is None else list(event.player_scores),
        "drafts": None if event.drafts is None else list(event.drafts),
        "open": None if event.open is None else list(event.open),
        "bank": event.bank,
    }


def _match_ended(event: MatchEnded) -> Json:
    return {
        "kind": "match_ended",
        "scores": list(event.scores),
        "places": list(event.places),
        "points": list(event.points),
    }


_WRITERS: dict[type, Callable[[Any], Json]] = {
    HandDealt: _hand_dealt,
    TilePlayed: _tile_played,
    TilesDrawn: _tiles_drawn,
    Passed: _passed,
    HandEnded: _hand_ended,
    MatchEnded: _match_ended,
}


def event_to_json(event: Event) -> Json:
    """Write an event with everything in it; for people, see `engine.view.redact`.

    >>> event_to_json(TilePlayed(0, Tile(5, 5), None, 10))
    {'kind': 'tile_played', 'seat': 0, 'tile': '5-5', 'end': None, 'scored': 10}
    """
    return _WRITERS[type(event)](event)


def _tiles(data: Any) -> tuple[Tile, ...]:
    return tuple(tile_from_text(text) for text in data)


def _racks(data: Any) -> Racks:
    return tuple(_tiles(rack) for rack in data)


def _read_redeal(data: Any) -> Redeal:
    return Redeal(_racks(data["racks"]), _tiles(data["stock"]), RedealReason(data["reason"]))


def _read_dealt(data: Json) -> Event:
    redeals = tuple(_read_redeal(redeal) for redeal in data["redeals"])
    return HandDealt(_racks(data["racks"]), _tiles(data["stock"]), int(data["starter"]), redeals)


def _read_played(data: Json) -> Event:
    end = None if data["end"] is None else End(data["end"])
    return TilePlayed(int(data["seat"]), tile_from_text(data["tile"]), end, int(data["scored"]))


def _optional(values: Any) -> tuple[Any, ...] | None:
    return None if values is None else tuple(values)


def _read_ended(data: Json) -> Event:
    return HandEnded(
        OutcomeKind(data["outcome"]),
        int(data["seat"]),
        data["winner"],
        tuple(data["scores"]),
        tuple(data["totals"]),
        _racks(data["racks"]),
        _optional(data["player_scores"]),
        _optional(data.get("drafts")),  # what was written before accounts could be closed
        _optional(data.get("open")),
        int(data.get("bank", 0)),
    )


_READERS: Mapping[str, Callable[[Json], Event]] = {
    "hand_dealt": _read_dealt,
    "tile_played": _read_played,
    "tiles_drawn": lambda data: TilesDrawn(int(data["seat"]), _tiles(data["tiles"])),
    "passed": lambda data: Passed(int(data["seat"])),
    "hand_ended": _read_ended,
    "match_ended": lambda data: MatchEnded(
        tuple(data["scores"]), tuple(data["places"]), tuple(data["points"])
    ),
}


def event_from_json(data: Mapping[str, Any]) -> Event:
    """Read what `event_to_json` wrote; anything else is an `UnreadableEvent`.

    >>> event_from_json({"kind": "passed", "seat": 2})
    Passed(seat=2)
    """
    try:
        return _READERS[data["kind"]](dict(data))
    except (EngineError, KeyError, TypeError, ValueError):
        raise UnreadableEvent(f"no event is written {brief(data)}") from None
