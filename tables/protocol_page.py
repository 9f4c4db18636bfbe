"""The page for people who write clients: every frame and every error code of a live table's socket.

Made from what the server itself goes by: commands and their fields from `protocol`, the errors of
frames from what `protocol.parse` answers, the refusals from `refusals`. English, as for any API.
"""

from dataclasses import dataclass
from typing import Any

from tables.protocol import FIELDS, MAX_BYTES, MOVES, Do, FrameError, parse
from tables.refusals import TEXTS

ID = "0d9f4c1e-0000-4000-8000-000000000000"


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command: an example frame, the fields beside `id`, `v` and `do`, and what it does."""

    do: Do
    fields: tuple[str, ...]
    needs_version: bool
    example: str
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A frame of the server, an error code or a close code, and what it says."""

    code: str
    text: str


_COMMANDS: dict[Do, tuple[str, str]] = {
    Do.SIT: (
        '"seat": 2',
        "Take your seat, an empty one, or come back. `seat` may be left out.",
    ),
    Do.SWAP: ('"seat": 2', "Ask to change to a seat before the start; both must ask."),
    Do.LEAVE: ('"price": 22', "Leave for good. `price`: the points it costs, as the view shows."),
    Do.CONTRIBUTE: (
        '"contribution": "a1f0"',
        "Mix your own hex digits (at most 64) into the shuffle, before the first deal.",
    ),
    Do.START: ("", "Start, once everybody has sat down. The manager or an organizer."),
    Do.READY: ("", "You have seen a hand's result; with everybody ready the next is dealt."),
    Do.CONTINUE: ("", "Go on after a seat changed hands, or after a pause."),
    Do.PAUSE: ("", "Pause. The manager or an organizer."),
    Do.REFEREE: (
        '"ruling": "end", "reason": "power cut", "places": [1, 2, 3, 4]',
        "Call the referee (no field), or decide (organizers): `ruling` continue, undo or end.",
    ),
    Do.PLAY: (
        '"tile": "6-4", "end": "L"',
        "Play a tile, high half first. A first tile has no `end`.",
    ),
    Do.DRAW: ("", "Draw as many tiles as the rules say: one command is a turn's whole drawing."),
    Do.PASS: ("", "Pass, when you can neither play nor draw."),
    Do.SAY: ('"phrase": "hello"', "Say a `phrase`, or a `text` of at most 200 letters."),
    Do.RESUME: ("", "Ask for a snapshot."),
}

_ANSWERS = (
    Line('{"ack": "…id…", "v": 42}', "Your command is committed; the table stands at `v`."),
    Line(
        '{"error": "stale", "id": "…id…", "text": "…"}',
        "Nothing has changed. `id` where it could be read; after `stale` comes a snapshot.",
    ),
    Line(
        '{"snapshot": {…}, "v": 42, "clock": {"deadline": …, "now": …}, "said": […]}',
        "All that you may see, when you join, resume or were stale. Clock: epoch milliseconds.",
    ),
    Line(
        '{"event": {"do": …, "seat": …, "auto": …, "events": […]}, "v": 43, "view": {…}, '
        '"clock": {…}}',
        "Somebody did something. `v` rises by one; with a gap, resume. Spectators of a table "
        "with a delay get each `v` too, with an older view, and with no `do` where nothing shows.",
    ),
    Line(
        '{"beat": 43, "hash": "…"}',
        "Every ten seconds: the version, and the SHA-256 of your view as canonical JSON (keys "
        "sorted, no spaces, characters as they are). If either differs, ask to resume.",
    ),
    Line('{"presence": [true, true, false, true]}', "Which seats are connected. No version."),
    Line(
        '{"say": {"id": …, "seat": …, "player": …, "text": … | "phrase": …, "at": …}}',
        "Somebody said something. No version.",
    ),
)

_CLOSES = {
    1008: "Too many frames that could not be read, or too fast.",
    1013: "The server cannot serve you now: try again.",
    4401: "The account, token or session does not hold any more.",
    4404: "There is no such table, or it does not show itself to you.",
}

_NOT_READABLE: tuple[str | None, ...] = (
    None,
    "x" * (MAX_BYTES + 1),
    "{",
    "[]",
    '{"id": 1, "id": 2}',
    '{"do": "draw"}',
    *(
        f'{{"id": "{ID}", {more}}}'
        for more in (
            '"do": "win"',
            '"do": "start", "tile": "6-4"',
            '"do": "draw"',
            '"do": "play", "v": 4, "tile": "4-6"',
            '"do": "contribute", "contribution": "xyz"',
            '"do": "sit", "seat": 9',
            '"do": "leave", "price": -1',
            '"do": "referee", "ruling": "maybe"',
            '"do": "referee", "ruling": "end", "reason": "…"',
            '"do": "referee", "ruling": "undo", "reason": ""',
            '"do": "say"',
            '"do": "say", "text": ""',
            '"do": "say", "phrase": ""',
        )
    ),
)
"""A frame for every way in which one cannot be read."""


def command_lines() -> list[CommandLine]:
    """Return every command, in the order of `Do`."""
    return [
        CommandLine(do, tuple(sorted(FIELDS.get(do, ()))), do in MOVES, _example(do), text)
        for do, (_fields, text) in ((do, _COMMANDS[do]) for do in Do)
    ]


def _example(do: Do) -> str:
    fields = _COMMANDS[do][0]
    parts = (f'"id": "{ID}"', '"v": 41' if do in MOVES else "", f'"do": "{do}"', fields)
    return "{" + ", ".join(filter(None, parts)) + "}"


def frame_errors() -> list[Line]:
    """Return what the server answers to frames that it cannot read, one a code."""
    answers = dict(map(_answer_to, _NOT_READABLE))
    answers["too_fast"] = "Too many frames, or too many resumes; slow down."
    return [Line(code, text) for code, text in answers.items()]


def _answer_to(frame: str | None) -> tuple[str, str]:
    try:
        parse(frame)
    except FrameError as error:
        return error.code, error.text
    raise AssertionError(f"{frame} can be read")


def context() -> dict[str, Any]:
    """Return what the page shows."""
    return {
        "commands": command_lines(),
        "answers": _ANSWERS,
        "frame_errors": frame_errors(),
        "refusals": [Line(code, str(text)) for code, text in TEXTS.items()],
        "closes": [Line(str(code), text) for code, text in _CLOSES.items()],
        "most_bytes": MAX_BYTES,
    }
