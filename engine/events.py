"""What happened in a match, one value a kind, and how that is written as JSON.

Events are facts: they carry all a state needs to be rebuilt, and nothing that must be looked up.
They hold hidden tiles; whoever shows one to people goes through `engine.view.redact`.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from engine.errors import EngineError, UnreadableEvent
from engine.line import End
from engine.tiles import Tile, brief, tile_from_text

T = TypeVar("T")
Word = TypeVar("Word", bound=StrEnum)

Racks = tuple[tuple[Tile, ...], ...]
Scores = tuple[int, ...]


class OutcomeKind(StrEnum):
    """How a hand ended: somebody went out, or the line is locked (rules.md, Common to all).

    >>> OutcomeKind("lock") is OutcomeKind.LOCK
    True
    """

    OUT = "out"
    LOCK = "lock"


class RedealReason(StrEnum):
    """Why a deal was refused (rules.md, Domino 101).

    SUIT: five non-doubles of one suit in a rack. DOUBLES: five doubles in a rack. OPPONENTS: the
    side that does not open has none of the opening double's suit. NO_DOUBLE: nobody has a double.

    >>> RedealReason("no-double").name
    'NO_DOUBLE'
    """

    SUIT = "suit"
    DOUBLES = "doubles"
    OPPONENTS = "opponents"
    NO_DOUBLE = "no-double"


class Redeal(NamedTuple):
    """A refused deal: racks by seat and stock as they lay, and the reason.

    >>> Redeal(racks=((Tile(0, 0),), (Tile(1, 0),)), stock=(), reason=RedealReason.SUIT).racks[1]
    (Tile(1, 0),)
    """

    racks: Racks
    stock: tuple[Tile, ...]
    reason: RedealReason


class HandDealt(NamedTuple):
    """A hand begins: racks by seat as dealt, the stock in drawing order (its reserve last).

    `starter` is a seat; `redeals` are the deals that were refused before this one, in order.

    >>> HandDealt(racks=((Tile(0, 0),), (Tile(1, 0),)), stock=(), starter=1).redeals
    ()
    """

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
    """A seat drew these tiles from the stock, in this order: one turn's whole drawing.

    >>> len(TilesDrawn(1, (Tile(3, 0), Tile(5, 1))).tiles)
    2
    """

    seat: int
    tiles: tuple[Tile, ...]


class Passed(NamedTuple):
    """A seat could neither play nor draw (rules.md, Common to all).

    >>> Passed(2).seat
    2
    """

    seat: int


class HandEnded(NamedTuple):
    """A hand is over.

    `seat` went out or placed the last tile before the lock. `winner` is the winning side or None.
    `scores` is what the hand changed by side, placements included, and `totals` stand after it.
    `racks` are the tiles left by seat. `player_scores` is the change by seat where the rule set
    keeps scores by player too (Aznif), else None. `drafts` and `open` (by side) stand after it,
    None where every account is always open; so does the `bank`.

    >>> ended = HandEnded(OutcomeKind.OUT, 0, 0, (7, 0), (7, 0), racks=((), (Tile(6, 1),)))
    >>> ended.kind.value, ended.winner, ended.player_scores, ended.bank
    ('out', 0, None, 0)
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
    """The match is over: final scores by side; places (1 the best) and points by seat.

    Partners share a place, as ties do (record.md, `result`).

    >>> MatchEnded(scores=(101, 80), places=(1, 3, 1, 3), points=(11, -11, 11, -11)).places[2]
    1
    """

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


def redeal_to_json(redeal: Redeal) -> Json:
    """Write a refused deal as a record does.

    >>> redeal_to_json(Redeal(((Tile(0, 0),),), (), RedealReason.SUIT))
    {'racks': [['0-0']], 'stock': [], 'reason': 'suit'}
    """
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
        "redeals": [redeal_to_json(redeal) for redeal in event.redeals],
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


def number_from(value: object) -> int:
    """Take an integer; a boolean or a float is none: `UnreadableEvent`.

    >>> number_from(True)
    Traceback (most recent call last):
    engine.errors.UnreadableEvent: True is no whole number
    """
    if type(value) is not int:
        raise UnreadableEvent(f"{brief(value)} is no whole number")
    return value


