"""Pages with live tables on them: the home page, a tournament, and the table itself."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from league.accounts.selectors import player_of
from league.seasons.selectors import seasons_all
from league.shared.pages import HtmxRequest, page_or_part
from league.tournaments.models import Tournament
from league.tournaments.selectors import rounds_ahead
from tables import pages, selectors
from tables.words import board_words

LIVE_TABLES = 12
NEXT_ROUNDS = 6


def home(request: HtmxRequest) -> HttpResponse:
    """Show the reader's own tables first, then what is going on."""
    player = player_of(request)
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
    return page_or_part(request, "home/home.html", "home/lists.html", context)


def tournament(request: HtmxRequest, pk: int) -> HttpResponse:
    """Show a tournament: rounds, fixtures, who plays, and the way to each table."""
    shown = get_object_or_404(Tournament.objects.select_related("season__club"), pk=pk)
    context = {"tournament": shown, "rounds": pages.rounds_of(shown), "me": player_of(request)}
    return page_or_part(request, "tables/tournament.html", "tables/rounds.html", context)


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
