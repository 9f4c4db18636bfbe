"""Reads of live tables: positions, views, lists and the record of a finished match.

Nothing here writes. The secret is read in two places only: for its commitment, and for the record.
"""

import hashlib
import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine.events import Event, event_from_json
from engine.fairness import Shuffle, commitment
from engine.match import MatchState, evolve, new_match
from engine.record import Ending, record_of
from engine.rulesets import Ruleset, ruleset_from_json
from engine.snapshot import load
from league.accounts.models import Player
from league.results.models import Match, MatchStatus, Result, Stint
from league.shared.errors import DomainError
from league.tournaments.models import Fixture, FixtureStatus, Tournament
from tables.endings import decision_of
from tables.models import OVER, Pause, Table, TableEvent, TableKind, TableSeat, TableStatus
from tables.position import Position, SeatFacts, clock_of, manager_of, view_of

WAITS = timedelta(days=1)
"""A friendly table where nobody began for so long is listed nowhere any more."""


@lru_cache(maxsize=256)
def _ruleset(text: str) -> Ruleset:
    return ruleset_from_json(json.loads(text))


def ruleset_of(match: Match) -> Ruleset:
    """Return the rule set a match is played under."""
    return _ruleset(json.dumps(match.ruleset, sort_keys=True))


def shuffle_of(table: Table) -> Shuffle:
    """Return the table's shuffle. It holds the secret: for deals and the finished record only."""
    return Shuffle(bytes(table.secret), tuple(table.contributions))


# --- positions and views


def seats_of(table: Table) -> list[TableSeat]:
    """Return the seats in order, with their players and users."""
    return list(table.seats.select_related("player__user").order_by("seat"))


def seat_of_user(seats: Iterable[TableSeat], user_id: int) -> TableSeat | None:
    """Return the seat that a user's player holds, of those read with their users."""
    return next((each for each in seats if each.player and each.player.user_id == user_id), None)


def state_of(table: Table) -> MatchState | None:
    """Return the engine's state at the table's version; None before *Start*."""
    return None if table.snapshot is None else load(table.snapshot)


def state_from_events(table: Table) -> MatchState:
    """Return the state that the table's events lead to, those that were undone left out."""
    state = _state_before(table)
    for event in events_of_table(table):
        state = evolve(state, event)
    return state


def chance_of(table: Table) -> int:
    """Return a number that nobody can foretell and that this version of the table settles."""
    return int.from_bytes(hashlib.sha256(b"%b|%d" % (bytes(table.secret), table.version)).digest())


def position_of(table: Table, seats: Iterable[TableSeat], state: MatchState | None) -> Position:
    """Return the position that the rows hold; reads nothing more than the table's match."""
    secret = bytes(table.secret)
    seats = list(seats)
    delayed = table.watch_delay > 0 and not table.is_over
    return Position(
        table_id=table.pk,
        version=table.version,
        status=table.status,
        kind=table.kind,
        seats=tuple(map(_seat_facts, seats)),
        manager=manager_of(table, seats),
        commitment=commitment(secret),
        contributions=tuple(table.contributions),
        secret=secret.hex() if table.is_over else "",
        fixture_id=table.match.fixture_id,
        stake=table.match.stake,
        move_seconds=table.move_seconds,
        bank_seconds=table.bank_seconds,
        pause=table.pause,
        empty=table.empty_at is not None,
        press_due=table.press_due_at is not None,
        turn_left_ms=table.turn_left_ms,
        chat=table.chat,
        clockwise=table.clockwise,
        deadline_at=table.deadline_at,
        state=state,
        watched=_watched(table) if delayed else state,
        delayed=delayed,
        decision=decision_of(table, state),
    )


def _watched(table: Table) -> MatchState | None:
    return None if table.watched is None else load(table.watched)


def watched_state(table: Table) -> MatchState:
    """Return the match as spectators of a delayed table see it."""
    return _watched(table) or _state_before(table)


def _state_before(table: Table) -> MatchState:
    """Return the state before the first deal."""
    match = table.match
    return new_match(
        ruleset_of(match), seats=match.seats, partners=match.partners, stake=match.stake
    )


