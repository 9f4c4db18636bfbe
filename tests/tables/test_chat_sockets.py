"""Chat, devices and tables by link over the sockets of a real installation."""

import json
from contextlib import AsyncExitStack
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.stack import Stack
from tests.tables.arrange import arrange
from tests.tables.client import Json, socket_address
from tests.tables.test_sockets import ask, close_code, next_frame, open_socket

_PEOPLE = """
import json
from django.test import Client
from league.accounts.models import User
from django.core.signing import Signer

def cookie(name):
    client = Client()
    client.force_login(User.objects.get(username=name))
    device = Signer(salt="tables.devices").sign("d")
    return "sessionid=%s; ayaz_device=%s" % (client.cookies["sessionid"].value, device)
"""


@pytest.fixture(scope="module")
def table(stack: Stack) -> Json:
    """A table of four that nobody sits at yet."""
    return arrange(stack, 1)[0]


def in_house(stack: Stack, code: str) -> Any:
    """Run code inside the installation and return the JSON that it prints last."""
    return json.loads(stack.shell(_PEOPLE + code).strip().splitlines()[-1])


def with_cookie(stack: Stack, table_id: int, cookie: str) -> connect:
    """A socket as a browser opens it."""
    address = socket_address(stack.url, table_id)
    headers = {"Cookie": cookie, "Origin": stack.url.rstrip("/")}
    return connect(address, additional_headers=headers, proxy=None)


async def heard(socket: ClientConnection) -> Json:
    frame: Json = (await next_frame(socket, "say"))["say"]
    return frame


async def test_what_one_says_everybody_at_the_table_hears(stack: Stack, table: Json) -> None:
    async with AsyncExitStack() as stack_of:
        seats: list[Any] = [0, 1, 2, 3, None]
        sockets = [await stack_of.enter_async_context(open_socket(stack, table, s)) for s in seats]
        for socket in sockets:
            await next_frame(socket, "snapshot")
        answer = await ask(sockets[2], do="say", text="Salam, <b>dostlar</b>!")
        assert answer["v"] == 0
        said = [await heard(socket) for socket in sockets[:2] + sockets[3:]]
        assert {frame["text"] for frame in said} == {"Salam, <b>dostlar</b>!"}
        assert {frame["seat"] for frame in said} == {2}
        refused = await ask(sockets[4], do="say", text="Salam")
        assert refused["error"] == "not_seated"
        snapshot = await ask_for_snapshot(sockets[4])
        assert [each["text"] for each in snapshot["said"]] == ["Salam, <b>dostlar</b>!"]


async def ask_for_snapshot(socket: ClientConnection) -> Json:
    await socket.send(json.dumps({"id": "0d9f4c1e-0000-4000-8000-000000000000", "do": "resume"}))
    return await next_frame(socket, "snapshot")


async def test_two_seats_of_one_device_are_noted(stack: Stack, table: Json) -> None:
    names = table["names"][:2]
    cookies = in_house(stack, f"print(json.dumps([cookie(name) for name in {names}]))")
    for cookie in cookies:
        async with with_cookie(stack, table["id"], cookie) as socket:
            await next_frame(socket, "presence")
    shared = in_house(
        stack,
        "from tables.models import Table\nfrom tables.devices import shared_devices\n"
        f"table = Table.objects.get(pk={table['id']})\n"
        "tournament = table.match.fixture.round.stage.tournament\n"
        "print(json.dumps([len(each.names) for each in shared_devices(tournament)]))",
    )
    assert shared == [2]


async def test_a_table_by_link_lets_in_who_has_it(stack: Stack, table: Json) -> None:
    owner, other = table["names"][:2]
    made = in_house(
        stack,
        "from tables.opening import FriendlyTerms, friendly_open\n"
        f"owner = User.objects.get(username={owner!r})\n"
        "rules = {'preset': 'aznif', 'deal': 5, 'hands': 3}\n"
        "terms = FriendlyTerms(ruleset=rules, seats=2, is_public=False)\n"
        "table = friendly_open(owner=owner.player, terms=terms)\n"
        f"client = Client(headers={{'host': 'localhost'}})\n"
        f"client.force_login(User.objects.get(username={other!r}))\n"
        "before = 'sessionid=' + client.cookies['sessionid'].value\n"
        "print(json.dumps([table.pk, table.code, before]))",
    )
    table_id, code, cookie = made
    async with with_cookie(stack, table_id, cookie) as socket:
        assert await close_code(socket) == 4404
    in_house(
        stack,
        "from importlib import import_module\nfrom django.conf import settings\n"
        "from tables.links import came_by_link\nfrom tables.selectors import table_by_code\n"
        "store = import_module(settings.SESSION_ENGINE).SessionStore\n"
        f"session = store({cookie.removeprefix('sessionid=')!r})\n"
        f"came_by_link(session, table_by_code({code!r}))\nsession.save()\nprint('0')",
    )
    async with with_cookie(stack, table_id, cookie) as socket:
        assert (await next_frame(socket, "snapshot"))["snapshot"]["table"]["kind"] == "friendly"
        assert (await ask(socket, do="sit"))["v"] == 1
