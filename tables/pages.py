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
from league.tournaments.wording import differences, game_line, terms_of
from tables.models import Table, TableKind, TableSeat


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
        return self.table is not None and not self.table.is_over


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
    game: str
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
    game = game_line(terms_of(table.match))
    return TableLine(table, table_title(table), table_place(table), game, names, sat)


def table_title(table: Table) -> str:
    """Return the table's name for people: its number in the round, or that it is friendly."""
    fixture = table.match.fixture
    if table.kind == TableKind.PRACTICE:
        return _("Practice table")
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


def clock_text(move_seconds: int | None, bank_seconds: int) -> str:
    """Return how a table is timed: "30 s a move · 120 s in the bank"."""
    if move_seconds is None:
        return _("no clock")
    move = _("%(n)s s a move") % {"n": move_seconds}
    bank = _("%(n)s s in the bank") % {"n": bank_seconds}
    return f"{move} · {bank}" if bank_seconds else move


def table_links(table: Table, player: Player | None = None) -> dict[str, str]:
    """Return the addresses that a table's page leads to; `next` and `rematch` are the player's."""
    fixture = table.match.fixture
    record = reverse("api-table-record", args=[table.pk])
    links = {"back": reverse("home"), "standings": "", "record": record, "next": "", "rematch": ""}
    links["invite"] = ""
    if table.code:
        links["back"] = reverse("invitation", args=[table.code])
        links["invite"] = "" if table.kind == TableKind.PRACTICE else links["back"]
        links["rematch"] = links["back"] if _played_at(table, player) else ""
    if fixture is not None:
        links["next"] = "" if player is None else _next_of(player, fixture)
        tournament = fixture.round.stage.tournament
        links["back"] = reverse("tournament", args=[tournament.pk])
        links["standings"] = reverse("season", args=[tournament.season.slug])
    return links


def _played_at(table: Table, player: Player | None) -> bool:
    return player is not None and any(seat.player_id == player.pk for seat in table.seats.all())


def _next_of(player: Player, fixture: Fixture) -> str:
    """Return the address of the player's next fixture: its table, or its tournament's page."""
    coming = fixtures_ahead(player).exclude(pk=fixture.pk).first()
    if coming is None:
        return ""
    table = Table.objects.filter(match__fixture=coming).order_by("-match__number").first()
    if table is not None:
        return reverse("table", args=[table.pk])
    return reverse("tournament", args=[coming.round.stage.tournament_id])


@dataclass(frozen=True, slots=True)
class Invitation:
    """A friendly table as the page of its link shows it."""

    table: Table
    title: str
    game: str
    differences: tuple[str, ...]
    clock: str
    seats: tuple[str, ...]
    mine: bool
    again: Table | None


def invitation_of(table: Table, player: Player | None) -> Invitation:
    """Return what the page of a friendly table's link shows to a player."""
    terms = terms_of(table.match)
    return Invitation(
        table=table,
        title=table_title(table),
        game=game_line(terms),
        differences=tuple(differences(terms)),
        clock=clock_text(table.move_seconds, table.bank_seconds),
        seats=tuple(_who_sits(seat) for seat in sorted(table.seats.all(), key=_number)),
        mine=_played_at(table, player),
        again=Table.objects.filter(rematch_of=table).first(),
    )


def _number(seat: TableSeat) -> int:
    return seat.seat


def _who_sits(seat: TableSeat) -> str:
    """Return the name of who holds a seat, or that a bot does; nothing where nobody does."""
    if seat.bot:
        return _("Bot: %(how)s") % {"how": seat.get_bot_display()}
    return "" if seat.player is None else seat.player.name
