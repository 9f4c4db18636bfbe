"""Opening tables: a fixture's, its replay's, a friendly one, its rematch.

The writer's other half: each function is one transaction, and nothing has happened at its table
yet.
"""

import logging
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from engine.match import MatchState
from league.accounts.models import Player
from league.conduct.policy import Place
from league.results.services import match_open, match_open_friendly
from league.shared.errors import DomainError
from league.tournaments.models import TABLE_TERMS, Fixture, FixtureStatus, Tournament
from league.tournaments.planning import match_planned
from league.tournaments.selectors import fixtures_due
from league.tournaments.services import fixture_mark_open
from tables import bans, selectors
from tables.failures import log_failure
from tables.models import Bot, Table, TableKind, TableSeat
from tables.refusals import Refused

logger = logging.getLogger(__name__)
SECRET_BYTES = 32
MOST_TABLES = 5
"""Tables of their own that somebody may have open at once."""


@transaction.atomic
def table_open(*, fixture: Fixture, secret: bytes | None = None) -> Table:
    """Open the table of a fixture, or return the one that stands.

    `secret` (32 bytes) is given by tests and demonstrations only; else the system's randomness.
    """
    fixture = Fixture.objects.select_for_update(no_key=True).get(pk=fixture.pk)
    standing = Table.objects.filter(match__fixture=fixture).order_by("-match__number").first()
    if standing is not None:
        return standing
    table = _table_create(fixture, os.urandom(SECRET_BYTES) if secret is None else secret)
    if fixture.status == FixtureStatus.SCHEDULED:
        fixture_mark_open(fixture=fixture)
    return table


@transaction.atomic
def fixture_replay(*, fixture: Fixture) -> Table:
    """Open a new match's table for a fixture that was given up. Raises DomainError fixture_state.

    Who asks twice gets the same table.
    """
    fixture = Fixture.objects.select_for_update(no_key=True).get(pk=fixture.pk)
    newest = Table.objects.filter(match__fixture=fixture).order_by("-match__number").first()
    if newest is not None and newest.match.number > 1 and not newest.is_over:
        return newest
    if fixture.status != FixtureStatus.ABANDONED:
        raise DomainError("fixture_state", _("Only a match that was given up is replayed."))
    return _table_create(fixture, os.urandom(SECRET_BYTES))


def _table_create(fixture: Fixture, secret: bytes) -> Table:
    match = match_open(fixture=fixture)
    table = Table.objects.create(
        match=match,
        secret=secret,
        contributions=[""] * match.seats,
        **_terms_of(fixture.round.stage.tournament),
    )
    TableSeat.objects.bulk_create(
        TableSeat(table=table, seat=place.seat, player_id=place.player_id)
        for place in fixture.seats.order_by("seat")
    )
    return table


def _terms_of(tournament: Tournament) -> dict[str, Any]:
    """Return what a tournament says of its tables."""
    return {name: getattr(tournament, name) for name in TABLE_TERMS}


@dataclass(frozen=True, slots=True)
class FriendlyTerms:
    """What somebody chooses for a table of their own: the game, the clock, who may see it.

    `ruleset` is the record's form. Without `move_seconds` there is no clock. `bots` play in the
    seats after the owner's, as many as there are.
    """

    ruleset: Mapping[str, Any]
    seats: int
    partners: bool = False
    move_seconds: int | None = None
    bank_seconds: int = 0
    is_public: bool = True
    chat: bool = True
    clockwise: bool = False
    bots: tuple[Bot, ...] = ()


@transaction.atomic
def friendly_open(*, owner: Player, terms: FriendlyTerms, secret: bytes | None = None) -> Table:
    """Open a table that posts no points; its owner sits in the first seat and manages it.

    Where bots fill all other seats it is for practice. Raises DomainError with the engine's code
    for terms that cannot be played, bots for more bots than seats.
    """
    planned = match_planned(ruleset=terms.ruleset, seats=terms.seats, partners=terms.partners)
    if len(terms.bots) >= planned.seats:
        raise DomainError("bots", _("There are not so many seats for bots."))
    _check_may_open(owner)
    seats = [Bot.NONE, *terms.bots, *[Bot.NONE] * (planned.seats - len(terms.bots) - 1)]
    table = _friendly_table(
        planned,
        owner=owner,
        is_public=terms.is_public,
        secret=os.urandom(SECRET_BYTES) if secret is None else secret,
        move_seconds=terms.move_seconds,
        bank_seconds=terms.bank_seconds,
        chat=terms.chat,
        clockwise=terms.clockwise,
        kind=_kind_of(seats),
    )
    _friendly_seat(table, seats, owner, 0)
    return table


