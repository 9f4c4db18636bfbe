"""The one place where a result, its postings and the standings change together.

`match_settle` posts a finished match once; `match_correct` takes a result back and posts anew.
Each is one transaction, and locks the match, then everybody's account in the order of ids, before
it posts anything: two settlements that share players wait for each other and never in a ring.
"""

from collections.abc import Collection, Mapping, Sequence
from enum import Enum
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.accounts.models import Player
from league.ledger.models import REASON_LENGTH, Account, Posting
from league.ledger.policy import (
    Kind,
    abandoned_award,
    abandoned_key,
    leaver_award,
    leaver_key,
)
from league.ledger.services import reversal_of
from league.results.models import How, Left, Match, MatchStatus, Result, Stint
from league.results.selectors import result_of
from league.results.services import (
    Outcome,
    match_lock,
    match_mark_abandoned,
    match_mark_void,
    match_open,
    match_start,
    result_create,
    stint_close,
    stint_give_up,
    stint_open,
)
from league.settlement.posting import (
    RULES,
    By,
    match_accounts_lock,
    match_post,
    result_drafts,
    stint_draft,
)
from league.settlement.selectors import awards_of, balances_read, fact_of, stints_of
from league.settlement.verdicts import Verdict, bad_outcome, integers, outcome_for, outcome_of
from league.shared.errors import DomainError
from league.shared.names import is_printable
from league.tournaments.models import Fixture


class Reading(Enum):
    """Which standing of a substitute's account a correction goes by (rules.md, the 3000)."""

    KEPT = "kept"
    ANEW = "anew"


