"""How a match's awards become postings and tallies: the drafts, the locks, the pairs.

May not decide what is awarded: that is `league.ledger.policy`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from league.ledger.models import Account, Posting
from league.ledger.policy import Award, result_key
from league.ledger.services import PostingDraft, accounts_lock, postings_create
from league.results.models import How, Match, Result, Stint
from league.standings.services import Pair, tallies_post


@dataclass(frozen=True, slots=True)
class By:
    """Who changes something by hand, a user's id, and why."""

    actor_id: int | None = None
    reason: str = ""


RULES = By()
"""Nobody: the rules did."""


def match_accounts_lock(*, match: Match) -> dict[int, Account]:
    """Lock the accounts of all who sat in a locked match, by player: before anything is posted.

    A friendly match posts nothing, so nothing is locked.
    """
    if match.fixture is None:
        return {}
    players = match.stints.filter(player__isnull=False).values_list("player_id", flat=True)
    return accounts_lock(player_ids=(player for player in players if player is not None))


@transaction.atomic
def match_post(*, match: Match, drafts: Sequence[PostingDraft]) -> list[Posting]:
    """Post for a match whose accounts are locked, and move the season's tallies along."""
    if match.fixture is None or not drafts:
        return []
    postings = postings_create(drafts=drafts)
    tallies_post(postings=postings, pairs=pairs_of(match))
    return postings


def pairs_of(match: Match) -> dict[int, Pair]:
    """Return by stint the two who began a match as partners; empty where all play alone."""
    if not match.partners:
        return {}
    begun = {stint.seat: stint for stint in match.stints.filter(how=How.START, number=0)}
    pairs: dict[int, Pair] = {}
    for seat, stint in begun.items():
        partner = begun.get((seat + 2) % 4)
        if partner is not None and stint.player_id and partner.player_id:
            low, high = sorted((stint.player_id, partner.player_id))
            pairs[stint.pk] = (low, high)
    return pairs


def result_drafts(
    result: Result,
    awards: Iterable[Award],
    *,
    balances: Mapping[int, int] | None = None,
    by: By = RULES,
) -> list[PostingDraft]:
    """Return what a result posts. `balances` were read of the substitutes' accounts, by stint."""
    match = result.match
    stints = {stint.pk: stint for stint in match.stints.all()}
    return [
        stint_draft(
            match,
            stints[award.stint_id],
            award,
            result_key(
                result_id=result.pk,
                version=result.version,
                stint_id=award.stint_id,
                kind=award.kind,
            ),
            result=result,
            balance_read=(balances or {}).get(award.stint_id),
            by=by,
        )
        for award in awards
    ]


def stint_draft(
    match: Match,
    stint: Stint,
    award: Award,
    key: str,
    *,
    result: Result | None = None,
    balance_read: int | None = None,
    by: By = RULES,
) -> PostingDraft:
    """Return the posting of what a stint is awarded. The match must be a fixture's."""
    assert match.fixture is not None
    tournament = match.fixture.round.stage.tournament
    return PostingDraft(
        player_id=award.player_id,
        kind=award.kind,
        points=award.points,
        key=key,
        season_id=tournament.season_id,
        tournament_id=tournament.pk,
        match_id=match.pk,
        result=result,
        stint_id=stint.pk,
        seat=stint.seat,
        club_id=stint.club_id,
        actor_id=by.actor_id,
        balance_read=balance_read,
        reason=by.reason,
    )
