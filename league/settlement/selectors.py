"""What a match's stints are to the ledger's policy, and what the ledger should say of a result."""

from collections.abc import Mapping

from league.ledger.models import Posting
from league.ledger.policy import (
    Award,
    How,
    Kind,
    Left,
    StintFact,
    postings_for,
    walkover_awards,
)
from league.results.models import Match, Result, Stint


def stints_of(match: Match) -> list[StintFact]:
    """Return the match's stints as the policy reads them."""
    # ordered by seat and number; read once where prefetched
    return [fact_of(stint) for stint in match.stints.all()]


def fact_of(stint: Stint) -> StintFact:
    """Return a stint as the policy reads it."""
    return StintFact(
        stint_id=stint.pk,
        player_id=stint.player_id,
        seat=stint.seat,
        number=stint.number,
        how=How(stint.how),
        left=Left(stint.left) if stint.left else None,
    )


def awards_of(match: Match, result: Result, balances: Mapping[int, int]) -> tuple[Award, ...]:
    """Return who is credited or charged what by a result.

    `balances` are what the substitutes' accounts were read to stand at, by stint.
    """
    if result.absent is not None:
        return walkover_awards(result.points, stints_of(match))
    return postings_for(result.points, stints_of(match), balances)


def balances_read(match: Match) -> dict[int, int]:
    """Return what was read of the substitutes' accounts when the match was last settled, by stint.

    A correction keeps that decision (rules.md) unless it is to be taken anew.
    """
    if all(stint.how != How.SUBSTITUTE for stint in match.stints.all()):
        return {}
    postings = Posting.objects.filter(match=match, kind=Kind.SUBSTITUTE.value).order_by("pk")
    return {posting.stint_id: read_of(posting) for posting in postings if posting.stint_id}


def read_of(posting: Posting) -> int:
    """Return what a substitute's account was read at; at first it was not kept apart."""
    return posting.career_before if posting.balance_read is None else posting.balance_read
