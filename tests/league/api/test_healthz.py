"""`/healthz` answers 200 only when database and broker answer."""

import asyncio
import socket
import time
from collections.abc import Iterator

import pytest
import pytest_django
from django.db import connection
from django.test import AsyncClient, RequestFactory

from league.console.health import healthz

pytestmark = pytest.mark.django_db


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port that takes connections and never says a word."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


@pytest.fixture
def closed_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_healthy_when_both_answer(async_client: AsyncClient) -> None:
    answer = await async_client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"database": "ok", "broker": "ok"})
    assert "no-cache" in answer["Cache-Control"]


async def test_ill_without_a_broker(
    async_client: AsyncClient, settings: pytest_django.Settings, closed_port: int
) -> None:
    settings.VALKEY_URL = f"redis://:secret@127.0.0.1:{closed_port}/0"
    answer = await async_client.get("/healthz")
    assert (answer.status_code, answer.json()) == (503, {"database": "ok", "broker": "down"})


async def test_ill_soon_when_the_broker_is_silent(
    async_client: AsyncClient, settings: pytest_django.Settings, silent_port: int
) -> None:
    settings.VALKEY_URL = f"redis://127.0.0.1:{silent_port}/0"
    begun = time.monotonic()
    answer = await async_client.get("/healthz")
    assert answer.status_code == 503
    assert time.monotonic() - begun < 5


async def test_ill_soon_when_the_database_is_silent(
    async_client: AsyncClient, monkeypatch: pytest.MonkeyPatch, silent_port: int
) -> None:
    monkeypatch.setitem(connection.settings_dict, "HOST", "127.0.0.1")
    monkeypatch.setitem(connection.settings_dict, "PORT", str(silent_port))
    begun = time.monotonic()
    answer = await async_client.get("/healthz")
    assert (answer.status_code, answer.json()) == (503, {"database": "down", "broker": "ok"})
    assert time.monotonic() - begun < 5


async def test_a_crowd_gets_one_answer_and_a_later_one_a_new_answer(
    async_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection each would take PostgreSQL's from the tables."""
    came = 0

    async def hang_up(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal came
        came += 1
        writer.close()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as server:
        monkeypatch.setitem(connection.settings_dict, "HOST", "127.0.0.1")
        port = server.sockets[0].getsockname()[1]
        monkeypatch.setitem(connection.settings_dict, "PORT", str(port))
        began = time.monotonic()
        answers = await asyncio.gather(*(async_client.get("/healthz") for _ in range(40)))
        assert {answer.status_code for answer in answers} == {503}
        few, took = came, time.monotonic() - began
        deadline = time.monotonic() + 20
        while came == few and time.monotonic() < deadline:
            await async_client.get("/healthz")
        assert came > few
    assert 1 <= few <= 2 * (1 + took)


async def test_a_crowd_is_told_that_all_is_well(async_client: AsyncClient) -> None:
    answers = await asyncio.gather(*(async_client.get("/healthz") for _ in range(40)))
    assert {answer.status_code for answer in answers} == {200}


async def test_who_hangs_up_takes_the_answer_from_nobody(async_client: AsyncClient) -> None:
    first = asyncio.ensure_future(healthz(RequestFactory().get("/healthz")))
    await asyncio.sleep(0)
    first.cancel()
    assert (await async_client.get("/healthz")).status_code == 200
