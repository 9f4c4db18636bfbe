"""The only writer of the ledger: postings, and with them balances and heads of accounts.

May not decide who gets what: that is policy, and when it is posted is the settlement's.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from league.ledger import chain
from league.ledger.models import Account, Posting
from league.ledger.policy import Kind, reversal_key


@dataclass(frozen=True, slots=True)
class PostingDraft:
    """A posting to be made. `key` is its cause: a key that stands already is refused."""

    player_id: int
    kind: Kind
    points: int
    key: str
    season_id: int | None = None
    result_id: int | None = None
    stint_id: int | None = None
    reason: str = ""


@transaction.atomic
def accounts_lock(*, player_ids: Iterable[int]) -> dict[int, Account]:
    """Lock the players' accounts in the order of their ids, making those not there yet.

    Returns them by player. The locks last until the caller's transaction ends, so a balance read
    here stays true until then. Lock everything a transaction posts to in one call: a second call
    could meet another transaction in the wrong order.
    """
    players = sorted(set(player_ids))
    standing = set(Account.objects.filter(player__in=players).values_list("player_id", flat=True))
    # two makers of one account meet here: the second waits for the first, then ignores its row
    Account.objects.bulk_create(
        [Account(player_id=player) for player in players if player not in standing],
        ignore_conflicts=True,
    )
    locked = (
        Account.objects.select_for_update(no_key=True).filter(player__in=players).order_by("pk")
    )
    return {account.player_id: account for account in locked}


@transaction.atomic
def postings_create(*, drafts: Sequence[PostingDraft]) -> list[Posting]:
    """Write the drafts in their order, with balances, counts and heads, or nothing at all.

    Raises `IntegrityError` when a key was posted before.
    """
    accounts = accounts_lock(player_ids=(draft.player_id for draft in drafts))
    now = timezone.now()
    postings = [_append(accounts[draft.player_id], draft, now) for draft in drafts]
    Posting.objects.bulk_create(postings)
    Account.objects.bulk_update(accounts.values(), ["balance", "count", "head"])
    return postings


def reversal_of(posting: Posting) -> PostingDraft:
    """Return the draft that takes a posting back."""
    return PostingDraft(
        player_id=posting.account.player_id,
        kind=Kind.REVERSAL,
        points=-posting.points,
        key=reversal_key(posting.pk),
        season_id=posting.season_id,
        result_id=posting.result_id,
        stint_id=posting.stint_id,
    )


def _append(account: Account, draft: PostingDraft, now: datetime) -> Posting:
    """Return the account's next posting and move the account, both in memory."""
    posting = Posting(
        account=account,
        number=account.count + 1,
        season_id=draft.season_id,
        result_id=draft.result_id,
        stint_id=draft.stint_id,
        kind=draft.kind.value,
        points=draft.points,
        key=draft.key,
        career_before=account.balance,
        posted_at=now,
        previous=account.head,
        reason=draft.reason,
    )
    posting.hash = chain.link(posting.facts(), account.head)
    account.balance += draft.points
    account.count = posting.number
    account.head = posting.hash
    return posting
