"""Admin pages of tournaments.

Terms are checked by the engine as the services do; what a match may have copied is read-only.
"""

from datetime import date
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import F, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from engine.rulesets import FAMILIES, Family, Ruleset
from league.accounts.models import User
from league.shared.admin import LeagueAdmin, ReadOnlyAdmin
from league.shared.errors import DomainError
from league.tournaments import wording
from league.tournaments.forms import HouseRulesetForm, TournamentForm, rules_fields
from league.tournaments.models import (
    TABLE_TERMS,
    Fixture,
    FixtureSeat,
    HouseRuleset,
    Round,
    Stage,
    Tournament,
    TournamentEntry,
)
from league.tournaments.permissions import keeps_house_ruleset, keeps_house_rulesets
from league.tournaments.selectors import clubs_organized, house_rules, rules_of
from league.tournaments.services import (
    house_ruleset_create,
    house_ruleset_retire,
    house_ruleset_revise,
)

_TERMS = ("rules", "seats", "partners", "stake")


def _rules_table(rules: Ruleset) -> SafeString:
    """Return a rule set as a table: what differs from the preset is strong, and says so."""
    rows = format_html_join(
        "", "<tr><th>{}</th><td>{}</td></tr>", map(_cells, wording.shown(rules))
    )
    return format_html("<table><caption>{}</caption>{}</table>", _named(rules), rows)


def _cells(line: wording.Shown) -> tuple[str, str]:
    if line.usual is None:
        return line.field, line.value
    usual = gettext("usually: %(usual)s") % {"usual": line.usual}
    return line.field, format_html("<strong>{}</strong> ({})", line.value, usual)


def _changed(house: HouseRuleset) -> list[wording.Shown]:
    """Return the lines of a house rule set's table that differ from the preset's."""
    return [line for line in wording.shown(house_rules(house)) if line.usual is not None]


def _named(rules: Ruleset) -> str:
    return wording.preset_text(rules.preset)


