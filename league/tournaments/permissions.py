"""Who may run tournaments and keep house rule sets: the organizers of the club, and superusers."""

from rules.predicates import predicate

from league.accounts.models import User
from league.clubs.models import Club
from league.clubs.permissions import is_active_superuser, is_club_organizer
from league.seasons.models import Season
from league.tournaments.models import Fixture, HouseRuleset, Tournament
from league.tournaments.selectors import clubs_organized

Organized = Club | Season | Tournament | Fixture | HouseRuleset


def club_of(thing: Organized) -> Club:
    """Return the club that answers for a season, tournament, fixture or house rule set."""
    match thing:
        case Fixture():
            return thing.round.stage.tournament.season.club
        case Tournament():
            return thing.season.club
        case Season() | HouseRuleset():
            return thing.club
    return thing


@predicate
def _organizes(user: User, thing: Organized | None) -> bool:
    return thing is not None and user.is_active and is_club_organizer(user, club_of(thing))


is_organizer_of = is_active_superuser | _organizes


@predicate
def _organizes_somewhere(user: User) -> bool:
    return user.is_active and clubs_organized(user).exists()


@predicate
def _enters_admin(user: User) -> bool:
    return user.is_active and user.is_staff


keeps_house_rulesets = _enters_admin & (is_active_superuser | _organizes_somewhere)
keeps_house_ruleset = _enters_admin & is_organizer_of
