"""Pages with live tables on them: the home page, a tournament, and the table itself."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails

from league.accounts.models import Player, User
from league.seasons.selectors import seasons_all
from league.tournaments.models import Tournament
from league.tournaments.selectors import rounds_ahead
from tables import pages, selectors
from tables.words import board_words

LIVE_TABLES = 12
NEXT_ROUNDS = 6


class HtmxRequest(HttpRequest):
    """A request as HtmxMiddleware leaves it."""

    htmx: HtmxDetails


def home(request: HtmxRequest) -> HttpResponse:
    """Show the reader's own tables first, then what is going on."""
    player = _player(request)
    mine = [] if player is None else pages.table_lines(selectors.tables_of(player), player)
    shown = {line.table.pk for line in mine}
    live = selectors.live_tables().exclude(pk__in=shown)[:LIVE_TABLES]
    context = {
        "mine": mine,
        "coming": [] if player is None else pages.coming_of(player),
        "live": pages.table_lines(live),
        "rounds": rounds_ahead(timezone.now())[:NEXT_ROUNDS],
        "seasons": seasons_all(),
    }
    return _page(request, "home/home.html", "home/lists.html", context)


def tournament(request: HtmxRequest, pk: int) -> HttpResponse:
    """Show a tournament: rounds, fixtures, who plays, and the way to each table."""
    shown = get_object_or_404(Tournament.objects.select_related("season__club"), pk=pk)
    context = {"tournament": shown, "rounds": pages.rounds_of(shown), "me": _player(request)}
    return _page(request, "tables/tournament.html", "tables/rounds.html", context)


def table(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the board. Everything on it comes over the socket; here stand its words and links."""
    shown = selectors.table_get(pk)
    if shown is None:
        raise Http404
    place = pages.table_place(shown)
    title = " · ".join(filter(None, [pages.table_title(shown), place]))
    context = {
        "table": shown,
        "title": title,
        "words": board_words(),
        "organizer": request.user.has_perm("tables.start_table", shown),
        **pages.table_links(shown),
    }
    return render(request, "tables/table.html", context)


def _page(request: HtmxRequest, page: str, fragment: str, context: dict[str, Any]) -> HttpResponse:
    """Render a page, or for htmx its part that renews itself; caches keep the two apart."""
    response = render(request, fragment if request.htmx else page, context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _player(request: HttpRequest) -> Player | None:
    return getattr(request.user, "player", None) if isinstance(request.user, User) else None
