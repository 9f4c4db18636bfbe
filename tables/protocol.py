"""The frames of a live table: how a client's text becomes a `Command`, and how views are hashed.

Pure: no Django, no clock, no database. What a command does is decided in `services`; here only
whether it can be read at all. Sentences are for people who write clients, so they stay English.
"""

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NoReturn
from uuid import UUID

import orjson

from engine.actions import Action, Draw, Pass, action_from_json
from engine.errors import UnreadableAction
from league.shared.names import is_printable

MAX_BYTES = 4096
MAX_VERSION = 2**31 - 1
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_HEX = re.compile(r"[0-9a-fA-F]{0,64}")


class Do(StrEnum):
    """What a command asks for."""

    SIT = "sit"
    SWAP = "swap"
    LEAVE = "leave"
    CONTRIBUTE = "contribute"
    START = "start"
    READY = "ready"
    CONTINUE = "continue"
    PAUSE = "pause"
    REFEREE = "referee"
    PLAY = "play"
    DRAW = "draw"
    PASS = "pass"
    SAY = "say"
    RESUME = "resume"


class Ruling(StrEnum):
    """What a referee decides."""

    CONTINUE = "continue"
    UNDO = "undo"
    END = "end"


MOVES = frozenset({Do.PLAY, Do.DRAW, Do.PASS})
LONGEST_REASON = 200
LONGEST_SAYING = 200
LARGEST_PRICE = 20_000
_COMMON = frozenset({"id", "v", "do"})
_WITHOUT_TILE: dict[Do, Action] = {Do.DRAW: Draw(), Do.PASS: Pass()}
FIELDS: dict[Do, frozenset[str]] = {
    Do.PLAY: frozenset({"tile", "end"}),
    Do.CONTRIBUTE: frozenset({"contribution"}),
    Do.SIT: frozenset({"seat"}),
    Do.SWAP: frozenset({"seat"}),
    Do.LEAVE: frozenset({"price"}),
    Do.REFEREE: frozenset({"ruling", "reason", "places"}),
    Do.SAY: frozenset({"text", "phrase"}),
}


@dataclass(frozen=True, slots=True)
class Command:
    """A frame that could be read. `v` is the version the client saw; moves are bound to it."""

    id: UUID
    do: Do
    v: int | None = None
    action: Action | None = field(default=None, repr=False)
    contribution: str = ""
    seat: int | None = None
    price: int = 0
    ruling: Ruling | None = None
    reason: str = ""
    places: tuple[int, ...] = ()
    text: str = field(default="", repr=False)
    phrase: str = ""


class FrameError(Exception):
    """A frame that cannot be read: a stable `code`, one sentence, and the command's id if known."""

    def __init__(self, code: str, text: str, command_id: str | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.command_id = command_id

    def frame(self) -> dict[str, str]:
        """Return the error frame to send."""
        known = {"id": self.command_id} if self.command_id else {}
        return {"error": self.code, **known, "text": self.text}


def parse(text: str | None) -> Command:
    """Read a frame; raise `FrameError` for anything but a well-formed command.

    >>> parse('{"id":"0d9f4c1e-0000-4000-8000-000000000000","v":4,"do":"draw"}').do
    <Do.DRAW: 'draw'>
    """
    data = _object(text)
    command_id = _command_id(data.get("id"))
    try:
        return _command(UUID(command_id), data)
    except FrameError as error:
        error.command_id = command_id
        raise


def _object(text: str | None) -> dict[str, Any]:
    if text is None:
        raise FrameError("not_text", "A frame is text, not bytes.")
    if len(text) > MAX_BYTES or len(text.encode(errors="replace")) > MAX_BYTES:
        raise FrameError("too_large", f"A frame has at most {MAX_BYTES} bytes.")
    try:
        data = json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant)
    except (ValueError, RecursionError):
        raise FrameError("not_json", "A frame is one JSON object.") from None
    if not isinstance(data, dict):
        raise FrameError("not_an_object", "A frame is one JSON object.")
    return data


