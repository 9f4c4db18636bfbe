"""What the admin pages ask about rule sets, so that nobody types their stored form.

A house rule set's form has an input for each field of its game that can be played otherwise; which
values there are is asked of the engine.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import QuerySet
from django.utils.html import escape
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.rulesets import (
    DEALS,
    FAMILIES,
    LENGTHS,
    PRESETS,
    BySeats,
    Family,
    Numbers,
    Ruleset,
    choices,
    preset,
    settable,
)
from league.clubs.models import Club
from league.shared.admin import NamedForm
from league.shared.errors import DomainError
from league.tournaments import wording
from league.tournaments.models import (
    BANK_SECONDS,
    MOVE_SECONDS,
    TABLE_TERMS,
    WATCH_DELAY,
    HouseRuleset,
    Tournament,
)
from league.tournaments.planning import house_rules_planned, match_planned
from league.tournaments.selectors import (
    house_rules,
    house_ruleset_in_use,
    house_rulesets_in_use,
    rules_kept,
    rules_of,
)
from league.tournaments.services import BANK_NEEDS_A_CLOCK, Rules, rules_chosen

_YES, _NO = "yes", "no"
_BOUNDS = {
    "move_seconds": MOVE_SECONDS,
    "bank_seconds": BANK_SECONDS,
    "watch_delay": WATCH_DELAY,
}


class HouseRulesetForm(NamedForm):
    """A new house rule set of `family`, or the next version of one. `rules` is what was chosen."""

    family: Family
    clubs: QuerySet[Club]
    rules: dict[str, object]

    class Meta:
        model = HouseRuleset
        fields = ("club", "name")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            del self.fields["club"], self.fields["name"]
            self.initial.update(_initial(house_rules(self.instance)))
        else:
            club = self.fields["club"]
            assert isinstance(club, forms.ModelChoiceField)
            club.queryset = self.clubs
        self.fields |= rules_fields(self.family)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if self.errors:
            return data
        if not self.instance.pk and house_ruleset_in_use(data["club"], data["name"]):
            self.add_error("name", _("The club has a house rule set of this name."))
        self.rules = _chosen(self.family, data)
        try:
            planned = house_rules_planned(ruleset=self.rules)
        except wording.TermsRefused as error:
            self.add_error(_input_of(self, error.field), error.reason)
        else:
            self._refuse_the_same(planned)
        return data

    def _refuse_the_same(self, planned: Ruleset) -> None:
        if self.instance.pk and planned == house_rules(self.instance)._replace(version=1):
            self.add_error(None, _("Nothing was changed."))


def _input_of(form: HouseRulesetForm, field: str | None) -> str | None:
    """Return the input that a field of the rule set is asked by."""
    name = "length_number" if field in {"hands", "target", "wins"} else field
    return name if name in form.fields else None


def _chosen(family: Family, data: dict[str, Any]) -> dict[str, object]:
    """Return the rule set as `house_rules_planned` reads it: what was left open is left out."""
    given = {name: data[name] for name in ("deal", *settable(family)) if data[name] is not None}
    return {"preset": family.name, data["length_kind"]: data["length_number"], **given}


def _initial(rules: Ruleset) -> dict[str, object]:
    """Return what the inputs show of a rule set: nothing where it is played as the preset says."""
    kind, number = rules.length
    shown: dict[str, object] = {"length_kind": kind.value, "length_number": number}
    for name, usual in (("deal", rules.family.deal), *rules.family.values.items()):
        value = getattr(rules, name)
        if value != usual:
            shown[name] = _typed(value)
    return shown


def rules_fields(family: Family) -> dict[str, forms.Field]:
    """Return the inputs of a game, in the order of rules.md's table."""
    return {
        "deal": _number_field(family, "deal", family.deal, DEALS),
        "length_kind": forms.ChoiceField(
            label=wording.field_text("hands"),
            choices=[(kind.value, wording.LENGTHS[kind]) for kind in family.lengths],
            initial=family.length.kind.value,
        ),
        "length_number": forms.IntegerField(
            label=_("How many"),
            min_value=LENGTHS.low,
            max_value=LENGTHS.high,
            initial=family.length.number,
            help_text=wording.length_hint(family),
        ),
        **{name: _field(family, name) for name in settable(family)},
    }


def _field(family: Family, name: str) -> forms.Field:
    held = choices(family, name)
    if isinstance(held, Numbers):
        return _number_field(family, name, family.values[name], held)
    values = {_typed(value): value for value in held}
    return _choice_field(family, name, values)


def _typed(value: object) -> str:
    """Return what a browser sends of a value that is chosen."""
    return {True: _YES, False: _NO}[value] if isinstance(value, bool) else str(value)


