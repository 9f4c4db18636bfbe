"""The rule set: a frozen, validated value with every field of rules.md's table.

A family (one file beside this one) gives a preset's values, says what may be changed, and hooks in
what it does that no field tells. Nothing here plays: what the values mean is told in deal, scoring
and hand.
"""

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar

from engine.errors import InvalidRuleset, NotANumber, RulesetFault
from engine.events import Racks, RedealReason
from engine.line import Ends
from engine.tiles import FULL_SET, TILES, Tile, brief, pips_in

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
_VERSIONS = Numbers(1, 2**31 - 1)


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


PlacementScore = Callable[[Tile, Ends], int]
"""What a placement scores, by the tile and the ends after it."""


class Dealt(NamedTuple):
    """A deal on the table, before anybody plays: what decides whether it is refused.

    `racks` by seat; `first`: it is the match's first hand; `opening` is the tile that must open.

    >>> Dealt(racks=((Tile(1, 1),), (Tile(2, 0),)), first=True, opening=Tile(1, 1)).racks[1]
    (Tile(2, 0),)
    """

    racks: Racks
    first: bool
    opening: Tile | None


Refusal = Callable[[Dealt], bool]
"""Says whether a deal is refused for one reason."""


class Family(NamedTuple):
    """A preset: its name, its values, and what may be chosen.

    `partners` maps each possible number of seats to the possible answers to *partners?*. `values`
    has every field of the table, None where the table has a dash (setting it is refused). `offers`
    limits the fields that can hold more in general than this family is played with. `by_player`:
    scores are kept by player as well as by side. `stake` is None where the stake is the number of
    hands. `longest`: after so many hands a match to a target or to won hands ends by its totals.

    Hooks: `placement_score` scores a placement in place of what `fives` says, so `fives` is False
    and nothing else is offered for it; `refusals` are the reasons for which a deal is refused, in
    the order in which they are looked at. What cannot be is told by `check_family`.

    >>> from engine.rulesets import FAMILIES
    >>> family = FAMILIES["domino101"]
    >>> family.length.number, family.partners[4], [reason.value for reason in family.refusals]
    (101, (True,), ['suit', 'doubles', 'opponents'])
    """

    name: str
    deal: int | BySeats[int]
    length: Length
    lengths: tuple[LengthKind, ...]
    partners: Mapping[int, tuple[bool, ...]]
    values: Mapping[str, Usual]
    offers: Mapping[str, tuple[Value, ...]]
    by_player: bool
    stake: int | None
    longest: int = 500
    placement_score: PlacementScore | None = None
    refusals: Mapping[RedealReason, Refusal] = {}

    def __repr__(self) -> str:
        return f"<Family {self.name}>"

    def __hash__(self) -> int:
        return hash(self.name)


def choices(family: Family, field: str) -> Numbers | tuple[Value, ...]:
    """Give what a family can be played with in a field; where it has a dash, nothing.

    >>> from engine.rulesets import FAMILIES
    >>> choices(FAMILIES["aznif"], "opening_minimum"), choices(FAMILIES["aznif"], "lock_tie")
    ((0,), ())
    >>> choices(FAMILIES["domino101"], "opening_minimum")
    Numbers(low=0, high=10000)
    """
    if family.values[field] is None:
        return ()
    return family.offers.get(field, FIELDS[field])


def settable(family: Family) -> tuple[str, ...]:
    """Name the fields in which a family can be played in more than one way, as the table goes.

    >>> from engine.rulesets import FAMILIES
    >>> [name for name in FIELDS if name not in settable(FAMILIES["kraloyun"])]
    ['locker_pays', 'going_out_wins', 'opening_minimum', 'bank_opens_account', 'drafts_on_opening']
    """
    held = {name: choices(family, name) for name in family.values}
    return tuple(name for name, kept in held.items() if isinstance(kept, Numbers) or len(kept) > 1)