def numbers_from(value: object) -> Scores:
    """Take a list of integers; anything else is an `UnreadableEvent`.

    >>> numbers_from([10, -33])
    (10, -33)
    """
    return tuple(map(number_from, list_from(value)))


def list_from(value: object) -> list[Any]:
    """Take a list; anything else is an `UnreadableEvent`.

    >>> list_from("6-4")
    Traceback (most recent call last):
    engine.errors.UnreadableEvent: '6-4' is no list
    """
    if not isinstance(value, list):
        raise UnreadableEvent(f"{brief(value)} is no list")
    return value


def flags_from(value: object) -> tuple[bool, ...]:
    """Take a list of booleans; a number is none: `UnreadableEvent`.

    >>> flags_from([1])
    Traceback (most recent call last):
    engine.errors.UnreadableEvent: a flag is true or false
    """
    if any(type(flag) is not bool for flag in list_from(value)):
        raise UnreadableEvent("a flag is true or false")
    return tuple(list_from(value))


def _optional(read: Callable[[object], T], value: object) -> T | None:
    return None if value is None else read(value)


def _word(kind: type[Word], value: object) -> Word:
    """Take a word of an enumeration; its own error would show a value of any size."""
    if not isinstance(value, str):
        raise UnreadableEvent(f"{brief(value)} is no word")
    return kind(value)


def _tiles(data: object) -> tuple[Tile, ...]:
    return tuple(map(tile_from_text, list_from(data)))


def _racks(data: object) -> Racks:
    return tuple(map(_tiles, list_from(data)))


def _read_redeal(data: Any) -> Redeal:
    return Redeal(_racks(data["racks"]), _tiles(data["stock"]), _word(RedealReason, data["reason"]))


def _read_dealt(data: Json) -> Event:
    redeals = tuple(map(_read_redeal, list_from(data["redeals"])))
    racks, stock = _racks(data["racks"]), _tiles(data["stock"])
    return HandDealt(racks, stock, number_from(data["starter"]), redeals)


def _read_played(data: Json) -> Event:
    end = None if data["end"] is None else _word(End, data["end"])
    tile = tile_from_text(data["tile"])
    return TilePlayed(number_from(data["seat"]), tile, end, number_from(data["scored"]))


def _read_ended(data: Json) -> Event:
    return HandEnded(
        _word(OutcomeKind, data["outcome"]),
        number_from(data["seat"]),
        _optional(number_from, data["winner"]),
        numbers_from(data["scores"]),
        numbers_from(data["totals"]),
        _racks(data["racks"]),
        _optional(numbers_from, data["player_scores"]),
        _optional(numbers_from, data.get("drafts")),  # older ones know no closed accounts
        _optional(flags_from, data.get("open")),
        number_from(data.get("bank", 0)),
    )


def _read_match_ended(data: Json) -> Event:
    return MatchEnded(*(numbers_from(data[name]) for name in MatchEnded._fields))


_READERS: Mapping[str, Callable[[Json], Event]] = {
    "hand_dealt": _read_dealt,
    "tile_played": _read_played,
    "tiles_drawn": lambda data: TilesDrawn(number_from(data["seat"]), _tiles(data["tiles"])),
    "passed": lambda data: Passed(number_from(data["seat"])),
    "hand_ended": _read_ended,
    "match_ended": _read_match_ended,
}


def event_from_json(data: Mapping[str, Any]) -> Event:
    """Read what `event_to_json` wrote; anything else is an `UnreadableEvent`.

    >>> event_from_json({"kind": "passed", "seat": 2})
    Passed(seat=2)
    """
    try:
        event = _READERS[data["kind"]](dict(data))
        if len(data) <= len(event) + 1:  # its fields and the kind, so nothing unknown
            return event
        raise UnreadableEvent
    except (EngineError, KeyError, TypeError, ValueError):
        raise UnreadableEvent(f"no event is written {brief(data)}") from None
