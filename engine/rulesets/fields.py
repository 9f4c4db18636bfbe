"""The fields of rules.md's table: what each can hold, and how a value from outside is read.

Which values a family plays with, and what they mean, is not known here.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Generic, NamedTuple, TypeVar

from engine.errors import InvalidRuleset, NotANumber, RulesetFault
from engine.tiles import TILES, brief

T = TypeVar("T")

LARGEST_NUMBER = 10_000


class DrawRule(StrEnum):
    """What a seat that cannot play draws (rules.md, Fields of a rule set: `draw`).

    NONE: nothing. UNTIL_PLAYABLE: one tile at a time, until one fits or nothing may be drawn.
    PAIRS: two at a time, both even if the first fits.

    >>> DrawRule("pairs") is DrawRule.PAIRS
    True
    """

    NONE = "none"
    UNTIL_PLAYABLE = "until_playable"
    PAIRS = "pairs"


class StarterRule(StrEnum):
    """Who starts a hand (rules.md, Fields of a rule set: `first_starter` and its two neighbours).

    FIRST_DOUBLE: who holds the first of 1-1 … 6-6, 0-0. HIGHEST_DOUBLE: of 6-6 … 0-0. Without a
    double both go on with the heaviest tile. ROTATE: the seat after the last hand's starter.
    WENT_OUT and LAST_PLACER: who placed the last tile of the hand before.

    LOT: a seat drawn from the match's secret (rules.md, Shuffle).

    >>> StarterRule("went_out") is StarterRule.WENT_OUT
    True
    """

    LOT = "lot"
    FIRST_DOUBLE = "first_double"
    HIGHEST_DOUBLE = "highest_double"
    WENT_OUT = "went_out"
    ROTATE = "rotate"
    LAST_PLACER = "last_placer"


class ForcedOpening(StrEnum):
    """In which hands the tile that named the starter must open (`forced_opening`).

    >>> [kind.value for kind in ForcedOpening]
    ['no', 'first', 'always']
    """

    NO = "no"
    FIRST = "first"
    ALWAYS = "always"


class HandScoring(StrEnum):
    """What a hand's end scores (`hand_scoring`).

    PIP_LOSS: every player loses what is left (Aznif). DIFFERENCE: the winner gets the losers' pips
    less the own (VIP Domino). OPPONENTS_PIPS: all of them (Domino 101). ONE_WIN: 1 (Kraloyun).

    >>> HandScoring("one_win") in SCORED_BY_SIDE, HandScoring("pip_loss") in SCORED_BY_SIDE
    (True, False)
    """

    PIP_LOSS = "pip_loss"
    DIFFERENCE = "difference"
    OPPONENTS_PIPS = "opponents_pips"
    ONE_WIN = "one_win"


SCORED_BY_SIDE = (HandScoring.DIFFERENCE, HandScoring.OPPONENTS_PIPS, HandScoring.ONE_WIN)


class LockTie(StrEnum):
    """What a lock with a shared least result means (`lock_tie`).

    NOBODY scores; with SEKA all pips go into the bank as well, for the next winner.

    >>> LockTie("seka") is LockTie.SEKA
    True
    """

    NOBODY = "nobody"
    SEKA = "seka"


class DraftsOnOpening(StrEnum):
    """What becomes of the drafts when an account opens (`drafts_on_opening`): they move, or go.

    >>> DraftsOnOpening("keep") is DraftsOnOpening.KEEP
    True
    """

    KEEP = "keep"
    DROP = "drop"


class LengthKind(StrEnum):
    """What a match's length counts (rules.md, Common to all): hands, a target score, won hands.

    >>> [kind.value for kind in LengthKind]
    ['hands', 'target', 'wins']
    """

    HANDS = "hands"
    TARGET = "target"
    WINS = "wins"


class Length(NamedTuple):
    """A match's length: so many hands, a target score, or so many won hands (1 to 10,000).

    >>> Length(LengthKind.TARGET, 101).number
    101
    """

    kind: LengthKind
    number: int


class BySeats(NamedTuple, Generic[T]):
    """A value that depends on how many sit at the table.

    >>> BySeats(two=2, three=1, four=0).three
    1
    """

    two: T
    three: T
    four: T

    def at(self, seats: int) -> T:
        """Give the value for a table of 2, 3 or 4.

        >>> BySeats(two=7, three=5, four=5).at(4)
        5
        """
        return {2: self.two, 3: self.three, 4: self.four}[seats]


def at_seats(value: T | BySeats[T], seats: int) -> T:
    """Give the value at a table, whether it depends on the seats or not.

    >>> at_seats(7, 4), at_seats(BySeats(two=7, three=5, four=5), 4)
    (7, 5)
    """
    return value.at(seats) if isinstance(value, BySeats) else value


Value = bool | int | StrEnum | None
Usual = Value | BySeats[Any]
Reader = Callable[[str, object], Value]


class Numbers(NamedTuple):
    """The whole numbers that a field can hold, from `low` to `high`.

    >>> Numbers(1, 7) == DEALS
    True
    """

    low: int
    high: int


DEALS = Numbers(1, 7)
LENGTHS = Numbers(1, LARGEST_NUMBER)
VERSIONS = Numbers(1, 2**31 - 1)


def read_number(name: str, value: object, low: int, high: int) -> int:
    """Read an integer of a range; a boolean or a float is none.

    >>> read_number("deal", True, 1, 7)
    Traceback (most recent call last):
    engine.errors.NotANumber: deal is a number, not True
    """
    if type(value) is not int:
        raise NotANumber(RulesetFault.WRONG_TYPE, f"{name} is a number, not {brief(value)}", name)
    if not low <= value <= high:
        sentence = f"{name} is from {low} to {high}, not {brief(value)}"
        raise InvalidRuleset(RulesetFault.OUT_OF_RANGE, sentence, name)
    return value


def _number(low: int, high: int) -> Reader:
    return lambda name, value: read_number(name, value, low, high)


def _flag(name: str, value: object) -> bool:
    if type(value) is not bool:
        raise InvalidRuleset(
            RulesetFault.WRONG_TYPE, f"{name} is true or false, not {brief(value)}", name
        )
    return value


def _choice(*kinds: StrEnum) -> Reader:
    known = {kind.value: kind for kind in kinds}
    names = ", ".join(known)

    def read(name: str, value: object) -> StrEnum:
        if not isinstance(value, str) or value not in known:
            sentence = f"{name} is one of {names}, not {brief(value)}"
            raise InvalidRuleset(RulesetFault.WRONG_TYPE, sentence, name)
        return known[value]

    return read


# who starts cannot hang on a hand that was not played, nor on what did not happen in it
_IN_ANY_HAND = (StarterRule.LOT, StarterRule.FIRST_DOUBLE, StarterRule.HIGHEST_DOUBLE)
_IN_LATER_HANDS = (*_IN_ANY_HAND, StarterRule.ROTATE)
_YES_OR_NO = (True, False)

FIELDS: Mapping[str, Numbers | tuple[Value, ...]] = {
    "draw": tuple(DrawRule),
    "reserve": Numbers(0, len(TILES)),
    "first_starter": _IN_ANY_HAND,
    "next_starter": (*_IN_LATER_HANDS, StarterRule.WENT_OUT),
    "starter_after_lock": (*_IN_LATER_HANDS, StarterRule.LAST_PLACER),
    "forced_opening": tuple(ForcedOpening),
    "no_double_redeals": _YES_OR_NO,
    "lock_waits_for_empty_stock": _YES_OR_NO,
    "fives": _YES_OR_NO,
    "hand_scoring": tuple(HandScoring),
    "locker_pays": _YES_OR_NO,
    "going_out_wins": _YES_OR_NO,
    "blank_pips": Numbers(0, LARGEST_NUMBER),
    "lock_tie": tuple(LockTie),
    "opening_minimum": Numbers(0, LARGEST_NUMBER),
    "bank_opens_account": _YES_OR_NO,
    "drafts_on_opening": tuple(DraftsOnOpening),
}
"""What each field of the table can hold: numbers of a range, or one of a few values."""


def _reader(held: Numbers | tuple[Value, ...]) -> Reader:
    if isinstance(held, Numbers):
        return _number(*held)
    kinds = [kind for kind in held if isinstance(kind, StrEnum)]
    return _choice(*kinds) if kinds else _flag


READERS: Mapping[str, Reader] = {name: _reader(held) for name, held in FIELDS.items()}