def _choice_field(
    family: Family, name: str, values: Mapping[str, object]
) -> forms.TypedChoiceField:
    usual = family.values[name]
    text = wording.value_text(family, usual)
    by_seats = isinstance(usual, BySeats)
    first = _("as usual, by the number of seats") if by_seats else _as_the_preset(text)
    texts = [(typed, wording.value_text(family, value)) for typed, value in values.items()]
    return forms.TypedChoiceField(
        label=wording.field_text(name),
        choices=[("", first), *texts],
        coerce=values.__getitem__,
        empty_value=None,
        required=False,
        help_text=_help(name, _usually(text) if by_seats else ""),
    )


def _number_field(family: Family, name: str, usual: object, numbers: Numbers) -> forms.IntegerField:
    left_empty = gettext("Left empty: %(usual)s") % {"usual": wording.value_text(family, usual)}
    return forms.IntegerField(
        label=wording.field_text(name),
        min_value=numbers.low,
        max_value=numbers.high,
        required=False,
        help_text=_help(name, left_empty),
    )


def _help(name: str, usual: str) -> str:
    """Return what stands below an input: what is usual there, and what should be known of it."""
    return ". ".join(filter(None, [usual, wording.hint_text(name)]))


def _usually(usual: str) -> str:
    return gettext("As usual: %(usual)s") % {"usual": usual}


def _as_the_preset(usual: str) -> str:
    return gettext("as usual: %(usual)s") % {"usual": usual}


class TournamentForm(NamedForm):
    """A tournament under a game as it is usually played, or under a house rule set of its club.

    Refuses terms that cannot be played; an empty stake is the rule set's own.
    """

    rules = forms.ChoiceField(label=_("Rule set"))
    stake = forms.IntegerField(
        required=False,
        label=_("Stake"),
        help_text=_("Left empty: in Aznif the number of hands, else 11"),
    )

    class Meta:
        model = Tournament
        fields = ("season", "name", "seats", "partners", *TABLE_TERMS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._bound()
        if self.instance.pk:
            self.initial["stake"] = self.instance.stake
        if "rules" in self.fields:
            choice = self.fields["rules"]
            assert isinstance(choice, forms.ChoiceField)
            choice.choices = list(_rules_offered(self.instance))
            choice.required = not self.instance.pk
            if self.instance.pk:
                choice.help_text = _standing(self.instance)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("bank_seconds") and data.get("move_seconds", 1) is None:
            self.add_error("bank_seconds", BANK_NEEDS_A_CLOCK)
        if self.errors or "rules" not in self.fields:
            return data
        try:
            data["stake"] = self._plan(data)
        except wording.TermsRefused as error:
            self.add_error(error.field if error.field in self.fields else "rules", error.reason)
        except DomainError as error:
            self.add_error("rules", error.text)
        return data

    def _bound(self) -> None:
        """Let the inputs of numbers say their bounds before the database does."""
        for name, (low, high) in _BOUNDS.items():
            if name in self.fields:
                field = self.fields[name]
                field.validators += [MinValueValidator(low), MaxValueValidator(high)]
                field.widget.attrs.update(min=low, max=high)
                field.required = False

    def clean_bank_seconds(self) -> int:
        return self.cleaned_data["bank_seconds"] or 0

    def clean_watch_delay(self) -> int:
        return self.cleaned_data["watch_delay"] or 0

    def _plan(self, data: dict[str, Any]) -> int:
        """Give the tournament its rules once it is known that they can be played; return N."""
        rules, house = self._rules(data)
        planned = match_planned(
            ruleset=rules, seats=data["seats"], partners=data["partners"], stake=data["stake"]
        )
        self.instance.ruleset, self.instance.house_ruleset = planned.ruleset.to_json(), house
        return planned.stake

    def _rules(self, data: dict[str, Any]) -> tuple[object, HouseRuleset | None]:
        if data["rules"]:
            return rules_chosen(season=data["season"], ruleset=_rules_named(data["rules"]))
        house = self.instance.house_ruleset
        if house is None:
            return rules_of(self.instance), None
        return rules_kept(season=data["season"], house=house), house


def _rules_offered(tournament: Tournament) -> Iterator[tuple[Any, Any]]:
    yield "", _("as it stands") if tournament.pk else "---------"
    yield _("As usual"), [(name, wording.preset_text(name)) for name in PRESETS]
    by_club: dict[str, list[tuple[str, str]]] = {}
    for house in house_rulesets_in_use():
        by_club.setdefault(house.club.name, []).append((str(house.pk), str(house)))
    for club, houses in by_club.items():
        yield format_lazy(_("House rule sets of {club}"), club=club), houses


def _standing(tournament: Tournament) -> str:
    """Return what a tournament is played under, and what differs there from the usual, as HTML:
    the admin's pages take a field's help for markup.
    """
    terms, house = wording.terms_of(tournament), tournament.house_ruleset
    parts = [str(house)] if house else []
    return escape(" · ".join([*parts, wording.game_line(terms), *wording.differences(terms)]))


def _rules_named(chosen: str) -> Rules:
    """Return what stands behind a choice, which was checked to be offered."""
    return preset(chosen) if chosen in FAMILIES else HouseRuleset.objects.get(pk=chosen)
