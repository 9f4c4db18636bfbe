"""What an organizer does on a tournament's page: draw a round, take one back, enter players.

Reads what was filled in and asks the writers; may not write itself.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeVar

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.accounts.models import Player, User
from league.pairings.forms import MINUTES, EntriesForm, RemovalForm, RoundForm
from league.pairings.services import Drawn, round_draw
from league.shared.errors import DomainError
from league.tournaments.models import FixtureStatus, Round, Tournament
from league.tournaments.selectors import last_round, members_outside, next_round
from league.tournaments.services import entries_create, round_remove
from tables.devices import Shared, shared_devices
from tables.pages import TableLine, table_lines
from tables.rulings import Asked, GivenUp, given_up, rule
from tables.selectors import tables_calling, tables_given_up

F = TypeVar("F", bound=forms.Form)
SOON = timedelta(minutes=10)  # a new round is proposed to begin so long from now


class Do(StrEnum):
    """What was pressed."""

    DRAW = "draw"
    REMOVE = "remove"
    ENTER = "enter"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Refused:
    """What could not be done, the sentence that says why, and what had been filled in."""

    do: str
    text: str
    starts_at: str
    players: frozenset[str]


@dataclass(frozen=True, slots=True)
class Organizing:
    """The organizer's section of a tournament's page; `asked` is a decision not yet confirmed."""

    tournament: Tournament
    refused: Refused | None = None
    asked: Asked | None = None
    now: datetime = field(default_factory=timezone.now)

    @property
    def calling(self) -> list[TableLine]:
        """Return the tables that call the referee."""
        return table_lines(tables_calling(self.tournament))

    @property
    def shared(self) -> list[Shared]:
        """Return the tables where several accounts sat with one device."""
        return shared_devices(self.tournament)

    @property
    def given_up(self) -> list[GivenUp]:
        """Return the matches that wait for a decision."""
        return [given_up(table) for table in tables_given_up(self.tournament)]

    @property
    def number(self) -> int:
        return next_round(self.tournament)[1]

    @property
    def entered(self) -> int:
        return self.tournament.entries.count()

    @property
    def tables(self) -> int:
        return self.entered // self.tournament.seats

    @property
    def resting(self) -> int:
        return self.entered % self.tournament.seats

    @property
    def outside(self) -> list[Player]:
        return list(members_outside(self.tournament))

    @property
    def starts_at(self) -> str:
        if self.refused is not None and self.refused.starts_at:
            return self.refused.starts_at
        return timezone.localtime(self.now + SOON).strftime(MINUTES)

    @property
    def removable(self) -> Round | None:
        """Return the last round as long as none of its tables stands."""
        last = last_round(self.tournament)
        if last is None:
            return None
        states = {fixture.status for fixture in last.fixtures.all()}
        return last if states <= {FixtureStatus.SCHEDULED} else None


def carry_out(tournament: Tournament, given: QueryDict, user: User) -> str | Refused | Asked:
    """Do what an organizer pressed; return the sentence that says what was done, or why not.

    A decision on a match that was given up is shown with what it posts before it is carried out.
    """
    do = given.get("do", "")
    try:
        match do:
            case Do.DRAW:
                return _draw(tournament, given)
            case Do.REMOVE:
                return _remove(tournament, given)
            case Do.ENTER:
                return _enter(tournament, given)
            case Do.RULE:
                return rule(tournament, given, user)
        raise DomainError("unknown", _("There is nothing of this kind to do."))
    except DomainError as error:
        chosen = frozenset(given.getlist("players"))
        return Refused(do, error.text, given.get("starts_at", ""), chosen)


def _draw(tournament: Tournament, given: QueryDict) -> str:
    form = _checked(RoundForm(given))
    drawn = round_draw(
        tournament=tournament,
        number=form.cleaned_data["number"],
        starts_at=form.cleaned_data["starts_at"],
    )
    return " ".join(filter(None, [_what_was_drawn(drawn), _who_rests(drawn)]))


def _what_was_drawn(drawn: Drawn) -> str:
    text = ngettext(
        "Round %(number)d is drawn: %(tables)d table.",
        "Round %(number)d is drawn: %(tables)d tables.",
        drawn.tables,
    )
    return text % {"number": drawn.round.number, "tables": drawn.tables}


def _who_rests(drawn: Drawn) -> str:
    names = ", ".join(player.name for player in drawn.sitting_out)
    return _("Sitting out this round: %(names)s.") % {"names": names} if names else ""


def _remove(tournament: Tournament, given: QueryDict) -> str:
    form = _checked(RemovalForm(given))
    round_remove(tournament=tournament, round_id=form.cleaned_data["round"])
    return _("The round is taken back.")


def _enter(tournament: Tournament, given: QueryDict) -> str:
    form = _checked(EntriesForm(tournament, given))
    players = list(form.cleaned_data["players"])
    entries_create(tournament=tournament, players=players)
    text = ngettext("%(count)d player is added.", "%(count)d players are added.", len(players))
    return text % {"count": len(players)}


def _checked(form: F) -> F:
    """Return a form whose fields are good. Raises DomainError with the first sentence otherwise."""
    if not form.is_valid():
        errors = next(iter(form.errors.values()))
        raise DomainError("form", str(errors[0]))
    return form
