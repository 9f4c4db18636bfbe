"""Log-in by the page: guesses are counted, and a guesser locks nobody else out."""

import logging
import time
from collections.abc import Iterator

import pytest
import pytest_django
from django.conf import settings as configured
from django.core.cache import cache
from django.test import Client
from redis import Redis

from league.console.servers import free_port
from tests.factories import PASSWORD, build_user

pytestmark = pytest.mark.django_db

ADDRESS = "/accounts/login/"


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    cache.clear()
    cache.set("the broker", "keeps")


def entered(client: Client, name: str, password: str, address: str) -> bool:
    """Whether a log-in from `address` succeeds."""
    given = {"login": name, "password": password}
    return client.post(ADDRESS, given, REMOTE_ADDR=address).status_code == 302


def test_wrong_passwords_lock_the_name_for_the_guessers_address_alone(client: Client) -> None:
    build_user("ayaz")
    for _ in range(5):
        assert not entered(client, "ayaz", "wrong", "10.0.0.1")
    assert not entered(client, "AYAZ", PASSWORD, "10.0.0.1")
    assert not entered(client, "ayaz", PASSWORD, "10.0.0.1")
    assert entered(client, "ayaz", PASSWORD, "10.0.0.2")


def test_an_address_is_the_whole_network_of_one_subscriber(client: Client) -> None:
    build_user("ayaz")
    for number in range(5):
        assert not entered(client, "ayaz", "wrong", f"2001:db8:0:1::{number}")
    assert not entered(client, "ayaz", PASSWORD, "2001:db8:0:1::ffff")
    assert entered(client, "ayaz", PASSWORD, "2001:db8:0:2::1")


def test_a_claimed_address_counts_for_nothing(client: Client) -> None:
    build_user("ayaz")
    wrong = {"login": "ayaz", "password": "wrong"}
    for number in range(5):
        client.post(ADDRESS, wrong, HTTP_X_FORWARDED_FOR=f"10.0.0.{number}")
    right = {"login": "ayaz", "password": PASSWORD}
    assert client.post(ADDRESS, right, HTTP_X_FORWARDED_FOR="10.0.0.9").status_code == 200


def test_a_hall_behind_one_address_logs_in_together(client: Client) -> None:
    build_user("ayaz")
    for number in range(11):
        assert not entered(client, f"p{number}", "wrong", "10.0.0.1")
    assert all(entered(client, "ayaz", PASSWORD, "10.0.0.1") for _ in range(31))


# --- while the broker counts nothing


def given_token(client: Client) -> bool:
    """Whether the API hands out a token."""
    body = {"username": "ayaz", "password": PASSWORD}
    return client.post("/api/v1/token/", body).status_code == 200


@pytest.fixture
def _full_broker() -> Iterator[None]:
    """Let the broker refuse what it would have to keep."""
    with Redis.from_url(configured.VALKEY_URL) as broker:
        broker.config_set("maxmemory", 1)
        yield
        broker.config_set("maxmemory", 0)


@pytest.mark.usefixtures("_full_broker")
def test_people_log_in_while_the_broker_is_full(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    build_user("ayaz")
    with caplog.at_level(logging.WARNING, "league.shared.cache"):
        assert not entered(client, "ayaz", "wrong", "10.0.0.1")
        assert given_token(client)
        assert entered(client, "ayaz", PASSWORD, "10.0.0.1")
    said = [record.getMessage() for record in caplog.records if "cache" in record.name]
    assert said == ["attempts to log in are not counted: OutOfMemoryError"]


def test_people_log_in_soon_while_the_broker_is_away(
    client: Client, settings: pytest_django.Settings, caplog: pytest.LogCaptureFixture
) -> None:
    build_user("ayaz")
    away = f"redis://127.0.0.1:{free_port()}/0"
    settings.CACHES = {"default": configured.CACHES["default"] | {"LOCATION": away}}
    began = time.monotonic()
    assert entered(client, "ayaz", PASSWORD, "10.0.0.1")
    assert given_token(client)
    assert time.monotonic() - began < 20
    said = [record.getMessage() for record in caplog.records if "cache" in record.name]
    assert said == ["attempts to log in are not counted: ConnectionError"]
