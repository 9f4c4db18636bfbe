"""What the admin pages share."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Model
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest

from league.shared.errors import DomainError
from league.shared.names import clean_name

_FILTERED_BY = frozenset({"", "exact", "in", "isnull", "id__exact", "gte", "lt"})


class LeagueAdmin(admin.ModelAdmin):
    """Lists rows by their number and by the filters beside the list, by nothing else.

    Django's own rule takes any column in an address, also one that no page shows, and with
    `__regex` a list's length tells what stands in it.
    """

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        name, _, how = lookup.partition(LOOKUP_SEP)
        given = value if isinstance(value, list) else [value]
        return (
            name in {"id", *self.list_filter}
            and how in _FILTERED_BY
            and not any("\0" in str(each) for each in given)
            and super().lookup_allowed(lookup, value, request)
        )


class ReadOnlyAdmin(LeagueAdmin):
    """Shows rows that only services write."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class NamedForm(forms.ModelForm):
    """Takes a `name` as the services do: one spelling, printable, no longer than a name may be."""

    def clean_name(self) -> str:
        try:
            return clean_name(self.cleaned_data["name"])
        except DomainError as error:
            raise forms.ValidationError(error.text, code=error.code) from error
