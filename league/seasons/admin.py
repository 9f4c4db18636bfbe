"""Admin pages of seasons."""

from django.contrib import admin

from league.seasons.models import Season


@admin.register(Season)
class SeasonAdmin(admin.ModelAdmin):
    list_display = ("name", "club", "starts_on", "ends_on", "slug")
    list_filter = ("club",)
    list_select_related = ("club",)
    search_fields = ("name", "slug")
    autocomplete_fields = ("club",)
    prepopulated_fields = {"slug": ("name",)}
