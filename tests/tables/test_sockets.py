"""The sockets of a real installation: who gets in, what is seen, and what hostile clients get."""

import asyncio
import contextlib
import http.cookiejar
import json
import socket as socket_module
import subprocess
import sys
import time
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, suppress
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.client import ClientProtocol
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.protocol import State
from websockets.uri import parse_uri

from engine.record import check_record
from tests.factories import PASSWORD
from tests.stack import CHECKOUT, Stack
from tests.tables.arrange import arrange
from tests.tables.client import Client, Json, socket_address
from tests.tables.scanning import scan


@pytest.fixture(scope="module")
def tables(stack: Stack) -> list[Json]:
    """Tables enough for every test to take one of its own."""
    return arrange(stack, 21)


@pytest.fixture
def table(tables: list[Json]) -> Json:
    return tables.pop()


def open_socket(stack: Stack, table: Json, seat: int | None = None, **headers: str) -> connect:
    if seat is not None:
        headers["Authorization"] = f"Token {table['tokens'][seat]}"
    address = socket_address(stack.url, table["id"])
    return connect(address, additional_headers=headers, proxy=None)


async def next_frame(socket: ClientConnection, *kinds: str) -> Json:
    """The next frame of one of these kinds; the others are passed over."""
    async with asyncio.timeout(20):
        while True:
            frame: Json = json.loads(await socket.recv())
            if not kinds or any(kind in frame for kind in kinds):
                return frame


async def ask(socket: ClientConnection, **command: Any) -> Json:
    """Send a command and return its answer."""
    command = {"id": str(uuid.uuid4()), **command}
    await socket.send(json.dumps(command))
    while True:
        frame = await next_frame(socket, "ack", "error")
        if command["id"] in (frame.get("ack"), frame.get("id")):
            return frame


async def close_code(socket: ClientConnection) -> int | None:
    """Read to the end and return the code that the server closed with."""
    try:
        async with asyncio.timeout(20):
            while True:
                await socket.recv()
    except ConnectionClosed as closed:
        return None if closed.rcvd is None else closed.rcvd.code


# --- a whole match


async def test_whole_match_over_sockets_shows_no_foreign_tile(stack: Stack, table: Json) -> None:
    """cases.md B3, and B1: each beat's hash was compared as it came."""
    players = [Client(stack.url, table["id"], token) for token in table["tokens"]]
    spectator = Client(stack.url, table["id"])
    async with asyncio.timeout(90):
        await asyncio.gather(*[client.play() for client in (*players, spectator)])
    record = _record(stack, table)
    check_record(record)
    for seat, client in enumerate((*players, spectator)):
        own = seat if seat < 4 else None
        assert client.view is not None
        assert client.view["table"]["you"] == own
        assert len(client.frames) > 60
        assert client.gaps == 0
        for frame in client.frames:
            scan(frame, own, record)


def _record(stack: Stack, table: Json) -> Json:
    address = f"{stack.url}api/v1/tables/{table['id']}/record/"
    with urllib.request.urlopen(address, timeout=20) as answer:
        record: Json = json.load(answer)
    return record


async def test_case_b7_joining_again_and_again_leaves_no_gap(stack: Stack, table: Json) -> None:
    """cases.md B7: whoever joins while others play gets every version after the snapshot's."""
    players = [Client(stack.url, table["id"], token) for token in table["tokens"]]
    playing = asyncio.gather(*[client.play() for client in players])
    joined = 0
    async with asyncio.timeout(90):
        while not playing.done():
            async with open_socket(stack, table) as socket:
                frame = await next_frame(socket, "snapshot")
                version, view = frame["v"], frame["snapshot"]
                for number in range(1, 4):
                    if view["table"]["status"] == "finished":
                        break
                    frame = await next_frame(socket, "event")
                    assert frame["v"] == version + number
                    view = frame["view"]
                joined += 1
        await playing
    assert joined > 10


# --- who gets in


async def test_token_seats_and_needs_no_origin(stack: Stack, table: Json) -> None:
    async with open_socket(stack, table, 2, Origin="https://evil.example") as socket:
        snapshot = await next_frame(socket, "snapshot")
        assert snapshot["snapshot"]["table"]["you"] == 2


async def test_unknown_token_is_told_so(stack: Stack, table: Json) -> None:
    for key in ("0" * 40, "", "x y"):
        async with open_socket(stack, table, Authorization=f"Token {key}") as socket:
            assert await close_code(socket) == 4401


async def test_nobody_in_particular_watches(stack: Stack, table: Json) -> None:
    async with open_socket(stack, table) as socket:
        view = (await next_frame(socket, "snapshot"))["snapshot"]
        assert (view["table"]["you"], view["table"]["can"]) == (None, [])
        assert (await ask(socket, do="sit"))["error"] == "not_seated"


