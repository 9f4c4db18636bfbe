"""The application's role may post, and may neither rewrite the ledger nor the schema."""

import secrets
from collections.abc import Iterator

import psycopg
import pytest
from django.db import connection
from psycopg import errors

from league.ledger.models import Posting
from league.ledger.policy import Kind
from league.ledger.roles import grants_for
from league.ledger.services import PostingDraft, postings_create
from tests.factories import build_player

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def application() -> Iterator[psycopg.Connection]:
    """A connection as a role that was granted what the application needs; one posting stands."""
    role, password = f'app "{secrets.token_hex(4)}', secrets.token_hex(16)
    quoted = '"' + role.replace('"', '""') + '"'
    draft = PostingDraft(player_id=build_player().pk, kind=Kind.PLACEMENT, points=11, key="a")
    postings_create(drafts=[draft])
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE ROLE {quoted} LOGIN PASSWORD '{password}'")
        for statement in grants_for(role) * 2:  # may be run again
            cursor.execute(statement)
    params = connection.get_connection_params()
    address = {key: params[key] for key in ("host", "port", "dbname") if params.get(key)}
    try:
        with psycopg.connect(**address, user=role, password=password, autocommit=True) as made:
            yield made
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP OWNED BY {quoted}")
            cursor.execute(f"DROP ROLE {quoted}")


@pytest.mark.parametrize(
    "statement",
    [
        "TRUNCATE ledger_posting",
        "TRUNCATE ledger_account CASCADE",
        "TRUNCATE results_result CASCADE",
        "UPDATE ledger_posting SET points = 0",
        "DELETE FROM ledger_posting",
        "UPDATE tournaments_houseruleset SET ruleset = '{}'",
        "UPDATE tournaments_houseruleset SET id = id + 1",
        "DELETE FROM tournaments_houseruleset",
        "UPDATE conduct_ban SET ends_at = now()",
        "DELETE FROM conduct_ban",
        "DROP TABLE ledger_posting",
        "ALTER TABLE ledger_posting DISABLE TRIGGER ALL",
        "ALTER TABLE ledger_account ADD COLUMN mine int",
        "CREATE TABLE mine (id int)",
        "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "DELETE FROM django_migrations",
        "SET session_replication_role = replica",
    ],
)
def test_the_application_may_not(application: psycopg.Connection, statement: str) -> None:
    with pytest.raises(errors.InsufficientPrivilege):
        application.execute(statement)
    assert Posting.objects.get().points == 11


def test_the_application_retires_a_house_rule_set_and_locks_it(
    application: psycopg.Connection,
) -> None:
    application.execute("SELECT id FROM tournaments_houseruleset FOR NO KEY UPDATE")
    application.execute("UPDATE tournaments_houseruleset SET retired_at = now()")


def test_the_application_may_not_talk_the_trigger_into_ignoring(
    application: psycopg.Connection,
) -> None:
    application.execute("SET pgtrigger.ignore = '{ledger_posting:append_only}'")
    with pytest.raises(errors.InsufficientPrivilege):
        application.execute("UPDATE ledger_posting SET points = 0")


def test_the_application_posts(application: psycopg.Connection) -> None:
    application.execute(
        "INSERT INTO ledger_posting (account_id, number, kind, points, key, career_before,"
        " posted_at, previous, hash, reason, format)"
        " SELECT account_id, 2, kind, 5, 'b', 11, now(), hash, repeat('1', 64), '', 2"
        " FROM ledger_posting"
    )
    application.execute("UPDATE ledger_account SET balance = 16, count = 2")
    assert Posting.objects.count() == 2


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 64, "ş" * 32])
def test_a_name_that_cannot_be_a_role_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="63 bytes"):
        grants_for(name)
