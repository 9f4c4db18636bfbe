"""Admin pages of bans: placed and lifted through the services, never changed or removed."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.contrib.admin.widgets import AdminTextareaWidget
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.conduct.models import Ban, Scope
from league.conduct.policy import Length, end_of
from league.conduct.selectors import bans_in_force
from league.conduct.services import ban_check, ban_lift, ban_place
from league.shared.admin import LeagueAdmin
from league.shared.errors import DomainError

_LENGTHS = [
    (Length.HOURS_2.value, _("2 hours")),
    (Length.DAY.value, _("1 day")),
    (Length.WEEK.value, _("1 week")),
    (Length.DAYS_30.value, _("30 days")),
    (Length.OPEN.value, _("until it is lifted")),
]
_TERMS = ("player", "scope", "scope_id", "reason", "evidence", "starts_at", "ends_at")


class BanForm(forms.ModelForm):
    """A new ban from now on; its length is one of the usual ones."""

    length = forms.ChoiceField(label=_("Length"), choices=_LENGTHS)

    class Meta:
        model = Ban
        fields = ("player", "scope", "scope_id", "reason", "evidence")
        widgets = {"evidence": AdminTextareaWidget()}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if not self.errors:
            self._check(data)
        return data

    def _check(self, data: dict[str, Any]) -> None:
        """Say beside its input what the services refuse, and take the hours from the length."""
        made = self.instance
        made.starts_at = made.placed_at = timezone.now()
        made.ends_at = end_of(Length(data["length"]), made.starts_at)
        for name in ("scope", "scope_id", "reason", "evidence"):
            setattr(made, name, data[name])
        try:
            ban_check(made)
        except DomainError as error:
            self.add_error(error.code if error.code in self.fields else None, error.text)


class LiftForm(ActionForm):
    """The action of the list, and the reason it asks for."""

    reason = forms.CharField(label=_("Reason"), required=False, max_length=500)


class StateFilter(admin.SimpleListFilter):
    """Bans in force, or those that are over."""

    title = _("in force")
    parameter_name = "in_force"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("1", _("yes")), ("0", _("no"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Ban]) -> QuerySet[Ban]:
        now = bans_in_force(timezone.now()).order_by().values("pk")
        if self.value() == "1":
            return queryset.filter(pk__in=now)
        return queryset.exclude(pk__in=now) if self.value() == "0" else queryset


@admin.register(Ban)
class BanAdmin(LeagueAdmin):
    """Whoever may change bans lifts them, with a reason; nobody rewrites one."""

    form = BanForm
    action_form = LiftForm
    actions = ("lift",)
    list_display = ("player", "scope", "scope_id", "reason", "starts_at", "ends_at", "lifted_at")
    list_filter = (StateFilter, "scope", "starts_at")
    list_select_related = ("player",)
    search_fields = ("player__search_key", "reason")
    autocomplete_fields = ("player",)
    fields = ("player", "scope", "scope_id", "reason", "evidence", "length")

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        known = lookup == StateFilter.parameter_name
        return known or super().lookup_allowed(lookup, value, request)

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        lifted = ("placed_by", "placed_at", "lifted_at", "lifted_by", "lift_reason")
        return self.fields if obj is None else (*_TERMS, *lifted)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return super().has_view_permission(request, obj) or self.has_lift_permission(request)

    def has_lift_permission(self, request: HttpRequest) -> bool:
        return isinstance(request.user, User) and request.user.has_perm("conduct.change_ban")

    def save_model(self, request: HttpRequest, obj: Ban, form: Any, change: bool) -> None:
        assert isinstance(request.user, User)
        placed = ban_place(
            scope=Scope(obj.scope),
            placed_by=request.user,
            **{name: getattr(obj, name) for name in _TERMS if name != "scope"},
        )
        obj.pk = placed.pk

    @admin.action(description=_("Lift with reason"), permissions=["lift"])
    def lift(self, request: HttpRequest, queryset: QuerySet[Ban]) -> None:
        assert isinstance(request.user, User)
        for ban in queryset.order_by("pk"):
            try:
                ban_lift(ban=ban, reason=request.POST.get("reason", ""), lifted_by=request.user)
            except DomainError as error:
                self.message_user(request, f"{ban}: {error.text}", messages.ERROR)
            else:
                told = _("%(ban)s: lifted.") % {"ban": ban}
                self.message_user(request, told, messages.SUCCESS)
