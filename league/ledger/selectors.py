"""Reads of the ledger: balances, statements, sums."""

from django.db.models import QuerySet

from league.accounts.models import Player
from league.ledger.models import Account, Posting


def balance(player: Player) -> int:
    """Return the player's career balance: all postings of all seasons."""
    account = Account.objects.filter(player=player).only("balance").first()
    return account.balance if account else 0


def statement_of(player: Player) -> QuerySet[Posting]:
    """Return the player's postings, oldest first, with what a statement shows."""
    return (
        Posting.objects.filter(account__player=player)
        .select_related("account", "season", "tournament", "match", "result", "club")
        .defer("result__record", "match__ruleset")  # large, and no line of a statement
        .order_by("number")
    )
