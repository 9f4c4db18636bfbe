"""The hash chain over an account's postings, so that anybody can recompute it. Pure: no Django.

The canonical form of a posting is one JSON object in UTF-8, keys sorted, no spaces, every character
beyond ASCII escaped, with exactly these members:

    career_before  the account's balance before the posting      integer
    format         "ayaz-posting/1"
    key            the cause, unique in the whole ledger         string
    kind           placement, substitute, leaver, …              string
    number         the posting's place in the account, from 1    integer
    player         whose account it is                           integer
    points         the change of the balance                     integer
    posted_at      UTC, `2026-11-30T19:17:00.000000Z`            string
    previous       the hash of the posting before, or 64 zeros   string
    result         the result it follows from                    integer or null
    season         the season it counts in                       integer or null
    stint          the stint it is for                           integer or null

The hash is the SHA-256 of these bytes in lower-case hexadecimal digits. The free-text reason is no
member: it can be blanked without breaking the chain.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

FORMAT = "ayaz-posting/1"
START = "0" * 64


@dataclass(frozen=True, slots=True)
class Facts:
    """What of a posting the hash covers; members as in the canonical form."""

    player: int
    number: int
    kind: str
    points: int
    key: str
    career_before: int
    posted_at: datetime
    season: int | None
    result: int | None
    stint: int | None


def members(facts: Facts, previous: str) -> dict[str, Any]:
    """Return the members of the canonical form."""
    return asdict(facts) | {
        "format": FORMAT,
        "previous": previous,
        "posted_at": utc_text(facts.posted_at),
    }


def canonical(facts: Facts, previous: str) -> bytes:
    """Return the bytes the hash is taken of."""
    return json.dumps(members(facts, previous), sort_keys=True, separators=(",", ":")).encode()


def link(facts: Facts, previous: str) -> str:
    """Return the hash of a posting that follows the one with the hash `previous`."""
    return hashlib.sha256(canonical(facts, previous)).hexdigest()


def utc_text(moment: datetime) -> str:
    """Return an aware moment as the canonical form writes it.

    >>> utc_text(datetime(2026, 11, 30, 19, 17, tzinfo=UTC))
    '2026-11-30T19:17:00.000000Z'
    """
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