class Ruleset(NamedTuple):
    """A rule set (rules.md, Fields of a rule set), made by `preset` or `ruleset_from_json`.

    None stands where the table has a dash, `BySeats` where the preset leaves it to the number of
    seats and nothing else was said. `version` counts the changes of a house rule set; it is 1 for
    a plain preset, and None where nobody said it. Nothing is played by it.

    >>> from engine.rulesets import preset
    >>> ruleset = preset("domino101")
    >>> ruleset.length.number, ruleset.blank_pips, ruleset.reserve.at(3), ruleset.locker_pays
    (101, 10, 1, None)
    """

    family: Family
    deal: int | BySeats[int]
    length: Length
    version: int | None
    draw: DrawRule | BySeats[DrawRule]
    reserve: int | BySeats[int]
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
        """The preset's name.

        >>> from engine.rulesets import preset
        >>> preset("vip-draw").preset
        'vip-draw'
        """
        return self.family.name

    @property
    def hands(self) -> int | None:
        """The number of hands, or None where the length is measured otherwise.

        >>> from engine.rulesets import preset
        >>> preset("aznif").hands, preset("domino101").hands
        (11, None)
        """
        return self.length.number if self.length.kind is LengthKind.HANDS else None

    def to_json(self) -> dict[str, object]:
        """Write it as a record does: preset, deal, length, and what differs from the preset.

        A deal that is left to the number of seats is left out; at a table (`at`) it is a number.

        >>> from engine.rulesets import preset
        >>> preset("vip-draw", deal=5, version=2).to_json()
        {'preset': 'vip-draw', 'deal': 5, 'target': 100, 'version': 2}
        """
        data: dict[str, object] = {"preset": self.preset}
        if not isinstance(self.deal, BySeats):
            data["deal"] = self.deal
        data[self.length.kind.value] = self.length.number
        for name, usual in self.family.values.items():
            value = getattr(self, name)
            if value != usual:
                data[name] = value.value if isinstance(value, StrEnum) else value
        return data if self.version is None else {**data, "version": self.version}

    def at(self, seats: int, partners: bool) -> "Terms":
        """Set it at a table; raise `InvalidRuleset` if it is not played there.

        >>> from engine.rulesets import preset
        >>> preset("domino101").at(4, partners=False)
        Traceback (most recent call last):
        engine.errors.InvalidRuleset: domino101 is not played without partners at 4 seats
        """
        return Terms.of(self, seats, partners)


class Terms(NamedTuple):
    """A rule set at a table of so many seats.

    `deal`, `draw` and `reserve` are the rule set's at this table. A score is kept for each
    *account*: a seat where scores are kept by player, else a side. `account_of` and `side_of` are
    by seat, `side_of_account` by account.

    >>> from engine.rulesets import preset
    >>> terms = preset("vip-draw").at(4, partners=True)
    >>> terms.deal, terms.sides, terms.side_of
    (5, 2, (0, 1, 0, 1))
    """

    ruleset: Ruleset
    seats: int
    partners: bool
    deal: int
    draw: DrawRule
    reserve: int
    sides: int
    side_of: tuple[int, ...]
    account_of: tuple[int, ...]
    side_of_account: tuple[int, ...]

    @classmethod
    def of(cls, ruleset: Ruleset, seats: int, partners: bool) -> "Terms":
        """Check that the rule set is played by so many, alone or with partners.

        `InvalidRuleset` if it is not, or if deal and reserve are more than there are tiles.

        >>> from engine.rulesets import preset
        >>> Terms.of(preset("vip-draw", reserve=9), 4, partners=True)
        Traceback (most recent call last):
        engine.errors.InvalidRuleset: a stock of 8 tiles has no 9 to keep
        """
        _check_seats(ruleset, seats, partners)
        ruleset = _seated(ruleset, seats)
        sides = tuple(seat % 2 for seat in range(seats)) if partners else tuple(range(seats))
        accounts = tuple(range(seats)) if ruleset.family.by_player else sides
        terms = cls(
            ruleset=ruleset,
            seats=seats,
            partners=partners,
            deal=at_seats(ruleset.deal, seats),
            draw=at_seats(ruleset.draw, seats),
            reserve=at_seats(ruleset.reserve, seats),
            sides=max(sides) + 1,
            side_of=sides,
            account_of=accounts,
            side_of_account=sides if ruleset.family.by_player else tuple(range(max(sides) + 1)),
        )
        _check_stock(terms)
        return terms

    def by_side(self, accounts: tuple[int, ...]) -> tuple[int, ...]:
        """Add the accounts' scores up by side.

        >>> from engine.rulesets import preset
        >>> preset("aznif").at(4, partners=True).by_side((10, -33, -8, -21))
        (2, -54)
        """
        if len(accounts) == self.sides:
            return accounts
        return tuple([sum(accounts[side :: self.sides]) for side in range(self.sides)])


