"""Admin pages of seasons."""

from typing import Any

from django import forms
from django.contrib import admin

from league.seasons.models import Season
from league.seasons.services import check_dates
from league.shared.admin import LeagueAdmin, NamedForm
from league.shared.errors import DomainError


class SeasonForm(NamedForm):
    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if "starts_on" in data and "ends_on" in data:
            try:
                check_dates(data["starts_on"], data["ends_on"])
            except DomainError as error:
                raise forms.ValidationError(error.text, code=error.code) from error
        return data


@admin.register(Season)
class SeasonAdmin(LeagueAdmin):
    form = SeasonForm
    list_display = ("name", "club", "starts_on", "ends_on", "slug")
    list_filter = ("club",)
    list_select_related = ("club",)
    search_fields = ("name", "slug")
    autocomplete_fields = ("club",)
    prepopulated_fields = {"slug": ("name",)}
