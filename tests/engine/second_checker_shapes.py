"""The shapes a record is made of: plain values of the right type, tiles, and the word *no*.

Only what asks nothing of the rules: what a list, a number or a tile is, and how a refusal is said.
The standard library alone.
"""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import Any, NoReturn

Tile = tuple[int, int]

ALL_TILES: list[Tile] = [(high, low) for high in range(7) for low in range(high + 1)]
TILE_OF: dict[str, Tile] = {f"{high}-{low}": (high, low) for high, low in ALL_TILES}
BIGGEST_NUMBER = 10**9


class Refused(Exception):
    """The record breaks a rule; the text says where and why."""


def refuse(place: str, why: str) -> NoReturn:
    raise Refused(f"{place}: {why}")


def need(condition: bool, place: str, why: str) -> None:
    if not condition:
        refuse(place, why)


def show(value: object) -> str:
    """Any value, shortened, for a sentence."""
    try:
        return reprlib.repr(value)
    except ValueError:  # an integer of thousands of digits
        return "a very long number"


def same(value: object, expected: object) -> bool:
    """Equal and of the same type: True is not 1, and 1.0 is not 1."""
    return type(value) is type(expected) and value == expected


def has_fields(place: str, value: object, must: Sequence[str], may: Sequence[str] = ()) -> None:
    if type(value) is not dict:
        refuse(place, f"{show(value)} is not an object")
    for name in must:
        need(name in value, place, f"the field {name} is missing")
    for name in value:
        if name not in must and name not in may:
            refuse(place, f"the field {show(name)} is not known")


def is_list(place: str, value: object, length: int | None = None) -> list[Any]:
    if type(value) is not list:
        refuse(place, f"{show(value)} is not a list")
    need(length in (None, len(value)), place, f"{len(value)} entries where {length} belong")
    return value


def is_number(place: str, value: object) -> int:
    if type(value) is not int:
        refuse(place, f"{show(value)} is not a whole number")
    need(abs(value) <= BIGGEST_NUMBER, place, "the number is far too big")
    return value


def is_numbers(place: str, value: object, length: int) -> list[int]:
    return [is_number(place, number) for number in is_list(place, value, length)]


def is_text(place: str, value: object) -> str:
    if type(value) is not str:
        refuse(place, f"{show(value)} is not a text")
    need(not any("\ud800" <= sign <= "\udfff" for sign in value), place, "half a character")
    return value


def is_tile(place: str, value: object) -> Tile:
    name = is_text(place, value)
    if name not in TILE_OF:
        refuse(place, f"{show(name)} is not a tile (high half first)")
    return TILE_OF[name]


def is_tiles(place: str, value: object, length: int | None = None) -> list[Tile]:
    return [is_tile(place, name) for name in is_list(place, value, length)]


def is_double(tile: Tile) -> bool:
    return tile[0] == tile[1]


def name_of(tile: Tile) -> str:
    return f"{tile[0]}-{tile[1]}"


def names_of(tiles: Sequence[Tile]) -> str:
    return " ".join(map(name_of, tiles)) or "nothing"
