"""Values that do not belong, and ways to put them into JSON data, for tests of hostile input."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

Path = tuple[Any, ...]

DEEPEST = 10
SWAPS = 0.2


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


def at(data: Any, path: Path) -> Any:
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
