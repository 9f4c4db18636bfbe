"""The page of a season: its standings, which renew themselves, and its tournaments."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404

from league.accounts.selectors import player_of
from league.seasons.models import Season
from league.shared.pages import HtmxRequest, page_or_part
from league.standings.selectors import standings_of


def season(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show a season; asked by htmx, only the table of its standings."""
    shown = get_object_or_404(Season.objects.select_related("club"), slug=slug)
    player = player_of(request)
    context = {
        "season": shown,
        "rows": standings_of(shown),
        "tournaments": shown.tournaments.all(),
        "me": None if player is None else player.pk,
    }
    return page_or_part(request, "standings/season.html", "standings/rows.html", context)
