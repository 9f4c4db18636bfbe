"""What a result must be: what follows from its match's terms, its scores and its record.

Knows no postings. Reads only.
"""

import json
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from engine.errors import InvalidRecord, InvalidRuleset
from engine.record import Ending, check_record
from engine.rulesets import ruleset_from_json
from league.results.facts import Facts, digest_of, moment_text
from league.results.models import MatchStatus, Result
from league.results.services import Outcome
from league.settlement.rows import MatchRow, ResultRow
from league.settlement.verdicts import Verdict, outcome_for
from league.shared.errors import DomainError

_SHOWN = 120  # signs of a value: a sentence stays a sentence


class _Claim(NamedTuple):
    """A fact as it was found, and what it must be."""

    fact: str
    found: Any
    right: Any


def versions_faults(match: MatchRow) -> Iterator[str]:
    """Check that a match's results are numbered from 1, the last is the current one, and that the
    match is finished exactly if it has one.
    """
    where = {"match": match.pk}
    versions = [result.version for result in match.results]
    if versions != list(range(1, len(versions) + 1)):
        yield _("match %(match)d: a version of its result is missing.") % where
    if [result.version for result in match.results if result.is_current] != versions[-1:]:
        yield _("match %(match)d: its current result is not the last one.") % where
    if versions and match.status != MatchStatus.FINISHED:
        yield _("match %(match)d has a result and is not finished.") % where
    if not versions and match.status == MatchStatus.FINISHED:
        yield _("match %(match)d is finished and has no result.") % where


def outcome_faults(match: MatchRow, result: ResultRow) -> Iterator[str]:
    """Check a result's digest, scores, places and points."""
    where = {"match": match.pk, "version": result.version}
    outcome = _outcome(match, result)
    if outcome is None:
        yield _("match %(match)d, result %(version)d: impossible scores.") % where
    for claim in _untrue(_following(result, outcome)):
        yield _(
            "match %(match)d, result %(version)d: the %(fact)s are %(found)s, "
            "from the scores follows %(right)s."
        ) % {**where, **_told(claim)}
    if digest_of(_facts(match, result)) != result.digest:
        yield _("match %(match)d, result %(version)d: its digest does not hold.") % where


def _outcome(match: MatchRow, result: ResultRow) -> Outcome | None:
    try:
        return outcome_for(match, _verdict(result))
    except (DomainError, TypeError):  # TypeError: no list at all
        return None


def _verdict(result: ResultRow) -> Verdict:
    if result.absent is not None:
        return Verdict(absent=result.absent)
    return Verdict(places=result.places) if result.by_decision else Verdict(scores=result.scores)


def _following(result: ResultRow, outcome: Outcome | None) -> list[_Claim]:
    if outcome is None:
        return []
    return [
        _Claim("scores", result.scores, outcome.scores),
        _Claim("places", result.places, outcome.places),
        _Claim("points", result.points, outcome.points),
    ]


def _facts(match: MatchRow, result: ResultRow) -> Facts:
    return Facts(
        version=result.version,
        by_decision=result.by_decision,
        absent=result.absent,
        scores=result.scores,
        places=result.places,
        points=result.points,
        record=result.record,
        made_at=str(moment_text(result.created_at)),
        terms=match.terms,
        stints=[stint.told for stint in match.stints],
    )


# --- the record, replayed


def record_faults(match: MatchRow, result: ResultRow) -> Iterator[str]:
    """Replay the first result's record and hold it against match, people and result; later ones
    keep that record.
    """
    where = {"match": match.pk, "version": result.version}
    record = _record(match.pk, result.version)
    if result.version == 1 and record is not None:
        yield from _first_record_faults(record, match, result, where)
    if result.version != 1 and not _same(record, _record(match.pk, 1)):
        yield _("match %(match)d, result %(version)d: its record is not the first's.") % where


def _first_record_faults(
    record: Any, match: MatchRow, result: ResultRow, where: dict[str, int]
) -> Iterator[str]:
    """Check that a record holds, and says of match, people and result what stands there."""
    try:
        check_record(record)
    except InvalidRecord as error:
        why = {"why": _shortened(str(error))}
        yield _("match %(match)d, result %(version)d: its record: %(why)s.") % {**where, **why}
        return
    for claim in _untrue(_recorded(record, match, result)):
        yield _(
            "match %(match)d, result %(version)d: the record's %(fact)s: %(found)s, not %(right)s."
        ) % {**where, **_told(claim)}


def _record(match_id: int, version: int) -> Any:
    """Read a record by itself: many at once would fill the memory."""
    results = Result.objects.filter(match=match_id, version=version)
    return results.values_list("record", flat=True).first()


def _recorded(record: dict[str, Any], match: MatchRow, result: ResultRow) -> list[_Claim]:
    """Return what a record says, beside what it must say."""
    return [
        _Claim("ruleset", _plain(record["ruleset"]), _plain(match.ruleset)),
        _Claim("seats", record["seats"], match.seats),
        _Claim("partners", record["partners"], match.partners),
        _Claim("stake", record["stake"], match.stake),
        *_seated(record.get("players"), match),
        *_ended(record, result),
    ]


def _ended(record: dict[str, Any], result: ResultRow) -> list[_Claim]:
    """Compare how the match ended; by decision the record tells that, and no result."""
    if result.by_decision:
        return [_Claim("end", record.get("ended"), Ending.DECISION.value)]
    ended = record["result"] or dict.fromkeys(("scores", "places", "points"))
    return [
        _Claim("scores", ended["scores"], result.scores),
        _Claim("places", ended["places"], result.places),
        _Claim("points", ended["points"], result.points),
    ]


def _plain(ruleset: object) -> object:
    """Write a rule set as the engine does: what repeats the preset's values differs in nothing."""
    try:
        return ruleset_from_json(ruleset).to_json()
    except InvalidRuleset:
        return ruleset


def _seated(players: list[list[dict[str, Any]]] | None, match: MatchRow) -> list[_Claim]:
    """Compare seat by seat, without names: the record keeps the one a player had then."""
    if players is None:
        return [_Claim("players", None, _players(match))]
    found = [[stint | {"name": None} for stint in stints] for stints in players]
    seats = enumerate(zip_longest(found, _players(match)))
    return [_Claim(f"players of seat {seat}", *pair) for seat, pair in seats]


def _players(match: MatchRow) -> list[list[dict[str, Any]]]:
    seats: list[list[dict[str, Any]]] = [[] for _seat in range(match.seats)]
    for stint in match.stints:
        fact = {"id": stint.player, "name": None, "from_hand": stint.from_hand}
        seats[stint.seat % match.seats].append({**fact, "how": stint.how, "left": stint.left})
    return seats


# --- comparing


def _untrue(claims: list[_Claim]) -> list[_Claim]:
    return [claim for claim in claims if not _same(claim.found, claim.right)]


def _same(found: object, right: object) -> bool:
    """Compare as JSON: 1, 1.0 and true are three things, a tuple is a list."""
    return _json(found) == _json(right)


def _json(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _told(claim: _Claim) -> dict[str, str]:
    found, right = _shortened(_json(claim.found)), _shortened(_json(claim.right))
    return {"fact": claim.fact, "found": found, "right": right}


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
