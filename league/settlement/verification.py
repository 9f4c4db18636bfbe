"""What must hold of the ledger, one function an invariant, each giving sentences of what does not.

Here stand the accounts' chains and sums; `causes` says what explains each posting, `outcomes` what
each result must be. Reads only. Everything is recomputed from the rows themselves, a chunk at a
time: memory does not grow with the ledger.
"""

from collections.abc import Iterable, Iterator

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from league.ledger import chain
from league.ledger.models import Account, Posting
from league.results.models import Match, MatchStatus, Result
from league.settlement.causes import causes_faults, missing_faults
from league.settlement.outcomes import outcome_faults
from league.settlement.selectors import results_by_chunk

_CHUNK = 500


def ledger_faults() -> Iterator[str]:
    """Give a sentence for each thing that does not hold in the ledger."""
    for account in Account.objects.select_related("player").order_by("pk").iterator(_CHUNK):
        postings = account.postings.order_by("number").iterator(_CHUNK)
        yield from account_faults(account, postings)
    yield from causes_faults()
    yield from unsettled_faults()
    for result in results_by_chunk():
        yield from outcome_faults(result)
        yield from missing_faults(result)


def account_faults(account: Account, postings: Iterable[Posting]) -> Iterator[str]:
    """Check the chain from the first posting to the head, the balances along it, and the count."""
    who = f"account {account.pk} ({account.player})"
    head, balance, count = chain.START, 0, 0
    for count, posting in enumerate(postings, start=1):
        posting.account = account
        yield from _posting_faults(who, posting, count, head, balance)
        head, balance = posting.hash, balance + posting.points
    if account.balance != balance:
        yield _("%(who)s: the balance is %(is)d, the postings sum to %(sum)d.") % {
            "who": who, "is": account.balance, "sum": balance,
        }  # fmt: skip
    if (account.count, account.head) != (count, head):
        yield _("%(who)s: count or head are not those of the last posting.") % {"who": who}


def _posting_faults(
    who: str, posting: Posting, number: int, head: str, balance: int
) -> Iterator[str]:
    where = {"who": who, "number": number}
    if posting.number != number:
        yield _("%(who)s: posting %(number)d is missing.") % where
    if posting.previous != head or posting.hash != chain.link(posting.facts(), posting.previous):
        yield _("%(who)s: the chain breaks at posting %(number)d.") % where
    if posting.career_before != balance:
        yield _("%(who)s: posting %(number)d read a wrong balance.") % where


def unsettled_faults() -> Iterator[str]:
    """Check that every finished match has a current result."""
    current = Result.objects.filter(match=OuterRef("pk"), is_current=True)
    finished = Match.objects.filter(status=MatchStatus.FINISHED)
    lacking = finished.exclude(Exists(current)).order_by("pk").values_list("pk", flat=True)
    for match_id in lacking.iterator(_CHUNK):
        yield _("match %(match)d is finished and has no result.") % {"match": match_id}
