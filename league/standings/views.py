"""The page of a season: its standings, which renew themselves, and its tournaments."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from league.accounts.models import User
from league.seasons.models import Season
from league.standings.selectors import standings_of


def season(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a season; asked by htmx, only the table of its standings."""
    shown = get_object_or_404(Season.objects.select_related("club"), slug=slug)
    context = {
        "season": shown,
        "rows": standings_of(shown),
        "tournaments": shown.tournaments.all(),
        "me": _player_id(request),
    }
    fragment = request.headers.get("HX-Request") == "true"
    return render(request, "standings/rows.html" if fragment else "standings/season.html", context)


def _player_id(request: HttpRequest) -> int | None:
    player = getattr(request.user, "player", None) if isinstance(request.user, User) else None
    return None if player is None else player.pk
