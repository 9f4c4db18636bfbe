"""What pages show of fixtures and tables, in few queries. Reads only; no request enters."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Prefetch, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from league.accounts.models import Player
from league.results.models import Match, Result
from league.tournaments.models import Fixture, Round, Tournament
from league.tournaments.selectors import fixtures_ahead, fixtures_of
from tables.models import Table, TableStatus


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A player at a fixture, with the points once there is a result."""

    player: Player
    points: int | None


@dataclass(frozen=True, slots=True)
class FixtureLine:
    """A fixture as a page shows it: its newest match's table and result stand beside it."""

    fixture: Fixture
    table: Table | None
    seats: tuple[SeatLine, ...]

    @property
    def live(self) -> bool:
        return self.table is not None and self.table.status != TableStatus.FINISHED


@dataclass(frozen=True, slots=True)
class RoundLines:
    """A round with its fixtures."""

    round: Round
    fixtures: tuple[FixtureLine, ...]


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table as the home page lists it."""

    table: Table
    title: str
    where: str
    names: tuple[str, ...]
    sat: bool


def rounds_of(tournament: Tournament) -> list[RoundLines]:
    """Return a tournament's rounds in order, with fixtures, tables and results."""
    fixtures = _with_matches(fixtures_of(tournament))
    grouped = groupby(fixtures, key=lambda fixture: fixture.round)
    return [RoundLines(round_, tuple(map(_fixture_line, group))) for round_, group in grouped]


def coming_of(player: Player) -> list[Fixture]:
    """Return the fixtures a player will sit at whose table does not stand yet."""
    return list(fixtures_ahead(player).filter(matches__isnull=True)[:5])


def _with_matches(fixtures: QuerySet[Fixture]) -> QuerySet[Fixture]:
    current = Prefetch(
        "results", Result.objects.filter(is_current=True).defer("record"), to_attr="current"
    )
    matches = Match.objects.select_related("table").prefetch_related(current).order_by("number")
    return fixtures.prefetch_related(Prefetch("matches", matches))


def _fixture_line(fixture: Fixture) -> FixtureLine:
    match = next(reversed(fixture.matches.all()), None)
    result = next(iter(getattr(match, "current", [])), None)
    seats = tuple(
        SeatLine(seat.player, None if result is None else result.points[seat.seat])
        for seat in fixture.seats.all()
    )
    return FixtureLine(fixture, getattr(match, "table", None), seats)


def table_lines(tables: Iterable[Table], player: Player | None = None) -> list[TableLine]:
    """Return tables as lines; `sat` tells whether `player` has sat down there."""
    return [_table_line(table, player) for table in tables]


def _table_line(table: Table, player: Player | None) -> TableLine:
    seats = sorted(table.seats.all(), key=lambda seat: seat.seat)
    sat = any(seat.player == player and seat.sat_at is not None for seat in seats)
    names = tuple(seat.player.name for seat in seats if seat.player is not None)
    return TableLine(table, table_title(table), table_place(table), names, sat)


def table_title(table: Table) -> str:
    """Return the table's name for people: its number in the round, or that it is friendly."""
    fixture = table.match.fixture
    if fixture is None:
        return _("Friendly table")
    return _("Table %(number)s") % {"number": fixture.number}


def table_place(table: Table) -> str:
    """Return where a table belongs: tournament and round."""
    fixture = table.match.fixture
    if fixture is None:
        return ""
    tournament = fixture.round.stage.tournament
    values = {"tournament": tournament.name, "number": fixture.round.number}
    return _("%(tournament)s · round %(number)s") % values


def table_links(table: Table) -> dict[str, str]:
    """Return the addresses that a table's page leads to."""
    fixture = table.match.fixture
    record = reverse("api-table-record", args=[table.pk])
    links = {"back": reverse("home"), "standings": "", "record": record}
    if fixture is not None:
        tournament = fixture.round.stage.tournament
        links["back"] = reverse("tournament", args=[tournament.pk])
        links["standings"] = reverse("season", args=[tournament.season.slug])
    return links
