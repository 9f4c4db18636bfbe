"""The writer that draws rounds; the rounds themselves are written by `league.tournaments`."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random, SystemRandom

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.accounts.models import Player
from league.conduct.selectors import banned_among
from league.pairings.lot import meetings, playing, seat_by_lot
from league.shared.errors import DomainError
from league.tournaments.models import Round, Tournament
from league.tournaments.selectors import entered_players, next_round, place_of, tables_seated
from league.tournaments.services import round_create

LATE = timedelta(minutes=5)  # "now" is still now after the form was filled in
AHEAD = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A round just drawn, and who sits out in it."""

    round: Round
    tables: int
    sitting_out: tuple[Player, ...]


@transaction.atomic
def round_draw(
    *, tournament: Tournament, number: int, starts_at: datetime, chance: Random | None = None
) -> Drawn:
    """Make round `number` of the tournament's last stage, its entries seated by lot.

    The number is the one expected next: of two presses at the same moment one makes the round.
    Raises DomainError starts_at, round_exists, no_such_round, too_few_entered.
    """
    if not -LATE <= starts_at - timezone.now() <= AHEAD:
        raise DomainError("starts_at", _("A round begins from now on, and within a year."))
    locked = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    stage, expected = next_round(locked)
    _check_number(number, expected)
    tables, out = _lot(locked, chance or SystemRandom())
    made = round_create(tournament=locked, starts_at=starts_at, tables=tables, stage_number=stage)
    return Drawn(made, len(tables), tuple(out))


def _check_number(number: int, expected: int) -> None:
    if number < expected:
        raise DomainError(
            "round_exists", _("Round %(number)d exists already.") % {"number": number}
        )
    if number > expected:
        raise DomainError(
            "no_such_round", _("The next round is round %(number)d.") % {"number": expected}
        )


def _lot(tournament: Tournament, chance: Random) -> tuple[list[list[Player]], list[Player]]:
    """Return the next round's tables, and who sits out in the order of names: also the banned."""
    players = {player.pk: player for player in entered_players(tournament)}
    banned = banned_among(list(players.values()), place_of(tournament), timezone.now())
    free = [pk for pk in players if pk not in banned]
    earlier = tables_seated(tournament)
    played = Counter(player for table in earlier for player in table)
    on, out = playing(free, tournament.seats, played, chance)
    if not on:
        raise DomainError(
            "too_few_entered",
            _("A table seats %(seats)d: enter more players first.") % {"seats": tournament.seats},
        )
    tables = seat_by_lot(on, tournament.seats, meetings(earlier), chance)
    resting = {*out, *banned}
    return (
        [[players[pk] for pk in table] for table in tables],
        [player for pk, player in players.items() if pk in resting],
    )