def _check_may_open(player: Player) -> None:
    """Refuse who plays elsewhere, or must come back there, or has too many tables open."""
    bans.require_may_sit(player, Place())  # locks the player: one after the other
    elsewhere = selectors.held_elsewhere(None, player)
    if elsewhere is not None:
        raise Refused("must_come_back" if elsewhere.dropped_at is not None else "plays_elsewhere")
    if selectors.tables_made_by(player, timezone.now()) >= MOST_TABLES:
        raise DomainError(
            "too_many_tables", _("You have too many tables open: get up there first.")
        )


def _kind_of(bots: Sequence[Bot]) -> TableKind:
    practice = sum(bot == Bot.NONE for bot in bots) == 1
    return TableKind.PRACTICE if practice else TableKind.FRIENDLY


def _friendly_table(planned: MatchState, **about: Any) -> Table:
    match = match_open_friendly(
        ruleset=planned.ruleset.to_json(),
        seats=planned.seats,
        partners=planned.partners,
        stake=planned.stake,
    )
    code = secrets.token_urlsafe(9)
    return Table.objects.create(match=match, code=code, contributions=[""] * match.seats, **about)


def _friendly_seat(table: Table, bots: Sequence[Bot], owner: Player, own: int) -> None:
    """Make the seats, and press *Start* due where nobody else is waited for."""
    now = timezone.now()
    for seat, bot in enumerate(bots):
        mine = seat == own
        TableSeat.objects.create(
            table=table,
            seat=seat,
            bot=bot,
            player=owner if mine else None,
            sat_at=now if mine else None,
        )
    if table.kind == TableKind.PRACTICE:
        table.press_due_at = now
        table.deadline_at = now + timedelta(seconds=settings.AYAZ_START_SECONDS)
        table.save(update_fields=["press_due_at", "deadline_at"])


@transaction.atomic
def rematch_open(*, table: Table, player: Player) -> Table:
    """Open a table under the terms of a friendly one that is over, or return the one that stands.

    Who asks sits in the same seat as before and owns it; the others find theirs free. Raises
    DomainError rematch.
    """
    locked = Table.objects.select_for_update(no_key=True, of=("self",))
    before = locked.select_related("match").get(pk=table.pk)
    seats = selectors.seats_of(before)
    own = next((seat.seat for seat in seats if seat.player_id == player.pk), None)
    if before.kind == TableKind.SCHEDULED or not before.is_over or own is None:
        raise DomainError("rematch", _("Only who played a friendly match can ask for another."))
    standing = Table.objects.filter(rematch_of=before).first()
    return standing or _rematch_create(before, seats, player, own)


def _rematch_create(before: Table, seats: Sequence[TableSeat], owner: Player, own: int) -> Table:
    _check_may_open(owner)
    names = ("kind", "is_public", "move_seconds", "bank_seconds", "chat", "clockwise")
    match = before.match
    planned = match_planned(ruleset=match.ruleset, seats=match.seats, partners=match.partners)
    table = _friendly_table(
        planned,
        owner=owner,
        secret=os.urandom(SECRET_BYTES),
        rematch_of=before,
        **{name: getattr(before, name) for name in names},
    )
    _friendly_seat(table, [Bot(seat.bot) for seat in seats], owner, own)
    return table


def tables_open_due(now: datetime) -> list[Table]:
    """Open the tables of all fixtures whose time has come; one that cannot be opened is logged."""
    opened = []
    for fixture in fixtures_due(now):
        try:
            opened.append(table_open(fixture=fixture))
        except Exception as error:
            log_failure(logger, error, "fixture %s: its table cannot be opened", fixture.pk)
    return opened
