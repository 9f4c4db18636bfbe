"""Who is credited or charged for a match, and under which key. Pure: no Django, no database.

The source is the *who* table of rules.md, *From matches to points*. Each of its rows is one `Row`
of `ROWS`: a test that tells whether a stint falls under it, and what the row awards. The first row
that holds decides. A stint no row knows is refused, never posted by guess.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.record import How as How  # stints are told here as records tell them
from engine.record import Left as Left

SUBSTITUTE_LIMIT = 3000
"""A substitute whose account stands above this earns nothing; exactly this still earns."""


class Kind(StrEnum):
    """Why points were posted (design.md, The ledger)."""

    PLACEMENT = "placement"
    SUBSTITUTE = "substitute"
    LEAVER = "leaver"
    DROPPED = "dropped"
    WALKOVER = "walkover"
    AWARD = "award"
    ADJUSTMENT = "adjustment"
    REVERSAL = "reversal"


@dataclass(frozen=True, slots=True)
class StintFact:
    """One stint of a match. `number` counts within the seat; `left` is None for who stayed."""

    stint_id: int
    player_id: int | None
    seat: int
    number: int
    how: How
    left: Left | None = None


@dataclass(frozen=True, slots=True)
class Award:
    """What one stint brings its player: points, zeros too, and the kind they are posted as."""

    stint_id: int
    player_id: int
    kind: Kind
    points: int


class UnknownStint(ValueError):
    """A stint that no row of the *who* table covers."""


@dataclass(frozen=True, slots=True)
class Case:
    """A stint, the points of its seat, and what a substitute's account was read to stand at."""

    stint: StintFact
    points: int
    balance: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the *who* table. `award` gives None where the row posts nothing."""

    name: str
    holds: Callable[[StintFact], bool]
    award: Callable[[Case], Award | None]


def _is_bot(stint: StintFact) -> bool:
    return stint.how is How.BOT


def _left_of_their_own_will(stint: StintFact) -> bool:
    return stint.left is Left.VOLUNTARY


def _substitute_who_dropped(stint: StintFact) -> bool:
    return stint.how is How.SUBSTITUTE and stint.left is Left.DROPPED


def _sat_down_later(stint: StintFact) -> bool:
    return stint.how is How.SUBSTITUTE


def _dropped_and_replaced(stint: StintFact) -> bool:
    return stint.left is Left.DROPPED


def _sat_to_the_end(stint: StintFact) -> bool:
    return stint.left is None


def _nothing(case: Case) -> None:
    return None


def _zero(case: Case) -> Award:
    return _award_of(case.stint, Kind.SUBSTITUTE, 0)


def _as_substitute(case: Case) -> Award:
    if case.balance is None:
        raise UnknownStint(f"the account of stint {case.stint.stint_id} was not read")
    earns = case.points > 0 and case.balance <= SUBSTITUTE_LIMIT
    return _award_of(case.stint, Kind.SUBSTITUTE, case.points if earns else 0)


def _the_seats_loss(case: Case) -> Award:
    return _award_of(case.stint, Kind.DROPPED, min(0, case.points))


def _the_seats_points(case: Case) -> Award:
    return _award_of(case.stint, Kind.PLACEMENT, case.points)


def _award_of(stint: StintFact, kind: Kind, points: int) -> Award:
    if stint.player_id is None:
        raise UnknownStint(f"stint {stint.stint_id} of a person names no player")
    return Award(stint.stint_id, stint.player_id, kind, points)


ROWS: tuple[Row, ...] = (
    Row("a bot in the seat", _is_bot, _nothing),
    Row("left of their own will: paid at that moment", _left_of_their_own_will, _nothing),
    Row("a substitute who dropped", _substitute_who_dropped, _zero),
    Row("sat down later (substitute)", _sat_down_later, _as_substitute),
    Row("dropped and replaced", _dropped_and_replaced, _the_seats_loss),
    Row("sat there to the end, absent or not", _sat_to_the_end, _the_seats_points),
)


def postings_for(
    points_by_seat: Sequence[int],
    stints: Sequence[StintFact],
    balances: Mapping[int, int] | None = None,
) -> tuple[Award, ...]:
    """Return what a finished match awards, in the order of seats and stints.

    `points_by_seat` are the points of the seats before who sat there is looked at, `balances` what
    the substitutes' accounts stood at, by stint. Raises `UnknownStint` for a stint of an unknown
    seat, one that no row covers, or a substitute whose account was not read.
    """
    ordered = sorted(stints, key=lambda stint: (stint.seat, stint.number))
    awards = [_award(points_by_seat, stint, balances or {}) for stint in ordered]
    return tuple(award for award in awards if award is not None)


def _award(
    points_by_seat: Sequence[int], stint: StintFact, balances: Mapping[int, int]
) -> Award | None:
    if not 0 <= stint.seat < len(points_by_seat):
        raise UnknownStint(f"stint {stint.stint_id} sits in seat {stint.seat}, which has no points")
    case = Case(stint, points_by_seat[stint.seat], balances.get(stint.stint_id))
    row = next(row for row in ROWS if row.holds(stint))  # the last one leaves nothing over
    return row.award(case)


def walkover_points(
    *, seats: int, sides: int, absent: Collection[int], stake: int
) -> tuple[int, ...]:
    """Return the points by seat of a match that was not played because seats stayed empty.

    `absent` are their seats. A side that is absent pays N, each of its players; the other one of
    two gets N; among three or four alone who came gets 0 (rules.md, Walkover).

    >>> walkover_points(seats=4, sides=2, absent=[1], stake=11)
    (11, -11, 11, -11)
    """
    missing = {seat % sides for seat in absent}
    present = stake if sides == 2 and len(missing) == 1 else 0
    return tuple(-stake if seat % sides in missing else present for seat in range(seats))


def walkover_awards(
    points_by_seat: Sequence[int], stints: Sequence[StintFact]
) -> tuple[Award, ...]:
    """Return what a walkover brings who should have played, in the order of seats."""
    ordered = sorted(stints, key=lambda stint: (stint.seat, stint.number))
    people = (stint for stint in ordered if stint.how is not How.BOT)
    return tuple(_award_of(stint, Kind.WALKOVER, points_by_seat[stint.seat]) for stint in people)


def leaver_award(stint: StintFact, stake: int) -> Award:
    """Return what leaving a match of one's own will costs, whatever the standing: 2N.

    >>> leaver_award(StintFact(12, 5, 0, 0, How.START), 11).points
    -22
    """
    return _award_of(stint, Kind.LEAVER, -2 * stake)


def abandoned_award(stint: StintFact, stake: int) -> Award:
    """Return what a dropped player pays for a match that nobody went on with: N.

    >>> abandoned_award(StintFact(12, 5, 0, 0, How.START), 11).points
    -11
    """
    return _award_of(stint, Kind.DROPPED, -stake)


def leaver_key(stint_id: int) -> str:
    """Return the unique key of what leaving costs.

    >>> leaver_key(12)
    'stint:12:leaver'
    """
    return f"stint:{stint_id}:leaver"


def abandoned_key(stint_id: int) -> str:
    """Return the unique key of what an abandoned match costs a dropped player.

    >>> abandoned_key(12)
    'stint:12:abandoned'
    """
    return f"stint:{stint_id}:abandoned"


def result_key(*, result_id: int, version: int, stint_id: int, kind: Kind) -> str:
    """Return the unique key of what a result brings a stint.

    >>> result_key(result_id=7, version=1, stint_id=12, kind=Kind.PLACEMENT)
    'result:7:v1:stint:12:placement'
    """
    return f"result:{result_id}:v{version}:stint:{stint_id}:{kind}"


def adjustment_key(adjustment_id: int) -> str:
    """Return the unique key of what an admin gives or takes by hand.

    >>> adjustment_key(4)
    'adjustment:4'
    """
    return f"adjustment:{adjustment_id}"


def reversal_key(posting_id: int) -> str:
    """Return the unique key of a posting's reversal: a posting is reversed once at most.

    >>> reversal_key(31)
    'reversal:31'
    """
    return f"reversal:{posting_id}"
