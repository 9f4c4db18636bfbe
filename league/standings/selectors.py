"""The table of a season, computed from the ledger's postings each time: there is no second copy."""

from dataclasses import dataclass

from django.db.models import Count, F, Q, Sum

from league.ledger.models import Posting
from league.seasons.models import Season


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A player's line. `rank` is shared on equal points (1, 1, 3); `played` counts matches."""

    player_id: int
    name: str
    rank: int
    points: int
    played: int


def standings_of(season: Season) -> list[StandingRow]:
    """Return everybody the season posted to, best first; equals by name.

    A match counts as played once it has a current result that posted to the player, zeros too.
    """
    sums = (
        Posting.objects.filter(season=season)
        .order_by()
        .values(player_id=F("account__player"), name=F("account__player__name"))
        .annotate(
            total=Sum("points"),
            played=Count("result__match", distinct=True, filter=Q(result__is_current=True)),
        )
        .order_by("-total", "account__player__sort_key", "account__player")
    )
    rows: list[StandingRow] = []
    for place, line in enumerate(sums, start=1):
        equal = bool(rows) and rows[-1].points == line["total"]
        rank = rows[-1].rank if equal else place
        rows.append(
            StandingRow(line["player_id"], line["name"], rank, line["total"], line["played"])
        )
    return rows
