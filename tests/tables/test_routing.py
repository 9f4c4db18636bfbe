"""Who gets a socket: from which page, and how many of one address."""

from contextlib import AsyncExitStack
from typing import Any

import pytest
from channels.testing import WebsocketCommunicator
from pytest_django import Settings

from tables.limits import Places
from tables.routing import PlacesByAddress, address_of, origin_is_ours


def scope_of(**headers: str) -> dict[str, Any]:
    named = {name.replace("_", "-").encode(): value.encode() for name, value in headers.items()}
    return {"headers": list(named.items()), "client": ["192.0.2.7", 4711]}


@pytest.mark.parametrize(
    ("https", "origin", "ours"),
    [
        (False, "http://localhost:8000", True),
        (False, "https://localhost:8000", True),
        (True, "https://localhost:8000", True),
        (True, "http://localhost:8000", False),
        (True, "ws://localhost:8000", False),
    ],
)
def test_with_tls_a_page_without_it_is_not_ours(
    settings: Settings, https: bool, origin: str, ours: bool
) -> None:
    settings.HTTPS = https
    assert origin_is_ours(scope_of(host="localhost:8000", origin=origin)) is ours


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "", "192.0.2.7"),
        (0, "203.0.113.5", "192.0.2.7"),
        (1, "", "192.0.2.7"),
        (1, "203.0.113.5", "203.0.113.5"),
        (1, "198.51.100.1, 203.0.113.5", "203.0.113.5"),
        (2, "198.51.100.1, 203.0.113.5", "198.51.100.1"),
        (3, "198.51.100.1, 203.0.113.5", "198.51.100.1"),
    ],
)
def test_address_is_what_the_trusted_proxies_say(
    settings: Settings, proxies: int, forwarded: str, address: str
) -> None:
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": proxies}
    headers = {"x_forwarded_for": forwarded} if forwarded else {}
    assert address_of(scope_of(**headers)) == address


async def accept(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """An application that lets everybody in until they go."""
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass


def socket_from(application: PlacesByAddress, address: str) -> WebsocketCommunicator:
    communicator = WebsocketCommunicator(application, "/ws/tables/1/")
    communicator.scope["client"] = [address, 4711]
    return communicator


async def test_one_address_has_so_many_sockets_at_once(settings: Settings) -> None:
    settings.AYAZ_SOCKETS_AN_ADDRESS = 2
    application = PlacesByAddress(accept)
    async with AsyncExitStack() as opened:
        sockets = [socket_from(application, "192.0.2.7") for _number in range(3)]
        for socket in sockets:
            opened.push_async_callback(socket.disconnect)
        assert [(await socket.connect())[0] for socket in sockets] == [True, True, False]
        other = socket_from(application, "192.0.2.8")
        opened.push_async_callback(other.disconnect)
        assert (await other.connect())[0]
        await sockets[0].disconnect()
        again = socket_from(application, "192.0.2.7")
        opened.push_async_callback(again.disconnect)
        assert (await again.connect())[0]
    assert application.places == Places()
