"""What an organizer decides on a match that was given up, and what that posts, shown beforehand.

Reads what was filled in and asks the writers. A preview is the decision itself, taken back: it says
what would be posted to the last point, and nothing of it stays.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django import forms
from django.db import models, transaction
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.accounts.models import Player, User
from league.ledger.models import Posting
from league.results.models import Match
from league.settlement.posting import By
from league.settlement.services import match_decide, match_void
from league.shared.errors import DomainError
from league.tournaments.models import Tournament
from tables import selectors
from tables.models import Table
from tables.opening import fixture_replay
from tables.pages import table_place, table_title
from tables.protocol import LONGEST_REASON


class After(models.TextChoices):
    """What becomes of a fixture whose match was given up (rules.md)."""

    REPLAY = "replay", gettext_lazy("replay: a new match")
    DECISION = "decision", gettext_lazy("decision: places are named")
    VOID = "void", gettext_lazy("void: nobody gets anything")


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of a match that was given up, and who sat there last."""

    number: int
    name: str


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A match that waits for a decision, as the organizer's page shows it."""

    table: Table
    title: str
    seats: tuple[Seat, ...]
    choices = After.choices


@dataclass(frozen=True, slots=True)
class Line:
    """A posting that a decision makes."""

    player: Player
    kind: str
    points: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision that can be carried out, what it posts, and what was filled in."""

    table: Table
    title: str
    after: After
    places: tuple[int, ...]
    reason: str
    lines: tuple[Line, ...]


def given_up(table: Table) -> GivenUp:
    """Return what the page shows of a match that waits for a decision."""
    names = {stint.seat: str(stint.player or stint.how) for stint in table.match.stints.all()}
    seats = tuple(Seat(seat, names.get(seat, "")) for seat in range(table.match.seats))
    return GivenUp(table, _title(table), seats)


def _title(table: Table) -> str:
    return f"{table_place(table)} · {table_title(table)}"


class _RulingForm(forms.Form):
    """A decision: which table, what, and with a decision the places by seat and the reason."""

    table = forms.IntegerField()
    after = forms.ChoiceField(
        choices=After.choices, error_messages={"required": gettext_lazy("Choose what happens.")}
    )
    reason = forms.CharField(required=False, max_length=LONGEST_REASON)


def rule(tournament: Tournament, given: QueryDict, user: User) -> str | Asked:
    """Show what a decision posts, or, once it is confirmed, carry it out and say so.

    Raises DomainError form, no_such_table, reason, and what the settlement refuses.
    """
    asked = _asked(tournament, given)
    if "confirmed" in given:
        _carry_out(asked, user)
        return _("It is decided: %(table)s, %(what)s.") % {
            "table": asked.title,
            "what": asked.after.label,
        }
    lines = _preview(asked.table.match, lambda: _carry_out(asked, user))
    return Asked(asked.table, asked.title, asked.after, asked.places, asked.reason, lines)


def _asked(tournament: Tournament, given: QueryDict) -> Asked:
    form = _RulingForm(given)
    if not form.is_valid():
        errors = next(iter(form.errors.values()))
        raise DomainError("form", str(errors[0]))
    table = selectors.tables_given_up(tournament).filter(pk=form.cleaned_data["table"]).first()
    if table is None:
        raise DomainError("no_such_table", _("This match waits for no decision any more."))
    after, reason = After(form.cleaned_data["after"]), form.cleaned_data["reason"].strip()
    places = _places(table.match, given) if after is After.DECISION else ()
    if after is After.DECISION and not reason:
        raise DomainError("reason", _("A decision needs a reason of at most 200 letters."))
    return Asked(table, _title(table), after, places, reason, ())


def _places(match: Match, given: QueryDict) -> tuple[int, ...]:
    """Read the places by seat. Raises DomainError form."""
    typed = [given.get(f"place-{seat}", "") for seat in range(match.seats)]
    if not all(place in {"1", "2", "3", "4"} for place in typed):
        raise DomainError("form", _("Name the place of every seat."))
    return tuple(map(int, typed))


def _carry_out(asked: Asked, user: User) -> None:
    match, by = asked.table.match, By(user.pk, asked.reason)
    assert match.fixture is not None
    if asked.after is After.REPLAY:
        fixture_replay(fixture=match.fixture)
    elif asked.after is After.VOID:
        match_void(match_id=match.pk, by=by)
    else:
        record = selectors.record_by_decision(asked.table)
        match_decide(match_id=match.pk, places=asked.places, record=record, by=by)


class _TakenBack(Exception):
    """Ends a preview."""


def _preview(match: Match, decide: Callable[[], None]) -> tuple[Line, ...]:
    """Return what a decision posts: it is carried out and taken back."""
    stood = set(_postings_of(match).values_list("pk", flat=True))
    lines: tuple[Line, ...] = ()
    try:
        with transaction.atomic():
            decide()
            made = _postings_of(match).exclude(pk__in=stood)
            lines = tuple(
                Line(posting.account.player, str(posting.get_kind_display()), posting.points)
                for posting in made.select_related("account__player").order_by("pk")
            )
            raise _TakenBack
    except _TakenBack:
        return lines


def _postings_of(match: Match) -> models.QuerySet[Posting]:
    return Posting.objects.filter(match=match)
