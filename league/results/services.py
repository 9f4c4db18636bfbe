"""The only writer of matches, stints and results.

May not know points in the ledger: who is posted what, and when, is the settlement's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.accounts.models import Player
from league.results.facts import digest_of
from league.results.models import How, Left, Match, MatchStatus, Result, Stint
from league.results.selectors import facts_of, has_sat, record_digest
from league.shared.errors import DomainError
from league.tournaments.models import Fixture, FixtureStatus
from league.tournaments.selectors import clubs_of
from league.tournaments.services import (
    fixture_mark_abandoned,
    fixture_mark_finished,
    fixture_mark_open,
    fixture_mark_playing,
    fixture_mark_void,
)

_OVER = (MatchStatus.FINISHED, MatchStatus.ABANDONED, MatchStatus.VOID)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a match came to: scores by side, places and points by seat (record.md, `result`)."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]


@transaction.atomic
def match_open(*, fixture: Fixture) -> Match:
    """Return the fixture's match that is to be played, making it under the tournament's terms.

    Raises DomainError fixture_closed for a fixture that has its result, or is void.
    """
    locked = Fixture.objects.select_for_update(no_key=True).get(pk=fixture.pk)
    standing = locked.matches.exclude(status__in=_OVER).first()
    if standing is not None:
        return standing
    if locked.status in (FixtureStatus.FINISHED, FixtureStatus.VOID):
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
def match_start(*, match: Match, players: Sequence[Player | None]) -> Match:
    """Begin a match with its players in the order of seats, None for a bot: each gets a stint.

    Raises DomainError match_state, wrong_seats, seated_twice. `match` itself follows.
    """
    locked = match_lock(match_id=match.pk)
    if locked.status != MatchStatus.WAITING:
        raise DomainError("match_state", _("This match began before."))
    if len(players) != locked.seats:
        raise DomainError("wrong_seats", _("Every seat needs one player."))
    people = [player.pk for player in players if player is not None]
    if len(set(people)) != len(people):
        raise DomainError("seated_twice", _("A player holds one seat of a match."))
    clubs = _clubs_of(locked, people)
    Stint.objects.bulk_create(
        Stint(
            match=locked,
            seat=seat,
            player=player,
            club_id=None if player is None else clubs.get(player.pk),
            how=How.BOT if player is None else How.START,
        )
        for seat, player in enumerate(players)
    )
    locked.status = match.status = MatchStatus.PLAYING
    locked.save(update_fields=["status"])
    if locked.fixture is not None:
        fixture_mark_playing(fixture=locked.fixture)
    return locked


def _clubs_of(match: Match, players: Sequence[int]) -> dict[int, int]:
    """Return whom the players represent in a match, by id; a friendly one has no clubs."""
    if match.fixture is None or not players:
        return {}
    return clubs_of(match.fixture.round.stage.tournament, players)


@transaction.atomic
def match_open_friendly(
    *, ruleset: Mapping[str, Any], seats: int, partners: bool, stake: int
) -> Match:
    """Make a match that belongs to no fixture: it posts nothing, ever."""
    return Match.objects.create(ruleset=dict(ruleset), seats=seats, partners=partners, stake=stake)


def match_lock(*, match_id: int) -> Match:
    """Lock a match until the caller's transaction ends. Raises DomainError no_such_match."""
    locked = Match.objects.select_for_update(no_key=True, of=("self",))
    try:
        return locked.select_related("fixture__round__stage__tournament").get(pk=match_id)
    except Match.DoesNotExist as error:
        raise DomainError("no_such_match", _("There is no such match.")) from error


def stint_of_seat(*, match: Match, seat: int) -> Stint:
    """Return the seat's open stint. Raises DomainError no_stint where nobody sits."""
    stint = Stint.objects.filter(match=match, seat=seat, left__isnull=True).first()
    if stint is None:
        raise DomainError("no_stint", _("Nobody sits in this seat."))
    return stint


@transaction.atomic
def stint_close(*, match: Match, seat: int, left: Left) -> Stint:
    """End the open stint of a locked match's seat."""
    stint = stint_of_seat(match=match, seat=seat)
    stint.left, stint.left_at = left, timezone.now()
    stint.save(update_fields=["left", "left_at"])
    return stint


@transaction.atomic
def stint_open(
    *, match: Match, seat: int, player: Player | None, how: How, from_hand: int
) -> Stint:
    """Seat somebody in a locked match's empty seat; a bot is nobody.

    Raises DomainError seat_once for who had a seat in this match before, seat_taken.
    """
    if player is not None and has_sat(match, player):
        raise DomainError("seat_once", _("Who left a seat of a match gets none in it again."))
    stint = Stint(match=match, seat=seat, player=player, how=how, from_hand=from_hand)
    stint.number = match.stints.filter(seat=seat).count()
    if player is not None:
        stint.club_id = _clubs_of(match, [player.pk]).get(player.pk)
    try:
        with transaction.atomic():
            stint.save()
    except IntegrityError as error:
        raise DomainError("seat_taken", _("Somebody sits in this seat.")) from error
    return stint


@transaction.atomic
def stint_give_up(*, match: Match, seat: int) -> Stint:
    """Note that the seat's player had dropped when the locked match was given up."""
    stint = stint_of_seat(match=match, seat=seat)
    stint.given_up = True
    stint.save(update_fields=["given_up"])
    return stint


@transaction.atomic
def match_mark_abandoned(*, match: Match) -> None:
    """A locked match is given up: its fixture waits for the organizer."""
    _match_ends(match, MatchStatus.ABANDONED)
    if match.fixture is not None:
        fixture_mark_abandoned(fixture=match.fixture)


@transaction.atomic
def match_mark_void(*, match: Match) -> None:
    """A locked match, and its fixture, count for nothing."""
    _match_ends(match, MatchStatus.VOID)
    if match.fixture is not None:
        fixture_mark_void(fixture=match.fixture)


def _match_ends(match: Match, status: MatchStatus) -> None:
    match.status = status
    match.finished_at = match.finished_at or timezone.now()
    match.save(update_fields=["status", "finished_at"])


@transaction.atomic
def result_create(
    *,
    match: Match,
    outcome: Outcome,
    record: Mapping[str, Any] | None,
    by_decision: bool = False,
    absent: Sequence[int] | None = None,
) -> Result:
    """Write a locked match's next version of its result and make it the current one.

    The older versions are kept. The match and its fixture are finished. `absent` are the seats of
    who did not come, where it is a walkover.
    """
    if match.status != MatchStatus.FINISHED:
        _match_ends(match, MatchStatus.FINISHED)
    match.results.filter(is_current=True).update(is_current=False)
    result = Result(
        match=match,
        version=match.results.count() + 1,
        scores=list(outcome.scores),
        places=list(outcome.places),
        points=list(outcome.points),
        record=record,
        by_decision=by_decision,
        absent=None if absent is None else sorted(absent),
    )
    result.digest = digest_of(facts_of(result, record_digest(record)))
    result.save(force_insert=True)
    if match.fixture is not None:
        fixture_mark_finished(fixture=match.fixture)
    return result