@transaction.atomic
def match_settle(
    *,
    match_id: int,
    scores: Sequence[int],
    places: Sequence[int],
    points: Sequence[int],
    record: Mapping[str, Any] | None,
    by: By = RULES,
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
    balances = _balances_now(match, match_accounts_lock(match=match))
    result = result_create(match=match, outcome=outcome, record=record)
    _post_result(result, balances, by)
    return result


def _balances_now(match: Match, accounts: Mapping[int, Account]) -> dict[int, int]:
    """Return what the substitutes' locked accounts stand at, by stint (rules.md: the 3000)."""
    substitutes = match.stints.filter(how=How.SUBSTITUTE)
    if match.fixture is None:
        return {stint.pk: 0 for stint in substitutes}  # posts nothing
    return {stint.pk: accounts[stint.player_id].balance for stint in substitutes if stint.player_id}


def _post_result(result: Result, balances: Mapping[int, int], by: By) -> None:
    if result.match.fixture is None:
        return
    awards = awards_of(result.match, result, balances)
    drafts = result_drafts(result, awards, balances=balances, by=by)
    match_post(match=result.match, drafts=drafts)


@transaction.atomic
def match_correct(
    *,
    match_id: int,
    verdict: Verdict,
    by: By,
    version: int | None = None,
    reading: Reading = Reading.KEPT,
) -> Result:
    """Give a settled match the result that follows from another verdict, for a reason.

    The older result is kept, its postings are reversed and the new ones posted. The same verdict
    again changes nothing. `version` is the one that was looked at: another has come since, and
    nothing is changed. Raises DomainError reason, no_such_match, match_state, stale, outcome.
    """
    check_reason(by.reason)
    match = match_lock(match_id=match_id)
    standing = correctable(match, version)
    outcome = outcome_for(match, verdict)
    if _says_the_same(standing, verdict, outcome):
        return standing
    accounts = match_accounts_lock(match=match)
    taken_back = postings_of(standing)
    balances = _balances_for(reading, match, accounts, taken_back)
    result = _result_after(standing, verdict, outcome)
    drafts = [
        reversal_of(posting, actor_id=by.actor_id, reason=by.reason) for posting in taken_back
    ]
    awards = awards_of(match, result, balances)
    drafts += result_drafts(result, awards, balances=balances, by=by)
    match_post(match=match, drafts=drafts)
    return result


def correctable(match: Match, version: int | None) -> Result:
    """Return the result that a correction would replace. Raises DomainError match_state, stale."""
    standing = result_of(match)
    if standing is None:
        raise DomainError("match_state", _("Only a settled match can be corrected."))
    if version is not None and version != standing.version:
        raise DomainError("stale", _("Somebody changed this result meanwhile: look at it again."))
    return standing


def _says_the_same(standing: Result, verdict: Verdict, outcome: Outcome) -> bool:
    told = (
        list(outcome.scores),
        list(outcome.places),
        list(outcome.points),
        verdict.seats_absent,
    )
    decided = verdict.places is not None
    says = (standing.scores, standing.places, standing.points, standing.absent)
    return told == says and standing.by_decision == decided


def _balances_for(
    reading: Reading, match: Match, accounts: Mapping[int, Account], taken_back: Sequence[Posting]
) -> dict[int, int]:
    """Return what the substitutes are judged by; read anew, without what is taken back now."""
    if reading is Reading.KEPT or match.fixture is None:
        return balances_read(match)
    balances = _balances_now(match, accounts)
    for posting in taken_back:
        if posting.stint_id in balances:
            balances[posting.stint_id] -= posting.points
    return balances


def _result_after(standing: Result, verdict: Verdict, outcome: Outcome) -> Result:
    return result_create(
        match=standing.match,
        outcome=outcome,
        record=standing.record,
        by_decision=verdict.places is not None,
        absent=verdict.seats_absent,
    )


@transaction.atomic
def fixture_walk_over(*, fixture: Fixture, absent: Collection[int], by: By) -> Result:
    """Settle a fixture that was not played because seats stayed empty; each player has a stint.

    Once it has its result that is returned. Raises DomainError fixture_closed, match_state, absent,
    reason.
    """
    check_reason(by.reason)
    match = match_lock(match_id=match_open(fixture=fixture).pk)
    if match.status != MatchStatus.WAITING:
        raise DomainError("match_state", _("This match began: it can only be played or decided."))
    seats = fixture.seats.select_related("player").order_by("seat")
    match_start(match=match, players=[seat.player for seat in seats])
    match = match_lock(match_id=match.pk)
    verdict = Verdict(absent=absent)
    outcome = outcome_for(match, verdict)
    match_accounts_lock(match=match)
    result = result_create(match=match, outcome=outcome, record=None, absent=verdict.seats_absent)
    _post_result(result, {}, by)
    return result


# --- who leaves, drops, and takes over


@transaction.atomic
def stint_leave(*, match_id: int, seat: int) -> Stint:
    """The seat's player leaves a match under way: the stint ends, and 2N are posted now.

    A friendly match posts nothing. Joins the caller's transaction. Raises DomainError
    no_such_match, match_state, no_stint.
    """
    match = _under_way(match_id)
    match_accounts_lock(match=match)
    stint = stint_close(match=match, seat=seat, left=Left.VOLUNTARY)
    if match.fixture is not None:
        award = leaver_award(fact_of(stint), match.stake)
        drafts = [stint_draft(match, stint, award, leaver_key(stint.pk))]
        match_post(match=match, drafts=drafts)
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
def match_abandon(*, match_id: int, dropped: Collection[int]) -> Match:
    """Give a match up; who dropped (by seat) is charged N, its fixture waits for the organizer.

    A substitute who dropped is not: a substitute's rows of the rules come before all others.
    Raises DomainError no_such_match, match_state, no_stint.
    """
    match = _under_way(match_id)
    match_accounts_lock(match=match)
    gone = [stint_give_up(match=match, seat=seat) for seat in sorted(dropped)]
    if match.fixture is not None:
        drafts = [
            stint_draft(
                match, stint, abandoned_award(fact_of(stint), match.stake), abandoned_key(stint.pk)
            )
            for stint in gone
            if stint.how == How.START
        ]
        match_post(match=match, drafts=drafts)
    match_mark_abandoned(match=match)
    return match


@transaction.atomic
def match_void(*, match_id: int, by: By = RULES) -> Match:
    """Let an abandoned match count for nothing: the N of who dropped go back, leavers' 2N stay.

    Raises DomainError no_such_match, match_state.
    """
    match = match_lock(match_id=match_id)
    if match.status == MatchStatus.VOID:
        return match
    if match.status != MatchStatus.ABANDONED:
        raise DomainError("match_state", _("Only a match that was given up can become void."))
    match_accounts_lock(match=match)
    match_mark_void(match=match)
    charged = Posting.objects.filter(match=match, result__isnull=True, kind=Kind.DROPPED)
    drafts = [
        reversal_of(posting, actor_id=by.actor_id, reason=by.reason)
        for posting in charged.select_related("account", "result").order_by("pk")
    ]
    match_post(match=match, drafts=drafts)
    return match


@transaction.atomic
def match_decide(
    *, match_id: int, places: Sequence[int], record: Mapping[str, Any] | None, by: By
) -> Result:
    """End a match, abandoned or under way, by decision: places by seat, posted as placement.

    Raises DomainError no_such_match, match_state, outcome, reason.
    """
    check_reason(by.reason)
    match = match_lock(match_id=match_id)
    if match.status not in (MatchStatus.PLAYING, MatchStatus.ABANDONED):
        raise DomainError("match_state", _("This match cannot be decided any more."))
    outcome = outcome_for(match, Verdict(places=places))
    balances = _balances_now(match, match_accounts_lock(match=match))
    result = result_create(match=match, outcome=outcome, record=record, by_decision=True)
    _post_result(result, balances, by)
    return result


# --- what all of them ask


def postings_of(result: Result) -> list[Posting]:
    """Return what a result posted, without what was taken back."""
    postings = result.postings.exclude(kind=Kind.REVERSAL)
    return list(postings.select_related("account", "result").order_by("pk"))


def _under_way(match_id: int) -> Match:
    match = match_lock(match_id=match_id)
    if match.status != MatchStatus.PLAYING:
        raise DomainError("match_state", _("This match is not under way."))
    return match


def _check(match: Match, outcome: Outcome) -> None:
    if not integers([*outcome.scores, *outcome.places, *outcome.points]):
        raise bad_outcome()
    if outcome != outcome_of(match, outcome.scores):
        raise bad_outcome()
    if {stint.seat for stint in stints_of(match)} != set(range(match.seats)):
        raise DomainError("stints", _("Somebody must have sat in every seat."))


def check_reason(reason: str) -> None:
    """Refuse a reason that says nothing, or cannot be kept. Raises DomainError reason."""
    if not reason.strip():
        raise DomainError("reason", _("Give a reason."))
    if len(reason) > REASON_LENGTH:
        raise DomainError(
            "reason", _("A reason has at most %(most)d letters.") % {"most": REASON_LENGTH}
        )
    if not is_printable(" ".join(reason.split())):
        raise DomainError("reason", _("A reason holds only printable letters."))
