"""Admin pages of the ledger: to look at, never to write."""

from django.contrib import admin

from league.ledger.models import Account, Posting
from league.shared.admin import ReadOnlyAdmin


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    list_display = ("player", "balance", "count", "head")
    list_select_related = ("player",)
    search_fields = ("player__search_key",)


@admin.register(Posting)
class PostingAdmin(ReadOnlyAdmin):
    list_display = ("account", "number", "kind", "points", "season", "posted_at", "key")
    list_filter = ("kind", "season")
    list_select_related = ("account__player", "season")
    search_fields = ("account__player__search_key", "key")
