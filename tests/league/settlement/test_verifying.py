"""`manage.py ledger verify` finds what was lost or changed; an honest ledger holds."""

from typing import Any

import pgtrigger
import pytest

from league.ledger.models import Account, Posting
from league.results.models import Match, MatchStatus, Result
from league.results.services import match_start
from league.settlement.services import match_settle
from tests.factories import build_match, build_players, build_tournament
from tests.league.settlement.four import FOUR, correct
from tests.league.settlement.recorded import settle_played
from tests.league.settlement.verifier import faults as all_faults
from tests.league.settlement.verifier import faults_beside_seals as faults
from tests.league.settlement.verifier import verify

pytestmark = pytest.mark.django_db


@pytest.fixture
def settled() -> Match:
    """A match that was settled without a record."""
    match = build_match()
    match_settle(match_id=match.pk, **FOUR)
    return match


def test_an_empty_ledger_holds() -> None:
    assert "0 accounts, 0 postings" in verify()


def test_matches_without_records_and_their_corrections_hold(settled: Match) -> None:
    correct(settled.pk, [1, 2, 3, 4])
    correct(settled.pk, [4, 4, 3, 2])
    assert verify() == "The ledger holds: 4 accounts, 20 postings."


@pytest.mark.parametrize(
    ("seats", "partners"), [(2, False), (3, False), (4, False), (4, True)], ids=str
)
def test_played_matches_with_their_records_and_a_correction_hold(
    seats: int, partners: bool
) -> None:
    tournament = build_tournament(seats=seats, partners=partners)
    players = build_players(seats)
    first, second = build_match(tournament, players), build_match(tournament, players)
    settle_played(first)
    result = settle_played(second, secret=b"x" * 32)
    correct(second.pk, [score + 1 for score in result.scores[::-1]])
    assert verify() == f"The ledger holds: {seats} accounts, {4 * seats} postings."


def test_a_friendly_match_with_its_record_holds_and_explains_no_posting() -> None:
    terms = build_match()
    friendly = Match.objects.create(ruleset=terms.ruleset, seats=4, stake=3, partners=False)
    match_start(match=friendly, players=build_players(4))
    settle_played(friendly)
    assert verify() == "The ledger holds: 0 accounts, 0 postings."


def test_a_player_may_be_renamed_after_the_match() -> None:
    match = build_match()
    settle_played(match)
    stint = match.stints.select_related("player").get(seat=0)
    assert stint.player is not None
    stint.player.name = "Yeni Ad"
    stint.player.save()
    assert "The ledger holds" in verify()


def test_the_record_is_kept_as_it_was_given(settled: Match) -> None:
    """A correction keeps it too."""
    match = build_match()
    record: Any = settle_played(match).record
    corrected = correct(match.pk, [1, 2, 3, 4])
    corrected.refresh_from_db()
    assert corrected.record == record
    assert record["players"]


def test_a_changed_posting_breaks_the_chain(settled: Match) -> None:
    posting = Posting.objects.get(points=3)
    with pgtrigger.ignore("ledger.Posting:append_only"):
        Posting.objects.filter(points=3).update(points=4)
    who = f"account {posting.account_id} ({posting.account.player})"
    assert all_faults()[:3] == [
        f"{who}: the chain breaks at posting 1.",
        f"{who}: the balance is 3, the postings sum to 4.",
        f"posting {posting.pk} of account {posting.account_id}: its points: 4, by its cause 3.",
    ]


def test_a_lost_posting_is_missed(settled: Match) -> None:
    correct(settled.pk, [1, 2, 3, 4])
    lost = Posting.objects.get(number=2, stint__seat=0)
    original = Posting.objects.get(number=1, stint__seat=0)
    with pgtrigger.ignore("ledger.Posting:append_only"):
        lost.delete()
    said = faults()
    assert f"account {lost.account_id} ({lost.account.player}): posting 2 is missing." in said
    assert f"match {settled.pk}, result 1: posting {original.pk} was not taken back." in said


def test_a_lost_placement_is_missed(settled: Match) -> None:
    """Also where the account was emptied with it."""
    lost = Posting.objects.get(points=3)
    with pgtrigger.ignore("ledger.Posting:append_only"):
        Posting.objects.filter(pk=lost.pk).delete()
    Account.objects.filter(pk=lost.account_id).delete()
    assert faults() == [f"match {settled.pk}, result 1: {lost.key} was not posted."]


def test_a_changed_balance_is_found(settled: Match) -> None:
    Account.objects.filter(balance=3).update(balance=30)
    (said,) = faults()
    assert "the balance is 30, the postings sum to 3" in said


def test_a_changed_head_is_found(settled: Match) -> None:
    Account.objects.filter(balance=3).update(head="f" * 64)
    (said,) = faults()
    assert "count or head are not those of the last posting" in said


def test_a_finished_match_without_a_result_is_found(settled: Match) -> None:
    Result.objects.update(is_current=False)
    assert f"match {settled.pk}: its current result is not the last one." in faults()


def test_a_result_of_a_match_not_finished_is_found(settled: Match) -> None:
    Match.objects.update(status=MatchStatus.PLAYING)
    assert faults() == [f"match {settled.pk} has a result and is not finished."]


def test_a_stint_no_rule_covers_is_found(settled: Match) -> None:
    """The result has no points for the last seat."""
    Result.objects.update(points=[3, -3, 1])
    assert f"match {settled.pk}, result 1: a stint no rule covers." in faults()
