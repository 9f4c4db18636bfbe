"""What tallies and checkpoints must be: sums of postings, and heads as they stood. Reads only."""

from collections.abc import Iterator
from typing import Any

from django.db import connection
from django.utils.translation import gettext as _

from league.ledger.checkpoints import START, HeadFacts, checkpoint_digest
from league.ledger.models import Checkpoint, Posting
from league.seasons.models import Season

_PLAYERS = """
WITH summed AS (
  SELECT posting.season_id, account.player_id, posting.club_id, sum(posting.points) AS points,
         count(DISTINCT result.match_id) FILTER (WHERE result.is_current) AS played
    FROM ledger_posting posting
    JOIN ledger_account account ON account.id = posting.account_id
    LEFT JOIN results_result result ON result.id = posting.result_id
   WHERE posting.season_id IS NOT NULL
   GROUP BY posting.season_id, account.player_id, posting.club_id)
SELECT coalesce(summed.season_id, tally.season_id),
       coalesce(summed.player_id, tally.player_id),
       coalesce(summed.club_id, tally.club_id),
       coalesce(tally.points, 0), coalesce(tally.played, 0),
       coalesce(summed.points, 0), coalesce(summed.played, 0)
  FROM summed FULL JOIN standings_tally tally
    ON tally.season_id = summed.season_id AND tally.player_id = summed.player_id
   AND coalesce(tally.club_id, 0) = coalesce(summed.club_id, 0)
 WHERE (tally.points, tally.played) IS DISTINCT FROM (summed.points, summed.played)
   AND (%(season)s::bigint IS NULL OR coalesce(summed.season_id, tally.season_id) = %(season)s)
 ORDER BY 1, 2, 3
"""
_PAIRS = """
WITH summed AS (
  SELECT posting.season_id, least(one.player_id, other.player_id) AS low_id,
         greatest(one.player_id, other.player_id) AS high_id, sum(posting.points) AS points,
         count(DISTINCT result.match_id) FILTER (WHERE result.is_current) AS played
    FROM ledger_posting posting
    JOIN results_stint one ON one.id = posting.stint_id AND one.how = 'start'
    JOIN results_match match ON match.id = one.match_id AND match.partners
    JOIN results_stint other ON other.match_id = one.match_id AND other.how = 'start'
         AND other.number = 0 AND other.seat = (one.seat + 2) %% 4 AND other.player_id IS NOT NULL
    LEFT JOIN results_result result ON result.id = posting.result_id
   WHERE posting.season_id IS NOT NULL
   GROUP BY 1, 2, 3)
SELECT coalesce(summed.season_id, tally.season_id),
       coalesce(summed.low_id, tally.low_id), coalesce(summed.high_id, tally.high_id),
       coalesce(tally.points, 0), coalesce(tally.played, 0),
       coalesce(summed.points, 0), coalesce(summed.played, 0)
  FROM summed FULL JOIN standings_pairtally tally
    ON tally.season_id = summed.season_id AND tally.low_id = summed.low_id
   AND tally.high_id = summed.high_id
 WHERE (tally.points, tally.played) IS DISTINCT FROM (summed.points, summed.played)
   AND (%(season)s::bigint IS NULL OR coalesce(summed.season_id, tally.season_id) = %(season)s)
 ORDER BY 1, 2, 3
"""


def tally_faults(season: Season | None = None) -> Iterator[str]:
    """Check that each tally is the sum of its postings, and that none is missing."""
    for row in _rows(_PLAYERS, season):
        yield _(
            "tally of season %(season)s, player %(player)s, club %(club)s: %(points)s points in "
            "%(played)s matches, the postings sum to %(summed)s in %(counted)s."
        ) % _told(("season", "player", "club"), row)
    for row in _rows(_PAIRS, season):
        yield _(
            "tally of season %(season)s, pair %(low)s and %(high)s: %(points)s points in "
            "%(played)s matches, the postings sum to %(summed)s in %(counted)s."
        ) % _told(("season", "low", "high"), row)


def _rows(query: str, season: Season | None) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, {"season": None if season is None else season.pk})
        return list(cursor.fetchall())


def _told(names: tuple[str, str, str], row: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip((*names, "points", "played", "summed", "counted"), row, strict=True))


# --- checkpoints


def checkpoint_faults() -> Iterator[str]:
    """Check each checkpoint's digest, and that the heads it saw are still in their accounts."""
    previous, counts = START, dict[int, int]()
    for checkpoint in Checkpoint.objects.order_by("day", "pk"):
        heads = list(_heads(checkpoint))
        counts |= {head.account: head.postings for head in heads}
        if not _holds(checkpoint, previous, heads, counts):
            yield _("checkpoint %(day)s: it is not what was published.") % {"day": checkpoint.day}
        yield from _heads_faults(checkpoint, heads)
        previous = checkpoint.digest


def _heads(checkpoint: Checkpoint) -> Iterator[HeadFacts]:
    rows = checkpoint.heads.order_by("account").values_list("account", "count", "head")
    return (HeadFacts(*row) for row in rows)


def _holds(
    checkpoint: Checkpoint, previous: str, heads: list[HeadFacts], counts: dict[int, int]
) -> bool:
    seen = (len(counts), sum(counts.values()), previous)
    told = (checkpoint.accounts, checkpoint.postings, checkpoint.previous)
    return seen == told and checkpoint.digest == checkpoint_digest(
        previous=previous,
        day=checkpoint.day,
        made_at=checkpoint.made_at,
        accounts=checkpoint.accounts,
        postings=checkpoint.postings,
        heads=heads,
    )


def _heads_faults(checkpoint: Checkpoint, heads: list[HeadFacts]) -> Iterator[str]:
    named = Posting.objects.filter(account__in=[head.account for head in heads])
    found = set(
        named.filter(number__in={head.postings for head in heads}).values_list(
            "account", "number", "hash"
        )
    )
    for head in heads:
        if (head.account, head.postings, head.head) not in found:
            yield _(
                "checkpoint %(day)s: account %(account)d had %(count)d postings with another head."
            ) % {"day": checkpoint.day, "account": head.account, "count": head.postings}
