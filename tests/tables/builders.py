"""Builders of tables and commands for tests, and a way to let seats play by the service."""

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from engine.actions import Action, Play, action_from_json
from engine.match import MatchState, Phase, legal_actions
from engine.snapshot import load
from league.accounts.models import Player, User
from league.tournaments.models import Fixture
from tables import presence, selectors
from tables.answers import Answer
from tables.models import Table, TableSeat
from tables.opening import table_open
from tables.position import do_of
from tables.protocol import Command, Do
from tables.services import command_execute
from tables.tickets import Ticket
from tests.factories import build_fixture, build_tournament, build_user

SECRET = bytes(range(32))


def build_users(count: int = 4) -> list[User]:
    """Users with players, in the order in which they shall sit."""
    return [build_user() for _ in range(count)]


def build_table(
    players: list[Player] | None = None, *, secret: bytes | None = SECRET, **terms: Any
) -> Table:
    """An open table of Aznif, 3 hands with 5 tiles, whose players have users."""
    seats = terms.get("seats", 4)
    players = players or [user.player for user in build_users(seats)]
    fixture = build_fixture(build_tournament(**terms), players)
    return table_open(fixture=fixture, secret=secret)


def fixture_of(table: Table) -> Fixture:
    """The fixture the table was opened for."""
    fixture = table.match.fixture
    assert fixture is not None
    return fixture


def player_at(table: Table, seat: int) -> Player:
    """The player of a seat."""
    player = table.seats.select_related("player__user").get(seat=seat).player
    assert player is not None
    return player


def state_of(table: Table) -> MatchState:
    """The engine's state as stored."""
    table.refresh_from_db()
    assert table.snapshot is not None
    return load(table.snapshot)


def view_at(table: Table, seat: int | None) -> dict[str, Any]:
    """What the player of a seat, or with None a spectator, is shown now."""
    table.refresh_from_db()
    player = None if seat is None else player_at(table, seat).pk
    return selectors.table_view(table, player)[0]


def come(table: Table, *players: Player) -> None:
    """Let people be connected to a table for a while; without names all who hold a seat."""
    held = TableSeat.objects.filter(table=table, player__isnull=False)
    for player in players or [seat.player for seat in held.select_related("player")]:
        assert player is not None
        asyncio.run(presence.renew(table.pk, player.pk, "socket"))


def go(table: Table, *players: Player) -> None:
    """Let people's connection to a table be gone; without names that of all who hold a seat.

    The broker has known everybody for long: it was not restarted a moment ago.
    """
    presence._asking().set(presence._SINCE, 0)
    held = TableSeat.objects.filter(table=table, player__isnull=False)
    for player in players or [seat.player for seat in held.select_related("player")]:
        assert player is not None
        asyncio.run(presence.release(table.pk, player.pk, "socket"))


def bring_back(table: Table) -> None:
    """Let everybody who dropped come back; who is back already is not asked twice."""
    for seat in TableSeat.objects.filter(table=table, dropped_at__isnull=False):
        answer = send(table, seat.seat, command("sit"))
        assert answer.code in {"", "already_sat", "match_over"}, answer


def command(do: Do | str, *, v: int | None = None, id: UUID | None = None, **more: Any) -> Command:
    """A command with a fresh id."""
    return Command(id or uuid4(), Do(do), v, **more)


def move(action: Action, v: int, id: UUID | None = None) -> Command:
    """The command of an action."""
    return command(do_of(action), v=v, id=id, action=action)


def ticket_of(player: Player) -> Ticket:
    """A ticket of a player's account, without token or session."""
    assert player.user_id is not None
    return Ticket(player.user_id)


def send(table: Table, seat: int, order: Command) -> Answer:
    """Execute a command for the player of a seat."""
    return command_execute(
        table_id=table.pk, ticket=ticket_of(player_at(table, seat)), command=order
    )


def sit_all(table: Table) -> None:
    """Let everybody sit down."""
    for seat in range(table.match.seats):
        assert send(table, seat, command("sit")).version is not None


def start(table: Table) -> None:
    """Let everybody sit down and the manager start."""
    sit_all(table)
    assert send(table, 0, command("start")).version is not None
    table.refresh_from_db()


def play_one(table: Table, choose: Callable[[MatchState], Action] | None = None) -> Answer:
    """Let the seat on turn move, or everybody be ready between hands."""
    state = state_of(table)
    if state.phase == Phase.DEAL:
        return [send(table, seat, command("ready")) for seat in range(state.seats)][-1]
    action = choose(state) if choose else legal_actions(state)[0]
    assert state.turn is not None
    return send(table, state.turn, move(action, table.version))


def play_until(table: Table, condition: Callable[[MatchState], bool]) -> MatchState:
    """Play on until a state fulfils a condition; the match's end without it is an error."""
    while not condition(state_of(table)):
        assert state_of(table).phase != Phase.OVER
        answer = play_one(table)
        assert answer.version is not None, answer
    return state_of(table)


def play_out(table: Table) -> None:
    """Play to the match's end."""
    play_until(table, lambda state: state.phase == Phase.OVER)


def other_action(state: MatchState) -> Action:
    """An action that the seat on turn may not do: a tile of another rack."""
    for tile in range(28):
        action = action_from_json({"play": _text(tile)})
        if isinstance(action, Play) and action not in legal_actions(state):
            return action
    raise AssertionError("every tile is playable")


def _text(index: int) -> str:
    tiles = [f"{high}-{low}" for high in range(7) for low in range(high + 1)]
    return tiles[index]
