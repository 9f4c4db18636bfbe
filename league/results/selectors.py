"""Reads of matches and results."""

from league.results.models import Match, Result


def result_of(match: Match) -> Result | None:
    """Return the match's current result, or None while it has none."""
    return Result.objects.filter(match=match, is_current=True).first()
