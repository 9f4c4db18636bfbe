"""The only writer of matches, stints and results.

May not know points in the ledger: who is posted what, and when, is the settlement's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.accounts.models import Player
from league.results.models import Match, MatchStatus, Result, Stint
from league.shared.errors import DomainError
from league.tournaments.models import Fixture, FixtureStatus
from league.tournaments.services import (
    fixture_mark_finished,
    fixture_mark_open,
    fixture_mark_playing,
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a match came to: scores by side, places and points by seat (record.md, `result`)."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]


@transaction.atomic
def match_open(*, fixture: Fixture) -> Match:
    """Return the fixture's match that is to be played, making it under the tournament's terms.

    Raises DomainError fixture_closed for a fixture that has its result.
    """
    locked = Fixture.objects.select_for_update(no_key=True).get(pk=fixture.pk)
    standing = locked.matches.exclude(status=MatchStatus.FINISHED).first()
    if standing is not None:
        return standing
    if locked.status == FixtureStatus.FINISHED:
        raise DomainError("fixture_closed", _("This fixture was played."))
    tournament = locked.round.stage.tournament
    fixture_mark_open(fixture=fixture)
    return Match.objects.create(
        fixture=fixture,
        number=locked.matches.count() + 1,
        ruleset=tournament.ruleset,
        seats=tournament.seats,
        partners=tournament.partners,
        stake=tournament.stake,
    )


@transaction.atomic
def match_start(*, match: Match, players: Sequence[Player]) -> Match:
    """Begin a match with its players in the order of seats: each gets a stint from hand 0.

    Raises DomainError match_state, wrong_seats, seated_twice. `match` itself follows.
    """
    locked = match_lock(match_id=match.pk)
    if locked.status != MatchStatus.WAITING:
        raise DomainError("match_state", _("This match began before."))
    if len(players) != locked.seats:
        raise DomainError("wrong_seats", _("Every seat needs one player."))
    if len({player.pk for player in players}) != len(players):
        raise DomainError("seated_twice", _("A player holds one seat of a match."))
    Stint.objects.bulk_create(
        Stint(match=locked, seat=seat, player=player) for seat, player in enumerate(players)
    )
    locked.status = match.status = MatchStatus.PLAYING
    locked.save(update_fields=["status"])
    if locked.fixture is not None:
        fixture_mark_playing(fixture=locked.fixture)
    return locked


def match_lock(*, match_id: int) -> Match:
    """Lock a match until the caller's transaction ends. Raises DomainError no_such_match."""
    locked = Match.objects.select_for_update(no_key=True, of=("self",))
    try:
        return locked.select_related("fixture__round__stage__tournament").get(pk=match_id)
    except Match.DoesNotExist as error:
        raise DomainError("no_such_match", _("There is no such match.")) from error


@transaction.atomic
def result_create(*, match: Match, outcome: Outcome, record: Mapping[str, Any] | None) -> Result:
    """Write a locked match's next version of its result and make it the current one.

    The older versions are kept. The match and its fixture are finished.
    """
    match.results.filter(is_current=True).update(is_current=False)
    result = Result.objects.create(
        match=match,
        version=match.results.count() + 1,
        scores=list(outcome.scores),
        places=list(outcome.places),
        points=list(outcome.points),
        record=record,
    )
    if match.status != MatchStatus.FINISHED:
        match.status = MatchStatus.FINISHED
        match.finished_at = timezone.now()
        match.save(update_fields=["status", "finished_at"])
    if match.fixture is not None:
        fixture_mark_finished(fixture=match.fixture)
    return result
