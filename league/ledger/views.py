"""The page of a player: the statement of the account."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from league.accounts.models import Player
from league.ledger import selectors
from league.ledger.models import Posting
from league.tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class StatementLine:
    """A posting and the balance after it; the ledger keeps the one before, so no sum is made."""

    posting: Posting

    @property
    def balance(self) -> int:
        return self.posting.career_before + self.posting.points

    @property
    def tournament(self) -> Tournament | None:
        result = self.posting.result
        fixture = None if result is None else result.match.fixture
        return None if fixture is None else fixture.round.stage.tournament


def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a player's postings, the newest first, with the running balance."""
    shown = get_object_or_404(Player, pk=pk)
    postings = selectors.statement_of(shown).reverse()
    context = {
        "player": shown,
        "balance": selectors.balance(shown),
        "lines": [StatementLine(posting) for posting in postings],
    }
    return render(request, "ledger/player.html", context)
