"""What a match's stints are to the ledger's policy, and what the ledger should say of a result."""

from collections.abc import Iterator, Mapping

from django.db.models import QuerySet

from league.ledger.models import Posting
from league.ledger.policy import Award, How, Kind, Left, StintFact, postings_for
from league.results.models import Match, Result, Stint

_CHUNK = 500


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
    return postings_for(result.points, stints_of(match), balances)


def balances_read(match: Match) -> dict[int, int]:
    """Return what was read of the substitutes' accounts when the match was settled, by stint.

    A correction keeps that decision (rules.md), so the first posting of each stint tells it.
    """
    if all(stint.how != How.SUBSTITUTE for stint in match.stints.all()):
        return {}
    postings = Posting.objects.filter(result__match=match, kind=Kind.SUBSTITUTE.value)
    read = postings.order_by("-pk").values_list("stint", "career_before")
    return {stint: balance for stint, balance in read if stint is not None}


def results_with_match() -> QuerySet[Result]:
    """Return results with what places their match in a season, without their large records."""
    return Result.objects.select_related("match__fixture__round__stage__tournament").defer("record")


def results_by_chunk() -> Iterator[Result]:
    """Give all results with their matches' stints and their postings, a chunk at a time."""
    results = results_with_match().prefetch_related("match__stints", "postings")
    return results.order_by("pk").iterator(_CHUNK)
