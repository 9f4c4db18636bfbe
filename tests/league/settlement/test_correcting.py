"""A correction reverses and posts anew in one transaction; the older result is kept."""

import pytest

from league.ledger.models import Kind, Posting
from league.ledger.policy import Kind as PolicyKind
from league.ledger.selectors import balance
from league.ledger.services import PostingDraft, postings_create
from league.results.models import Result
from league.settlement.services import match_settle
from league.settlement.verification import ledger_faults
from league.shared.errors import DomainError
from tests.at_once import together
from tests.factories import build_match
from tests.league.settlement.four import FOUR, correct, table

pytestmark = pytest.mark.django_db


def test_a_result_with_the_other_winner_becomes_the_current_one_and_the_older_is_kept() -> None:
    """Case C1."""
    match = build_match()
    old = match_settle(match_id=match.pk, **FOUR)
    new = correct(match.pk, [-33, 10, -8, -21])
    old.refresh_from_db()
    assert (old.is_current, new.is_current, new.version) == (False, True, 2)
    assert (old.points, new.points) == ([3, -3, 1, -1], [-3, 3, 1, -1])
    assert table(match) == [(1, 3, 1), (2, 1, 1), (3, -1, 1), (4, -3, 1)]


def test_a_correction_reverses_each_posting_and_posts_anew() -> None:
    match = build_match()
    match_settle(match_id=match.pk, **FOUR)
    correct(match.pk, [-33, 10, -8, -21], "seats were swapped")
    lines = Posting.objects.filter(stint__seat=0).order_by("number")
    assert [(line.kind, line.points) for line in lines] == [
        (Kind.PLACEMENT, 3),
        (Kind.REVERSAL, -3),
        (Kind.PLACEMENT, -3),
    ]
    assert lines[1].key == f"reversal:{lines[0].pk}"
    assert lines[2].reason == "seats were swapped"
    assert list(ledger_faults()) == []


def test_the_same_scores_again_change_nothing() -> None:
    match = build_match()
    result = match_settle(match_id=match.pk, **FOUR)
    assert correct(match.pk, FOUR["scores"]) == result
    assert Posting.objects.count() == 4


def test_a_correction_can_be_corrected_and_back() -> None:
    match = build_match()
    match_settle(match_id=match.pk, **FOUR)
    correct(match.pk, [-33, 10, -8, -21])
    correct(match.pk, FOUR["scores"])
    assert [result.version for result in Result.objects.all()] == [1, 2, 3]
    assert table(match)[0] == (1, 3, 1)
    assert Posting.objects.count() == 4 + 8 + 8
    assert list(ledger_faults()) == []


def test_what_was_posted_apart_from_the_result_survives_a_correction() -> None:
    """Case C2, as far as the ledger goes: a penalty stays and counts."""
    match = build_match()
    match_settle(match_id=match.pk, **FOUR)
    stint = match.stints.select_related("player").get(seat=0)
    assert stint.player is not None
    penalty = PostingDraft(
        player_id=stint.player.pk, kind=PolicyKind.ADJUSTMENT, points=-5, key="adjustment:1"
    )
    postings_create(drafts=[penalty])
    correct(match.pk, [-33, 10, -8, -21])
    assert balance(stint.player) == -3 - 5


@pytest.mark.parametrize("scores", [[1, 2, 3], [1.0, 2, 3, 4], [True, 2, 3, 4]])
def test_scores_that_do_not_fit_correct_nothing(scores: list[int]) -> None:
    match = build_match()
    match_settle(match_id=match.pk, **FOUR)
    with pytest.raises(DomainError) as refused:
        correct(match.pk, scores)
    assert refused.value.code == "outcome"
    assert Result.objects.get().is_current


@pytest.mark.parametrize("reason", ["x" * 201, "\0", "a\ud800", "a\u202eb", "\u200b"])
def test_a_reason_that_cannot_be_kept_corrects_nothing(reason: str) -> None:
    match = build_match()
    match_settle(match_id=match.pk, **FOUR)
    with pytest.raises(DomainError) as refused:
        correct(match.pk, [-33, 10, -8, -21], reason)
    assert refused.value.code == "reason"
    assert Result.objects.get().is_current
    correct(match.pk, [-33, 10, -8, -21], "x" * 200)
    assert Posting.objects.filter(reason="x" * 200).count() == 8


def test_a_match_without_a_result_cannot_be_corrected() -> None:
    match = build_match()
    with pytest.raises(DomainError) as refused:
        correct(match.pk, FOUR["scores"])
    assert refused.value.code == "match_state"


@pytest.mark.django_db(transaction=True)
def test_two_corrections_at_once_follow_one_another() -> None:
    """Case C3."""
    match = build_match()
    match_settle(match_id=match.pk, **FOUR)
    together(
        lambda: correct(match.pk, [-33, 10, -8, -21]),
        lambda: correct(match.pk, [-8, -33, 10, -21]),
    )
    assert [result.is_current for result in Result.objects.order_by("version")] == [
        False,
        False,
        True,
    ]
    assert list(ledger_faults()) == []
    assert table(match) == [(1, 3, 1), (2, 1, 1), (3, -1, 1), (4, -3, 1)]
