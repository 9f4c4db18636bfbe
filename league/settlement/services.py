"""The one place where a result, its postings and the standings change together.

`match_settle` posts a finished match once; `match_correct` takes a result back and posts anew.
Each is one transaction, and locks the match, then everybody's account in the order of ids.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from engine.scoring import places_of, points_alone, points_partners
from league.ledger.models import REASON_LENGTH, Posting
from league.ledger.policy import Kind, result_key
from league.ledger.services import PostingDraft, postings_create, reversal_of
from league.results.models import Match, MatchStatus, Result
from league.results.selectors import result_of
from league.results.services import Outcome, match_lock, result_create
from league.settlement.selectors import awards_of, stints_of
from league.shared.errors import DomainError
from league.shared.names import is_printable


@transaction.atomic
def match_settle(
    *,
    match_id: int,
    scores: Sequence[int],
    places: Sequence[int],
    points: Sequence[int],
    record: Mapping[str, Any] | None,
) -> Result:
    """Write a match's result, its postings, and finish match and fixture; or change nothing.

    `scores` by side, `places` and `points` by seat (record.md, `result`). A match that has its
    result keeps it: the standing result is returned, whatever was given. Joins the caller's
    transaction. Raises DomainError no_such_match, match_state, outcome, stints.
    """
    match = match_lock(match_id=match_id)
    standing = result_of(match)
    if standing is not None:
        return standing
    if match.status != MatchStatus.PLAYING:
        raise DomainError("match_state", _("Only a match that was begun can be settled."))
    outcome = Outcome(tuple(scores), tuple(places), tuple(points))
    _check(match, outcome)
    result = result_create(match=match, outcome=outcome, record=record)
    postings_create(drafts=_drafts(match, result))
    return result


@transaction.atomic
def match_correct(*, match_id: int, scores: Sequence[int], reason: str = "") -> Result:
    """Give a settled match the result that follows from other scores by side.

    The older result is kept, its postings are reversed and the new ones posted. The same scores
    again change nothing. Raises DomainError reason, no_such_match, match_state, outcome.
    """
    _check_reason(reason)
    match = match_lock(match_id=match_id)
    standing = result_of(match)
    if standing is None:
        raise DomainError("match_state", _("Only a settled match can be corrected."))
    outcome = outcome_of(match, scores)
    if list(outcome.scores) == standing.scores:
        return standing
    reversals = [reversal_of(posting) for posting in _postings_of(standing)]
    result = result_create(match=match, outcome=outcome, record=standing.record)
    postings_create(drafts=[*reversals, *_drafts(match, result, reason)])
    return result


def outcome_of(match: Match, scores: Sequence[int]) -> Outcome:
    """Return the places and points that scores by side give (rules.md, From matches to points)."""
    if len(scores) != _sides(match) or not _integers(scores):
        raise _bad_outcome()
    by_seat = [scores[seat % len(scores)] for seat in range(match.seats)]
    places = places_of(by_seat)
    points = points_partners if match.partners else points_alone
    return Outcome(tuple(scores), places, tuple(points(places, match.stake)))


def _postings_of(result: Result) -> list[Posting]:
    postings = result.postings.exclude(kind=Kind.REVERSAL).select_related("account")
    return list(postings.order_by("pk"))


def _drafts(match: Match, result: Result, reason: str = "") -> list[PostingDraft]:
    """Return what a result posts; a friendly match posts nothing (rules.md)."""
    if match.fixture is None:
        return []
    season_id = match.fixture.round.stage.tournament.season_id
    return [
        PostingDraft(
            player_id=award.player_id,
            kind=award.kind,
            points=award.points,
            key=result_key(
                result_id=result.pk,
                version=result.version,
                stint_id=award.stint_id,
                kind=award.kind,
            ),
            season_id=season_id,
            result_id=result.pk,
            stint_id=award.stint_id,
            reason=reason,
        )
        for award in awards_of(match, result)
    ]


def _check(match: Match, outcome: Outcome) -> None:
    if not _integers([*outcome.scores, *outcome.places, *outcome.points]):
        raise _bad_outcome()
    if outcome != outcome_of(match, outcome.scores):
        raise _bad_outcome()
    if {stint.seat for stint in stints_of(match)} != set(range(match.seats)):
        raise DomainError("stints", _("Somebody must have sat in every seat."))


def _check_reason(reason: str) -> None:
    if len(reason) > REASON_LENGTH:
        raise DomainError(
            "reason", _("A reason has at most %(most)d letters.") % {"most": REASON_LENGTH}
        )
    if not is_printable(" ".join(reason.split())):
        raise DomainError("reason", _("A reason holds only printable letters."))


def _sides(match: Match) -> int:
    return 2 if match.partners else match.seats


def _integers(numbers: Sequence[object]) -> bool:
    return all(type(number) is int for number in numbers)


def _bad_outcome() -> DomainError:
    return DomainError("outcome", _("Scores, places and points do not fit the match."))
