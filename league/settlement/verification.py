"""What must hold of the ledger, each giving sentences of what does not.

Here stand the accounts' chains and sums, and the order in which all is checked; `causes` says what
explains each posting, `outcomes` what each result must be, `sums` what tallies and checkpoints must
be. Reads only. Everything is recomputed from the rows themselves, a chunk at a time: memory does
not grow with the ledger.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

from django.utils.translation import gettext as _

from league.ledger import chain
from league.ledger.models import Account
from league.seasons.models import Season
from league.settlement.causes import apart_faults, match_faults
from league.settlement.outcomes import outcome_faults, record_faults, versions_faults
from league.settlement.rows import MatchRow, PostingRow, matches_by_chunk, postings_by_account
from league.settlement.sums import checkpoint_faults, tally_faults


def ledger_faults(season: Season | None = None, *, replay: bool = False) -> Iterator[str]:
    """Give a sentence for each thing that does not hold in the ledger, or in what a season needs
    of it. With `replay` the records are played through as well.
    """
    yield from accounts_faults(season)
    for match in matches_by_chunk(season):
        yield from _match_faults(match)
        if replay:
            for result in match.results:
                yield from record_faults(match, result)
    yield from apart_faults(season)
    yield from tally_faults(season)
    if season is None:
        yield from checkpoint_faults()


def _match_faults(match: MatchRow) -> Iterator[str]:
    yield from versions_faults(match)
    for result in match.results:
        yield from outcome_faults(match, result)
    yield from match_faults(match)


# --- accounts


def accounts_faults(season: Season | None = None) -> Iterator[str]:
    """Check each account's chain, balances, count and head; accounts without postings too."""
    accounts = {account.pk: account for account in Account.objects.select_related("player")}
    for pk, postings in groupby(postings_by_account(season), lambda posting: posting.account):
        yield from account_faults(accounts.pop(pk), postings)
    if season is None:
        for account in accounts.values():
            yield from account_faults(account, ())


def account_faults(account: Account, postings: Iterable[PostingRow]) -> Iterator[str]:
    """Check the chain from the first posting to the head, the balances along it, and the count."""
    who = f"account {account.pk} ({account.player})"
    head, balance, count = chain.START, 0, 0
    for count, posting in enumerate(postings, start=1):
        yield from _posting_faults(who, posting, count, head, balance)
        head, balance = posting.hash, balance + posting.points
    if account.balance != balance:
        yield _("%(who)s: the balance is %(is)d, the postings sum to %(sum)d.") % {
            "who": who, "is": account.balance, "sum": balance,
        }  # fmt: skip
    if (account.count, account.head) != (count, head):
        yield _("%(who)s: count or head are not those of the last posting.") % {"who": who}


def _posting_faults(
    who: str, posting: PostingRow, number: int, head: str, balance: int
) -> Iterator[str]:
    where = {"who": who, "number": number}
    if posting.number != number:
        yield _("%(who)s: posting %(number)d is missing.") % where
    if posting.previous != head or not _hash_holds(posting):
        yield _("%(who)s: the chain breaks at posting %(number)d.") % where
    if posting.career_before != balance:
        yield _("%(who)s: posting %(number)d read a wrong balance.") % where


def _hash_holds(posting: PostingRow) -> bool:
    known = posting.format in chain.FORMATS
    return known and posting.hash == chain.link(posting.facts, posting.previous)
