"""JSON from outside, read strictly: its text, and values of the right shape.

Every value is looked at before it is used. What has the wrong shape is an `InvalidRecord` with a
sentence, never another error. What a record means is not known here.
"""

import json
from typing import Any

from engine.errors import InvalidRecord, InvalidTile, UnreadableRecord
from engine.tiles import Tile, brief, tile_from_text

MOST_BYTES = 5_000_000
_MOST_DIGITS = 15
_LARGEST = 10**_MOST_DIGITS

Json = dict[str, Any]


# --- reading the text ----------------------------------------------------------------


def parse_record(text: str) -> object:
    """Read a record's JSON text strictly, without checking the match.

    More than 5 MB, floats, numbers of more than 15 digits, doubled keys and too deep nesting are an
    `InvalidRecord`, what is no JSON at all an `UnreadableRecord`.

    >>> parse_record('{"seats": 4, "seats": 2}')
    Traceback (most recent call last):
    engine.errors.InvalidRecord: the key 'seats' stands twice in an object
    """
    if len(text) > MOST_BYTES or len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise InvalidRecord("a record of more than 5 MB is not read")
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise InvalidRecord("the record is nested too deep") from None
    except json.JSONDecodeError as error:
        raise UnreadableRecord(f"this is no JSON: {error.msg} at sign {error.pos + 1}") from None


def _whole_number(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise InvalidRecord(f"a number has at most {_MOST_DIGITS} digits")
    return int(digits)


def _no_float(text: str) -> object:
    raise InvalidRecord(f"a number is an integer, not {brief(text)}")


def _distinct(pairs: list[tuple[str, Any]]) -> Json:
    data = dict(pairs)
    if len(data) < len(pairs):
        keys = [key for key, _ in pairs]
        doubled = next(key for at, key in enumerate(keys) if key in keys[:at])
        raise InvalidRecord(f"the key {brief(doubled)} stands twice in an object")
    return data


_DECODER = json.JSONDecoder(
    object_pairs_hook=_distinct,
    parse_int=_whole_number,
    parse_float=_no_float,
    parse_constant=_no_float,
)


# --- reading values ------------------------------------------------------------------


def read_object(value: object, what: str, needed: str, allowed: str = "") -> Json:
    """Take an object with all the `needed` and only the `allowed` fields (names by spaces)."""
    if not isinstance(value, dict):
        raise InvalidRecord(f"{what} is an object, not {brief(value)}")
    for name in needed.split():
        if name not in value:
            raise InvalidRecord(f"{what} has no {name}")
    known = {*needed.split(), *allowed.split()}
    for name in value:
        if name not in known:
            raise InvalidRecord(f"{what} has an unknown field {brief(name)}")
    return value


def read_list(value: object, what: str) -> list[Any]:
    """Take a list."""
    if not isinstance(value, list):
        raise InvalidRecord(f"{what} is a list, not {brief(value)}")
    return value


def read_integer(value: object, what: str) -> int:
    """Take an integer of at most 15 digits; a boolean or a float is none."""
    if type(value) is not int:
        raise InvalidRecord(f"{what} is an integer, not {brief(value)}")
    if abs(value) >= _LARGEST:
        raise InvalidRecord(f"{what} has more than {_MOST_DIGITS} digits")
    return value


def read_text(value: object, what: str) -> str:
    """Take a text."""
    if not isinstance(value, str):
        raise InvalidRecord(f"{what} is a text, not {brief(value)}")
    return value


def read_tiles(value: object, what: str) -> tuple[Tile, ...]:
    """Take a list of tiles, each written high half first."""
    try:
        return tuple(tile_from_text(text) for text in read_list(value, what))
    except InvalidTile as error:
        raise InvalidRecord(f"{what}: {error.text}") from None


def expect(value: object, right: object, what: str) -> None:
    """Refuse a value that differs; 1 and true, 1 and 1.0 differ."""
    if not _same(value, right):
        raise InvalidRecord(f"{what} is {_shown(right)}, not {_shown(value)}")


def _same(value: object, right: object) -> bool:
    if isinstance(value, list) and isinstance(right, list):
        return len(value) == len(right) and all(map(_same, value, right))
    return type(value) is type(right) and value == right


def _shown(value: object) -> str:
    if isinstance(value, list) and len(value) <= 7 and not any(isinstance(v, list) for v in value):
        return f"[{', '.join(map(brief, value))}]"
    return "null" if value is None else brief(value)