def _seated(ruleset: Ruleset, seats: int) -> Ruleset:
    """Settle the deal; what was set to the preset's value at these seats counts as not set."""
    usual: dict[str, Any] = {
        name: value
        for name, value in ruleset.family.values.items()
        if isinstance(value, BySeats) and getattr(ruleset, name) == value.at(seats)
    }
    return ruleset._replace(deal=at_seats(ruleset.deal, seats), **usual)


def _check_seats(ruleset: Ruleset, seats: object, partners: object) -> None:
    name, allowed = ruleset.preset, ruleset.family.partners
    if type(seats) is not int or seats not in allowed:
        raise InvalidRuleset(
            RulesetFault.SEATS, f"{name} is not played with {brief(seats)} seats", "seats"
        )
    if type(partners) is not bool or partners not in allowed[seats]:
        how = "with" if partners else "without"
        sentence = f"{name} is not played {how} partners at {seats} seats"
        raise InvalidRuleset(RulesetFault.PARTNERS, sentence, "partners")


def _check_stock(terms: Terms) -> None:
    stock = len(TILES) - terms.seats * terms.deal
    if stock < 0:
        sentence = f"{terms.seats} racks of {terms.deal} tiles are more than 28"
        raise InvalidRuleset(RulesetFault.DEAL, sentence, "deal")
    if terms.reserve > stock:
        sentence = f"a stock of {stock} tiles has no {terms.reserve} to keep"
        raise InvalidRuleset(RulesetFault.RESERVE, sentence, "reserve")


@cache  # a few families, each looked at once
def check_family(family: Family) -> None:
    """Refuse a family that contradicts itself with a `ValueError`: a slip of who wrote it.

    >>> from engine.rulesets import FAMILIES
    >>> check_family(FAMILIES["aznif"])
    >>> check_family(FAMILIES["aznif"]._replace(name="mine", deal=9))
    Traceback (most recent call last):
    ValueError: the family mine: deal is from 1 to 7, not 9
    """
    fault = next(_family_faults(family), None)
    if fault is not None:
        raise ValueError(f"the family {family.name}: {fault}")


def _family_faults(family: Family) -> Iterator[str]:
    if family.values.keys() != FIELDS.keys():
        yield f"the values are not of the fields {', '.join(FIELDS)}"
        return
    for name, usual in {"deal": family.deal, **family.values}.items():
        for value in usual if isinstance(usual, BySeats) else (usual,):
            yield from _value_faults(family, name, value)
    yield from (sentence for wrong, sentence in _shape_of(family) if wrong)


def _shape_of(family: Family) -> tuple[tuple[bool, str], ...]:
    """Give what may be wrong with a family beside its values, and whether it is."""
    kind, number = family.length
    by_hook = family.placement_score is not None
    return (
        (not family.offers.keys() <= FIELDS.keys(), "something is offered that is no field"),
        (kind not in family.lengths or type(kind) is not LengthKind, "its length is none of its"),
        (not LENGTHS.low <= number <= LENGTHS.high, f"a length is from {LENGTHS.low} on"),
        (not {2, 3, 4} >= family.partners.keys() > set(), "it has two, three or four seats"),
        (not all(type(r) is RedealReason for r in family.refusals), "a reason is a RedealReason"),
        (by_hook and _offers_fives(family), "it scores by a hook of its own and by fives"),
    )


