"""The hash chain over an account's postings, so that anybody can recompute it. Pure: no Django.

The canonical form of a posting (league.shared.canonical) has exactly these members:

    actor          the user who caused it by hand, by id         integer or null
    balance_read   what a substitute's account was read at       integer or null
    career_before  the account's balance before the posting      integer
    club           the club the player represented               integer or null
    digest         the digest of the result it follows from      string or null
    format         "ayaz-posting/2"
    key            the cause, unique in the whole ledger         string
    kind           placement, substitute, leaver, …              string
    match          the match it is for                           integer or null
    number         the posting's place in the account, from 1    integer
    player         whose account it is                           integer
    points         the change of the balance                     integer
    posted_at      UTC, `2026-11-30T19:17:00.000000Z`            string
    previous       the hash of the posting before, or 64 zeros   string
    result         the result it follows from                    integer or null
    season         the season it counts in                       integer or null
    seat           the seat it is for, from 0                    integer or null
    stint          the stint it is for                           integer or null
    tournament     the tournament it counts in                   integer or null

Postings of "ayaz-posting/1" were written before there were the members actor, balance_read, club,
digest, match, seat and tournament, and have none of them. The free-text reason is no member: it can
be blanked without breaking the chain.
"""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from league.shared.canonical import digest, utc_text

FORMATS = (1, 2)
"""The formats there are; postings are written in the last."""
START = "0" * 64
_SINCE_2 = frozenset({"actor", "balance_read", "club", "digest", "match", "seat", "tournament"})


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
    tournament: int | None = None
    match: int | None = None
    seat: int | None = None
    club: int | None = None
    actor: int | None = None
    digest: str | None = None
    balance_read: int | None = None
    format: int = FORMATS[-1]


def members(facts: Facts, previous: str) -> dict[str, Any]:
    """Return the members of the canonical form."""
    told = asdict(facts) | {
        "format": f"ayaz-posting/{facts.format}",
        "previous": previous,
        "posted_at": utc_text(facts.posted_at),
    }
    if facts.format == 1:
        return {name: told[name] for name in told if name not in _SINCE_2}
    return told


def link(facts: Facts, previous: str) -> str:
    """Return the hash of a posting that follows the one with the hash `previous`."""
    return digest(members(facts, previous))
