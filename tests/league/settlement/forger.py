"""A forger who knows how the chain is made: whatever is changed, every chain holds again."""

from typing import Any

import pgtrigger

from league.accounts.models import Player
from league.ledger import chain
from league.ledger.models import Account, Posting


def forge(posting: Posting, **changes: Any) -> None:
    """Change a posting and chain its account anew."""
    with pgtrigger.ignore("ledger.Posting:append_only"):
        Posting.objects.filter(pk=posting.pk).update(**changes)
    rechain(Account.objects.get(pk=posting.account_id))


def insert(player: Player, **facts: Any) -> Posting:
    """Append a posting to a player's account as the ledger itself would, only without a cause."""
    account = Account.objects.get(player=player)
    numbered: dict[str, Any] = {"number": account.count + 1, "career_before": account.balance}
    newest = account.postings.order_by("number").last()
    assert newest is not None
    moment = {"posted_at": newest.posted_at, "season": newest.season}
    posting = Posting(account=account, previous=account.head, **numbered, **(moment | facts))
    posting.hash = chain.link(posting.facts(), posting.previous)
    posting.save()
    rechain(account)
    return posting


def move(posting: Posting, player: Player) -> None:
    """Put a posting into another player's account, and chain both anew."""
    source, target = posting.account, Account.objects.get_or_create(player=player)[0]
    with pgtrigger.ignore("ledger.Posting:append_only"):
        Posting.objects.filter(pk=posting.pk).update(account=target, number=target.count + 1)
    rechain(source)
    rechain(target)


def rechain(account: Account) -> None:
    """Number an account's postings and compute its chain, balances and head anew."""
    account.balance, account.count, account.head = 0, 0, chain.START
    for posting in account.postings.order_by("number"):
        posting.account = account
        posting.number, posting.career_before = account.count + 1, account.balance
        posting.previous = account.head
        posting.hash = chain.link(posting.facts(), posting.previous)
        account.balance += posting.points
        account.count, account.head = posting.number, posting.hash
        with pgtrigger.ignore("ledger.Posting:append_only"):
            posting.save()
    account.save()
