"""Why a match cannot be played under some terms: a sentence in the person's language for each code.

The engine speaks plain English to programs only.
"""

from django.utils.translation import gettext_lazy as _

TEXTS = {
    "wrong_type": _("A field of the rule set has a value of the wrong kind."),
    "out_of_range": _("A number of the rule set is too small or too large."),
    "missing_field": _("A rule set names its deal and the length of a match."),
    "unknown_preset": _("There is no rule set of this name."),
    "unknown_field": _("The rule set has a field that does not exist."),
    "not_offered": _("This game is not played with one of the rule set's fields or values."),
    "length": _("A match has one length, of a kind that this game has."),
    "seats": _("This game is not played with so many seats."),
    "partners": _("This game is not played so at this number of seats: look at partners."),
    "deal": _("There are not enough tiles to deal so many to each seat."),
    "reserve": _("The stock is too small for this reserve."),
    "stake": _("The stake is from 1 to 10,000; in Aznif it is the number of hands."),
}
UNPLAYABLE = _("A match cannot be played under these terms.")


def text_of(code: str) -> str:
    """Return the sentence for one of the engine's codes."""
    return str(TEXTS.get(code, UNPLAYABLE))
