"""Who may do what in a club: predicates that the apps above build their permissions from."""

from rules.predicates import predicate

from league.accounts.models import User
from league.clubs.models import Club, Membership, Role


@predicate
def is_club_organizer(user: User, club: Club | None) -> bool:
    """Tell whether the user's player is an organizer of the club."""
    if club is None or not user.is_authenticated:
        return False
    return Membership.objects.filter(club=club, player__user=user, role=Role.ORGANIZER).exists()


@predicate
def is_active_superuser(user: User) -> bool:
    """Tell whether the user runs the installation."""
    return user.is_active and user.is_superuser
