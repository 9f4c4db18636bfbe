"""What must hold of the ledger, one function an invariant, each giving sentences of what does not.

Reads only. Everything is recomputed from the postings and results themselves.
"""

from collections.abc import Iterable, Iterator

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from league.ledger import chain
from league.ledger.models import Account, Posting
from league.ledger.policy import Kind, UnknownStint, result_key, reversal_key
from league.results.models import Match, MatchStatus, Result
from league.settlement.selectors import awards_of

_CHUNK = 500


def ledger_faults() -> Iterator[str]:
    """Give a sentence for each thing that does not hold in the ledger."""
    for account in Account.objects.select_related("player").order_by("pk").iterator(_CHUNK):
        postings = account.postings.order_by("number").iterator(_CHUNK)
        yield from account_faults(account, postings)
    yield from unsettled_faults()
    for result in Result.objects.select_related("match").order_by("pk").iterator(_CHUNK):
        yield from result_faults(result)


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
    for match in finished.exclude(Exists(current)).order_by("pk"):
        yield _("match %(match)d is finished and has no result.") % {"match": match.pk}


def result_faults(result: Result) -> Iterator[str]:
    """Check that a result posted what the rules say, and was taken back if it is an older one."""
    where = {"match": result.match_id, "version": result.version}
    posted = {posting.key: posting for posting in result.postings.exclude(kind=Kind.REVERSAL)}
    try:
        due = _due(result)
    except UnknownStint:
        yield _("match %(match)d, result %(version)d: a stint no rule covers.") % where
        return
    if {key: posting.points for key, posting in posted.items()} != due:
        yield _("match %(match)d, result %(version)d: not posted as the rules say.") % where
    reversals = result.postings.filter(kind=Kind.REVERSAL)
    taken_back = {reversal.key: reversal.points for reversal in reversals}
    expected = {} if result.is_current else _taken_back(posted.values())
    if taken_back != expected:
        yield _("match %(match)d, result %(version)d: wrong reversals.") % where


def _due(result: Result) -> dict[str, int]:
    """Return what a result must have posted: points by key. A friendly match: nothing."""
    if result.match.fixture_id is None:
        return {}
    return {
        result_key(
            result_id=result.pk, version=result.version, stint_id=award.stint_id, kind=award.kind
        ): award.points
        for award in awards_of(result.match, result)
    }


def _taken_back(postings: Iterable[Posting]) -> dict[str, int]:
    return {reversal_key(posting.pk): -posting.points for posting in postings}