@pytest.mark.parametrize("table_id", [999_999, 2**63, 10**40])
async def test_unknown_table(stack: Stack, table_id: int) -> None:
    async with open_socket(stack, {"id": table_id}) as socket:
        assert await close_code(socket) == 4404


async def test_unknown_address(stack: Stack) -> None:
    address = f"{stack.url.replace('http', 'ws', 1)}ws/nothing/"
    async with connect(address, proxy=None) as socket:
        assert await close_code(socket) == 4404


END_SESSIONS = "from django.contrib.sessions.models import Session; Session.objects.all().delete()"


def log_in(stack: Stack, username: str) -> str:
    """Log in as a browser does and return the Cookie header."""
    jar = http.cookiejar.CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    address = f"{stack.url}accounts/login/"
    browser.open(address, timeout=20).read()
    token = next(cookie.value for cookie in jar if cookie.name == "csrftoken")
    fields = {"login": username, "password": PASSWORD, "csrfmiddlewaretoken": token}
    browser.open(address, urllib.parse.urlencode(fields).encode(), timeout=20).read()
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar)


async def test_cookie_seats_only_from_our_own_pages(stack: Stack, tables: list[Json]) -> None:
    table = tables[0]  # whose first player has a password
    cookie = await asyncio.to_thread(log_in, stack, table["names"][0])
    assert "sessionid=" in cookie
    own = stack.url.rstrip("/")
    async with open_socket(stack, table, Cookie=cookie, Origin=own) as socket:
        assert (await next_frame(socket, "snapshot"))["snapshot"]["table"]["you"] == 0
        assert (await ask(socket, do="sit"))["v"] == 1
        await asyncio.to_thread(stack.shell, END_SESSIONS)
        assert (await ask(socket, do="contribute", contribution="ab"))["error"] == "not_allowed"
        assert await close_code(socket) == 4401
    async with open_socket(stack, table, Cookie=cookie, Origin=own) as socket:
        assert (await next_frame(socket, "snapshot"))["snapshot"]["table"]["you"] is None
    port = urllib.parse.urlsplit(own).port or 80
    foreign = (
        "https://evil.example",
        own.replace("http:", "https:").replace(str(port), str(port + 1)),
        f"{own}.evil.example",
        f"http://127.0.0.1:{port + 1}",
        "null",
        "http://[",
        "",
    )
    for origin in foreign:
        with pytest.raises(InvalidStatus) as refused:
            async with open_socket(stack, table, Cookie=cookie, Origin=origin):
                pass
        assert refused.value.response.status_code in {400, 403}  # 400: no Origin at all
    with pytest.raises(InvalidStatus):
        async with open_socket(stack, table, Cookie=cookie):
            pass


async def test_socket_is_closed_when_what_opened_it_is_gone(stack: Stack, table: Json) -> None:
    """A token that is taken back and an account that is closed both end their sockets."""
    async with open_socket(stack, table, 0) as first, open_socket(stack, table, 1) as second:
        await next_frame(first, "snapshot")
        code = (
            "from rest_framework.authtoken.models import Token; from league.accounts.models "
            f"import User; Token.objects.get(key='{table['tokens'][0]}').delete(); "
            f"User.objects.filter(username='{table['names'][1]}').update(is_active=False)"
        )
        await asyncio.to_thread(stack.shell, code)
        resume = {"id": str(uuid.uuid4()), "do": "resume"}
        await first.send(json.dumps(resume))  # no rack for somebody who is not let in any more
        assert (await next_frame(first, "snapshot", "error"))["error"] == "not_allowed"
        assert (await ask(second, do="sit"))["error"] == "not_allowed"
        assert (await close_code(first), await close_code(second)) == (4401, 4401)


async def test_beat_ends_the_socket_of_a_token_that_is_gone(stack: Stack, table: Json) -> None:
    async with open_socket(stack, table, 0) as socket:
        await next_frame(socket, "snapshot")
        code = (
            "from rest_framework.authtoken.models import Token; "
            f"Token.objects.get(key='{table['tokens'][0]}').delete()"
        )
        await asyncio.to_thread(stack.shell, code)
        assert await close_code(socket) == 4401


# --- commands


async def test_two_sockets_of_a_player_are_one_person(stack: Stack, table: Json) -> None:
    command = {"id": str(uuid.uuid4()), "do": "sit"}
    async with open_socket(stack, table, 0) as first, open_socket(stack, table, 0) as second:
        answers = await asyncio.gather(ask(first, **command), ask(second, **command))
        assert answers[0] == answers[1] == {"ack": command["id"], "v": 1}
        again = await ask(first, do="contribute", contribution="ab")
        assert again["v"] == 2
        assert (await _at_version(second, 2))["table"]["contributions"][0] == "ab"