@admin.register(HouseRuleset)
class HouseRulesetAdmin(LeagueAdmin):
    """Saving a house rule set makes its next version; retired versions are only looked at."""

    form = HouseRulesetForm
    list_display = ("__str__", "retired_on", "game", "changes", "club")
    list_filter = ("club", "retired_at")
    list_select_related = ("club",)
    search_fields = ("name", "club__name")
    ordering = (F("retired_at").desc(nulls_first=True), "club__name", "name", "-version")
    actions = ("retire",)

    @admin.display(description=_("game"))
    def game(self, house: HouseRuleset) -> str:
        return wording.game_text(house_rules(house))

    @admin.display(description=_("retired at"), ordering="retired_at")
    def retired_on(self, house: HouseRuleset) -> date | None:
        return None if house.retired_at is None else timezone.localdate(house.retired_at)

    @admin.display(description=_("differences"))
    def changes(self, house: HouseRuleset) -> int:
        return len(_changed(house))

    @admin.display(description=_("what differs from the usual"))
    def differences(self, house: HouseRuleset) -> SafeString | str:
        lines = map(_cells, _changed(house))
        return format_html_join(SafeString("<br>"), "{}: {}", lines) or gettext("nothing")

    @admin.display(description=_("rules"))
    def table(self, house: HouseRuleset) -> SafeString:
        return _rules_table(house_rules(house))

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self._may(request, None)

    def has_view_permission(self, request: HttpRequest, obj: HouseRuleset | None = None) -> bool:
        return self._may(request, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self._may(request, None)

    def has_change_permission(self, request: HttpRequest, obj: HouseRuleset | None = None) -> bool:
        return self._may(request, obj) and (obj is None or obj.retired_at is None)

    def has_delete_permission(self, request: HttpRequest, obj: HouseRuleset | None = None) -> bool:
        return False

    def _may(self, request: HttpRequest, obj: HouseRuleset | None) -> bool:
        if not isinstance(request.user, User):
            return False
        if obj is None:
            return bool(keeps_house_rulesets(request.user))
        return bool(keeps_house_ruleset(request.user, obj))

    def get_queryset(self, request: HttpRequest) -> QuerySet[HouseRuleset]:
        assert isinstance(request.user, User)
        return super().get_queryset(request).filter(club__in=clubs_organized(request.user))

    def get_form(
        self,
        request: HttpRequest,
        obj: HouseRuleset | None = None,
        change: bool = False,
        **kwargs: Any,
    ) -> type[ModelForm]:
        assert isinstance(request.user, User)
        family = _family(request, obj)
        given = {"family": family, "clubs": clubs_organized(request.user)}
        return type("HouseRulesetFormOfGame", (HouseRulesetForm,), given)

    def get_fieldsets(self, request: HttpRequest, obj: HouseRuleset | None = None) -> Any:
        about = ["club", "name", "version", "created_by", "created_at", "retired_at"]
        if obj is not None and not self.has_change_permission(request, obj):
            return [(None, {"fields": [*about, "table"]})]
        family = _family(request, obj)
        inputs: list[Any] = [*rules_fields(family)]
        inputs[1:3] = [tuple(inputs[1:3])]  # a length's kind and its number stand in one line
        head = ["club", "name"] if obj is None else ["club", "name", "version", "differences"]
        game = {"fields": inputs, "description": None if obj is None else _on_saving(obj)}
        return [(None, {"fields": head}), (wording.preset_text(family.name), game)]

    def get_readonly_fields(self, request: HttpRequest, obj: HouseRuleset | None = None) -> Any:
        return () if obj is None else ("club", "name", "version", "differences")

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        added = object_id is None or "_saveasnew" in request.POST  # which is sent by nobody's form
        if added and request.GET.get("preset") not in FAMILIES:
            return self._choose_game(request, extra_context or {})
        once = {"show_save_and_continue": False, "show_save_and_add_another": False}
        context = (extra_context or {}) | once
        try:
            return super().changeform_view(request, object_id, form_url, context)
        except DomainError as error:  # somebody else was faster
            self.message_user(request, error.text, messages.ERROR)
            return HttpResponseRedirect(reverse("admin:tournaments_houseruleset_changelist"))

    def _choose_game(self, request: HttpRequest, extra_context: dict[str, Any]) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        games = [(name, wording.preset_text(name)) for name in FAMILIES]
        context = self.admin_site.each_context(request) | {
            "title": _("Which game is it derived from?"),
            "opts": self.opts,
            "games": games,
        }
        return TemplateResponse(request, "tournaments/choose_game.html", context | extra_context)

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> HouseRuleset:
        """Write through the services; what comes back is the new version."""
        assert isinstance(request.user, User)
        if change:
            return house_ruleset_revise(
                house=form.instance, ruleset=form.rules, created_by=request.user
            )
        return house_ruleset_create(
            club=form.cleaned_data["club"],
            name=form.cleaned_data["name"],
            ruleset=form.rules,
            created_by=request.user,
        )

    def save_model(self, *args: Any) -> None:
        """Nothing: `save_form` has written it."""

    def save_related(self, *args: Any) -> None:
        """Nothing: a house rule set has no rows of its own."""

    @admin.action(description=_("Retire the chosen house rule sets"), permissions=["change"])
    def retire(self, request: HttpRequest, queryset: QuerySet[HouseRuleset]) -> HttpResponse | None:
        queryset = queryset.filter(retired_at=None)
        if "confirmed" not in request.POST:
            return self._confirm(request, queryset)
        houses = list(queryset)
        for house in houses:
            house_ruleset_retire(house=house)
        count = len(houses)
        text = ngettext(
            "%(count)d house rule set is retired.", "%(count)d house rule sets are retired.", count
        )
        self.message_user(request, text % {"count": count}, messages.SUCCESS)
        return None

    def _confirm(self, request: HttpRequest, queryset: QuerySet[HouseRuleset]) -> HttpResponse:
        context = self.admin_site.each_context(request) | {
            "title": _("Retire these house rule sets?"),
            "opts": self.opts,
            "houses": queryset.prefetch_related("tournaments"),
        }
        return TemplateResponse(request, "tournaments/retire.html", context)


def _on_saving(house: HouseRuleset) -> str:
    return gettext(
        "Saving makes version %(new)d. Tournaments that have version %(old)d keep it."
    ) % {
        "new": house.version + 1,
        "old": house.version,
    }


def _family(request: HttpRequest, obj: HouseRuleset | None) -> Family:
    name = request.GET["preset"] if obj is None else obj.ruleset["preset"]
    return FAMILIES[name]


@admin.register(Tournament)
class TournamentAdmin(LeagueAdmin):
    form = TournamentForm
    fields = ("season", "name", *_TERMS, *TABLE_TERMS)
    list_display = ("name", "season", "rules_in_short", "seats", "partners")
    list_filter = ("season",)
    list_select_related = ("season", "house_ruleset")
    search_fields = ("name",)
    autocomplete_fields = ("season",)

    @admin.display(description=_("rule set"))
    def rules_in_short(self, tournament: Tournament) -> str:
        return str(tournament.house_ruleset or wording.game_text(rules_of(tournament)))

    @admin.display(description=_("rule set"))
    def rules(self, tournament: Tournament) -> SafeString:
        """What stands in place of the choice once a match may have copied the rules."""
        return _rules_table(rules_of(tournament))

    def get_readonly_fields(
        self, request: HttpRequest, obj: Tournament | None = None
    ) -> tuple[str, ...]:
        played = obj is not None and obj.stages.filter(rounds__isnull=False).exists()
        return (*_TERMS, "season") if played else ()


@admin.register(TournamentEntry)
class TournamentEntryAdmin(LeagueAdmin):
    list_display = ("player", "tournament", "seed_rank")
    list_filter = ("tournament",)
    list_select_related = ("player", "tournament")
    search_fields = ("player__search_key", "tournament__name")
    autocomplete_fields = ("player", "tournament")


@admin.register(Stage)
class StageAdmin(ReadOnlyAdmin):
    list_display = ("tournament", "number", "name")
    list_select_related = ("tournament",)
    search_fields = ("tournament__name", "name")


@admin.register(Round)
class RoundAdmin(ReadOnlyAdmin):
    list_display = ("stage", "number", "starts_at")
    list_select_related = ("stage__tournament",)
    search_fields = ("stage__tournament__name",)


class FixtureSeatInline(admin.TabularInline):
    model = FixtureSeat
    fields = readonly_fields = ("seat", "player")
    can_delete = False
    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: Fixture | None = None) -> bool:
        return False


@admin.register(Fixture)
class FixtureAdmin(ReadOnlyAdmin):
    list_display = ("round", "number", "status")
    list_filter = ("status",)
    list_select_related = ("round__stage__tournament",)
    search_fields = ("round__stage__tournament__name",)
    inlines = (FixtureSeatInline,)
