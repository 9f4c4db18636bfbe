"""What the digest of a result covers: all that it says, the match's terms, and who sat where.

The digest enters the hash of each posting that the result makes (league.ledger.chain), so nothing
of a settled match can be changed unseen. The canonical form (league.shared.canonical) has exactly
the members of `Facts` beside `"format": "ayaz-result/1"`. Pure: no Django.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from league.shared.canonical import digest, utc_text

FORMAT = "ayaz-result/1"


@dataclass(frozen=True, slots=True)
class Terms:
    """What the match was played under. `fixture` by id, null where it was friendly."""

    match: int
    fixture: int | None
    number: int
    ruleset: Any
    seats: int
    partners: bool
    stake: int
    opened_at: str
    finished_at: str | None


@dataclass(frozen=True, slots=True)
class Facts:
    """A result's version. `record` is the SHA-256 of the record as PostgreSQL writes jsonb.

    `stints` in the order of seats and numbers, each a list: id, seat, number, player, club,
    how, from_hand, left, left_at, given_up.
    """

    version: int
    by_decision: bool
    absent: Any
    scores: Any
    places: Any
    points: Any
    record: str | None
    made_at: str
    terms: Terms
    stints: Sequence[Sequence[Any]]


def digest_of(facts: Facts) -> str:
    """Return the hash of a result's facts."""
    return digest(_members(facts) | {"format": FORMAT, "terms": _members(facts.terms)})


def _members(of: Facts | Terms) -> dict[str, Any]:
    return {each.name: getattr(of, each.name) for each in fields(of)}


def moment_text(moment: datetime | None) -> str | None:
    """Return a moment as facts write it."""
    return None if moment is None else utc_text(moment)