async def test_stale_move_brings_the_snapshot(stack: Stack, table: Json) -> None:
    async with open_socket(stack, table, 3) as socket:
        await next_frame(socket, "snapshot")
        assert (await ask(socket, do="draw", v=7))["error"] == "stale"
        assert (await next_frame(socket, "snapshot"))["v"] == 0


async def test_resume_brings_a_snapshot(stack: Stack, table: Json) -> None:
    async with open_socket(stack, table, 3) as socket:
        first = await next_frame(socket, "snapshot")
        await socket.send(json.dumps({"id": str(uuid.uuid4()), "do": "resume"}))
        assert (await next_frame(socket, "snapshot"))["snapshot"] == first["snapshot"]


async def test_refusal_speaks_the_person_s_language(stack: Stack, table: Json) -> None:
    for language, text in (
        ("tr", "Henüz herkes oturmadı."),
        ("az", "Hələ hamı oturmayıb."),
        ("en", "Not everybody has sat down yet."),
    ):
        async with open_socket(stack, table, 3, **{"Accept-Language": language}) as socket:
            frame = await ask(socket, do="start")
            assert (frame["error"], frame["text"]) == ("not_all_seated", text)


async def test_not_your_turn_and_not_your_tile(stack: Stack, table: Json) -> None:
    async with AsyncExitStack() as opened:
        sockets = [await opened.enter_async_context(open_socket(stack, table, s)) for s in range(4)]
        for socket in sockets:
            assert "ack" in await ask(socket, do="sit")
        assert "ack" in await ask(sockets[0], do="start")
        # only the one on turn knows what is legal
        states = [await _at_version(socket, 5) for socket in sockets]
        turn = states[0]["match"]["turn"]
        legal = states[turn]["match"]["legal"][0]["play"]
        foreign = states[(turn + 1) % 4]["match"]["rack"][0]
        wrong = await ask(sockets[(turn + 1) % 4], do="play", v=5, tile=foreign)
        assert wrong["error"] == "not_your_turn"
        assert (await ask(sockets[turn], do="play", v=5, tile=foreign))["error"] == (
            "tile_not_in_rack"
        )
        assert (await ask(sockets[turn], do="play", v=5, tile=legal))["v"] == 6


async def _at_version(socket: ClientConnection, version: int) -> Json:
    while True:
        frame = await next_frame(socket, "event", "snapshot")
        if frame["v"] == version:
            view: Json = frame.get("view") or frame["snapshot"]
            return view


# --- presence and beats


async def test_presence_follows_the_sockets(stack: Stack, table: Json) -> None:
    async with open_socket(stack, table) as watching:
        assert (await next_frame(watching, "presence"))["presence"] == [False] * 4
        async with open_socket(stack, table, 1):
            assert (await next_frame(watching, "presence"))["presence"][1]
        assert not (await next_frame(watching, "presence"))["presence"][1]


async def test_case_b5_a_lost_publication_is_found_by_the_beat(stack: Stack, table: Json) -> None:
    """cases.md B5: a writer without a broker commits all the same; the beat shows it."""
    async with open_socket(stack, table) as socket:
        snapshot = await next_frame(socket, "snapshot")
        assert snapshot["v"] == 0
        await asyncio.to_thread(_sit_without_broker, stack, table["id"])
        async with asyncio.timeout(30):
            while (beat := await next_frame(socket, "beat", "event"))["beat"] != 1:
                assert "event" not in beat
        await socket.send(json.dumps({"id": str(uuid.uuid4()), "do": "resume"}))
        snapshot = await next_frame(socket, "snapshot")
        assert snapshot["v"] == 1
        assert snapshot["snapshot"]["table"]["seats"][0]["sat"]


def _sit_without_broker(stack: Stack, table_id: int) -> None:
    code = (
        "from tests.tables.builders import command, send; from tables.models import Table; "
        f"print(send(Table.objects.get(pk={table_id}), 0, command('sit')).version)"
    )
    nowhere = {**stack.env, "VALKEY_URL": "redis://127.0.0.1:1/0"}
    argv = [sys.executable, "manage.py", "shell", "--no-imports", "-v", "0", "-c", code]
    done = subprocess.run(
        argv, cwd=CHECKOUT, env=nowhere, text=True, capture_output=True, check=True
    )
    assert done.stdout.strip() == "1"
    assert "unpublished" in done.stderr


# --- hostile frames


def hostile() -> Iterator[str | bytes]:
    yield "not json"
    yield "[" * 4000
    yield b"\x00\x01"
    yield json.dumps({"id": "x", "do": "sit"})
    yield json.dumps({"id": str(uuid.uuid4()), "do": "shout"})
    yield json.dumps({"id": str(uuid.uuid4()), "do": "draw", "v": True})
    yield "x" * 5000


