"""What a ban covers and how long it lasts. Pure: no Django, no database."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum


class Reach(StrEnum):
    """What somebody is banned from. Site and chat are everywhere; the others name which one."""

    SITE = "site"
    CLUB = "club"
    SEASON = "season"
    TOURNAMENT = "tournament"
    CHAT = "chat"


EVERYWHERE = frozenset({Reach.SITE, Reach.CHAT})


class Length(StrEnum):
    """How long a ban lasts, where nobody says until when."""

    HOURS_2 = "2h"
    DAY = "1d"
    WEEK = "7d"
    DAYS_30 = "30d"
    OPEN = "open"


_LASTS = {
    Length.HOURS_2: timedelta(hours=2),
    Length.DAY: timedelta(days=1),
    Length.WEEK: timedelta(days=7),
    Length.DAYS_30: timedelta(days=30),
}


def end_of(length: Length, starts_at: datetime) -> datetime | None:
    """Return when a ban of a preset length ends; None for one that stands until it is lifted."""
    lasts = _LASTS.get(length)
    return None if lasts is None else starts_at + lasts


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody wants to play, by ids; without any it is a table that belongs to nobody."""

    club_id: int | None = None
    season_id: int | None = None
    tournament_id: int | None = None

    def held_by(self) -> Iterator[tuple[Reach, int]]:
        """Yield what holds the place, with its id."""
        named = {
            Reach.CLUB: self.club_id,
            Reach.SEASON: self.season_id,
            Reach.TOURNAMENT: self.tournament_id,
        }
        return ((reach, id) for reach, id in named.items() if id is not None)
