"""The tables of a season, read from the tallies that stand beside its postings."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Sum

from league.seasons.models import Season
from league.standings.models import Tally


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
    sums: Any = (
        Tally.objects.filter(season=season)
        .order_by()
        .values("player_id", name=F("player__name"))
        .annotate(total=Sum("points"), matches=Sum("played"))
        .order_by("-total", "player__sort_key", "player_id")
    )
    return [
        StandingRow(line["player_id"], line["name"], rank, line["total"], line["matches"])
        for rank, line in ranked(sums)
    ]


def ranked(lines: Iterable[dict[str, Any]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Give lines, best `total` first, with the ranks that equals share."""
    rank, last = 0, None
    for place, line in enumerate(lines, start=1):
        if line["total"] != last:
            rank, last = place, line["total"]
        yield rank, line
