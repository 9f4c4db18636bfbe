"""Who is credited or charged for a match, and under which key. Pure: no Django, no database.

The source is the *who* table of rules.md, *From matches to points*. Each of its rows is one `Row`
of `ROWS`: a test that tells whether a stint falls under it, and what the row awards. The first row
that holds decides. A stint no row knows is refused, never posted by guess.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.record import How as How  # stints are told here as records tell them
from engine.record import Left as Left


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
class Row:
    """One row of the *who* table. `award` gives None where the row posts nothing."""

    name: str
    holds: Callable[[StintFact], bool]
    award: Callable[[StintFact, int], Award | None]


def _is_bot(stint: StintFact) -> bool:
    return stint.how is How.BOT


def _sat_throughout(stint: StintFact) -> bool:
    return stint.how is How.START and stint.left is None


def _nothing(stint: StintFact, points: int) -> None:
    return None


def _the_seats_points(stint: StintFact, points: int) -> Award:
    if stint.player_id is None:
        raise UnknownStint(f"stint {stint.stint_id} of a person names no player")
    return Award(stint.stint_id, stint.player_id, Kind.PLACEMENT, points)


ROWS: tuple[Row, ...] = (
    Row("a bot in the seat", _is_bot, _nothing),
    Row("sat there from the start to the end", _sat_throughout, _the_seats_points),
)


def postings_for(points_by_seat: Sequence[int], stints: Sequence[StintFact]) -> tuple[Award, ...]:
    """Return what a finished match awards, in the order of seats and stints.

    `points_by_seat` are the points of the seats before who sat there is looked at. Raises
    `UnknownStint` for a stint of an unknown seat, or one that no row covers.
    """
    ordered = sorted(stints, key=lambda stint: (stint.seat, stint.number))
    awards = (_award(points_by_seat, stint) for stint in ordered)
    return tuple(award for award in awards if award is not None)


def _award(points_by_seat: Sequence[int], stint: StintFact) -> Award | None:
    if not 0 <= stint.seat < len(points_by_seat):
        raise UnknownStint(f"stint {stint.stint_id} sits in seat {stint.seat}, which has no points")
    for row in ROWS:
        if row.holds(stint):
            return row.award(stint, points_by_seat[stint.seat])
    raise UnknownStint(f"no row of the rules covers stint {stint.stint_id}")


def result_key(*, result_id: int, version: int, stint_id: int, kind: Kind) -> str:
    """Return the unique key of what a result brings a stint.

    >>> result_key(result_id=7, version=1, stint_id=12, kind=Kind.PLACEMENT)
    'result:7:v1:stint:12:placement'
    """
    return f"result:{result_id}:v{version}:stint:{stint_id}:{kind}"


def reversal_key(posting_id: int) -> str:
    """Return the unique key of a posting's reversal: a posting is reversed once at most.

    >>> reversal_key(31)
    'reversal:31'
    """
    return f"reversal:{posting_id}"
