"""Admin pages of people."""

from allauth.account.admin import EmailAddressAdmin
from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from rest_framework.authtoken.models import TokenProxy

from league.accounts.models import Player, User
from league.shared.admin import LeagueAdmin, NamedForm
from league.shared.folding import search_key

admin.site.unregister(TokenProxy)  # its pages show whole tokens: whoever reads one is that person
for _model in (Group, EmailAddress):
    admin.site.unregister(_model)


@admin.register(Group)
class LeagueGroupAdmin(LeagueAdmin, GroupAdmin):
    """Groups, listed as everything else."""


@admin.register(EmailAddress)
class LeagueEmailAddressAdmin(LeagueAdmin, EmailAddressAdmin):  # type: ignore[misc]
    """E-mail addresses, listed as everything else."""


@admin.register(User)
class LeagueUserAdmin(LeagueAdmin, UserAdmin):
    """Users, with their language."""

    fieldsets = (*(UserAdmin.fieldsets or ()), (_("language"), {"fields": ("language",)}))


@admin.register(Player)
class PlayerAdmin(LeagueAdmin):
    """Players, found however a keyboard writes them: `isil` finds Işıl."""

    form = NamedForm
    list_display = ("name", "user", "created_at")
    list_select_related = ("user",)
    search_fields = ("search_key",)
    autocomplete_fields = ("user",)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        return super().get_search_results(request, queryset, search_key(search_term))
