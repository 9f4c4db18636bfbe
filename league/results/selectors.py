"""Reads of matches and results."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from league.accounts.models import Player
from league.results.facts import Facts, Terms, moment_text
from league.results.models import Match, Result, Stint


def result_of(match: Match) -> Result | None:
    """Return the match's current result, or None while it has none."""
    return Result.objects.filter(match=match, is_current=True).first()


def has_sat(match: Match, player: Player) -> bool:
    """Tell whether a player has or had a seat in a match under way or played."""
    return Stint.objects.filter(match=match, player=player).exists()


def conduct_of(player: Player) -> QuerySet[Stint]:
    """Return a player's conduct record, the newest first: the stints that ended before their match
    did. Friendly matches leave no line (rules.md).
    """
    ended = Stint.objects.filter(player=player, left__isnull=False, match__fixture__isnull=False)
    matches = ended.select_related("match__fixture__round__stage__tournament")
    return matches.order_by("-left_at", "-pk")


def record_digest(record: Mapping[str, Any] | None) -> str | None:
    """Return the SHA-256 of a record as PostgreSQL writes jsonb: no second reading can differ."""
    if record is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT encode(sha256(convert_to(%s::jsonb::text, 'UTF8')), 'hex')",
            [json.dumps(record)],
        )
        return str(cursor.fetchone()[0])


def facts_of(result: Result, record: str | None) -> Facts:
    """Return what a result's digest covers. `record` is the digest of its record."""
    return Facts(
        version=result.version,
        by_decision=result.by_decision,
        absent=result.absent,
        scores=result.scores,
        places=result.places,
        points=result.points,
        record=record,
        made_at=str(moment_text(result.created_at)),
        terms=terms_of(result.match),
        stints=stints_told(result.match.stints.order_by("seat", "number")),
    )


def terms_of(match: Match) -> Terms:
    """Return a match's terms as a result's digest covers them."""
    return Terms(
        match=match.pk,
        fixture=match.fixture_id,
        number=match.number,
        ruleset=match.ruleset,
        seats=match.seats,
        partners=match.partners,
        stake=match.stake,
        opened_at=str(moment_text(match.created_at)),
        finished_at=moment_text(match.finished_at),
    )


def stints_told(stints: Iterable[Stint]) -> list[list[Any]]:
    """Return stints, in their order, as a result's digest covers them."""
    return [
        [
            stint.pk,
            stint.seat,
            stint.number,
            stint.player_id,
            stint.club_id,
            stint.how,
            stint.from_hand,
            stint.left,
            moment_text(stint.left_at),
            stint.given_up,
        ]
        for stint in stints
    ]
