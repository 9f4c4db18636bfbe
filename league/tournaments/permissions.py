"""Who may run tournaments: the organizers of the club, and superusers."""

from rules.predicates import predicate

from league.accounts.models import User
from league.clubs.models import Club
from league.clubs.permissions import is_active_superuser, is_club_organizer
from league.seasons.models import Season
from league.tournaments.models import Fixture, Tournament


def club_of(thing: Club | Season | Tournament | Fixture) -> Club:
    """Return the club that answers for a season, tournament or fixture."""
    match thing:
        case Fixture():
            return thing.round.stage.tournament.season.club
        case Tournament():
            return thing.season.club
        case Season():
            return thing.club
    return thing


@predicate
def _organizes(user: User, thing: Club | Season | Tournament | Fixture | None) -> bool:
    return thing is not None and user.is_active and is_club_organizer(user, club_of(thing))


is_organizer_of = is_active_superuser | _organizes
