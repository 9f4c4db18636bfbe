"""A rule set in the reader's words: names of fields and values, and why terms cannot be played.

The engine speaks plain English to programs only. Nothing but words may enter: no database, and no
decision about what can be played.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from engine.errors import EngineError, InvalidRuleset
from engine.rulesets import (
    BySeats,
    Family,
    Length,
    LengthKind,
    Ruleset,
    Terms,
    at_seats,
    ruleset_from_json,
    settable,
)
from league.shared.errors import DomainError

TEXTS = {
    "wrong_type": _("A field of the rule set has a value of the wrong kind."),
    "out_of_range": _("A number of the rule set is too small or too large."),
    "missing_field": _("A rule set names its deal and the length of a match."),
    "unknown_preset": _("There is no rule set of this name."),
    "unknown_field": _("The rule set has a field that does not exist."),
    "not_offered": _("This game is not played with one of the rule set's fields or values."),
    "contradiction": _("With this value nobody could ever score."),
    "length": _("A match has one length, of a kind that this game has."),
    "seats": _("This game is not played with so many seats."),
    "partners": _("This game is not played so at this number of seats: look at partners."),
    "deal": _("There are not enough tiles to deal so many to each seat."),
    "reserve": _("The stock is too small for this reserve."),
    "stake": _("The stake is from 1 to 10,000; in Aznif it is the number of hands."),
}
_SAY_NO_FIELD = {"wrong_type", "out_of_range", "not_offered", "contradiction"}
UNPLAYABLE = _("A match cannot be played under these terms.")

PRESETS = {
    "aznif": _("Aznif"),
    "vip-draw": _("VIP Domino with drawing"),
    "vip-block": _("VIP Domino without drawing"),
    "domino101": _("Domino 101"),
    "kraloyun": _("Kraloyun"),
}

# Labels, with a capital of their own: to make one of an i depends on the language.
FIELDS = {
    "preset": _("Game"),
    "deal": _("Tiles dealt to each seat"),
    "hands": _("Length of a match"),
    "target": _("Length of a match"),
    "wins": _("Length of a match"),
    "seats": _("Seats"),
    "partners": _("Partners"),
    "stake": _("Stake"),
    "draw": _("Drawing"),
    "reserve": _("Tiles that are never drawn"),
    "first_starter": _("Who starts the first hand"),
    "next_starter": _("Who starts after going out"),
    "starter_after_lock": _("Who starts after a lock"),
    "forced_opening": _("The tile that names the starter must open"),
    "no_double_redeals": _("Deal again if nobody holds a double in the first hand"),
    "lock_waits_for_empty_stock": _("A lock waits until the stock is drawn out"),
    "fives": _("Fives are scored while playing"),
    "hand_scoring": _("What a hand's end scores"),
    "locker_pays": _("Who locks a hand pays too"),
    "going_out_wins": _("Going out wins the hand"),
    "blank_pips": _("What 0-0 left in a rack counts"),
    "lock_tie": _("A lock with a shared least total"),
    "opening_minimum": _("What a won hand must be worth to open the account"),
    "bank_opens_account": _("The bank counts towards opening the account"),
    "drafts_on_opening": _("The drafts when the account opens"),
}

# The engine's enumerations share no value, so one table serves them all.
VALUES = {
    "none": _("nobody draws"),
    "until_playable": _("one by one until a tile fits"),
    "pairs": _("two by two until a tile fits"),
    "lot": _("by lot"),
    "first_double": _("the first double from 1-1 to 6-6, then 0-0"),
    "highest_double": _("the highest double"),
    "went_out": _("who went out"),
    "rotate": _("the next seat"),
    "last_placer": _("who placed the last tile"),
    "no": _("in no hand"),
    "first": _("in the first hand"),
    "always": _("in every hand"),
    "pip_loss": _("each player loses the pips left"),
    "difference": _("the winner gets the others' pips less the own"),
    "opponents_pips": _("the winner gets the opponents' pips"),
    "one_win": _("a won hand counts 1"),
    "nobody": _("nobody scores"),
    "seka": _("seka: all pips go into the bank"),
    "keep": _("are kept"),
    "drop": _("are dropped"),
}

LENGTHS = {
    LengthKind.HANDS: _("a number of hands"),
    LengthKind.TARGET: _("to a score"),
    LengthKind.WINS: _("a number of won hands"),
}

HINTS = {
    "forced_opening": _(
        "It counts only in hands whose starter is named by a tile: "
        "a double, or the heaviest where nobody has one."
    ),
    "reserve": _("It counts only where the stock is drawn from."),
}
"""What an organizer should know of a field: values that can be said and change nothing."""


class TermsRefused(DomainError):
    """Terms that cannot be played: `field` is the rule set's field it lies in, if it lies in one,
    `reason` the sentence without the field's name.
    """

    def __init__(self, code: str, field: str | None = None) -> None:
        self.field, self.reason = field, str(TEXTS.get(code, UNPLAYABLE))
        named = code in _SAY_NO_FIELD and field in FIELDS
        super().__init__(code, f"{field_text(field)}: {self.reason}" if named else self.reason)


def refusal_of(error: EngineError) -> TermsRefused:
    """Return the engine's refusal in the reader's language."""
    field = error.field if isinstance(error, InvalidRuleset) else None
    return TermsRefused(error.code, field)


def preset_text(name: str) -> str:
    """Return a preset's name."""
    return str(PRESETS.get(name, name))


