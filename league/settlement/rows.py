"""Matches with all that belongs to them, read as plain rows, a chunk at a time, to be verified.

Rows and not models: a ledger of a million postings is read in a minute. Reads only.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import CharField, Func, Q
from django.db.models.functions import Cast

from league.ledger.chain import Facts
from league.ledger.models import Posting
from league.ledger.policy import How, Left, StintFact
from league.results.facts import Terms, moment_text
from league.results.models import Match, Result, Stint
from league.seasons.models import Season

CHUNK = 1000
_RECORD = Func(
    Func(Cast("record", CharField()), template="sha256(convert_to(%(expressions)s, 'UTF8'))"),
    template="encode(%(expressions)s, 'hex')",
    output_field=CharField(),
)


class StintRow(NamedTuple):
    """A stint; player and club by id."""

    pk: int
    match: int
    seat: int
    number: int
    player: int | None
    club: int | None
    how: str
    from_hand: int
    left: str | None
    left_at: datetime | None
    given_up: bool

    @property
    def fact(self) -> StintFact:
        """As the policy reads it."""
        left = Left(self.left) if self.left else None
        return StintFact(self.pk, self.player, self.seat, self.number, How(self.how), left)

    @property
    def told(self) -> list[Any]:
        """As the digest of a result covers it."""
        head = [self.pk, self.seat, self.number, self.player, self.club, self.how, self.from_hand]
        return [*head, self.left, moment_text(self.left_at), self.given_up]


class ResultRow(NamedTuple):
    """A version of a result; `record` is the digest of its record."""

    pk: int
    match: int
    version: int
    is_current: bool
    by_decision: bool
    absent: Any
    scores: Any
    places: Any
    points: Any
    created_at: datetime
    digest: str
    record: str | None


class PostingRow(NamedTuple):
    """A posting; `digest` is its result's. What it belongs to by id."""

    pk: int
    account: int
    number: int
    player: int
    kind: str
    points: int
    key: str
    career_before: int
    posted_at: datetime
    season: int | None
    result: int | None
    stint: int | None
    tournament: int | None
    match: int | None
    seat: int | None
    club: int | None
    actor: int | None
    digest: str | None
    balance_read: int | None
    format: int
    previous: str
    hash: str

    @property
    def facts(self) -> Facts:
        """What its hash covers."""
        return Facts(
            player=self.player,
            number=self.number,
            kind=self.kind,
            points=self.points,
            key=self.key,
            career_before=self.career_before,
            posted_at=self.posted_at,
            season=self.season,
            result=self.result,
            stint=self.stint,
            tournament=self.tournament,
            match=self.match,
            seat=self.seat,
            club=self.club,
            actor=self.actor,
            digest=self.digest,
            balance_read=self.balance_read,
            format=self.format,
        )


POSTING_COLUMNS = (
    *("pk", "account", "number", "account__player", "kind", "points", "key", "career_before"),
    *("posted_at", "season", "result", "stint", "tournament", "match", "seat", "club", "actor"),
    *("result__digest", "balance_read", "format", "previous", "hash"),
)
_STINT_COLUMNS = (
    *("pk", "match", "seat", "number", "player", "club", "how", "from_hand", "left", "left_at"),
    "given_up",
)
_RESULT_COLUMNS = (
    *("pk", "match", "version", "is_current", "by_decision", "absent", "scores", "places"),
    *("points", "created_at", "digest"),
)
_MATCH_COLUMNS = (
    *("pk", "fixture", "fixture__round__stage__tournament", "number", "ruleset", "seats"),
    *("partners", "stake", "status", "created_at", "finished_at"),
)


@dataclass(slots=True)
class MatchRow:
    """A match with its stints, the versions of its result, and what was posted for it."""

    pk: int
    fixture: int | None
    tournament: int | None
    number: int
    ruleset: Any
    seats: int
    partners: bool
    stake: int
    status: str
    created_at: datetime
    finished_at: datetime | None
    season: int | None
    stints: list[StintRow]
    results: list[ResultRow]
    postings: list[PostingRow]

    @property
    def terms(self) -> Terms:
        """As the digest of a result covers them."""
        return Terms(
            match=self.pk,
            fixture=self.fixture,
            number=self.number,
            ruleset=self.ruleset,
            seats=self.seats,
            partners=self.partners,
            stake=self.stake,
            opened_at=str(moment_text(self.created_at)),
            finished_at=moment_text(self.finished_at),
        )


def matches_by_chunk(season: Season | None = None) -> Iterator[MatchRow]:
    """Give all matches, or those of a season, in the order of their ids."""
    within = Q() if season is None else Q(fixture__round__stage__tournament__season=season)
    matches, last = Match.objects.filter(within).order_by("pk"), 0
    while chunk := list(
        matches.filter(pk__gt=last).values_list(
            *_MATCH_COLUMNS, "fixture__round__stage__tournament__season"
        )[:CHUNK]
    ):
        last = chunk[-1][0]
        yield from _with_their_own(chunk)


def _with_their_own(chunk: list[tuple[Any, ...]]) -> Iterator[MatchRow]:
    ids = [row[0] for row in chunk]
    stints: dict[int, list[StintRow]] = defaultdict(list)
    for stint in (
        Stint.objects.filter(match__in=ids)
        .order_by("match", "seat", "number")
        .values_list(*_STINT_COLUMNS)
    ):
        stints[stint[1]].append(StintRow(*stint))
    results: dict[int, list[ResultRow]] = defaultdict(list)
    versions = Result.objects.filter(match__in=ids).order_by("match", "version")
    for result in versions.values_list(*_RESULT_COLUMNS, _RECORD):
        results[result[1]].append(ResultRow(*result))
    postings: dict[int, list[PostingRow]] = defaultdict(list)
    for posting in postings_of(Q(match__in=ids)):
        postings[posting.match or 0].append(posting)
    for row in chunk:
        pk = row[0]
        yield MatchRow(*(*row, stints[pk], results[pk], postings[pk]))


def postings_of(which: Q) -> Iterator[PostingRow]:
    """Give postings in the order of their ids."""
    rows = Posting.objects.filter(which).order_by("pk").values_list(*POSTING_COLUMNS)
    return (PostingRow(*row) for row in rows)


def postings_by_account(season: Season | None = None) -> Iterator[PostingRow]:
    """Give the postings of all accounts, or of those a season posted to, account by account."""
    postings = Posting.objects.all()
    if season is not None:
        named = Posting.objects.filter(season=season).values("account")
        postings = postings.filter(account__in=named)
    rows = postings.order_by("account", "number", "pk").values_list(*POSTING_COLUMNS)
    return (PostingRow(*row) for row in rows.iterator(5 * CHUNK))
