"""Pages with live tables on them: the home page, a tournament, and the table itself."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from league.accounts.models import Player, User
from league.accounts.selectors import player_of
from league.results.models import Match
from league.results.selectors import has_sat
from league.seasons.selectors import seasons_all
from league.shared.errors import DomainError
from league.shared.pages import HtmxRequest, page_or_part
from league.tournaments.models import Tournament
from league.tournaments.selectors import rounds_ahead, tournaments_organized
from league.tournaments.wording import differences, game_line, terms_of
from tables import pages, protocol_page, selectors
from tables import replay as replays
from tables.devices import recognize
from tables.friendly import FriendlyForm, qr_code
from tables.links import came_by_link, may_look
from tables.models import Table
from tables.opening import friendly_open, rematch_open
from tables.organizing import Organizing, Refused, carry_out
from tables.rulings import Asked
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
    friendly = selectors.friendly_tables(timezone.now()).exclude(pk__in=shown)[:LIVE_TABLES]
    context = {
        "mine": mine,
        "coming": [] if player is None else pages.coming_of(player),
        "organized": [] if player is None else _organized(player),
        "live": pages.table_lines(live),
        "friendly": pages.table_lines(friendly),
        "me": player,
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
    assert isinstance(request.user, User)
    done = carry_out(shown, request.POST, request.user)
    if isinstance(done, Refused):
        response = _tournament(request, shown, Organizing(shown, done))
        response.status_code = 400
        return response
    if isinstance(done, Asked):
        return _tournament(request, shown, Organizing(shown, asked=done))
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
        "clock": pages.clock_text(shown.move_seconds, shown.bank_seconds),
        "rounds": pages.rounds_of(shown),
        "me": player_of(request),
        "organizing": organizing,
    }
    return page_or_part(request, "tables/tournament.html", "tables/rounds.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def friendly_new(request: HttpRequest) -> HttpResponse:
    """Ask for the terms of a friendly or practice table, and open it."""
    player = player_of(request)
    if player is None:
        raise PermissionDenied
    form = FriendlyForm(player, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = friendly_open(owner=player, terms=form.terms)
        except DomainError as error:
            form.add_error(None, error.text)
        else:
            return redirect("invitation", made.code)
    response = render(request, "tables/new.html", {"form": form})
    response.status_code = 400 if form.errors else 200
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HtmxRequest, code: str) -> HttpResponse:
    """Show a friendly table to who came by its link: terms, seats, the link to pass on."""
    shown = selectors.table_by_code(code)
    if shown is None:
        raise Http404
    player = player_of(request)
    if request.method == "POST":
        return _rematch(request, shown, player)
    came_by_link(request.session, shown)
    address = request.build_absolute_uri(reverse("invitation", args=[code]))
    context = {
        "invitation": pages.invitation_of(shown, player),
        "address": address,
        "qr": qr_code(address),
    }
    return page_or_part(request, "tables/invitation.html", "tables/invited.html", context)


def _rematch(request: HttpRequest, shown: Table, player: Player | None) -> HttpResponse:
    if player is None:
        raise PermissionDenied
    try:
        made = rematch_open(table=shown, player=player)
    except DomainError as error:
        messages.error(request, error.text)
        return redirect("invitation", shown.code)
    return redirect("invitation", made.code)


def table(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the board. Everything on it comes over the socket; here stand its words and links."""
    shown = selectors.table_get(pk)
    player = player_of(request)
    own = None if player is None else player.pk
    if shown is None or not may_look(shown.pk, own, request.session):
        raise Http404
    place = pages.table_place(shown)
    title = " · ".join(filter(None, [pages.table_title(shown), place]))
    context = {
        "table": shown,
        "title": title,
        "words": board_words(),
        "rules": board_rules(shown.match),
        "organizer": request.user.has_perm("tables.start_table", shown),
        "held": player is not None and has_sat(shown.match, player),
        **pages.table_links(shown, player),
    }
    response = render(request, "tables/table.html", context)
    recognize(request, response)
    return response


def replay(request: HtmxRequest, pk: int) -> HttpResponse:
    """Show a finished match, a hand at a time; `?hand=2&move=7&seat=1` is the link to a move."""
    match = get_object_or_404(
        Match.objects.select_related("fixture__round__stage__tournament", "table"), pk=pk
    )
    try:
        record = replays.record_of_match(match)
    except DomainError as error:
        if error.code == "match_not_finished":
            return redirect("table", match.table.pk)
        raise Http404 from error
    moment = replays.Moment.asked(record, request.GET.dict())
    context = replays.page_of(match, record, moment)
    return page_or_part(request, "tables/replay.html", "tables/replay_hand.html", context)


def protocol(request: HttpRequest) -> HttpResponse:
    """Show the frames and error codes of a live table's socket, for who writes a client."""
    return render(request, "tables/protocol.html", protocol_page.context())
