"""What explains each posting: its cause, found by its key, and what that cause posts.

A posting that no cause explains is a fault, whoever wrote it and however well its chain holds; a
cause whose posting is not there is one too. Whatever comes to post something new brings its causes
along: those of a match in `dues_of`, those apart from matches in `apart_faults`. Reads only.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _

from league.ledger.models import Adjustment, Approval, Posting
from league.ledger.policy import (
    Award,
    How,
    Kind,
    Left,
    UnknownStint,
    abandoned_award,
    abandoned_key,
    adjustment_key,
    leaver_award,
    leaver_key,
    postings_for,
    result_key,
    reversal_key,
    walkover_awards,
)
from league.results.models import MatchStatus
from league.seasons.models import Season
from league.settlement.rows import (
    CHUNK,
    MatchRow,
    PostingRow,
    ResultRow,
    StintRow,
    postings_of,
)


class Due(NamedTuple):
    """What a posting must be by its cause. What it belongs to by id."""

    kind: str
    points: int
    player: int
    season: int | None
    tournament: int | None
    match: int | None
    result: int | None
    stint: int | None
    seat: int | None
    club: int | None


Dues = dict[str, Due]
"""What must be posted, by key."""


def match_faults(match: MatchRow) -> Iterator[str]:
    """Check that a match posted all that it posts, and nothing else."""
    posted = {posting.key: posting for posting in match.postings}
    dues = _stints_dues(match)
    for result in match.results:
        where = {"match": match.pk, "version": result.version}
        try:
            due = result_dues(match, result, posted)
        except UnknownStint:
            yield _("match %(match)d, result %(version)d: a stint no rule covers.") % where
            continue
        for key in (key for key in due if key not in posted):
            yield _("match %(match)d, result %(version)d: %(key)s was not posted.") % {
                **where, "key": key,
            }  # fmt: skip
        dues |= due
        yield from _readings_faults(match, result, due, posted)
    for key in (key for key in _stints_dues(match) if key not in posted):
        yield _("match %(match)d: %(key)s was not posted.") % {"match": match.pk, "key": key}
    taken_back, faults = _taken_back(match, dues, posted)
    yield from faults
    for posting in match.postings:
        yield from posting_faults(posting, (dues | taken_back).get(posting.key))


def posting_faults(posting: PostingRow, due: Due | None) -> Iterator[str]:
    """Hold a posting against what its cause posts; None: there is no such cause."""
    where = {"posting": posting.pk, "account": posting.account}
    if due is None:
        told = {"kind": posting.kind, "points": posting.points, "key": posting.key}
        yield _(
            "posting %(posting)d of account %(account)d: no known cause explains "
            "%(kind)s %(points)+d, key %(key)s."
        ) % {**where, **told}
        return
    for fact, found, right in zip(Due._fields, _facts(posting), due, strict=True):
        if found != right:
            yield _(
                "posting %(posting)d of account %(account)d: its %(fact)s: %(found)s, "
                "by its cause %(right)s."
            ) % {**where, "fact": fact, "found": found, "right": right}


def _facts(posting: PostingRow) -> Due:
    return Due(
        kind=posting.kind,
        points=posting.points,
        player=posting.player,
        season=posting.season,
        tournament=posting.tournament,
        match=posting.match,
        result=posting.result,
        stint=posting.stint,
        seat=posting.seat,
        club=posting.club,
    )


# --- what a match posts


def result_dues(match: MatchRow, result: ResultRow, posted: Mapping[str, PostingRow]) -> Dues:
    """Return what a result posts. A friendly match: nothing. Raises UnknownStint."""
    if match.fixture is None or not isinstance(result.points, list):
        return {}
    stints = {stint.pk: stint for stint in match.stints}
    return {
        _key(result, award.stint_id, award.kind): _due(
            match, stints[award.stint_id], award, result.pk
        )
        for award in _awards(match, result, posted)
    }


def _awards(
    match: MatchRow, result: ResultRow, posted: Mapping[str, PostingRow]
) -> Sequence[Award]:
    facts = [stint.fact for stint in match.stints]
    if result.absent is not None:
        return walkover_awards(result.points, facts)
    substitutes = (stint for stint in match.stints if stint.how == How.SUBSTITUTE)
    balances = {stint.pk: _read(result, stint, posted) or 0 for stint in substitutes}
    return postings_for(result.points, facts, balances)


def _read(result: ResultRow, stint: StintRow, posted: Mapping[str, PostingRow]) -> int | None:
    """Return what the result read of a substitute's account, as its posting keeps it."""
    posting = posted.get(_key(result, stint.pk, Kind.SUBSTITUTE))
    if posting is None:
        return None
    return posting.career_before if posting.balance_read is None else posting.balance_read


def _key(result: ResultRow, stint_id: int, kind: Kind) -> str:
    return result_key(result_id=result.pk, version=result.version, stint_id=stint_id, kind=kind)


def _due(match: MatchRow, stint: StintRow, award: Award, result: int | None = None) -> Due:
    return Due(
        kind=award.kind.value,
        points=award.points,
        player=award.player_id,
        season=match.season,
        tournament=match.tournament,
        match=match.pk,
        result=result,
        stint=stint.pk,
        seat=stint.seat,
        club=stint.club,
    )


