"""Why a table refuses a command: one stable code and one sentence each, in the person's language.

The engine's codes stand here too, since the engine itself speaks plain English to programs only.
"""

from django.utils.translation import gettext_lazy as _

from engine.errors import IllegalAction
from league.shared.errors import DomainError

TEXTS = {
    "stale": _("The table has moved on meanwhile."),
    "no_such_table": _("There is no such table."),
    "duplicate_id": _("This command's id was used by somebody else at this table."),
    "not_seated": _("You have no seat at this table."),
    "not_allowed": _("This account may not act here."),
    "already_sat": _("You sit here already."),
    "not_sat": _("Sit down first."),
    "already_started": _("The match has begun already."),
    "not_started": _("The match has not begun yet."),
    "not_all_seated": _("Not everybody has sat down yet."),
    "not_manager": _("Only the table's manager or an organizer can start."),
    "not_between_hands": _("No hand has just ended."),
    "already_ready": _("You are ready already."),
    "not_your_turn": _("It is not your turn."),
    "no_hand_in_play": _("No hand is in play."),
    "match_over": _("The match is over."),
    "tile_not_in_rack": _("You do not hold this tile."),
    "tile_does_not_fit": _("The tile does not match that end."),
    "end_missing": _("Choose the end to play at."),
    "end_on_empty_line": _("The first tile takes no end."),
    "opening_forced": _("This hand opens with another tile: the one that you can play."),
    "must_play": _("You can play, so you must."),
    "must_draw": _("There are tiles to draw."),
    "nothing_to_draw": _("There is nothing to draw."),
    "illegal_action": _("This is not allowed now."),
    "unavailable": _("The server cannot answer just now. Please try again."),
}


class Refused(DomainError):
    """A command that cannot be carried out; nothing has changed."""

    def __init__(self, code: str) -> None:
        super().__init__(code, str(TEXTS[code]))


def refusal_of(error: Refused | IllegalAction) -> Refused:
    """Return a refusal in the person's language, whoever refused."""
    if isinstance(error, Refused):
        return error
    return Refused(error.code if error.code in TEXTS else IllegalAction.code)