def _offers_fives(family: Family) -> bool:
    usual = family.values["fives"]
    return bool(usual) or (usual is not None and family.offers.get("fives") != (False,))


def _value_faults(family: Family, name: str, value: object) -> Iterator[str]:
    """Read a family's own value as an option would be read, and want it to be exactly that."""
    if value is None and name != "deal":
        return
    try:
        read = _number(*DEALS)(name, value) if name == "deal" else READERS[name](name, value)
    except InvalidRuleset as error:
        yield error.text
        return
    if type(read) is not type(value):
        yield f"{name} is written as the member of its enumeration, not as {brief(value)}"
    if name in family.offers and value not in family.offers[name]:
        yield f"{name} is not among what is offered for it"


def build(family: Family, options: Mapping[str, object]) -> Ruleset:
    """Make a rule set of a family from `deal`, a length, `version` and fields of the table.

    What is left out is the family's; what cannot be is an `InvalidRuleset` that names its field.

    >>> from engine.rulesets import FAMILIES
    >>> build(FAMILIES["vip-draw"], {"locker_pays": True})
    Traceback (most recent call last):
    engine.errors.InvalidRuleset: vip-draw has no locker_pays
    """
    check_family(family)
    values: dict[str, Any] = dict(family.values)
    rest = dict(options)
    deal = read_number("deal", rest.pop("deal"), *DEALS) if "deal" in rest else family.deal
    length = _read_length(family, rest)
    version = rest.pop("version", None)
    if version is not None:
        version = read_number("version", version, *_VERSIONS)
    for name, value in rest.items():
        values[name] = _read_field(family, name, value)
    ruleset = Ruleset(family=family, deal=deal, length=length, version=version, **values)
    _check_accounts_open(ruleset)
    return ruleset


def _check_accounts_open(ruleset: Ruleset) -> None:
    """Refuse an opening minimum that no win can ever reach: nobody could score at all.

    Where a tied lock fills the bank and the bank counts in, any minimum can be reached.
    """
    seka = ruleset.lock_tie is LockTie.SEKA and ruleset.bank_opens_account
    one = ruleset.hand_scoring is HandScoring.ONE_WIN
    best = 1 if one else pips_in(FULL_SET) + ruleset.blank_pips
    if ruleset.opening_minimum > best and not seka:
        sentence = f"no hand is worth {ruleset.opening_minimum}, so no account would ever open"
        raise InvalidRuleset(RulesetFault.CONTRADICTION, sentence, "opening_minimum")


def _read_length(family: Family, options: dict[str, object]) -> Length:
    given = [kind for kind in LengthKind if kind.value in options]
    if len(given) > 1:
        sentence = f"a match has one length, not {' and '.join(given)}"
        raise InvalidRuleset(RulesetFault.LENGTH, sentence, given[1].value)
    if not given:
        return family.length
    kind = given[0]
    if kind not in family.lengths:
        sentence = f"{family.name} is not played to a number of {kind}"
        raise InvalidRuleset(RulesetFault.LENGTH, sentence, kind.value)
    return Length(kind, read_number(kind.value, options.pop(kind.value), *LENGTHS))


def _read_field(family: Family, name: object, value: object) -> Value:
    if not isinstance(name, str) or name not in READERS:
        raise InvalidRuleset(RulesetFault.UNKNOWN_FIELD, f"a rule set has no field {brief(name)}")
    if family.values[name] is None:
        raise InvalidRuleset(RulesetFault.NOT_OFFERED, f"{family.name} has no {name}", name)
    read = READERS[name](name, value)
    if name in family.offers and read not in family.offers[name]:
        sentence = f"{family.name} is not played with {name} {brief(value)}"
        raise InvalidRuleset(RulesetFault.NOT_OFFERED, sentence, name)
    return read
