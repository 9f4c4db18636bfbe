"""What a match's stints are to the ledger's policy, and what the ledger should say of a result."""

from collections.abc import Iterator

from django.db.models import QuerySet

from league.ledger.policy import Award, How, Left, StintFact, postings_for
from league.results.models import Match, Result

_CHUNK = 500


def stints_of(match: Match) -> list[StintFact]:
    """Return the match's stints as the policy reads them."""
    return [
        StintFact(
            stint_id=stint.pk,
            player_id=stint.player_id,
            seat=stint.seat,
            number=stint.number,
            how=How(stint.how),
            left=Left(stint.left) if stint.left else None,
        )
        for stint in match.stints.all()  # ordered by seat and number; read once where prefetched
    ]


def awards_of(match: Match, result: Result) -> tuple[Award, ...]:
    """Return who is credited or charged what by a result."""
    return postings_for(result.points, stints_of(match))


def results_with_match() -> QuerySet[Result]:
    """Return results with what places their match in a season, without their large records."""
    return Result.objects.select_related("match__fixture__round__stage__tournament").defer("record")


def results_by_chunk() -> Iterator[Result]:
    """Give all results with their matches' stints and their postings, a chunk at a time."""
    results = results_with_match().prefetch_related("match__stints", "postings")
    return results.order_by("pk").iterator(_CHUNK)
