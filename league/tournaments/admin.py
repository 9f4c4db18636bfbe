"""Admin pages of tournaments.

Terms are checked by the engine as the services do; what a match may have copied is read-only.
"""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from league.shared.admin import LeagueAdmin, NamedForm, ReadOnlyAdmin
from league.shared.errors import DomainError
from league.tournaments.models import (
    Fixture,
    FixtureSeat,
    Round,
    Stage,
    Tournament,
    TournamentEntry,
)
from league.tournaments.services import match_planned

_TERMS = ("ruleset", "seats", "partners", "stake")


class TournamentForm(NamedForm):
    """Refuses terms that cannot be played; an empty stake is the rule set's own."""

    stake = forms.IntegerField(required=False)

    class Meta:
        model = Tournament
        fields = ("season", "name", *_TERMS, "move_seconds")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if self.errors or "ruleset" not in data:
            return data
        try:
            planned = match_planned(
                ruleset=data["ruleset"],
                seats=data["seats"],
                partners=data["partners"],
                stake=data["stake"],
            )
        except DomainError as error:
            raise forms.ValidationError(error.text, code=error.code) from error
        return data | {"ruleset": planned.ruleset.to_json(), "stake": planned.stake}


@admin.register(Tournament)
class TournamentAdmin(LeagueAdmin):
    form = TournamentForm
    list_display = ("name", "season", "seats", "partners", "stake")
    list_filter = ("season",)
    list_select_related = ("season",)
    search_fields = ("name",)
    autocomplete_fields = ("season",)

    def get_readonly_fields(
        self, request: HttpRequest, obj: Tournament | None = None
    ) -> tuple[str, ...]:
        played = obj is not None and obj.stages.filter(rounds__isnull=False).exists()
        return (*_TERMS, "season") if played else ()


@admin.register(TournamentEntry)
class TournamentEntryAdmin(LeagueAdmin):
    list_display = ("player", "tournament", "seed_rank")
    list_filter = ("tournament",)
    list_select_related = ("player", "tournament")
    search_fields = ("player__search_key", "tournament__name")
    autocomplete_fields = ("player", "tournament")


@admin.register(Stage)
class StageAdmin(ReadOnlyAdmin):
    list_display = ("tournament", "number", "name")
    list_select_related = ("tournament",)
    search_fields = ("tournament__name", "name")


@admin.register(Round)
class RoundAdmin(ReadOnlyAdmin):
    list_display = ("stage", "number", "starts_at")
    list_select_related = ("stage__tournament",)
    search_fields = ("stage__tournament__name",)


class FixtureSeatInline(admin.TabularInline):
    model = FixtureSeat
    fields = readonly_fields = ("seat", "player")
    can_delete = False
    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: Fixture | None = None) -> bool:
        return False


@admin.register(Fixture)
class FixtureAdmin(ReadOnlyAdmin):
    list_display = ("round", "number", "status")
    list_filter = ("status",)
    list_select_related = ("round__stage__tournament",)
    search_fields = ("round__stage__tournament__name",)
    inlines = (FixtureSeatInline,)
