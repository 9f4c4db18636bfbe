"""`manage.py ledger verify` finds what somebody with the owner's rights changed."""

from io import StringIO

import pgtrigger
import pytest
from django.core.management import CommandError, call_command

from league.ledger.models import Account, Posting
from league.results.models import Match, Result
from league.settlement.services import match_correct, match_settle
from tests.factories import build_match
from tests.league.settlement.four import FOUR

pytestmark = pytest.mark.django_db


@pytest.fixture
def settled() -> Match:
    """A settled match."""
    match = build_match()
    match_settle(match_id=match.pk, **FOUR)
    return match


def verify() -> str:
    """What the command says; raises when it ends with 1."""
    out = StringIO()
    call_command("ledger", "verify", stdout=out)
    return out.getvalue()


def fault() -> str:
    """What the command says when it fails."""
    with pytest.raises(CommandError) as refused:
        verify()
    assert refused.value.returncode == 1
    return str(refused.value)


def test_an_honest_ledger_holds(settled: Match) -> None:
    match_correct(match_id=settled.pk, scores=[1, 2, 3, 4])
    assert "4 accounts, 12 postings" in verify()


def test_an_empty_ledger_holds() -> None:
    assert "0 accounts, 0 postings" in verify()


def test_a_changed_posting_breaks_the_chain(settled: Match) -> None:
    with pgtrigger.ignore("ledger.Posting:append_only"):
        Posting.objects.filter(points=3).update(points=4)
    said = fault()
    assert "the chain breaks at posting 1" in said
    assert "the balance is 3, the postings sum to 4" in said
    assert f"match {settled.pk}, result 1: not posted as the rules say" in said


def test_a_lost_posting_is_missed(settled: Match) -> None:
    match_correct(match_id=settled.pk, scores=[1, 2, 3, 4])
    with pgtrigger.ignore("ledger.Posting:append_only"):
        Posting.objects.filter(number=2).delete()
    said = fault()
    assert "posting 2 is missing" in said
    assert "result 1: wrong reversals" in said


def test_a_changed_balance_is_found(settled: Match) -> None:
    Account.objects.filter(balance=3).update(balance=30)
    assert "the balance is 30, the postings sum to 3" in fault()


def test_a_changed_head_is_found(settled: Match) -> None:
    Account.objects.filter(balance=3).update(head="f" * 64)
    assert "count or head are not those of the last posting" in fault()


def test_a_changed_result_is_found(settled: Match) -> None:
    Result.objects.update(points=[-3, 3, 1, -1])
    assert "not posted as the rules say" in fault()


def test_a_finished_match_without_a_result_is_found(settled: Match) -> None:
    Result.objects.update(is_current=False)
    assert f"match {settled.pk} is finished and has no result" in fault()
