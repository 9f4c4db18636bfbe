"""Bans at tables: no seat, no word, no open socket; but a match under way is finished."""

import json
from datetime import datetime
from typing import Any

import pytest
from django.test import TestCase
from django.utils import timezone, translation
from websockets.exceptions import ConnectionClosed

from league.accounts.models import Player
from league.conduct.models import Ban, Scope
from league.conduct.services import ban_lift, ban_place
from league.shared.errors import DomainError
from tables import bans
from tables.models import Table, TableStatus
from tables.opening import FriendlyTerms, friendly_open
from tests.factories import AZNIF_SHORT, build_user
from tests.stack import Stack
from tests.tables.acting import ask, drop, leave, newcomer, playing
from tests.tables.arrange import arrange
from tests.tables.builders import build_table, fixture_of, play_one, player_at, send
from tests.tables.builders import command as order
from tests.tables.client import Json
from tests.tables.test_chat_sockets import in_house, with_cookie
from tests.tables.test_sockets import ask as ask_socket
from tests.tables.test_sockets import close_code, next_frame, open_socket

BANNED, NOT_WELCOME = 4403, 4401
database = pytest.mark.django_db


def ban(player: Player, scope: Scope = Scope.SITE, scope_id: int | None = None) -> Ban:
    """Ban somebody, and let whoever listens hear of it."""
    with TestCase.captureOnCommitCallbacks(execute=True):
        return ban_place(
            player=player, scope=scope, scope_id=scope_id, reason="abuse", placed_by=None
        )


@database
@pytest.mark.parametrize("scope", [Scope.SITE, Scope.CLUB, Scope.SEASON, Scope.TOURNAMENT])
def test_a_banned_player_does_not_sit_down(scope: Scope) -> None:
    table = build_table()
    tournament = fixture_of(table).round.stage.tournament
    ids = {
        Scope.CLUB: tournament.season.club_id,
        Scope.SEASON: tournament.season_id,
        Scope.TOURNAMENT: tournament.pk,
    }
    standing = ban(player_at(table, 1), scope, ids.get(scope))
    answer = ask(table, player_at(table, 1), "sit")
    assert (answer.code, answer.text) == (
        "banned",
        "You are banned here until the ban is lifted.",
    )
    assert ask(table, player_at(table, 2), "sit").version == 1
    ban_lift(ban=standing, reason="sorry", lifted_by=build_user())
    assert ask(table, player_at(table, 1), "sit").version == 2


@database
def test_the_refusal_names_until_when() -> None:
    table = build_table()
    ends = datetime(2031, 5, 17, 21, 30, tzinfo=timezone.get_current_timezone())
    ban_place(
        player=player_at(table, 0), scope=Scope.SITE, reason="abuse", ends_at=ends, placed_by=None
    )
    with translation.override("tr"):
        answer = ask(table, player_at(table, 0), "sit")
    assert "17 May" in answer.text
    assert "2031 21:30" in answer.text


@database
def test_a_banned_player_is_no_substitute() -> None:
    table = playing()
    leave(table, 1)
    banned = newcomer()
    ban(banned)
    assert ask(table, banned, "sit", seat=1).code == "banned"
    assert ask(table, newcomer(), "sit", seat=1).version is not None


@database
def test_a_banned_player_opens_and_joins_no_friendly_table() -> None:
    owner, banned = newcomer(), newcomer()
    terms = FriendlyTerms(ruleset=AZNIF_SHORT, seats=2)
    ban(banned)
    with pytest.raises(DomainError) as refused:
        friendly_open(owner=banned, terms=terms)
    assert refused.value.code == "banned"
    table = friendly_open(owner=owner, terms=terms)
    assert ask(table, banned, "sit").code == "banned"
    ban(owner, Scope.CLUB, 1)
    assert ask(table, newcomer(), "sit").version is not None


@database
def test_a_match_under_way_is_finished_and_its_chat_stops() -> None:
    table = playing()
    for seat in range(4):
        ban(player_at(table, seat))
    assert play_one(table).version is not None
    banned = drop(table, 2)
    assert ask(table, banned, "sit").version is not None
    assert send(table, 2, order("say", text="Salam")).code == "banned"
    assert not bans.shut_out(table.pk, banned.pk)
    Table.objects.filter(pk=table.pk).update(status=TableStatus.FINISHED)
    assert bans.shut_out(table.pk, banned.pk)


