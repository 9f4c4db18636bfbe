"""The only writer of the ledger: postings, and with them balances and heads of accounts.

May not decide who gets what: that is policy, and when it is posted is the settlement's.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db import connection, transaction
from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from league.ledger import chain, checkpoints
from league.ledger.models import Account, Checkpoint, CheckpointHead, Posting
from league.ledger.policy import Kind, reversal_key
from league.results.models import Result


@dataclass(frozen=True, slots=True)
class PostingDraft:
    """A posting to be made. `key` is its cause: a key that stands already is refused."""

    player_id: int
    kind: Kind
    points: int
    key: str
    season_id: int | None = None
    tournament_id: int | None = None
    match_id: int | None = None
    result: Result | None = None
    stint_id: int | None = None
    seat: int | None = None
    club_id: int | None = None
    actor_id: int | None = None
    balance_read: int | None = None
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


@transaction.atomic
def checkpoint_create(*, day: date) -> Checkpoint:
    """Write down all accounts' heads as they stand now, under `day`; a day has one checkpoint.

    Once it is there it is returned. Accounts that did not move since the last are not repeated.
    """
    _advisory_lock()
    standing = Checkpoint.objects.filter(day=day).first()
    if standing is not None:
        return standing
    last = Checkpoint.objects.order_by("day").last()
    moved = _moved_since_checkpoints()
    checkpoint = Checkpoint(
        day=day,
        made_at=timezone.now(),
        previous=checkpoints.START if last is None else last.digest,
        **_counted(last, moved),
    )
    checkpoint.digest = checkpoints.checkpoint_digest(
        previous=checkpoint.previous,
        day=day,
        made_at=checkpoint.made_at,
        accounts=checkpoint.accounts,
        postings=checkpoint.postings,
        heads=[head for head, _before in moved],
    )
    checkpoint.save(force_insert=True)
    CheckpointHead.objects.bulk_create(
        CheckpointHead(
            checkpoint=checkpoint, account_id=head.account, count=head.postings, head=head.head
        )
        for head, _before in moved
    )
    return checkpoint


def _advisory_lock() -> None:
    """Let one checkpoint be made at a time, until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('ledger checkpoint'))")


def _moved_since_checkpoints() -> list[tuple[checkpoints.HeadFacts, int]]:
    """Return the accounts that moved, in their order, and how many postings were known before."""
    known = CheckpointHead.objects.filter(account=OuterRef("pk")).order_by("-count")
    before = Coalesce(Subquery(known.values("count")[:1]), 0)
    moved = Account.objects.annotate(before=before).filter(count__gt=F("before")).order_by("pk")
    return [
        (checkpoints.HeadFacts(pk, count, head), seen)
        for pk, count, head, seen in moved.values_list("pk", "count", "head", "before")
    ]


def _counted(
    last: Checkpoint | None, moved: Sequence[tuple[checkpoints.HeadFacts, int]]
) -> dict[str, int]:
    """Return how many accounts and postings there are, those that did not move included."""
    new = sum(1 for _head, before in moved if before == 0)
    grown = sum(head.postings - before for head, before in moved)
    return {
        "accounts": new + (last.accounts if last else 0),
        "postings": grown + (last.postings if last else 0),
    }


def reversal_of(posting: Posting, *, actor_id: int | None = None, reason: str = "") -> PostingDraft:
    """Return the draft that takes a posting back."""
    return PostingDraft(
        player_id=posting.account.player_id,
        kind=Kind.REVERSAL,
        points=-posting.points,
        key=reversal_key(posting.pk),
        season_id=posting.season_id,
        tournament_id=posting.tournament_id,
        match_id=posting.match_id,
        result=posting.result,
        stint_id=posting.stint_id,
        seat=posting.seat,
        club_id=posting.club_id,
        actor_id=actor_id,
        reason=reason,
    )


def _append(account: Account, draft: PostingDraft, now: datetime) -> Posting:
    """Return the account's next posting and move the account, both in memory."""
    posting = Posting(
        account=account,
        number=account.count + 1,
        season_id=draft.season_id,
        tournament_id=draft.tournament_id,
        match_id=draft.match_id,
        result=draft.result,
        stint_id=draft.stint_id,
        seat=draft.seat,
        club_id=draft.club_id,
        actor_id=draft.actor_id,
        kind=draft.kind.value,
        points=draft.points,
        key=draft.key,
        career_before=account.balance,
        balance_read=draft.balance_read,
        posted_at=now,
        previous=account.head,
        reason=draft.reason,
    )
    posting.hash = chain.link(posting.facts(), account.head)
    account.balance += draft.points
    account.count = posting.number
    account.head = posting.hash
    return posting