def _stints_dues(match: MatchRow) -> Dues:
    """Return what stints cost by themselves: leaving, and dropping from a match given up."""
    dues: Dues = {}
    for stint in match.stints if match.fixture is not None else ():
        if stint.player is None:
            continue
        if stint.left == Left.VOLUNTARY:
            dues[leaver_key(stint.pk)] = _due(match, stint, leaver_award(stint.fact, match.stake))
        if stint.given_up and stint.how == How.START:
            award = abandoned_award(stint.fact, match.stake)
            dues[abandoned_key(stint.pk)] = _due(match, stint, award)
    return dues


def _readings_faults(
    match: MatchRow, result: ResultRow, dues: Dues, posted: Mapping[str, PostingRow]
) -> Iterator[str]:
    """A substitute's account is read where it stands; a correction may keep the reading before."""
    for posting in (posted[key] for key in dues if key in posted):
        if posting.balance_read is None:
            continue
        stint = next(each for each in match.stints if each.pk == posting.stint)
        before = (each for each in match.results if each.version < result.version)
        readings = [_read(each, stint, posted) for each in before]
        if posting.balance_read not in (posting.career_before, *readings):
            yield _(
                "posting %(posting)d of account %(account)d: the balance read is %(read)d, "
                "the account stood at %(stood)d."
            ) % {
                "posting": posting.pk,
                "account": posting.account,
                "read": posting.balance_read,
                "stood": posting.career_before,
            }


def _taken_back(
    match: MatchRow, dues: Dues, posted: Mapping[str, PostingRow]
) -> tuple[Dues, list[str]]:
    """Return the reversals there must be, and sentences about those that are missing."""
    current = {result.pk: result.version for result in match.results if result.is_current}
    versions = {result.pk: result.version for result in match.results}
    reversals: Dues = {}
    faults = []
    for key, due in dues.items():
        posting = posted.get(key)
        if posting is None or not _is_taken_back(match, due, current):
            continue
        reversal = reversal_key(posting.pk)
        reversals[reversal] = due._replace(kind=Kind.REVERSAL.value, points=-due.points)
        if reversal not in posted:
            told = {"match": match.pk, "version": versions.get(due.result or 0, 0)}
            faults.append(
                _("match %(match)d, result %(version)d: posting %(posting)d was not taken back.")
                % {**told, "posting": posting.pk}
            )
    return reversals, faults


def _is_taken_back(match: MatchRow, due: Due, current: Mapping[int, int]) -> bool:
    """A later result takes an older one back; a void match gives back what dropping cost."""
    if due.result is not None:
        return due.result not in current
    return due.kind == Kind.DROPPED and match.status == MatchStatus.VOID


# --- what is posted apart from matches


def apart_faults(season: Season | None = None) -> Iterator[str]:
    """Check the postings that belong to no match: adjustments, and what takes them back."""
    within = Q() if season is None else Q(season=season)
    last = 0
    while chunk := list(Adjustment.objects.filter(within, pk__gt=last).order_by("pk")[:CHUNK]):
        last = chunk[-1].pk
        yield from _missing_adjustments(chunk)
    for posting in postings_of(within & Q(match__isnull=True)):
        yield from posting_faults(posting, _apart_due(posting))


def _missing_adjustments(adjustments: Sequence[Adjustment]) -> Iterator[str]:
    keys = {adjustment_key(each.pk): each for each in adjustments}
    posted = dict(Posting.objects.filter(key__in=keys).values_list("key", "pk"))
    for key, adjustment in keys.items():
        where = {"adjustment": adjustment.pk, "key": key}
        if adjustment.status == Approval.POSTED and key not in posted:
            yield _("adjustment %(adjustment)d: %(key)s was not posted.") % where
        elif adjustment.posting_id != posted.get(key):
            yield _("adjustment %(adjustment)d: it does not name its posting.") % where


def _apart_due(posting: PostingRow) -> Due | None:
    adjustment = Adjustment.objects.filter(posting=posting.pk).first()
    if adjustment is not None and posting.key == adjustment_key(adjustment.pk):
        return _adjustment_due(adjustment)
    return _ended_due(posting)


def _adjustment_due(adjustment: Adjustment) -> Due:
    return Due(
        kind=Kind.ADJUSTMENT.value,
        points=adjustment.points,
        player=adjustment.player_id,
        season=adjustment.season_id,
        tournament=adjustment.tournament_id,
        match=None,
        result=None,
        stint=None,
        seat=None,
        club=adjustment.club_id,
    )


def _ended_due(posting: PostingRow) -> Due | None:
    """An adjustment that has ended is taken back, not before its last day is over."""
    word, _colon, number = posting.key.partition(":")
    if word != "reversal" or not number.isdecimal() or len(number) > 18:
        return None
    adjustment = Adjustment.objects.filter(posting=int(number)).first()
    if adjustment is None or posting.key != reversal_key(int(number)):
        return None
    if adjustment.ends_on is None or posting.posted_at.date() < adjustment.ends_on:
        return None
    due = _adjustment_due(adjustment)
    return due._replace(kind=Kind.REVERSAL.value, points=-due.points)
