"""The only writer of clubs and memberships."""

from typing import TextIO

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league.accounts.models import Player
from league.accounts.services import players_import
from league.clubs.models import Club, Membership, Role
from league.shared.errors import DomainError
from league.shared.names import clean_name, clean_slug, slug_of


@transaction.atomic
def club_create(*, name: str, slug: str | None = None, city: str = "") -> Club:
    """Make a club; the slug follows the name unless given.

    Raises DomainError name, slug, club_exists.
    """
    taken = set(Club.objects.values_list("slug", flat=True))
    club = Club(
        name=clean_name(name),
        slug=clean_slug(slug) if slug else slug_of(name, taken),
        city=clean_name(city) if city else "",
    )
    try:
        with transaction.atomic():
            club.save()
    except IntegrityError as error:
        raise DomainError("club_exists", _("A club of this name or slug exists.")) from error
    return club


def membership_create(*, club: Club, player: Player, role: Role = Role.MEMBER) -> Membership:
    """Make a player a member of a club. Raises DomainError member_already."""
    membership = Membership(club=club, player=player, role=role)
    try:
        with transaction.atomic():
            membership.save()
    except IntegrityError as error:
        raise DomainError(
            "member_already",
            _("%(player)s belongs to %(club)s already.") % {"player": player, "club": club},
        ) from error
    return membership


@transaction.atomic
def members_import(*, club: Club, file: bytes | TextIO) -> list[Player]:
    """Make the players of a CSV file members of a club, all or none. Raises `ImportRefused`."""
    players = players_import(file=file)
    Membership.objects.bulk_create(Membership(club=club, player=player) for player in players)
    return players
