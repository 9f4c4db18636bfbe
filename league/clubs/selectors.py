"""Reads of clubs and memberships."""

from collections.abc import Collection

from league.clubs.models import Club, Membership


def clubs_represented(player_ids: Collection[int], host: Club) -> dict[int, int]:
    """Return by player the id of the club that each plays for unless something else was said.

    Members of the hosting club play for it, others for the club they joined first; who belongs to
    none is left out.
    """
    found: dict[int, int] = {}
    members = Membership.objects.filter(player__in=player_ids).order_by("joined_at", "pk")
    for player, club in members.values_list("player_id", "club_id"):
        if club == host.pk:
            found[player] = club
        else:
            found.setdefault(player, club)
    return found
