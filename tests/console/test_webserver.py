"""The web server's drain: whoever is connected is told, and running work ends."""

import contextlib
import http.client
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from league.console import servers
from league.console.webserver import BODY_BYTES, FRAME_BYTES, FRAMES, WAITING_FRAMES
from tests.stack import CHECKOUT

SERVER = """
import asyncio, sys
from league.console.webserver import DrainingServer
async def application(scope, receive, send):
    if scope["type"] == "http":
        size, more = 0, True
        while more:
            message = await receive()
            size, more = size + len(message.get("body", b"")), message.get("more_body", False)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": str(size).encode()})
        return
    await receive()
    await send({"type": "websocket.accept"})
    if scope["path"] == "/busy":
        await asyncio.Event().wait()
    handled = 0
    while (message := await receive())["type"] != "websocket.disconnect":
        await send({"type": "websocket.send", "text": message["text"]})
        if scope["path"] == "/slow":
            handled += 1
            await asyncio.sleep(1)
    print(f"said goodbye after {handled}" if handled else "said goodbye", flush=True)
server = DrainingServer(application, endpoint=f"tcp:port={sys.argv[1]}:interface=127.0.0.1")
ready = server.ready_callable
server.ready_callable = lambda: (ready(), print("ready", flush=True))
server.run()
"""


@pytest.fixture
def served() -> tuple[subprocess.Popen[str], str]:
    port = servers.free_port()
    argv = [sys.executable, "-c", SERVER, str(port)]
    process = subprocess.Popen(argv, cwd=CHECKOUT, text=True, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process, f"ws://127.0.0.1:{port}/"


def test_sigterm_closes_sockets_with_service_restart(
    served: tuple[subprocess.Popen[str], str],
) -> None:
    process, url = served
    with connect(url, proxy=None) as client:
        client.send("merhaba")
        assert client.recv(timeout=10) == "merhaba"
        process.send_signal(signal.SIGTERM)
        with pytest.raises(ConnectionClosed) as closed:
            client.recv(timeout=10)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1012
    assert process.communicate(timeout=10)[0] == "said goodbye\n"
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        (b"x" * BODY_BYTES, (200, str(BODY_BYTES).encode())),
        (b"x" * (BODY_BYTES + 1), (413, b"")),
        (iter([b"x" * BODY_BYTES]), (200, str(BODY_BYTES).encode())),
        (iter([b"x" * BODY_BYTES, b"x"]), (413, b"")),
    ],
    ids=["largest", "too large", "largest in chunks", "too large in chunks"],
)
def test_a_body_is_bounded_announced_or_in_chunks(
    served: tuple[subprocess.Popen[str], str],
    body: bytes | Iterator[bytes],
    answer: tuple[int, bytes],
) -> None:
    process, url = served
    connection = http.client.HTTPConnection(url.split("/")[2], timeout=20)
    with contextlib.suppress(ConnectionError):  # the server may hang up before all is sent
        connection.request("POST", "/", body)
    got = connection.getresponse()
    assert (got.status, got.read()) == answer
    connection.close()
    process.terminate()
    process.communicate(timeout=10)


def test_a_frame_larger_than_any_command_closes_the_socket(
    served: tuple[subprocess.Popen[str], str],
) -> None:
    process, url = served
    with connect(url, proxy=None) as client:
        client.send("x" * FRAME_BYTES)
        assert len(client.recv(timeout=10)) == FRAME_BYTES
        client.send("x" * (FRAME_BYTES + 1))
        with pytest.raises(ConnectionClosed):
            client.recv(timeout=10)
    process.terminate()
    process.communicate(timeout=10)


def flooded(url: str, frames: int) -> int:
    """Send `frames` at once without reading; return the code with which the server closes."""
    with connect(url, proxy=None) as client:
        with contextlib.suppress(ConnectionClosed):
            for _ in range(frames):
                client.send("x" * 16)  # the echo must not pile up as well
        with pytest.raises(ConnectionClosed) as closed:
            list(iter(lambda: client.recv(timeout=10), None))
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


@pytest.mark.parametrize(
    ("path", "frames"),
    [("", 3 * FRAMES), ("busy", WAITING_FRAMES + 1), ("busy", 2500)],
    ids=["too fast", "too many wait", "a flood on a busy server"],
)
def test_a_flood_is_cut_off_as_it_arrives(
    served: tuple[subprocess.Popen[str], str], path: str, frames: int
) -> None:
    process, url = served
    assert flooded(url + path, frames) == 1008
    process.kill()
    process.communicate(timeout=10)


def test_what_a_flood_left_waiting_is_not_handled(
    served: tuple[subprocess.Popen[str], str],
) -> None:
    process, url = served
    assert flooded(url + "slow", 2 * FRAMES) == 1008
    assert process.stdout is not None
    assert process.stdout.readline() == "said goodbye after 1\n"
    process.terminate()
    process.communicate(timeout=10)


def test_as_many_frames_as_may_wait_are_all_handled(
    served: tuple[subprocess.Popen[str], str],
) -> None:
    process, url = served
    with connect(url, proxy=None) as client:
        for number in range(WAITING_FRAMES):
            client.send(str(number))
        told = [client.recv(timeout=10) for _ in range(WAITING_FRAMES)]
    assert told == [str(number) for number in range(WAITING_FRAMES)]
    process.terminate()
    process.communicate(timeout=10)
