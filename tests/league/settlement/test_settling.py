"""rules.md, *From matches to points*: what a finished match leaves behind, once."""

import pytest

from league.ledger.models import Posting
from league.settlement.services import match_settle
from league.standings.selectors import standings_of
from tests.factories import build_match

pytestmark = pytest.mark.django_db

FOUR: dict[str, list[int]] = {
    "scores": [10, -33, -8, -21],
    "places": [1, 4, 2, 3],
    "points": [3, -3, 1, -1],
}


def test_a_settled_match_credits_each_seat_by_its_place() -> None:
    match = build_match()
    result = match_settle(match_id=match.pk, record=None, **FOUR)
    postings = Posting.objects.filter(result=result).order_by("stint__seat")
    assert [posting.points for posting in postings] == [3, -3, 1, -1]
    rows = standings_of(match.fixture.round.stage.tournament.season)
    assert [(row.rank, row.points, row.played) for row in rows] == [
        (1, 3, 1),
        (2, 1, 1),
        (3, -1, 1),
        (4, -3, 1),
    ]
