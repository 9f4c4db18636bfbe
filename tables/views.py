"""Pages with live tables on them: the home page, a tournament, and the table itself."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from league.accounts.models import Player
from league.accounts.selectors import player_of
from league.seasons.selectors import seasons_all
from league.shared.pages import HtmxRequest, page_or_part
from league.tournaments.models import Tournament
from league.tournaments.selectors import rounds_ahead, tournaments_organized
from league.tournaments.wording import differences, game_line, terms_of
from tables import pages, selectors
from tables.organizing import Organizing, Refused, carry_out
from tables.wording import board_rules
from tables.words import board_words

LIVE_TABLES = 12
NEXT_ROUNDS = 6
ORGANIZED = 12


def home(request: HtmxRequest) -> HttpResponse:
    """Show the reader's own tables first, then what is going on."""
    player = player_of(request)
    mine = [] if player is None else pages.table_lines(selectors.tables_of(player), player)
    shown = {line.table.pk for line in mine}
    live = selectors.live_tables().exclude(pk__in=shown)[:LIVE_TABLES]
    context = {
        "mine": mine,
        "coming": [] if player is None else pages.coming_of(player),
        "organized": [] if player is None else _organized(player),
        "live": pages.table_lines(live),
        "rounds": rounds_ahead(timezone.now())[:NEXT_ROUNDS],
        "seasons": seasons_all(),
    }
    return page_or_part(request, "home/home.html", "home/lists.html", context)


def _organized(player: Player) -> QuerySet[Tournament]:
    return tournaments_organized(player, timezone.localdate())[:ORGANIZED]


@require_http_methods(["GET", "HEAD", "POST"])
def tournament(request: HtmxRequest, pk: int) -> HttpResponse:
    """Show a tournament: rounds, fixtures, the way to each table; do what its organizer presses."""
    shown = get_object_or_404(
        Tournament.objects.select_related("season__club", "house_ruleset"), pk=pk
    )
    organizes = request.user.has_perm("tables.organize_tournament", shown)
    if request.method == "POST":
        if not organizes:
            raise PermissionDenied
        return _organize(request, shown)
    return _tournament(request, shown, Organizing(shown) if organizes else None)


def _organize(request: HtmxRequest, shown: Tournament) -> HttpResponse:
    done = carry_out(shown, request.POST)
    if isinstance(done, Refused):
        response = _tournament(request, shown, Organizing(shown, done))
        response.status_code = 400
        return response
    messages.success(request, done)
    return redirect("tournament", shown.pk)


def _tournament(
    request: HtmxRequest, shown: Tournament, organizing: Organizing | None
) -> HttpResponse:
    terms = terms_of(shown)
    context = {
        "tournament": shown,
        "game": game_line(terms),
        "differences": differences(terms),
        "rounds": pages.rounds_of(shown),
        "me": player_of(request),
        "organizing": organizing,
    }
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
        "rules": board_rules(shown.match),
        "organizer": request.user.has_perm("tables.start_table", shown),
        **pages.table_links(shown),
    }
    return render(request, "tables/table.html", context)