def field_text(name: str | None) -> str:
    """Return the name of a field of the rule set, as a label."""
    return str(FIELDS.get(name or "", name))


def hint_text(field: str) -> str:
    """Return what an organizer should know of a field, or nothing."""
    return str(HINTS.get(field, ""))


def length_hint(family: Family) -> str:
    """Return when a game's matches end at the latest, or nothing where hands are counted."""
    if family.lengths == (LengthKind.HANDS,):
        return ""
    text = gettext("A match to a score or to won hands ends after %(hands)d hands at the latest.")
    return text % {"hands": family.longest}


def length_text(length: Length) -> str:
    """Return a match's length: "11 hands"."""
    return _length_words(length) % {"number": length.number}


def _length_words(length: Length) -> str:
    match length.kind:
        case LengthKind.HANDS:
            return ngettext("%(number)d hand", "%(number)d hands", length.number)
        case LengthKind.WINS:
            return ngettext("%(number)d won hand", "%(number)d won hands", length.number)
    return gettext("to %(number)d")


def value_text(family: Family, value: object) -> str:
    """Return a field's value; one that hangs on the seats says so for each number of seats."""
    if isinstance(value, BySeats):
        return ", ".join(
            gettext("with %(seats)d seats: %(value)s")
            % {"seats": seats, "value": value_text(family, value.at(seats))}
            for seats in sorted(family.partners)
        )
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return "–" if value is None else str(VALUES.get(str(value), value))


class Shown(NamedTuple):
    """A line of a rule set's table: the field, its value, and the preset's where that differs."""

    field: str
    value: str
    usual: str | None


def shown(rules: Ruleset) -> Iterator[Shown]:
    """Give the lines of a rule set's table; what a game can only be played one way is left out."""
    family = rules.family
    yield _shown(family, "deal", rules.deal, family.deal)
    length, usual = length_text(rules.length), length_text(family.length)
    yield Shown(field_text("hands"), length, None if length == usual else usual)
    for name in settable(family):
        yield _shown(family, name, getattr(rules, name), family.values[name])


def _shown(family: Family, name: str, value: object, usual: object) -> Shown:
    differs = None if value == usual else value_text(family, usual)
    return Shown(field_text(name), value_text(family, value), differs)


def game_text(rules: Ruleset) -> str:
    """Return the game and its length: "Aznif · 11 hands"."""
    return f"{preset_text(rules.preset)} · {length_text(rules.length)}"


class Played(Protocol):
    """What is played under a rule set at so many seats: a tournament, a match."""

    ruleset: Any
    seats: Any
    partners: Any


def terms_of(played: Played) -> Terms:
    """Return the rule set at its table."""
    return ruleset_from_json(played.ruleset).at(played.seats, played.partners)


def game_line(terms: Terms) -> str:
    """Return the game at a table: "Domino 101 · to 101 · 7 tiles each · partners"."""
    tiles = ngettext("%(n)d tile each", "%(n)d tiles each", terms.deal) % {"n": terms.deal}
    parts = [game_text(terms.ruleset), tiles]
    return " · ".join([*parts, gettext("partners")] if terms.partners else parts)


def differences(terms: Terms) -> list[str]:
    """Return what is played at a table otherwise than the game's preset says, a line a field.

    What `game_line` tells, the deal and the length, has no line.
    """
    family = terms.ruleset.family
    lines = []
    for name in settable(family):
        value = at_seats(getattr(terms.ruleset, name), terms.seats)
        if value != at_seats(family.values[name], terms.seats):
            lines.append(f"{field_text(name)}: {value_text(family, value)}")
    return lines
