"""How a failure gets into the log: with its traceback, unless it came from the database.

What PostgreSQL says of a refused row holds the row, and rows hold secrets and racks; so of such a
failure only the class and the SQLSTATE are logged. Every catch-all of the tables logs through here.
"""

import logging
from collections.abc import Iterable, Iterator

import psycopg
from django.db import Error as DjangoDatabaseError

DATABASE_ERRORS = (DjangoDatabaseError, psycopg.Error)


def log_failure(logger: logging.Logger, error: BaseException, text: str, *values: object) -> None:
    """Log that something failed; `text` and `values` say what, and hold nothing secret."""
    refused = [each for each in _chain(error) if isinstance(each, DATABASE_ERRORS)]
    if refused:
        logger.error(f"{text}: %s %s", *values, type(refused[0]).__name__, _sqlstate(refused))
    else:
        logger.error(text, *values, exc_info=error)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Give an exception and those it came of, one after the other."""
    each: BaseException | None = error
    while each is not None:
        yield each
        each = each.__cause__ or each.__context__


def _sqlstate(errors: Iterable[BaseException]) -> str:
    """PostgreSQL's code: Django's error came of psycopg's, which carries it."""
    states = (each.sqlstate for each in errors if isinstance(each, psycopg.Error))
    return next(filter(None, states), None) or "-"