def _seat_facts(seat: TableSeat) -> SeatFacts:
    return SeatFacts(
        seat=seat.seat,
        player_id=seat.player_id,
        name="" if seat.player is None else seat.player.name,
        bot=seat.bot,
        sat=seat.bot != "" or seat.sat_at is not None,
        ready=seat.ready,
        empty=seat.is_empty,
        dropped=seat.dropped_at is not None,
        bank_ms=seat.bank_ms,
        auto_moves=seat.auto_moves,
        swap_with=seat.swap_with,
    )


def table_get(table_id: int) -> Table | None:
    """Return a table with its match, or None."""
    return Table.objects.select_related("match").filter(pk=table_id).first()


def position_now(table: Table) -> Position:
    """Return the position of a table as it is now."""
    return position_of(table, seats_of(table), state_of(table))


def table_view(
    table: Table, player_id: int | None
) -> tuple[dict[str, Any], int, dict[str, int | None]]:
    """Return a player's view of a table as it is now, its version, and the clock.

    Who holds no seat, and None, sees what everybody may see.
    """
    position = position_now(table)
    seat = position.seat_of(player_id)
    return view_of(position, seat), position.version, clock_of(position, seat, timezone.now())


def versions_of(tables: Collection[int]) -> dict[int, int]:
    """Return the versions of those tables that there are."""
    return dict(Table.objects.filter(pk__in=tables).values_list("pk", "version"))


def holders_of(table_id: int) -> list[int | None]:
    """Return the players who hold a table's seats, by seat; empty if there is no such table."""
    seats = TableSeat.objects.filter(table_id=table_id).order_by("seat")
    return list(seats.values_list("player_id", flat=True))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a person stands at a table: as which player, and who holds the seats."""

    player_id: int | None
    holders: tuple[int | None, ...]

    @property
    def seat(self) -> int | None:
        """The person's seat, if one is theirs."""
        known = self.player_id is not None and self.player_id in self.holders
        return self.holders.index(self.player_id) if known else None


def place_of(table_id: int, user_id: int | None) -> Place | None:
    """Return an account's place at a table; None if there is no such table."""
    holders = holders_of(table_id)
    if not holders:
        return None
    if user_id is None:
        return Place(None, tuple(holders))
    players = Player.objects.filter(user_id=user_id).values_list("pk", flat=True)
    return Place(players.first(), tuple(holders))


# --- lists for pages


def _with_people() -> QuerySet[Table]:
    return Table.objects.select_related(
        "match__fixture__round__stage__tournament__season"
    ).prefetch_related("seats__player")


def _going_on() -> QuerySet[Table]:
    return _with_people().exclude(status__in=OVER).order_by("-opened_at", "-pk")


def live_tables() -> QuerySet[Table]:
    """Return the fixtures' tables where people sit down or play, the newest first."""
    return _going_on().filter(kind=TableKind.SCHEDULED)


def tables_calling(tournament: Tournament) -> QuerySet[Table]:
    """Return a tournament's tables that wait for a referee, who waits longest first."""
    called = _going_on().filter(pause=Pause.REFEREE)
    return called.filter(match__fixture__round__stage__tournament=tournament).order_by(
        "deadline_at", "pk"
    )


def tables_given_up(tournament: Tournament) -> QuerySet[Table]:
    """Return the tables of a tournament whose fixture waits for what its organizer decides."""
    fixtures = Fixture.objects.filter(
        round__stage__tournament=tournament, status=FixtureStatus.ABANDONED
    )
    given_up = _with_people().filter(match__fixture__in=fixtures, status=TableStatus.ABANDONED)
    return given_up.filter(match__status=MatchStatus.ABANDONED).order_by("finished_at", "pk")


def friendly_tables(now: datetime) -> QuerySet[Table]:
    """Return the public friendly tables, the newest first: those that are played at, and those
    made lately where somebody waits.
    """
    fresh = Q(status=TableStatus.PLAYING) | Q(opened_at__gt=now - WAITS)
    somebody = TableSeat.objects.filter(table=OuterRef("pk"), player__isnull=False)
    public = _going_on().filter(fresh, Exists(somebody), kind=TableKind.FRIENDLY, is_public=True)
    return public


def tables_of(player: Player) -> QuerySet[Table]:
    """Return the open and playing tables at which `player` has a seat, the newest first."""
    return _going_on().filter(seats__player=player)


