"""Reads of bans. A ban ends by comparison: at `ends_at` itself its player is free."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import F, Q, QuerySet

from league.accounts.models import Player
from league.conduct.models import Ban, Scope
from league.conduct.policy import Place


def bans_in_force(now: datetime) -> QuerySet[Ban]:
    """Return the bans in force at a moment, the one that lasts longest first."""
    ends = Q(ends_at__isnull=True) | Q(ends_at__gt=now)
    return Ban.objects.filter(ends, starts_at__lte=now, lifted_at__isnull=True).order_by(
        F("ends_at").desc(nulls_first=True), "-pk"
    )


def ban_on(player: Player, place: Place, now: datetime) -> Ban | None:
    """Return the ban that keeps a player from playing at a place, the longest if several do."""
    return bans_in_force(now).filter(_covers(place), player=player).first()


def chat_ban_on(player: Player, place: Place, now: datetime) -> Ban | None:
    """Return the ban that keeps a player from speaking at a place: from the chat, or from it."""
    covers = _covers(place) | Q(scope=Scope.CHAT)
    return bans_in_force(now).filter(covers, player=player).first()


def banned_among(players: Collection[Player], place: Place, now: datetime) -> dict[int, Ban]:
    """Return by player's id the ban that keeps them from playing at a place, of those who have."""
    found: dict[int, Ban] = {}
    for ban in bans_in_force(now).filter(_covers(place), player__in=players):
        found.setdefault(ban.player_id, ban)
    return found


def bans_shown(player: Player, now: datetime) -> QuerySet[Ban]:
    """Return a player's bans in force, whatever they are from."""
    return bans_in_force(now).filter(player=player)


def _covers(place: Place) -> Q:
    covers = Q(scope=Scope.SITE)
    for reach, id in place.held_by():
        covers |= Q(scope=reach.value, scope_id=id)
    return covers
