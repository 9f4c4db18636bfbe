"""Admin pages of clubs."""

from django.contrib import admin

from league.clubs.models import Club, Membership
from league.shared.admin import LeagueAdmin, NamedForm


class MembershipInline(admin.TabularInline):
    model = Membership
    autocomplete_fields = ("player",)
    extra = 0


@admin.register(Club)
class ClubAdmin(LeagueAdmin):
    form = NamedForm
    list_display = ("name", "city", "slug")
    search_fields = ("name", "slug", "city")
    prepopulated_fields = {"slug": ("name",)}
    inlines = (MembershipInline,)


@admin.register(Membership)
class MembershipAdmin(LeagueAdmin):
    list_display = ("player", "club", "role", "joined_at")
    list_filter = ("role", "club")
    list_select_related = ("player", "club")
    search_fields = ("player__search_key", "club__name")
    autocomplete_fields = ("player", "club")
