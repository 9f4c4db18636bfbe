"""The log never holds the values of a row that the database refused."""

import logging

import pytest
from django.db import DatabaseError, connection, transaction

from league.shared.logs import DiscreetFormatter

SECRET = "5ec7e7"


def line_of(message: str, error: BaseException) -> str:
    info = (type(error), error, error.__traceback__)
    record = logging.LogRecord("x", logging.ERROR, "x.py", 1, message, (error,), info)
    return DiscreetFormatter("{levelname} {message}", style="{").format(record)


@pytest.mark.django_db
@pytest.mark.parametrize("message", ["failed: %s", "failed: %r"])
def test_a_refused_rows_values_stay_out(message: str) -> None:
    with pytest.raises(DatabaseError) as refused, transaction.atomic():
        connection.cursor().execute(
            "INSERT INTO clubs_club (name, slug, city, created_at) VALUES (%s, NULL, '', now())",
            [SECRET],
        )
    assert SECRET in str(refused.value)
    line = line_of(message, refused.value)
    assert SECRET not in line
    assert 'null value in column "slug"' in line
    assert "(23502)" in line
    assert "Traceback" in line


@pytest.mark.django_db
def test_they_stay_out_of_what_an_error_led_to() -> None:
    with pytest.raises(DatabaseError) as refused, transaction.atomic():
        connection.cursor().execute("SELECT 1\n, nothing")
    led_to = RuntimeError("no standings")
    led_to.__cause__ = refused.value
    line = line_of("failed: %s", led_to)
    assert "LINE 2" in str(refused.value)
    assert "LINE 2" not in line
    assert "no standings" in line


def test_other_errors_are_written_whole() -> None:
    line = line_of("failed: %s", ValueError("one\ntwo"))
    assert "one\ntwo" in line
