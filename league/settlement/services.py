"""The one place where a result, its postings and the standings change together.

`match_settle` posts a finished match once; `match_correct` takes a result back and posts anew.
Each is one transaction, and locks the match, then everybody's account in the order of ids.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from engine.scoring import places_of, points_alone, points_partners
from league.accounts.models import Player
from league.ledger.models import REASON_LENGTH, Posting
from league.ledger.policy import (
    Award,
    Kind,
    abandoned_award,
    abandoned_key,
    leaver_award,
    leaver_key,
    result_key,
)
from league.ledger.services import PostingDraft, accounts_lock, postings_create, reversal_of
from league.results.models import How, Left, Match, MatchStatus, Result, Stint
from league.results.selectors import result_of
from league.results.services import (
    Outcome,
    match_lock,
    match_mark_abandoned,
    match_mark_void,
    result_create,
    stint_close,
    stint_of_seat,
    stint_open,
)
from league.settlement.selectors import awards_of, balances_read, fact_of, stints_of
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
    postings_create(drafts=_drafts(match, result, _balances_now(match)))
    return result


def _balances_now(match: Match) -> dict[int, int]:
    """Lock the accounts a match posts to, and read the substitutes' (rules.md: the 3000)."""
    if match.fixture is None:
        return dict.fromkeys((stint.pk for stint in match.stints.all()), 0)  # posts nothing
    stints = [stint for stint in match.stints.all() if stint.player_id is not None]
    accounts = accounts_lock(player_ids=(stint.player_id for stint in stints if stint.player_id))
    return {
        stint.pk: accounts[stint.player_id].balance
        for stint in stints
        if stint.player_id and stint.how == How.SUBSTITUTE
    }


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
    drafts = _drafts(match, result, balances_read(match), reason)
    postings_create(drafts=[*reversals, *drafts])
    return result


# --- who leaves, drops, and takes over


@transaction.atomic
def stint_leave(*, match_id: int, seat: int) -> Stint:
    """The seat's player leaves a match under way: the stint ends, and 2N are posted now.

    A friendly match posts nothing. Joins the caller's transaction. Raises DomainError
    no_such_match, match_state, no_stint.
    """
    match = _under_way(match_id)
    stint = stint_close(match=match, seat=seat, left=Left.VOLUNTARY)
    _post_for_stint(match, stint, leaver_award(fact_of(stint), match.stake), leaver_key(stint.pk))
    return stint


@transaction.atomic
def seat_take_over(*, match_id: int, seat: int, player: Player | None, from_hand: int) -> Stint:
    """Seat a substitute, or with None a bot, where a player left or dropped.

    A dropped player's stint ends here, so it is replaced for good. Raises DomainError
    no_such_match, match_state, seat_once.
    """
    match = _under_way(match_id)
    if match.stints.filter(seat=seat, left__isnull=True).exists():
        stint_close(match=match, seat=seat, left=Left.DROPPED)
    how = How.BOT if player is None else How.SUBSTITUTE
    return stint_open(match=match, seat=seat, player=player, how=how, from_hand=from_hand)


@transaction.atomic
def match_abandon(*, match_id: int, dropped: Sequence[int]) -> Match:
    """Give a match up; who dropped (by seat) is charged N, its fixture waits for the organizer.

    A substitute who dropped is not: a substitute's rows of the rules come before all others.
    Raises DomainError no_such_match, match_state, no_stint.
    """
    match = _under_way(match_id)
    for seat in sorted(dropped):
        stint = stint_of_seat(match=match, seat=seat)
        if stint.how != How.START:
            continue
        award = abandoned_award(fact_of(stint), match.stake)
        _post_for_stint(match, stint, award, abandoned_key(stint.pk))
    match_mark_abandoned(match=match)
    return match


@transaction.atomic
def match_void(*, match_id: int) -> Match:
    """Let an abandoned match count for nothing: the N of who dropped go back, leavers' 2N stay.

    Raises DomainError no_such_match, match_state.
    """
    match = match_lock(match_id=match_id)
    if match.status == MatchStatus.VOID:
        return match
    if match.status != MatchStatus.ABANDONED:
        raise DomainError("match_state", _("Only a match that was given up can become void."))
    match_mark_void(match=match)
    charged = Posting.objects.filter(
        stint__match=match, result__isnull=True, kind=Kind.DROPPED
    ).select_related("account")
    postings_create(drafts=[reversal_of(posting) for posting in charged.order_by("pk")])
    return match


@transaction.atomic
def match_decide(
    *, match_id: int, places: Sequence[int], record: Mapping[str, Any] | None, reason: str
) -> Result:
    """End a match, abandoned or under way, by decision: places by seat, posted as placement.

    Raises DomainError no_such_match, match_state, outcome, reason.
    """
    _check_reason(reason)
    match = match_lock(match_id=match_id)
    if match.status not in (MatchStatus.PLAYING, MatchStatus.ABANDONED):
        raise DomainError("match_state", _("This match cannot be decided any more."))
    outcome = decided(match, places)
    result = result_create(match=match, outcome=outcome, record=record, by_decision=True)
    postings_create(drafts=_drafts(match, result, _balances_now(match), reason))
    return result


def decided(match: Match, places: Sequence[int]) -> Outcome:
    """Return the outcome that places by seat give: no scores. Raises DomainError outcome."""
    ranked = list(places) if _integers(places) else []
    if len(ranked) != match.seats or list(places_of([-place for place in ranked])) != ranked:
        raise _bad_outcome()
    if match.partners and ranked[:2] != ranked[2:]:
        raise _bad_outcome()
    points = points_partners if match.partners else points_alone
    return Outcome((), tuple(ranked), tuple(points(ranked, match.stake)))


def _under_way(match_id: int) -> Match:
    match = match_lock(match_id=match_id)
    if match.status != MatchStatus.PLAYING:
        raise DomainError("match_state", _("This match is not under way."))
    return match


def _post_for_stint(match: Match, stint: Stint, award: Award, key: str) -> None:
    if match.fixture is None:
        return
    draft = PostingDraft(
        player_id=award.player_id,
        kind=award.kind,
        points=award.points,
        key=key,
        season_id=match.fixture.round.stage.tournament.season_id,
        stint_id=stint.pk,
    )
    postings_create(drafts=[draft])


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


def _drafts(
    match: Match, result: Result, balances: Mapping[int, int], reason: str = ""
) -> list[PostingDraft]:
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
        for award in awards_of(match, result, balances)
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
