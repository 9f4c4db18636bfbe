"""What the admin pages share."""

from django import forms
from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from league.shared.errors import DomainError
from league.shared.names import clean_name


class ReadOnlyAdmin(admin.ModelAdmin):
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
