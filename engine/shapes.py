"""JSON from outside, read strictly: its text, and values of the right shape.

Every value is looked at before it is used. What is no JSON of whole numbers, sound texts and few
levels is an `UnreadableRecord`; what is, and has the wrong shape, an `InvalidRecord`. Both say why
in one sentence, and no other error comes out. What a record means is not known here.
"""

import json
import re
from collections import Counter
from itertools import accumulate
from typing import Any, NoReturn

from engine.errors import InvalidRecord, InvalidTile, UnreadableRecord
from engine.tiles import Tile, brief, tile_from_text

MOST_BYTES = 5_000_000
MOST_LEVELS = 20
_MOST_DIGITS = 15
_LARGEST = 10**_MOST_DIGITS

Json = dict[str, Any]


# --- reading the text ----------------------------------------------------------------


def parse_record(text: str) -> object:
    """Read a record's JSON text strictly, without checking the match.

    More than 5 MB, floats, numbers of more than 15 digits, doubled keys, lone surrogates, more than
    20 levels and what is no JSON at all are an `UnreadableRecord`.

    >>> parse_record('{"seats": 4, "seats": 2}')
    Traceback (most recent call last):
    engine.errors.UnreadableRecord: the key 'seats' stands twice in an object
    """
    _look_through(_bytes_of(text))
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        said = error.msg.removesuffix(" at")
        raise UnreadableRecord(f"this is no JSON: {said} at sign {error.pos + 1}") from None
    except RecursionError:  # the caller has left no room for even so few levels
        raise UnreadableRecord("the record is nested too deep to be read here") from None


def _bytes_of(text: str) -> bytes:
    try:
        data = text.encode() if len(text) <= MOST_BYTES else None
    except UnicodeEncodeError:
        raise UnreadableRecord("a text holds half a surrogate pair") from None
    if data is None or len(data) > MOST_BYTES:
        raise UnreadableRecord("a record of more than 5 MB is not read")
    return data


_OPENS, _CLOSES, _QUOTE = range(3)
_SIGNS = bytes.maketrans(b'[{]}"', bytes([_OPENS, _OPENS, _CLOSES, _CLOSES, _QUOTE]))
_NO_SIGNS = bytes(sorted(set(range(256)) - set(b'[{]}"')))
_PAIR = re.compile(rb"\\u[dD][89abAB]..\\u[dD][c-fC-F]..")
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")


def _look_through(data: bytes) -> None:
    """Refuse deep nesting and escaped half pairs, in one pass and before anything is built.

    How deep a decoder may go hangs on the interpreter and on its caller, so it is not asked. As far
    as the data is JSON the levels found are the true ones; what follows a fault is never decoded.
    """
    data = data.replace(b"\\\\", b"__")  # a backslash: what follows it is no escape
    if _HALF.search(_PAIR.sub(b"__", data)):
        raise UnreadableRecord("a text holds half a surrogate pair")
    signs = data.replace(b'\\"', b"__").translate(_SIGNS, _NO_SIGNS)
    signs = signs.replace(bytes([_QUOTE] * 2), b"")  # what is in a string stays in one
    if any(level > MOST_LEVELS for level in accumulate(signs, _level_after, initial=0)):
        raise UnreadableRecord(f"a record is nested at most {MOST_LEVELS} levels deep")


def _level_after(level: int, sign: int) -> int:
    """Give the level after a sign; ~level is the same level inside a string."""
    if sign == _QUOTE:
        return ~level
    if level < 0:
        return level
    return level + 1 if sign == _OPENS else level - 1


def _whole_number(digits: str) -> int:
    if digits == "-0":
        _no_number(digits)
    if len(digits.removeprefix("-")) > _MOST_DIGITS:
        raise UnreadableRecord(f"a number has at most {_MOST_DIGITS} digits")
    return int(digits)


def _no_number(text: str) -> NoReturn:
    raise UnreadableRecord(f"a number is an integer, not {brief(text)}")


def _distinct(pairs: list[tuple[str, Any]]) -> Json:
    data = dict(pairs)
    if len(data) < len(pairs):
        counted = Counter(key for key, _ in pairs)
        doubled = next(key for key, times in counted.items() if times > 1)
        raise UnreadableRecord(f"the key {brief(doubled)} stands twice in an object")
    return data


