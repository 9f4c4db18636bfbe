"""Reads of seasons."""

from django.db.models import QuerySet

from league.seasons.models import Season


def seasons_all() -> QuerySet[Season]:
    """Return every season, the newest first."""
    return Season.objects.select_related("club")
