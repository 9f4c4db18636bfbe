"""The ledger for other programs: CSV, and a journal for hledger. Reads only."""

import csv
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from io import StringIO
from typing import Any

from league.ledger.models import Posting
from league.seasons.models import Season
from league.shared.canonical import utc_text
from league.shared.cells import plain_cell

_CHUNK = 5000
_COLUMNS = {
    "posting": "pk",
    "posted_at": "posted_at",
    "player": "account__player",
    "name": "account__player__name",
    "number": "number",
    "kind": "kind",
    "points": "points",
    "season": "season__slug",
    "tournament": "tournament",
    "match": "match",
    "seat": "seat",
    "club": "club__slug",
    "actor": "actor",
    "key": "key",
    "previous": "previous",
    "hash": "hash",
    "reason": "reason",
}


class Format(StrEnum):
    """What the ledger can be written as."""

    CSV = "csv"
    HLEDGER = "hledger"


def csv_lines(season: Season | None) -> Iterator[str]:
    """Give the postings as CSV, a line each after the columns' names, the oldest first."""
    yield _csv(list(_COLUMNS))
    for row in _rows(season):
        told = row | {
            "posted_at": utc_text(row["posted_at"]),
            "name": plain_cell(row["name"]),
            "reason": plain_cell(row["reason"]),
        }
        yield _csv([told[name] for name in _COLUMNS])


def hledger_entries(season: Season | None) -> Iterator[str]:
    """Give the postings as a journal's entries: from the league, by season and kind, to players."""
    for row in _rows(season):
        name = f"players:{row['player']} {_account(row['name'])}"
        source = f"league:{row['season'] or 'no season'}:{row['kind']}"
        yield (
            f"{row['posted_at']:%Y-%m-%d} * ({row['posting']}) {row['key']}\n"
            f"    {name}  {row['points']}\n"
            f"    {source}  {-row['points']}\n\n"
        )


def _account(name: str) -> str:
    """Return a name that stays one part of an account's: no colon, no comment."""
    return name.replace(":", " ").replace(";", " ").strip()


def _rows(season: Season | None) -> Iterator[dict[str, Any]]:
    postings = Posting.objects.order_by("pk")
    if season is not None:
        postings = postings.filter(season=season)
    rows = postings.values_list(*_COLUMNS.values()).iterator(_CHUNK)
    return (dict(zip(_COLUMNS, row, strict=True)) for row in rows)


def _csv(values: list[Any]) -> str:
    line = StringIO()
    csv.writer(line, lineterminator="\n").writerow(values)
    return line.getvalue()


EXPORTS: Mapping[Format, Callable[[Season | None], Iterator[str]]] = {
    Format.CSV: csv_lines,
    Format.HLEDGER: hledger_entries,
}