def tables_made_by(player: Player, now: datetime) -> int:
    """Return how many tables of their own somebody has made lately that are not over."""
    made = Table.objects.filter(owner=player, opened_at__gt=now - WAITS)
    return made.exclude(status__in=OVER).count()


def table_by_code(code: str) -> Table | None:
    """Return the friendly table of a link, or None."""
    return _with_people().select_related("owner", "rematch").filter(code=code).first()


def is_by_link(table_id: int) -> bool:
    """Tell whether a table shows itself only to who was given its link."""
    hidden = Table.objects.filter(pk=table_id, is_public=False)
    return hidden.exclude(status__in=OVER).exists()


def seat_before(table: Table, player: Player) -> int | None:
    """Return the seat that a player held in the match this table's is the rematch of."""
    seats = TableSeat.objects.filter(table=table.rematch_of_id, player=player)
    return None if table.rematch_of_id is None else seats.values_list("seat", flat=True).first()


def held_elsewhere(table: Table | None, player: Player) -> TableSeat | None:
    """Return a seat that a player holds in a match under way at another table, where people wait.

    At a practice table only bots wait: a match forgotten there keeps nobody from a seat.
    """
    seats = TableSeat.objects.filter(player=player, table__status=TableStatus.PLAYING)
    seats = seats.exclude(table__kind=TableKind.PRACTICE)
    return seats.exclude(table=table).order_by("-dropped_at").first()


# --- the record


def events_of_table(table: Table) -> list[Event]:
    """Return everything the engine said at a table, in order.

    Raises `DomainError` with code `unknown_format` for what a newer version has written.
    """
    payloads = (
        TableEvent.objects.filter(table=table, undone=False)
        .order_by("seq")
        .values_list("payload", flat=True)
    )
    return [event for payload in payloads for event in _events_in(payload)]


def events_in(events: Iterable[TableEvent]) -> list[Event]:
    """Return what the engine said in some of a table's events."""
    return [event for each in events for event in _events_in(each.payload)]


def _events_in(payload: dict[str, Any]) -> list[Event]:
    if payload.get("format") != TableEvent.FORMAT:
        raise DomainError("unknown_format", str(_("This table was written by another version.")))
    return [event_from_json(data) for data in payload["events"]]


def record_by_decision(table: Table) -> dict[str, Any]:
    """Return the record of a match that a referee ends: as far as it was played."""
    return record_from_events(table, Ending.DECISION)


def record_from_events(table: Table, ended: Ending | None = None) -> dict[str, Any]:
    """Return the `domino-match/1` record of a table whose match has ended, with its people."""
    match = table.match
    record = record_of(
        events=events_of_table(table),
        ruleset=ruleset_of(match),
        seats=match.seats,
        partners=match.partners,
        stake=match.stake,
        shuffle=shuffle_of(table),
        ended=ended,
    )
    return {**record, "players": _players_of(match)}


def _players_of(match: Match) -> list[list[dict[str, Any]]]:
    seats: list[list[dict[str, Any]]] = [[] for _seat in range(match.seats)]
    for stint in match.stints.select_related("player").order_by("seat", "number"):
        seats[stint.seat].append(_stint_json(stint))
    return seats


def _stint_json(stint: Stint) -> dict[str, Any]:
    player = stint.player
    return {
        "id": None if player is None else player.pk,
        "name": stint.how if player is None else player.name,
        "from_hand": stint.from_hand,
        "how": stint.how,
        "left": stint.left,
    }


def record_of_table(table: Table) -> dict[str, Any]:
    """Return the record that stands with the match's current result.

    Raises `DomainError` with code `match_not_finished` before the end, since the record holds the
    secret, and `no_record` where the standing result was written down without one.
    """
    if not table.is_over:
        raise DomainError("match_not_finished", str(_("The match is not finished yet.")))
    result = Result.objects.filter(match_id=table.match_id, is_current=True).first()
    if result is None and table.status == TableStatus.ABANDONED:
        return record_from_events(table, Ending.ABANDONED)
    if result is None or result.record is None:
        raise DomainError("no_record", str(_("There is no record of this match.")))
    record: dict[str, Any] = result.record
    return record
