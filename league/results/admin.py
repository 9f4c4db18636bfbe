"""Admin pages of matches and results: to look at, never to write."""

from django.contrib import admin

from league.results.models import Match, Result, Stint
from league.shared.admin import ReadOnlyAdmin


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    list_display = ("pk", "fixture", "number", "status", "finished_at")
    list_filter = ("status",)
    list_select_related = ("fixture__round__stage__tournament",)
    search_fields = ("fixture__round__stage__tournament__name",)


@admin.register(Stint)
class StintAdmin(ReadOnlyAdmin):
    list_display = ("match", "seat", "player", "how", "left")
    list_filter = ("how", "left")
    list_select_related = ("match__fixture__round__stage__tournament", "player")
    search_fields = ("player__search_key",)


@admin.register(Result)
class ResultAdmin(ReadOnlyAdmin):
    list_display = ("match", "version", "is_current", "created_at")
    list_filter = ("is_current",)
    list_select_related = ("match__fixture__round__stage__tournament",)
    search_fields = ("match__fixture__round__stage__tournament__name",)
