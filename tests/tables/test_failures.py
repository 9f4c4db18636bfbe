"""What of a failure gets into the log."""

import logging

import pytest
from django.db import connection, transaction

from tables.failures import log_failure

logger = logging.getLogger("tests.failures")
SECRET = "c0ffee" * 8


def _failure(*, behind: bool) -> BaseException:
    """A real refusal by PostgreSQL, or another error that came of one."""
    try:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("CREATE TEMPORARY TABLE one (held text CHECK (held = ''))")
                cursor.execute("INSERT INTO one VALUES (%s)", [SECRET])
        except Exception as error:
            if behind:
                raise LookupError("nothing found") from error
            raise
    except Exception as error:
        return error
    raise AssertionError("the row was not refused")


@pytest.mark.django_db
@pytest.mark.parametrize("behind", [False, True])
def test_refused_row_leaves_its_sqlstate_alone(
    caplog: pytest.LogCaptureFixture, behind: bool
) -> None:
    error = _failure(behind=behind)
    assert SECRET in str(error if not behind else error.__cause__)
    log_failure(logger, error, "table %s: failed", 7)
    [record] = caplog.records
    assert record.getMessage() == "table 7: failed: IntegrityError 23514"
    assert SECRET not in caplog.text


def test_any_other_failure_keeps_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    log_failure(logger, ValueError("too odd"), "table %s: failed", 7)
    assert "ValueError: too odd" in caplog.text
