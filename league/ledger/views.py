"""The page of a player: the statement of the account."""

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from league.accounts.models import Player
from league.accounts.selectors import player_of
from league.conduct.models import Ban
from league.conduct.selectors import bans_shown
from league.ledger import selectors
from league.results.selectors import conduct_of


def _bans(request: HttpRequest, shown: Player) -> QuerySet[Ban]:
    """Return the bans in force, to the person and to who may look at bans; to nobody else."""
    own = player_of(request) == shown
    sees = own or request.user.has_perm("conduct.view_ban")
    return bans_shown(shown, timezone.now()) if sees else Ban.objects.none()


def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a player's postings and conduct record, the newest first, with the running balance."""
    shown = get_object_or_404(Player, pk=pk)
    context = {
        "player": shown,
        "balance": selectors.balance(shown),
        "postings": selectors.statement_of(shown).reverse(),
        "conduct": conduct_of(shown),
        "bans": _bans(request, shown),
    }
    return render(request, "ledger/player.html", context)
