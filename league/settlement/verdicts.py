"""What is told of how a match ended, and the points that follow (rules.md).

Reads and writes nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from django.utils.translation import gettext as _

from engine.scoring import places_of, points_alone, points_partners
from league.ledger.policy import walkover_points
from league.results.services import Outcome
from league.shared.errors import DomainError


class Terms(Protocol):
    """What of a match decides the points: its seats, whether they play as partners, its stake."""

    @property
    def seats(self) -> int: ...
    @property
    def partners(self) -> bool: ...
    @property
    def stake(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a match ended, told in one of three ways: scores by side, places by seat where somebody
    decided, or the seats of who did not come.
    """

    scores: Sequence[int] | None = None
    places: Sequence[int] | None = None
    absent: Collection[int] | None = None

    @property
    def seats_absent(self) -> list[int] | None:
        """Return the seats of who did not come in order, each once; None unless a walkover."""
        return None if self.absent is None else sorted(set(self.absent))


def outcome_for(terms: Terms, verdict: Verdict) -> Outcome:
    """Return scores, places and points that follow from a verdict.

    Raises DomainError outcome, absent.
    """
    if verdict.absent is not None:
        return walked_over(terms, verdict.absent)
    if verdict.places is not None:
        return decided(terms, verdict.places)
    return outcome_of(terms, verdict.scores or ())


def outcome_of(terms: Terms, scores: Sequence[int]) -> Outcome:
    """Return what scores by side give. Raises DomainError outcome."""
    if len(scores) != sides_of(terms) or not integers(scores):
        raise bad_outcome()
    by_seat = [scores[seat % len(scores)] for seat in range(terms.seats)]
    places = places_of(by_seat)
    points = points_partners if terms.partners else points_alone
    return Outcome(tuple(scores), places, tuple(points(places, terms.stake)))


def decided(terms: Terms, places: Sequence[int]) -> Outcome:
    """Return what places by seat give: no scores. Raises DomainError outcome."""
    ranked = list(places) if integers(places) else []
    if len(ranked) != terms.seats or list(places_of([-place for place in ranked])) != ranked:
        raise bad_outcome()
    if terms.partners and ranked[:2] != ranked[2:]:
        raise bad_outcome()
    points = points_partners if terms.partners else points_alone
    return Outcome((), tuple(ranked), tuple(points(ranked, terms.stake)))


def walked_over(terms: Terms, absent: Collection[int]) -> Outcome:
    """Return what a walkover gives; places follow the points. Raises DomainError absent."""
    seats = list(absent)
    if not seats or not integers(seats) or not set(seats) <= set(range(terms.seats)):
        raise DomainError("absent", _("Name the seats of who did not come."))
    points = walkover_points(
        seats=terms.seats, sides=sides_of(terms), absent=seats, stake=terms.stake
    )
    return Outcome((), tuple(places_of(points)), points)


def sides_of(terms: Terms) -> int:
    """Return how many sides a match has."""
    return 2 if terms.partners else terms.seats


def integers(numbers: Sequence[object]) -> bool:
    """Tell whether all are integers of 32 bits, none of them a truth value."""
    return all(type(number) is int and -(2**31) <= number < 2**31 for number in numbers)


def bad_outcome() -> DomainError:
    """Return the refusal of what cannot have come out of a match."""
    return DomainError("outcome", _("Scores, places and points do not fit the match."))