@database
def test_a_ban_from_the_chat_stops_nothing_else() -> None:
    table = build_table()
    banned = player_at(table, 0)
    ban(banned, Scope.CHAT)
    answer = send(table, 0, order("say", text="Salam"))
    assert (answer.code, answer.text[:31]) == ("banned", "You are banned from the chat un")
    assert ask(table, banned, "sit").version == 1
    assert not bans.shut_out(table.pk, banned.pk)


@database
def test_who_waits_for_the_match_gets_up() -> None:
    table = build_table()
    banned = player_at(table, 3)
    assert ask(table, banned, "sit").version == 1
    ban(banned)
    table.refresh_from_db()
    assert (table.version, table.seats.get(seat=3).sat_at) == (2, None)


# --- over real sockets


@pytest.fixture(scope="module")
def tables(stack: Stack) -> list[Json]:
    return arrange(stack, 2)


def ban_inside(stack: Stack, name: str) -> None:
    """Ban somebody inside the installation, from another process than the sockets'."""
    in_house(
        stack,
        "from league.conduct.services import ban_place\n"
        "from league.conduct.models import Scope\n"
        f"player = User.objects.get(username={name!r}).player\n"
        "ban_place(player=player, scope=Scope.SITE, reason='abuse', placed_by=None)\n"
        "print(0)",
    )


async def snapshot_of(socket: Any) -> Json:
    frame: Json = (await next_frame(socket, "snapshot"))["snapshot"]
    return frame


async def start_match(stack: Stack, table: Json) -> None:
    for seat in range(4):
        async with open_socket(stack, table, seat) as socket:
            assert "ack" in await ask_socket(socket, do="sit")
    async with open_socket(stack, table, 0) as socket:
        assert "ack" in await ask_socket(socket, do="start")


async def test_a_ban_closes_sockets_at_once_but_at_the_own_match(
    stack: Stack, tables: list[Json]
) -> None:
    own, other = tables
    await start_match(stack, own)
    elsewhere = {**other, "tokens": own["tokens"]}
    async with (
        open_socket(stack, own, 1) as seated,
        open_socket(stack, elsewhere, 1) as watching,
        open_socket(stack, elsewhere, 2) as another,
    ):
        for socket in (seated, watching, another):
            await snapshot_of(socket)
        ban_inside(stack, own["names"][1])
        assert await close_code(watching) == BANNED
        answer = await ask_socket(seated, do="say", text="Salam")
        assert answer["error"] == "banned"
        assert (await ask_socket(seated, do="referee"))["ack"]
        await another.ping()
    async with open_socket(stack, own, 1) as back:
        assert (await snapshot_of(back))["table"]["you"] == 1
    async with open_socket(stack, elsewhere, 1) as again:
        assert await close_code(again) == BANNED
    async with open_socket(stack, elsewhere) as nobody:
        assert (await snapshot_of(nobody))["table"]["you"] is None


async def test_a_log_out_closes_the_sockets_of_its_session_at_once(
    stack: Stack, tables: list[Json]
) -> None:
    table = tables[1]
    name = table["names"][0]
    one, two = in_house(stack, f"print(json.dumps([cookie({name!r}), cookie({name!r})]))")
    key = one.split(";")[0].removeprefix("sessionid=")
    async with (
        with_cookie(stack, table["id"], one) as closing,
        with_cookie(stack, table["id"], two) as staying,
    ):
        await snapshot_of(closing)
        await snapshot_of(staying)
        in_house(
            stack,
            "client = Client(headers={'host': 'localhost'})\n"
            f"client.cookies['sessionid'] = {key!r}\nclient.logout()\nprint(0)",
        )
        assert await close_code(closing) == NOT_WELCOME
        await staying.send(json.dumps({"id": "0d9f4c1e-0000-4000-8000-000000000001", "do": "sit"}))
        try:
            assert (await next_frame(staying, "ack"))["ack"]
        except ConnectionClosed:
            pytest.fail("another session of the account was closed too")
