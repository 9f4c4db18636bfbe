"""A match of four that is settled in the tests of this folder, and what is looked at afterwards."""

from collections.abc import Sequence
from typing import Any

from league.ledger.models import Posting
from league.results.models import Match, Result
from league.settlement.posting import By
from league.settlement.services import match_correct
from league.settlement.verdicts import Verdict
from league.standings.selectors import standings_of
from league.tournaments.models import Tournament

FOUR: dict[str, Any] = {
    "scores": [10, -33, -8, -21],
    "places": [1, 4, 2, 3],
    "points": [3, -3, 1, -1],
    "record": None,
}


def correct(
    match_id: int, scores: Sequence[int], reason: str = "Written down wrongly.", **how: Any
) -> Result:
    """Correct a match to other scores."""
    verdict = Verdict(scores=scores)
    return match_correct(match_id=match_id, verdict=verdict, by=By(None, reason), **how)


def posted(match: Match) -> list[int]:
    """The points posted for a match, by seat."""
    postings = Posting.objects.filter(stint__match=match).order_by("stint__seat", "pk")
    return [posting.points for posting in postings]


def tournament_of(match: Match) -> Tournament:
    assert match.fixture is not None
    return match.fixture.round.stage.tournament


def table(match: Match) -> list[tuple[int, int, int]]:
    """The season's table: rank, points, played."""
    rows = standings_of(tournament_of(match).season)
    return [(row.rank, row.points, row.played) for row in rows]