async def test_hostile_frames_get_errors_and_then_the_door(stack: Stack, table: Json) -> None:
    async with open_socket(stack, table, 0) as socket:
        await next_frame(socket, "snapshot")
        for frame in hostile():
            await socket.send(frame)
        codes = [(await next_frame(socket, "error"))["error"] for _number in range(6)]
        assert codes[:5] == ["not_json", "not_json", "not_text", "bad_id", "unknown_command"]
        assert await close_code(socket) == 1008
    async with open_socket(stack, table, 0) as socket:
        assert (await ask(socket, do="sit"))["v"] == 1


@pytest.mark.parametrize(("seat", "do"), [(0, "resume"), (None, "resume"), (None, "sit")])
async def test_a_flood_is_cut_off(stack: Stack, table: Json, seat: int | None, do: str) -> None:
    """A seat's other commands may come as fast as a busy machine can answer them.

    Frames that are still on their way when the server closes reset the connection, and then the
    close frame may be lost with it: cut off is cut off, and the server goes on serving others.
    """
    async with open_socket(stack, table, seat) as socket:
        with contextlib.suppress(ConnectionClosed):
            for _number in range(400):
                await socket.send(json.dumps({"id": str(uuid.uuid4()), "do": do}))
        assert await close_code(socket) in (1008, None)
    async with open_socket(stack, table, 0) as socket:
        assert (await ask(socket, do="sit"))["v"] == 1


async def test_snapshots_are_given_by_twos_a_second(stack: Stack, table: Json) -> None:
    """Each is a whole view; who asks for more is told so, by the id of what was asked."""
    async with open_socket(stack, table) as socket:
        await next_frame(socket, "snapshot")
        asked = [str(uuid.uuid4()) for _number in range(13)]
        began = time.monotonic()
        for command_id in asked:
            await socket.send(json.dumps({"id": command_id, "do": "resume"}))
        frames = [await next_frame(socket, "snapshot", "error") for _number in asked]
        refused = [frame for frame in frames if "error" in frame]
        refilled = 2 * (time.monotonic() - began)
        assert 3 - refilled <= len(refused) <= 3
        assert all(frame["error"] == "too_fast" and frame["id"] in asked for frame in refused)


async def test_who_closed_and_does_not_go_is_sent_nothing_more(stack: Stack, table: Json) -> None:
    """A client that never answers the close frame is no failure of the server's."""
    before = len(stack.log)
    with Lingering(stack, table) as lingering:
        await asyncio.to_thread(lingering.send, *["rubbish"] * 8)
        await asyncio.to_thread(lingering.wait_for_close)
        async with open_socket(stack, table, 0) as socket:
            assert (await ask(socket, do="sit"))["v"] == 1
            for version in (2, 3, 4):
                answer = await ask(socket, do="contribute", contribution="ab")
                assert answer["v"] == version
        assert not await _fails_within(3, stack, before)  # Daphne looks each second


async def _fails_within(seconds: float, stack: Stack, line: int) -> bool:
    """Wait for a traceback in the log after a line."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while not any("Traceback" in text for text in stack.log[line:]):
                await asyncio.sleep(0.1)
            return True
    return False


class Lingering:
    """A spectator on a bare connection who reads a close frame and leaves it at that."""

    def __init__(self, stack: Stack, table: Json) -> None:
        self.address = parse_uri(socket_address(stack.url, table["id"]))
        self.protocol = ClientProtocol(self.address)

    def __enter__(self) -> "Lingering":
        self.connection = socket_module.create_connection(
            (self.address.host, self.address.port), timeout=20
        )
        self.protocol.send_request(self.protocol.connect())
        self._flush()
        self._read_until(lambda: self.protocol.state is State.OPEN)
        return self

    def __exit__(self, *_error: object) -> None:
        self.connection.close()

    def send(self, *texts: str) -> None:
        for text in texts:
            self.protocol.send_text(text.encode())
        self._flush()

    def wait_for_close(self) -> None:
        self._read_until(lambda: self.protocol.close_rcvd is not None)

    def _flush(self) -> None:
        for data in self.protocol.data_to_send():
            self.connection.sendall(data)

    def _read_until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            self.protocol.receive_data(self.connection.recv(65_536))


async def test_a_huge_frame_never_reaches_us(stack: Stack, table: Json) -> None:
    async with open_socket(stack, table, 0) as socket:
        await next_frame(socket, "snapshot")
        await socket.send("x" * 200_000)
        assert await close_code(socket) in {None, 1009}  # dropped before it was read
