"""Values that do not belong, and ways to put them into JSON data, for tests of hostile input."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

Path = tuple[Any, ...]


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
    """Give the way to every value, the whole first."""
    yield path
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


def with_value(data: Any, path: Path, value: object) -> Any:
    """Copy the data with another value in one place."""
    if not path:
        return value
    data = copy.deepcopy(data)
    at(data, path[:-1])[path[-1]] = value
    return data


def altered(data: Any, chance: Random) -> Any:
    """Copy the data with one thing changed, mostly so that it stays near what it was."""
    data = copy.deepcopy(data)
    ways = list(paths(data))[1:]
    path = chance.choice(ways)
    holder, step = at(data, path[:-1]), path[-1]
    change = chance.choice((_other_value, _near_value, _moved_value, _without, _doubled, _more))
    change(holder, step, data, ways, chance)
    return data


def _other_value(holder: Any, step: Any, data: Any, ways: list[Path], chance: Random) -> None:
    holder[step] = chance.choice(VALUES)


def _near_value(holder: Any, step: Any, data: Any, ways: list[Path], chance: Random) -> None:
    value = holder[step]
    if isinstance(value, bool):
        holder[step] = not value
    elif isinstance(value, int):
        holder[step] = value + chance.choice((-10, -1, 1, 10))
    elif isinstance(value, str):
        holder[step] = value[::-1]
    elif isinstance(value, list):
        chance.shuffle(value)
    else:
        holder[step] = list(value.items()) if isinstance(value, dict) else 0


def _moved_value(holder: Any, step: Any, data: Any, ways: list[Path], chance: Random) -> None:
    """Put a value from elsewhere in the data here: tiles in racks, moves in other hands."""
    here = type(holder[step])
    alike = [way for way in ways if type(at(data, way)) is here]
    holder[step] = copy.deepcopy(at(data, chance.choice(alike)))


def _without(holder: Any, step: Any, data: Any, ways: list[Path], chance: Random) -> None:
    del holder[step]


def _doubled(holder: Any, step: Any, data: Any, ways: list[Path], chance: Random) -> None:
    if isinstance(holder, list):
        holder.insert(step, copy.deepcopy(holder[step]))
    else:
        holder[chance.choice(KEYS)] = holder[step]


def _more(holder: Any, step: Any, data: Any, ways: list[Path], chance: Random) -> None:
    if isinstance(holder, list):
        holder.insert(step, chance.choice(VALUES))
    else:
        holder[chance.choice(KEYS)] = chance.choice(VALUES)
