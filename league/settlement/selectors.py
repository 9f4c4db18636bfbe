"""What a match's stints are to the ledger's policy, and what the ledger should say of a result."""

from league.ledger.policy import Award, How, Left, StintFact, postings_for
from league.results.models import Match, Result


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
        for stint in match.stints.order_by("seat", "number")
    ]


def awards_of(match: Match, result: Result) -> tuple[Award, ...]:
    """Return who is credited or charged what by a result."""
    return postings_for(result.points, stints_of(match))
