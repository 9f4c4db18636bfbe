"""Tables in the admin, to look at only. The secret, the snapshot and what was dealt stay out."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from tables.models import Table, TableSeat


class ReadOnly:
    """Nothing is added, changed or deleted here: services are the only writers."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class TableSeatInline(ReadOnly, admin.TabularInline):
    model = TableSeat
    fields = ("seat", "player", "sat_at", "ready")


@admin.register(Table)
class TableAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("id", "match", "status", "version", "deadline_at", "opened_at")
    list_filter = ("status",)
    list_select_related = ("match__fixture__round__stage__tournament",)
    fields = (
        "match",
        "status",
        "version",
        "move_seconds",
        "deadline_at",
        "opened_at",
        "finished_at",
    )
    inlines = (TableSeatInline,)
