"""What the seat on turn can do: play, draw, pass. And how that is written as JSON.

There is one object for each of the 86 actions, so that comparing them costs nothing and an action
means the same in every state. Whether one is legal is not known here.
"""

from collections.abc import Mapping
from typing import ClassVar

from engine.errors import InvalidTile, UnreadableAction
from engine.line import End, placement_code
from engine.tiles import NUMBERS, TILES, Frozen, Suit, Tile, brief, by_mask, tile_from_text


class Play(Frozen):
    """Place a tile at an end; `end` is None for the first tile of a hand and only there.

    >>> Play(Tile(6, 4), End.L) is Play(Tile(6, 4), End.L)
    True
    """

    __slots__ = ("bit", "code", "end", "tile")
    tile: Tile
    end: End | None
    code: int
    bit: int

    _known: ClassVar[dict[tuple[Tile, End | None], "Play"]] = {}

    def __new__(cls, tile: Tile, end: End | None = None) -> "Play":
        """Find the one object of this action."""
        return cls._known[tile, end]

    @classmethod
    def _make(cls, tile: Tile, end: End | None) -> "Play":
        play = object.__new__(cls)
        object.__setattr__(play, "tile", tile)
        object.__setattr__(play, "end", end)
        object.__setattr__(play, "code", placement_code(tile, end))
        object.__setattr__(play, "bit", tile.bit)
        cls._known[tile, end] = play
        return play

    def __repr__(self) -> str:
        """Write it shortly: Play(6-4, L)."""
        return f"Play({self.tile}{'' if self.end is None else ', ' + self.end})"

    def __reduce__(self) -> tuple[type["Play"], tuple[Tile, End | None]]:
        """Come back from a pickle as the one object of this action."""
        return Play, (self.tile, self.end)


class Draw(Frozen):
    """Draw what the rule set says, the whole of a turn's drawing at once (rules.md, Common to all).

    >>> Draw() is Draw()
    True
    """

    __slots__ = ()
    _one: ClassVar["Draw | None"] = None

    def __new__(cls) -> "Draw":
        """Give the one object."""
        cls._one = cls._one or object.__new__(cls)
        return cls._one

    def __repr__(self) -> str:
        """Write it as it is made."""
        return "Draw()"


class Pass(Frozen):
    """Pass: nothing can be played and nothing may be drawn (rules.md, Common to all).

    >>> Pass() is Pass()
    True
    """

    __slots__ = ()
    _one: ClassVar["Pass | None"] = None

    def __new__(cls) -> "Pass":
        """Give the one object."""
        cls._one = cls._one or object.__new__(cls)
        return cls._one

    def __repr__(self) -> str:
        """Write it as it is made."""
        return "Pass()"


Action = Play | Draw | Pass

PLAYS = tuple(Play._make(tile, end) for tile in TILES for end in (None, End.L, End.R))


def _plays_by_rack(number: int, end: End) -> Mapping[int, tuple[Play, ...]]:
    """Give, for each set of tiles of one suit (128 masks), the plays at `end`."""
    table: dict[int, tuple[Play, ...]] = {0: ()}
    for tile in Suit.of(number):
        play = (Play(tile, end),)
        table.update({mask | tile.bit: plays + play for mask, plays in table.items()})
    return table


LEFT_PLAYS = tuple(_plays_by_rack(number, End.L) for number in NUMBERS)
RIGHT_PLAYS = tuple(_plays_by_rack(number, End.R) for number in NUMBERS)


def openings(rack: int) -> tuple[Play, ...]:
    """Give the plays on an empty line with the tiles of this mask.

    >>> openings(5)
    (Play(0-0), Play(1-1))
    """
    low = _FIRST[rack & 127] + _SECOND[rack >> 7 & 127]
    return low + _THIRD[rack >> 14 & 127] + _FOURTH[rack >> 21]


_FIRST, _SECOND, _THIRD, _FOURTH = (by_mask(PLAYS[at : at + 21 : 3]) for at in range(0, 84, 21))


def action_to_json(action: Action) -> dict[str, object]:
    """Write an action.

    >>> action_to_json(Play(Tile(6, 4), End.L)), action_to_json(Draw())
    ({'play': '6-4', 'end': 'L'}, {'draw': True})
    """
    if isinstance(action, Play):
        end = {} if action.end is None else {"end": action.end.value}
        return {"play": action.tile.text, **end}
    return {"draw": True} if isinstance(action, Draw) else {"pass": True}


def action_from_json(data: object) -> Action:
    """Read an action; raise `UnreadableAction` for anything that is none.

    >>> action_from_json({"play": "6-4", "end": "L"})
    Play(6-4, L)
    >>> action_from_json({"draw": 1})
    Traceback (most recent call last):
    engine.errors.UnreadableAction: an action is a play, a draw or a pass
    """
    if not isinstance(data, dict):
        raise UnreadableAction("an action is an object")
    if "play" in data and set(data) <= {"play", "end"}:
        return _read_play(data["play"], data.get("end"))
    for key, action in (("draw", Draw()), ("pass", Pass())):
        if set(data) == {key} and data[key] is True:
            return action
    raise UnreadableAction("an action is a play, a draw or a pass")


def _read_play(tile: object, end: object) -> Play:
    if end not in (None, "L", "R"):
        raise UnreadableAction(f"an end is L or R, not {brief(end)}")
    try:
        return Play(tile_from_text(tile), None if end is None else End(str(end)))
    except InvalidTile as error:
        raise UnreadableAction(error.text) from None
