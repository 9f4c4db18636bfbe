"""The rule set: a frozen, validated value with every field of rules.md's table.

A family (one file beside this one) gives a preset's values and says what may be changed. Nothing
here plays: what the values mean is told in deal, scoring and hand.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from engine.errors import InvalidRuleset
from engine.tiles import TILES, brief

LARGEST_NUMBER = 10_000


class DrawRule(StrEnum):
    """What a seat that cannot play draws."""

    NONE = "none"
    UNTIL_PLAYABLE = "until_playable"
    PAIRS = "pairs"


class StarterRule(StrEnum):
    """Who starts a hand."""

    LOT = "lot"
    FIRST_DOUBLE = "first_double"
    HIGHEST_DOUBLE = "highest_double"
    WENT_OUT = "went_out"
    ROTATE = "rotate"
    LAST_PLACER = "last_placer"


class ForcedOpening(StrEnum):
    """In which hands the opening tile is forced."""

    NO = "no"
    FIRST = "first"
    ALWAYS = "always"


class HandScoring(StrEnum):
    """What a hand's end scores."""

    PIP_LOSS = "pip_loss"
    DIFFERENCE = "difference"
    OPPONENTS_PIPS = "opponents_pips"
    ONE_WIN = "one_win"


class LockTie(StrEnum):
    """What a lock with a shared least result means."""

    NOBODY = "nobody"
    SEKA = "seka"


class DraftsOnOpening(StrEnum):
    """What becomes of the drafts when an account opens."""

    KEEP = "keep"
    DROP = "drop"


class LengthKind(StrEnum):
    """What a match's length is measured in."""

    HANDS = "hands"
    TARGET = "target"
    WINS = "wins"


class Length(NamedTuple):
    """A match's length: so many hands, a target score, or so many won hands."""

    kind: LengthKind
    number: int


Value = bool | int | StrEnum | None
Reader = Callable[[str, object], Value]


def read_number(name: str, value: object, low: int, high: int) -> int:
    """Read an integer of a range; a boolean or a float is none."""
    if type(value) is not int:
        raise InvalidRuleset("wrong_type", f"{name} is a number, not {brief(value)}")
    if not low <= value <= high:
        raise InvalidRuleset("out_of_range", f"{name} is from {low} to {high}, not {brief(value)}")
    return value


def _number(low: int, high: int) -> Reader:
    return lambda name, value: read_number(name, value, low, high)


def _flag(name: str, value: object) -> bool:
    if type(value) is not bool:
        raise InvalidRuleset("wrong_type", f"{name} is true or false, not {brief(value)}")
    return value


def _choice(kinds: type[StrEnum]) -> Reader:
    names = ", ".join(kinds)

    def read(name: str, value: object) -> StrEnum:
        if not isinstance(value, str) or value not in list(kinds):
            raise InvalidRuleset("wrong_type", f"{name} is one of {names}, not {brief(value)}")
        return kinds(value)

    return read


READERS: Mapping[str, Reader] = {
    "draw": _choice(DrawRule),
    "reserve": _number(0, len(TILES)),
    "first_starter": _choice(StarterRule),
    "next_starter": _choice(StarterRule),
    "starter_after_lock": _choice(StarterRule),
    "forced_opening": _choice(ForcedOpening),
    "no_double_redeals": _flag,
    "lock_waits_for_empty_stock": _flag,
    "fives": _flag,
    "hand_scoring": _choice(HandScoring),
    "locker_pays": _flag,
    "going_out_wins": _flag,
    "blank_pips": _number(0, LARGEST_NUMBER),
    "lock_tie": _choice(LockTie),
    "opening_minimum": _number(0, LARGEST_NUMBER),
    "bank_opens_account": _flag,
    "drafts_on_opening": _choice(DraftsOnOpening),
}


class Family(NamedTuple):
    """A preset: its name, its values, and what may be chosen.

    `partners` maps each possible number of seats to the possible answers to *partners?*. `values`
    has every field of the table, None where the table has a dash (setting it is refused). `offers`
    limits the fields that can hold more in general than this family is played with. `by_player`:
    scores are kept by player as well as by side. `stake` is None where the stake is the number of
    hands.
    """

    name: str
    deal: int
    length: Length
    lengths: tuple[LengthKind, ...]
    partners: Mapping[int, tuple[bool, ...]]
    values: Mapping[str, Value]
    offers: Mapping[str, tuple[Value, ...]]
    by_player: bool
    stake: int | None

    def __repr__(self) -> str:
        return f"<Family {self.name}>"

    def __hash__(self) -> int:
        return hash(self.name)


