"""How a line of the log is written. Pure: no Django.

May not let out what a row holds: PostgreSQL adds the values of a refused row to its error, and a
table's row holds its secret and its racks.
"""

import logging
from collections.abc import Iterator

import psycopg


class DiscreetFormatter(logging.Formatter):
    """Keeps of a database error its first line and its SQLSTATE, wherever the error is shown."""

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        if record.exc_info and record.exc_info[1] is not None:
            for error in _chain(record.exc_info[1]):
                text = _shortened(text, error)
        return text


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and what it came from, each once."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        found = waiting.pop()
        if found is not None and id(found) not in seen:
            seen.add(id(found))
            yield found
            waiting += [found.__cause__, found.__context__]


def _shortened(text: str, error: BaseException) -> str:
    cause = error if isinstance(error, psycopg.Error) else error.__cause__
    whole = str(error)
    if not isinstance(cause, psycopg.Error) or "\n" not in whole:
        return text
    first = f"{whole.splitlines()[0]} ({cause.sqlstate})"
    for written in (whole, repr(whole)[1:-1], whole.replace("\n", "\\n")):
        text = text.replace(written, first)
    return text
