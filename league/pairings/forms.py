"""What an organizer fills in to go on with a tournament: when a round begins, who is entered."""

from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.accounts.models import Player
from league.tournaments.models import Tournament

MINUTES = "%Y-%m-%dT%H:%M"  # what a browser's field for a date and a time takes and gives


class LocalMoment(forms.DateTimeField):
    """A date and a time in the site's time zone; none that does not exist there or comes twice."""

    default_error_messages = {
        "required": _("Choose when the round begins."),
        "invalid": _("This is not a date and a time."),
        "ambiguous_timezone": _(
            "The clocks change then, and this time comes twice or never: choose another."
        ),
    }
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=MINUTES)

    def to_python(self, value: Any) -> datetime | None:
        try:
            return super().to_python(value)
        except ValidationError as error:
            raise ValidationError(self.error_messages[_kind(error)]) from error


def _kind(error: ValidationError) -> str:
    return "ambiguous_timezone" if error.code == "ambiguous_timezone" else "invalid"


class RoundForm(forms.Form):
    """A new round. `number` is the one that the organizer saw as the next."""

    starts_at = LocalMoment()
    number = forms.IntegerField()


class RemovalForm(forms.Form):
    """The round to take back."""

    round = forms.IntegerField()


class EntriesForm(forms.Form):
    """The members to enter; who was entered meanwhile is refused by the writer, with the reason."""

    players = forms.ModelMultipleChoiceField(
        Player.objects.none(),
        error_messages={
            "required": _("Choose who shall play."),
            "invalid_choice": _("Only members of the club can be entered."),
            "invalid_pk_value": _("Only members of the club can be entered."),
        },
    )

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        members = Player.objects.filter(memberships__club=tournament.season.club_id)
        players = self.fields["players"]
        assert isinstance(players, forms.ModelMultipleChoiceField)
        players.queryset = members
