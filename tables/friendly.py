"""A table of one's own: what somebody fills in for it, and the picture of its address.

Reads what was filled in and asks the engine whether it can be played; writes nothing.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

import segno
from django import forms
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from engine.errors import EngineError
from engine.match import MatchState
from engine.rulesets import LENGTHS, PRESETS, LengthKind, Ruleset, preset
from league.accounts.models import Player
from league.tournaments.models import BANK_SECONDS, MOVE_SECONDS, HouseRuleset
from league.tournaments.planning import match_planned
from league.tournaments.selectors import house_rules, house_rulesets_in_use
from league.tournaments.wording import LENGTHS as LENGTH_WORDS
from league.tournaments.wording import TermsRefused, preset_text, refusal_of
from tables.models import Bot
from tables.opening import FriendlyTerms


class ClockKind(StrEnum):
    """How a friendly table is timed."""

    NONE = "none"
    MOVE = "move"
    BANK = "bank"


_CLOCKS = [
    (ClockKind.NONE, _("no clock")),
    (ClockKind.MOVE, _("a time for each move")),
    (ClockKind.BANK, _("a time for each move, and a bank")),
]
_BOTS = [
    (Bot.NONE, _("people")),
    (Bot.RANDOM, _("bots that play any tile")),
    (Bot.HEAVIEST, _("bots that play the heaviest tile")),
    (Bot.BEST, _("bots that play the best score, doubles first")),
]
_PUBLIC, _BY_LINK = "public", "link"
_SEATS = [(2, "2"), (3, "3"), (4, "4")]


class FriendlyForm(forms.Form):
    """The terms of a friendly or practice table; `terms` once they can be played."""

    rules = forms.ChoiceField(label=_("Game"))
    seats = forms.TypedChoiceField(label=_("Seats"), choices=_SEATS, coerce=int, initial=4)
    partners = forms.BooleanField(label=_("Partners sit opposite each other"), required=False)
    length_kind = forms.ChoiceField(label=_("Length of a match"), required=False)
    length_number = forms.IntegerField(
        label=_("How many"), required=False, min_value=LENGTHS.low, max_value=LENGTHS.high
    )
    against = forms.ChoiceField(label=_("Play with"), choices=_BOTS, required=False)
    clock = forms.ChoiceField(label=_("Clock"), choices=_CLOCKS, initial=ClockKind.NONE)
    move_seconds = forms.IntegerField(
        label=_("Seconds a move"),
        required=False,
        min_value=MOVE_SECONDS[0],
        max_value=MOVE_SECONDS[1],
        initial=30,
    )
    bank_seconds = forms.IntegerField(
        label=_("Seconds in the bank"),
        required=False,
        min_value=BANK_SECONDS[0],
        max_value=BANK_SECONDS[1],
        initial=120,
    )
    shown = forms.ChoiceField(
        label=_("Who may come"),
        choices=[(_PUBLIC, _("anybody")), (_BY_LINK, _("who was given the link"))],
        initial=_PUBLIC,
    )
    chat = forms.BooleanField(label=_("Chat"), required=False, initial=True)
    clockwise = forms.BooleanField(label=_("Play goes clockwise"), required=False)

    def __init__(self, player: Player, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.houses = {str(house.pk): house for house in _houses_of(player)}
        self._choices("rules", list(_games(self.houses)))
        usual = [("", _("as usual"))]
        self._choices("length_kind", [*usual, *((k.value, v) for k, v in LENGTH_WORDS.items())])

    def _choices(self, name: str, choices: list[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        self._check_pairs(data)
        if not self.errors:
            try:
                self.terms = self._terms(data)
            except TermsRefused as error:
                self.add_error(_INPUTS.get(error.field or ""), error.text)
        return data

    def _check_pairs(self, data: dict[str, Any]) -> None:
        """Refuse what is half filled in."""
        if bool(data.get("length_kind")) != (data.get("length_number") is not None):
            self.add_error("length_number", _("Say both of what and how many, or neither."))
        if data.get("clock") != ClockKind.NONE and data.get("move_seconds") is None:
            self.add_error("move_seconds", _("Say how many seconds."))
        if data.get("clock") == ClockKind.BANK and data.get("bank_seconds") is None:
            self.add_error("bank_seconds", _("Say how many seconds."))

    def _terms(self, data: dict[str, Any]) -> FriendlyTerms:
        planned = self._planned(data)
        bot, clock = Bot(data["against"]), ClockKind(data["clock"])
        return FriendlyTerms(
            ruleset=planned.ruleset.to_json(),
            seats=planned.seats,
            partners=planned.partners,
            move_seconds=None if clock is ClockKind.NONE else data["move_seconds"],
            bank_seconds=data["bank_seconds"] if clock is ClockKind.BANK else 0,
            is_public=data["shown"] == _PUBLIC,
            chat=data["chat"],
            clockwise=data["clockwise"],
            bots=() if bot == Bot.NONE else (bot,) * (planned.seats - 1),
        )

    def _planned(self, data: dict[str, Any]) -> MatchState:
        house = self.houses.get(data["rules"])
        rules = preset(data["rules"]) if house is None else house_rules(house)
        if data["length_kind"]:
            rules = _of_length(rules, LengthKind(data["length_kind"]), data["length_number"])
        return match_planned(ruleset=rules, seats=data["seats"], partners=data["partners"])


_INPUTS = {
    "seats": "seats",
    "partners": "partners",
    "hands": "length_number",
    "target": "length_number",
    "wins": "length_number",
}
"""The input that asks for a field of the rule set; for the others the game is at fault."""


def _houses_of(player: Player) -> Iterator[HouseRuleset]:
    mine = player.memberships.values("club")
    yield from house_rulesets_in_use().filter(club__in=mine)


def _games(houses: dict[str, HouseRuleset]) -> Iterator[tuple[Any, Any]]:
    yield _("As usual"), [(name, preset_text(name)) for name in PRESETS]
    if houses:
        named = [(pk, f"{house.name} ({house.club.name})") for pk, house in houses.items()]
        yield _("House rule sets of my clubs"), named


def _of_length(rules: Ruleset, kind: LengthKind, number: int) -> Ruleset:
    """Return the rules with another length. Raises TermsRefused."""
    options = {
        name: value
        for name, value in rules.to_json().items()
        if name != "preset" and name not in list(LengthKind)
    }
    try:
        return preset(rules.preset, **options, **{kind.value: number})
    except EngineError as error:
        raise refusal_of(error) from error


def qr_code(address: str) -> SafeString:
    """Return an address as a QR code: SVG for the page, dark on light in every theme."""
    code = segno.make(address, error="m", micro=False)
    drawn = code.svg_inline(border=3, dark="#000", light="#fff", omitsize=True, svgclass="qr")
    return mark_safe(drawn)  # drawn here, of an address of our own