def _pairs(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, value in pairs:
        if key in data:
            raise FrameError("duplicate_key", "A frame names each key once.")
        data[key] = value
    return data


def _constant(_name: str) -> NoReturn:
    raise ValueError("NaN and Infinity are not JSON")


def _command_id(value: object) -> str:
    if not isinstance(value, str) or not _UUID.fullmatch(value):
        raise FrameError("bad_id", "`id` is a UUID in lower-case letters.")
    return value


def _command(command_id: UUID, data: dict[str, Any]) -> Command:
    do = _do(data.get("do"))
    unknown = set(data) - _COMMON - FIELDS.get(do, frozenset())
    if unknown:
        raise FrameError("unknown_field", f"`{do}` has a field that is not known.")
    return Command(
        id=command_id,
        do=do,
        v=_version(do, data),
        action=_action(do, data),
        contribution=_contribution(do, data),
        seat=_seat(do, data),
        price=_number(data, "price", 0, LARGEST_PRICE),
        **_ruling(data),
        **_saying(do, data),
    )


def _do(value: object) -> Do:
    if not isinstance(value, str):
        raise FrameError("unknown_command", "`do` names a command.")
    try:
        return Do(value)
    except ValueError:
        raise FrameError("unknown_command", "This server does not know the command.") from None


def _version(do: Do, data: dict[str, Any]) -> int | None:
    value = data.get("v")
    if "v" not in data and do not in MOVES:
        return None
    if type(value) is not int or not 0 <= value <= MAX_VERSION:
        raise FrameError("bad_version", "`v` is the version of the table that you saw.")
    return value


def _action(do: Do, data: dict[str, Any]) -> Action | None:
    if do is not Do.PLAY:
        return _WITHOUT_TILE.get(do)
    if "end" in data and data["end"] is None:
        raise FrameError("bad_action", "`end` is L or R, or left out for the first tile.")
    try:
        written = {"end": data["end"]} if "end" in data else {}
        return action_from_json({"play": data.get("tile"), **written})
    except UnreadableAction:
        raise FrameError(
            "bad_action", '`tile` is written like "6-4"; `end` is L or R, left out for the first.'
        ) from None


def _contribution(do: Do, data: dict[str, Any]) -> str:
    value = data.get("contribution", "" if do is not Do.CONTRIBUTE else None)
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise FrameError("bad_contribution", "`contribution` is at most 64 hex digits.")
    return value


def _seat(do: Do, data: dict[str, Any]) -> int | None:
    if "seat" not in data and do is not Do.SWAP:
        return None
    return _number(data, "seat", None, 3)


def _number(data: dict[str, Any], name: str, missing: int | None, most: int) -> int:
    value = data.get(name, missing)
    if type(value) is not int or not 0 <= value <= most:
        raise FrameError(f"bad_{name}", f"`{name}` is a number from 0 to {most}.")
    return value


def _ruling(data: dict[str, Any]) -> dict[str, Any]:
    """Read what a referee decides; without a ruling somebody only calls for one."""
    if "ruling" not in data:
        if "reason" in data or "places" in data:
            raise FrameError("bad_ruling", "Reason and places come with a ruling.")
        return {}
    ruling, reason, places = data["ruling"], data.get("reason"), data.get("places", [])
    if not isinstance(ruling, str) or ruling not in list(Ruling):
        raise FrameError("bad_ruling", f"`ruling` is one of {', '.join(Ruling)}.")
    if not isinstance(places, list) or len(places) > 4 or any(type(p) is not int for p in places):
        raise FrameError("bad_places", "`places` are the places of the seats, in their order.")
    if (ruling == Ruling.END) != ("places" in data):
        raise FrameError("bad_places", "`places` come with the end by decision, and only then.")
    return {
        "ruling": Ruling(ruling),
        "reason": _words(reason, "reason", LONGEST_REASON),
        "places": tuple(places),
    }


def _saying(do: Do, data: dict[str, Any]) -> dict[str, Any]:
    if do is not Do.SAY:
        return {}
    if ("text" in data) == ("phrase" in data):
        raise FrameError("bad_saying", "One says a `text` or a `phrase`.")
    name = "text" if "text" in data else "phrase"
    return {name: _words(data[name], name, LONGEST_SAYING)}


def _words(value: object, name: str, most: int) -> str:
    """Read a person's words: on one line, each sign of which can be seen."""
    words = " ".join(value.split()) if isinstance(value, str) else ""
    if not words or len(words) > most or not is_printable(words):
        raise FrameError(f"bad_{name}", f"`{name}` has 1 to {most} printable letters.")
    return words


def canonical(view: object) -> str:
    """Write a view as canonical JSON: keys sorted, no spaces, characters as they are (UTF-8).

    >>> canonical({"b": 1, "a": "ə"})
    '{"a":"ə","b":1}'
    """
    return orjson.dumps(view, option=orjson.OPT_SORT_KEYS).decode()


def digest(text: str) -> str:
    """Return the SHA-256 (hex) of canonical JSON, as a beat carries it."""
    return hashlib.sha256(text.encode()).hexdigest()
