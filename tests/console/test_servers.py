"""The embedded servers: closed to strangers, and true to text outside ASCII."""

import psycopg
import pytest
import redis
from django.db import connection

from league.console import servers
from tests.servers import SERVERS, Servers


def test_postgres_refuses_a_wrong_password(running_servers: Servers) -> None:
    wrong = running_servers.postgres.owner_url.replace(
        running_servers.postgres.owner_password, "guess"
    )
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(wrong)


def test_postgres_keeps_and_folds_unicode(running_servers: Servers) -> None:
    with psycopg.connect(running_servers.postgres.owner_url) as session:
        row = session.execute("SELECT lower('ÇƏŞ'), length('Əli'), current_setting('TimeZone')")
        assert row.fetchone() == ("çəş", 3, "UTC")


def test_valkey_refuses_strangers(running_servers: Servers) -> None:
    stranger = redis.Redis(host="127.0.0.1", port=running_servers.valkey.port, retry=None)
    with pytest.raises(redis.AuthenticationError):
        stranger.ping()


def test_a_preferred_port_is_kept_only_while_it_is_free(running_servers: Servers) -> None:
    assert servers.free_port(running_servers.valkey.port) != running_servers.valkey.port
    free = servers.free_port()
    assert servers.free_port(free) == free


@pytest.mark.django_db
def test_django_serves_from_the_tests_own_database() -> None:
    assert connection.settings_dict["PORT"] == SERVERS.postgres.port
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database()")
        assert cursor.fetchone() == ("test_ayaz",)
