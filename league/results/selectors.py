"""Reads of matches and results."""

from django.db.models import QuerySet

from league.accounts.models import Player
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
