"""What explains each posting: its cause, found by its key, and what that cause posts.

A posting that no explainer knows is a fault, whoever wrote it and however well its chain holds.
Whatever comes to post something new brings its explainer along, under the first word of its keys.
Reads only.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from django.db.models import Prefetch
from django.utils.translation import gettext as _

from league.ledger.models import Posting
from league.ledger.policy import (
    Award,
    Kind,
    UnknownStint,
    abandoned_award,
    abandoned_key,
    leaver_award,
    leaver_key,
    result_key,
    reversal_key,
)
from league.results.models import Left, MatchStatus, Result, Stint
from league.settlement.selectors import awards_of, balances_read, fact_of, results_with_match

_CHUNK = 500
_REVERSAL = re.compile("reversal:([1-9][0-9]{0,17})")


class Due(NamedTuple):
    """What a posting must be by its cause. Player, season, result and stint by id."""

    kind: str
    points: int
    player: int
    season: int | None
    result: int | None
    stint: int | None


Explainer = Callable[[Posting], Due | None]
"""Gives what a posting must be, or None where its cause is not there."""


def causes_faults() -> Iterator[str]:
    """Check that every posting is what a known cause posts."""
    results = Prefetch("result", results_with_match())
    postings = Posting.objects.select_related("account").order_by("pk")
    explained = postings.prefetch_related(results, "result__match__stints")
    for posting in explained.iterator(_CHUNK):
        yield from posting_faults(posting)


def posting_faults(posting: Posting) -> Iterator[str]:
    """Hold a posting against what its cause posts."""
    where = {"posting": posting.pk, "account": posting.account_id}
    due = _explained(posting)
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


def _explained(posting: Posting) -> Due | None:
    explainer = EXPLAINERS.get(posting.key.partition(":")[0])
    return explainer(posting) if explainer is not None else None


def _facts(posting: Posting) -> Due:
    return Due(
        kind=posting.kind,
        points=posting.points,
        player=posting.account.player_id,
        season=posting.season_id,
        result=posting.result_id,
        stint=posting.stint_id,
    )


# --- the explainers


def by_result(posting: Posting) -> Due | None:
    """Explain a posting by its result: what the policy gives the stint of its key."""
    if posting.result is None:
        return None
    try:
        return due_of(posting.result).get(posting.key)
    except UnknownStint:  # a fault of the result, told by `missing_faults`
        return None


def by_reversed_posting(posting: Posting) -> Due | None:
    """Explain a reversal by the posting of an older result that it takes back."""
    named = _REVERSAL.fullmatch(posting.key)
    if named is None:
        return None
    original = _original(int(named[1]))
    if original is None or original.kind == Kind.REVERSAL:
        return None
    if not _may_be_taken_back(original):
        return None
    return _facts(original)._replace(kind=Kind.REVERSAL.value, points=-original.points)


def _may_be_taken_back(original: Posting) -> bool:
    """Tell whether something took a posting back: a later result, or its match became void."""
    if original.result is not None:
        return not original.result.is_current
    stint = original.stint
    return (
        stint is not None
        and original.key == abandoned_key(stint.pk)
        and stint.match.status == MatchStatus.VOID
    )


def by_stint(posting: Posting) -> Due | None:
    """Explain what a stint cost by itself: leaving, or dropping from a match given up."""
    stint = posting.stint
    fixture = None if stint is None else stint.match.fixture
    if stint is None or fixture is None or posting.result_id is not None:
        return None
    award = _stint_awards(stint).get(posting.key)
    if award is None:
        return None
    season = fixture.round.stage.tournament.season_id
    return Due(award.kind.value, award.points, award.player_id, season, None, stint.pk)


def _stint_awards(stint: Stint) -> dict[str, Award]:
    """Return what the stint costs by itself, by key."""
    fact, stake = fact_of(stint), stint.match.stake
    if stint.player_id is None:
        return {}
    if stint.left == Left.VOLUNTARY:
        return {leaver_key(stint.pk): leaver_award(fact, stake)}
    return {abandoned_key(stint.pk): abandoned_award(fact, stake)}


def _original(posting_id: int) -> Posting | None:
    postings = Posting.objects.select_related("account", "result", "stint__match")
    postings = postings.defer("result__record")
    return postings.filter(pk=posting_id).first()


EXPLAINERS: Mapping[str, Explainer] = {
    "result": by_result,
    "reversal": by_reversed_posting,
    "stint": by_stint,
}


# --- what a result must have posted


def due_of(result: Result) -> dict[str, Due]:
    """Return what a result posts, by key. A friendly match: nothing. Raises UnknownStint."""
    fixture = result.match.fixture
    if fixture is None or not isinstance(result.points, list):
        return {}
    season_id = fixture.round.stage.tournament.season_id
    return {
        result_key(
            result_id=result.pk, version=result.version, stint_id=award.stint_id, kind=award.kind
        ): Due(
            kind=award.kind.value,
            points=award.points,
            player=award.player_id,
            season=season_id,
            result=result.pk,
            stint=award.stint_id,
        )
        for award in awards_of(result.match, result, balances_read(result.match))
    }


def missing_faults(result: Result) -> Iterator[str]:
    """Check that a result posted all it posts, and took all back if it is an older one."""
    where = {"match": result.match_id, "version": result.version}
    posted = {posting.key for posting in result.postings.all()}
    try:
        due = due_of(result)
    except UnknownStint:
        yield _("match %(match)d, result %(version)d: a stint no rule covers.") % where
        return
    for key in (key for key in due if key not in posted):
        yield _("match %(match)d, result %(version)d: %(key)s was not posted.") % {
            **where, "key": key,
        }  # fmt: skip
    for posting in () if result.is_current else result.postings.all():
        if posting.kind != Kind.REVERSAL and reversal_key(posting.pk) not in posted:
            yield _(
                "match %(match)d, result %(version)d: posting %(posting)d was not taken back."
            ) % {**where, "posting": posting.pk}