_DECODER = json.JSONDecoder(
    object_pairs_hook=_distinct,
    parse_int=_whole_number,
    parse_float=_no_number,
    parse_constant=_no_number,
)


# --- reading values ------------------------------------------------------------------


def read_object(value: object, what: str, needed: str, allowed: str = "") -> Json:
    """Take an object with all the `needed` and only the `allowed` fields (names by spaces).

    `what` names the value in the sentence of the `InvalidRecord`, here and in all that follow.

    >>> read_object({"pass": True}, "a move", "seat", "pass")
    Traceback (most recent call last):
    engine.errors.InvalidRecord: a move has no seat
    """
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
    """Take a list; anything else is an `InvalidRecord`.

    >>> read_list("6-4", "stock")
    Traceback (most recent call last):
    engine.errors.InvalidRecord: stock is a list, not '6-4'
    """
    if not isinstance(value, list):
        raise InvalidRecord(f"{what} is a list, not {brief(value)}")
    return value


def read_integer(value: object, what: str) -> int:
    """Take an integer of at most 15 digits; a boolean or a float is none.

    A number of another kind or with more digits is an `UnreadableRecord`, the rest an
    `InvalidRecord`.

    >>> read_integer(True, "starter")
    Traceback (most recent call last):
    engine.errors.UnreadableRecord: starter is an integer, not True
    """
    if type(value) is not int:
        raise unlike_number(value)(f"{what} is an integer, not {brief(value)}")
    if abs(value) >= _LARGEST:
        raise UnreadableRecord(f"{what} has more than {_MOST_DIGITS} digits")
    return value


def unlike_number(value: object) -> type[InvalidRecord]:
    """Tell what is meant as a number and is none (true, 1.0) from what is something else.

    >>> unlike_number(1.0).code, unlike_number("1").code
    ('unreadable_record', 'invalid_record')
    """
    return UnreadableRecord if isinstance(value, bool | float) else InvalidRecord


def read_text(value: object, what: str) -> str:
    """Take a text; anything else is an `InvalidRecord`.

    Half a surrogate pair in it is an `UnreadableRecord`.

    >>> read_text(6, "end")
    Traceback (most recent call last):
    engine.errors.InvalidRecord: end is a text, not 6
    """
    if not isinstance(value, str):
        raise InvalidRecord(f"{what} is a text, not {brief(value)}")
    if not value.isascii():
        _bytes_of(value)
    return value


def read_tiles(value: object, what: str) -> tuple[Tile, ...]:
    """Take a list of tiles, each written high half first; anything else is an `InvalidRecord`.

    >>> read_tiles(["4-6"], "stock")
    Traceback (most recent call last):
    engine.errors.InvalidRecord: stock: no tile is written '4-6'
    """
    try:
        return tuple(tile_from_text(text) for text in read_list(value, what))
    except InvalidTile as error:
        raise InvalidRecord(f"{what}: {error.text}") from None


def expect(value: object, right: object, what: str) -> None:
    """Refuse a value that differs as an `InvalidRecord`; 1 and true, 1 and 1.0 differ.

    True or 1.0 in a number's place is an `UnreadableRecord`, also in a list.

    >>> expect([10, -33], [10, -30], "scores")
    Traceback (most recent call last):
    engine.errors.InvalidRecord: scores is [10, -30], not [10, -33]
    """
    if not _same(value, right):
        raise _mismatch(value, right)(f"{what} is {_shown(right)}, not {_shown(value)}")


def _mismatch(value: object, right: object) -> type[InvalidRecord]:
    """Tell true or 1.0 in a number's place, on its own or in a list, from another value."""
    if isinstance(value, list) and isinstance(right, list):
        kinds = map(_mismatch, value, right)
        return UnreadableRecord if UnreadableRecord in kinds else InvalidRecord
    # where the right one is null another number may stand: a winner
    return unlike_number(value) if right is None or type(right) is int else InvalidRecord


def _same(value: object, right: object) -> bool:
    if isinstance(value, list) and isinstance(right, list):
        return len(value) == len(right) and all(map(_same, value, right))
    return type(value) is type(right) and value == right


def _shown(value: object) -> str:
    if isinstance(value, list) and len(value) <= 7 and not any(isinstance(v, list) for v in value):
        return f"[{', '.join(map(brief, value))}]"
    return "null" if value is None else brief(value)