class Ruleset(NamedTuple):
    """A rule set (rules.md, Fields of a rule set), made by `preset` or `ruleset_from_json`.

    None stands where the table has a dash.
    """

    family: Family
    deal: int
    length: Length
    version: int | None
    draw: DrawRule
    reserve: int
    first_starter: StarterRule
    next_starter: StarterRule
    starter_after_lock: StarterRule
    forced_opening: ForcedOpening
    no_double_redeals: bool
    lock_waits_for_empty_stock: bool
    fives: bool
    hand_scoring: HandScoring
    locker_pays: bool | None
    going_out_wins: bool | None
    blank_pips: int
    lock_tie: LockTie | None
    opening_minimum: int
    bank_opens_account: bool | None
    drafts_on_opening: DraftsOnOpening | None

    @property
    def preset(self) -> str:
        """The preset's name."""
        return self.family.name

    @property
    def hands(self) -> int | None:
        """The number of hands, or None where the length is measured otherwise."""
        return self.length.number if self.length.kind is LengthKind.HANDS else None

    def to_json(self) -> dict[str, object]:
        """Write it as a record does: preset, deal, length, and what differs from the preset."""
        data: dict[str, object] = {"preset": self.preset, "deal": self.deal}
        data[self.length.kind.value] = self.length.number
        for name, usual in self.family.values.items():
            value = getattr(self, name)
            if value != usual:
                data[name] = value.value if isinstance(value, StrEnum) else value
        return data if self.version is None else {**data, "version": self.version}

    def at(self, seats: int, partners: bool) -> "Terms":
        """Set it at a table; raise `InvalidRuleset` if it is not played there."""
        return Terms.of(self, seats, partners)


class Terms(NamedTuple):
    """A rule set at a table of so many seats.

    A score is kept for each *account*: a seat where scores are kept by player, else a side.
    `account_of` and `side_of` are by seat, `side_of_account` by account.
    """

    ruleset: Ruleset
    seats: int
    partners: bool
    sides: int
    side_of: tuple[int, ...]
    account_of: tuple[int, ...]
    side_of_account: tuple[int, ...]

    @classmethod
    def of(cls, ruleset: Ruleset, seats: int, partners: bool) -> "Terms":
        """Check that the rule set is played by so many, alone or with partners."""
        _check_table(ruleset, seats, partners)
        sides = tuple(seat % 2 for seat in range(seats)) if partners else tuple(range(seats))
        own = tuple(range(seats))
        count = max(sides) + 1
        if ruleset.family.by_player:
            return cls(ruleset, seats, partners, count, sides, own, sides)
        return cls(ruleset, seats, partners, count, sides, sides, tuple(range(count)))

    def by_side(self, accounts: tuple[int, ...]) -> tuple[int, ...]:
        """Add the accounts' scores up by side."""
        if len(accounts) == self.sides:
            return accounts
        return tuple([sum(accounts[side :: self.sides]) for side in range(self.sides)])


def _check_table(ruleset: Ruleset, seats: object, partners: object) -> None:
    name, allowed = ruleset.preset, ruleset.family.partners
    if type(seats) is not int or seats not in allowed:
        raise InvalidRuleset("seats", f"{name} is not played with {brief(seats)} seats")
    if type(partners) is not bool or partners not in allowed[seats]:
        how = "with" if partners else "without"
        raise InvalidRuleset("partners", f"{name} is not played {how} partners at {seats} seats")
    stock = len(TILES) - seats * ruleset.deal
    if stock < 0:
        raise InvalidRuleset("deal", f"{seats} racks of {ruleset.deal} tiles are more than 28")
    if ruleset.reserve > stock:
        raise InvalidRuleset(
            "reserve", f"a stock of {stock} tiles has no {ruleset.reserve} to keep"
        )


def build(family: Family, options: Mapping[str, object]) -> Ruleset:
    """Make a rule set of a family from `deal`, a length, `version` and fields of the table."""
    values: dict[str, Any] = dict(family.values)
    rest = dict(options)
    deal = read_number("deal", rest.pop("deal", family.deal), 1, 7)
    length = _read_length(family, rest)
    version = rest.pop("version", None)
    if version is not None:
        version = read_number("version", version, 1, 2**31 - 1)
    for name, value in rest.items():
        values[name] = _read_field(family, name, value)
    return Ruleset(family=family, deal=deal, length=length, version=version, **values)


def _read_length(family: Family, options: dict[str, object]) -> Length:
    given = [kind for kind in LengthKind if kind.value in options]
    if len(given) > 1:
        raise InvalidRuleset("length", f"a match has one length, not {' and '.join(given)}")
    if not given:
        return family.length
    kind = given[0]
    if kind not in family.lengths:
        raise InvalidRuleset("length", f"{family.name} is not played to a number of {kind}")
    return Length(kind, read_number(kind, options.pop(kind.value), 1, LARGEST_NUMBER))


def _read_field(family: Family, name: object, value: object) -> Value:
    if not isinstance(name, str) or name not in READERS:
        raise InvalidRuleset("unknown_field", f"a rule set has no field {brief(name)}")
    if family.values[name] is None:
        raise InvalidRuleset("not_offered", f"{family.name} has no {name}")
    read = READERS[name](name, value)
    if name in family.offers and read not in family.offers[name]:
        raise InvalidRuleset(
            "not_offered", f"{family.name} is not played with {name} {brief(value)}"
        )
    return read
