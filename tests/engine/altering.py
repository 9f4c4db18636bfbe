"""JSON data with something altered: the ways to its places, and what may be put there.

For records, snapshots, events and rule sets alike, in all tests of what must be refused; also for
those of the second checker, so nothing of the engine may enter.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from tests.engine.second_checker_shapes import TILE_OF

Path = tuple[Any, ...]

DEEPEST = 10
SWAPS = 0.2
SOME_SECONDS = 20  # hundreds of times what is needed, a fraction of what a slow way would take


def said(error: Exception) -> str:
    """Give an error's sentence: one line, printable ASCII, short."""
    text = str(error)
    assert text.isascii()
    assert text.isprintable()
    assert 10 < len(text) < 300
    return text


# --- what may be put somewhere -------------------------------------------------------------------


def nested(levels: int, value: object = 0) -> object:
    """Lists and objects in each other, so many levels of them."""
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


VALUES: tuple[object, ...] = (
    None, True, False, 0, 1, -1, 2, 5, 28, 10_000, 10**15, -(10**400), 0.0, 1.0, -0.0, 2.5,
    float("nan"), float("inf"), float("-inf"), "", "0", "L", "6-6", "6-7", "aznif", "\x00", "\n",
    "\ud800", "\u0665", "x" * 100_000, "\u202e\U0001f600", [], [[]], {}, {"": 0}, {"\ud800": 0},
    [0] * 1_000, [None, True, 0.5], nested(50), nested(5_000), {str(n): n for n in range(1_000)},
)  # fmt: skip
"""One of each kind that a reader may stumble over; some can stand in no JSON text."""

KEYS = ("note", "", "\ud800", "__class__", "self", "kind", "seat", "x" * 10_000)

WORDS = (
    ("out", "lock"),
    ("keep", "drop"),
    ("start", "substitute", "bot"),
    ("suit", "doubles", "opponents", "no-double"),
    ("aznif", "vip-draw", "vip-block", "domino101", "kraloyun"),
)
"""Words that stand in each other's places."""


def other_values(value: object) -> list[object]:
    """Other values that could stand in a value's place."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if value is None:
        return [0]
    if value in TILE_OF:
        names = list(TILE_OF)
        return [names[names.index(str(value)) - 1]]
    if value in ("L", "R"):
        return ["L" if value == "R" else "R"]
    text = str(value)
    words = [word for row in WORDS for word in row if text in row and word != text]
    return [*words, text[:-1] + ("1" if text[-1:] != "1" else "2"), text + "0"]


def wrong_kinds(value: object) -> list[object]:
    """The same said with a wrong type or spelling."""
    if isinstance(value, int):
        other = bool(value) if type(value) is int else int(value)
        return [float(value), str(value), None, other, [value], 10**400]
    if value is None:
        return [False, "", [], {}]
    text = str(value)
    spelt = text.lower() if text in ("L", "R") else text[::-1] + "-"
    return [None, text + " ", [text], spelt, {"a": text}, "\ud800"]


# --- the ways to the places ----------------------------------------------------------------------


def paths(data: object, path: Path = ()) -> Iterator[Path]:
    """Give the way to every value, the whole first; far too deep ones are not gone into."""
    yield path
    if len(path) == DEEPEST:
        return
    if isinstance(data, dict):
        for key, value in data.items():
            yield from paths(value, (*path, key))
    if isinstance(data, list):
        for at, value in enumerate(data):
            yield from paths(value, (*path, at))


def leaves(data: object) -> list[Path]:
    """Give the way to every value that is no object and no list."""
    return [path for path in paths(data) if _single(at(data, path))]


def holders(data: object) -> list[Path]:
    """Give the way to every object and list, the whole first."""
    return [path for path in paths(data) if not _single(at(data, path))]


def _single(value: object) -> bool:
    return not isinstance(value, dict | list)


def at(data: Any, path: Path) -> Any:
    """Give what stands in a place."""
    for step in path:
        data = data[step]
    return data


def opened(data: Any, path: Path) -> tuple[Any, Any]:
    """Copy what leads to a place, and nothing else; give the copy and what holds the place."""
    whole = holder = copy.copy(data)
    for step in path[:-1]:
        holder[step] = copy.copy(holder[step])
        holder = holder[step]
    return whole, holder


def with_value(data: Any, path: Path, value: object) -> Any:
    """Copy the data with another value in one place."""
    if not path:
        return value
    whole, holder = opened(data, path)
    holder[path[-1]] = value
    return whole


def without(data: Any, path: Path) -> Any:
    """Copy the data with one place taken out."""
    whole, holder = opened(data, path)
    del holder[path[-1]]
    return whole


def altered(data: Any, chance: Random, ways: Sequence[Path] = ()) -> Any:
    """Copy the data with one thing changed, mostly so that it stays near what it was.

    `ways` are the data's `paths` without the first, where they are known.
    """
    ways = ways or [*paths(data)][1:]
    path = chance.choice(ways)
    if chance.random() < SWAPS:
        return _swapped(data, path, ways, chance)
    whole, holder = opened(data, path)
    change = chance.choice((_other_value, _near_value, _moved_value, _without, _doubled, _more))
    change(holder, path[-1], data, ways, chance)
    return whole


Ways = Sequence[Path]


def _swapped(data: Any, path: Path, ways: Ways, chance: Random) -> Any:
    """Change places with a value of the same kind and level: two tiles, two hands, two racks."""
    value = at(data, path)
    others = [way for way in chance.choices(ways, k=20) if len(way) == len(path)]
    other = next((way for way in others if type(at(data, way)) is type(value)), path)
    return with_value(with_value(data, path, at(data, other)), other, value)


def _other_value(holder: Any, step: Any, data: Any, ways: Ways, chance: Random) -> None:
    holder[step] = chance.choice(VALUES)


def _near_value(holder: Any, step: Any, data: Any, ways: Ways, chance: Random) -> None:
    value = holder[step]
    if isinstance(value, bool):
        holder[step] = not value
    elif isinstance(value, int):
        holder[step] = value + chance.choice((-10, -1, 1, 10))
    elif isinstance(value, str):
        holder[step] = {"L": "R", "R": "L"}.get(value, value[::-1])
    elif isinstance(value, list):
        holder[step] = chance.sample(value, len(value))
    else:
        holder[step] = list(value.items()) if isinstance(value, dict) else 0


def _moved_value(holder: Any, step: Any, data: Any, ways: Ways, chance: Random) -> None:
    """Put a value from elsewhere in the data here: tiles in racks, moves in other hands."""
    others = [at(data, way) for way in chance.choices(ways, k=20)]
    holder[step] = next((v for v in others if type(v) is type(holder[step])), others[0])


def _without(holder: Any, step: Any, data: Any, ways: Ways, chance: Random) -> None:
    del holder[step]


def _doubled(holder: Any, step: Any, data: Any, ways: Ways, chance: Random) -> None:
    if isinstance(holder, list):
        holder.insert(step, holder[step])
    else:
        holder[chance.choice(KEYS)] = holder[step]


def _more(holder: Any, step: Any, data: Any, ways: Ways, chance: Random) -> None:
    if isinstance(holder, list):
        holder.insert(step, chance.choice(VALUES))
    else:
        holder[chance.choice(KEYS)] = chance.choice(VALUES)
