"""The page of a player: the statement of the account."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from league.accounts.models import Player
from league.ledger import selectors
from league.results.selectors import conduct_of


def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a player's postings and conduct record, the newest first, with the running balance."""
    shown = get_object_or_404(Player, pk=pk)
    context = {
        "player": shown,
        "balance": selectors.balance(shown),
        "postings": selectors.statement_of(shown).reverse(),
        "conduct": conduct_of(shown),
    }
    return render(request, "ledger/player.html", context)
