"""Log-in by the page: guesses are counted, and a guesser locks nobody else out."""

import pytest
from django.core.cache import cache
from django.test import Client

from tests.factories import PASSWORD, build_user

pytestmark = pytest.mark.django_db

ADDRESS = "/accounts/login/"


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    cache.clear()


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
