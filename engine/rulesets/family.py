"""A family: a preset's values, what may be changed of them, and hooks for what no field tells.

Each family is written down in a file of its own beside this one. A slip of who wrote it is told by
`check_family`; what a house rule set may say is read in `base`.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from engine.errors import InvalidRuleset
from engine.events import Racks, RedealReason
from engine.line import Ends
from engine.rulesets.fields import (
    DEALS,
    FIELDS,
    LENGTHS,
    READERS,
    BySeats,
    Length,
    LengthKind,
    Numbers,
    Usual,
    Value,
    read_number,
)
from engine.tiles import Tile, brief

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
        deal = name == "deal"
        read = read_number(name, value, *DEALS) if deal else READERS[name](name, value)
    except InvalidRuleset as error:
        yield error.text
        return
    if type(read) is not type(value):
        yield f"{name} is written as the member of its enumeration, not as {brief(value)}"
    if name in family.offers and value not in family.offers[name]:
        yield f"{name} is not among what is offered for it"
