"""The digest of a checkpoint, so that anybody who kept one can prove what stood. Pure: no Django.

The canonical form (league.shared.canonical) has the members accounts, day (`2026-12-07`), format
("ayaz-checkpoint/1"), heads (lists of account, number of postings, head, in the order of accounts,
of those that moved since the checkpoint before), made_at, postings, and previous (the digest of the
one before, or 64 zeros).
"""

from collections.abc import Iterable
from datetime import date, datetime
from typing import NamedTuple

from league.shared.canonical import digest, utc_text

FORMAT = "ayaz-checkpoint/1"
START = "0" * 64


class HeadFacts(NamedTuple):
    """How many postings an account had, and the hash of its last."""

    account: int
    postings: int
    head: str


def checkpoint_digest(
    *,
    previous: str,
    day: date,
    made_at: datetime,
    accounts: int,
    postings: int,
    heads: Iterable[HeadFacts],
) -> str:
    """Return the digest of a checkpoint; `heads` in the order of accounts."""
    return digest(
        {
            "accounts": accounts,
            "day": day.isoformat(),
            "format": FORMAT,
            "heads": [list(head) for head in heads],
            "made_at": utc_text(made_at),
            "postings": postings,
            "previous": previous,
        }
    )
