"""The rule set: a frozen, validated value with every field of rules.md's table, and its table.

It is made of a family's values and of what a house rule set says otherwise. Nothing here plays:
what the values mean is told in deal, scoring and hand.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from engine.errors import InvalidRuleset, RulesetFault
from engine.rulesets.family import Family, check_family
from engine.rulesets.fields import (
    DEALS,
    LENGTHS,
    READERS,
    VERSIONS,
    BySeats,
    DraftsOnOpening,
    DrawRule,
    ForcedOpening,
    HandScoring,
    Length,
    LengthKind,
    LockTie,
    StarterRule,
    Value,
    at_seats,
    read_number,
)
from engine.tiles import FULL_SET, TILES, brief, pips_in


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
        version = read_number("version", version, *VERSIONS)
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
