"""Tables in the admin, to look at only. The secret, the snapshot and what was dealt stay out."""

from django.contrib import admin

from league.shared.admin import ReadOnlyAdmin
from tables.models import Table, TableSeat


class TableSeatInline(admin.TabularInline):
    """As read-only as the page it stands on: Django allows an inline no more than its page."""

    model = TableSeat
    fields = ("seat", "player", "sat_at", "ready")


@admin.register(Table)
class TableAdmin(ReadOnlyAdmin):
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
