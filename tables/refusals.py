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
    "no_player": _("This account has no player: it can neither sit down nor speak."),
    "already_sat": _("You sit here already."),
    "not_sat": _("Sit down first."),
    "already_started": _("The match has begun already."),
    "not_started": _("The match has not begun yet."),
    "not_all_seated": _("Not everybody has sat down yet."),
    "not_manager": _("Only the table's manager or an organizer can press this now."),
    "not_organizer": _("Only an organizer decides here."),
    "seat_empty": _("A seat is empty: the match waits for somebody to sit down."),
    "continue_due": _("The match goes on when the manager presses Continue."),
    "paused": _("The match is paused."),
    "not_still": _("The match is going on."),
    "referee_called": _("The referee is called already."),
    "referee_decides": _("The referee decides how it goes on."),
    "nothing_to_undo": _("Only the latest move can be taken back, and only one the clock made."),
    "places": _("These places cannot be."),
    "reason": _("A decision needs a reason of at most 200 letters."),
    "no_empty_seat": _("Every seat is taken."),
    "name_a_seat": _("Say which of the empty seats."),
    "no_such_seat": _("There is no such seat."),
    "seat_taken": _("Somebody sits there."),
    "seat_once": _("Who left a seat of a match gets none in it again."),
    "seats_fixed": _("The seats of a scheduled table are fixed."),
    "plays_elsewhere": _("You play at another table."),
    "somebody_plays_elsewhere": _("Somebody who sits here is playing at another table."),
    "must_come_back": _("You dropped from another table: come back there first."),
    "banned": _("You are banned here."),
    "price": _("Leaving costs something else now: look again."),
    "bots_only": _("At a practice table nobody else sits down."),
    "chat_off": _("The chat of this table is off."),
    "no_such_phrase": _("There is no such phrase."),
    "too_much_said": _("That was a lot: wait a little."),
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


class Banned(Refused):
    """Somebody who is banned; `text` says until when."""

    def __init__(self, text: str) -> None:
        super().__init__("banned")
        self.args, self.text = (text,), text


def refusal_of(error: Refused | IllegalAction) -> Refused:
    """Return a refusal in the person's language, whoever refused."""
    if isinstance(error, Refused):
        return error
    return Refused(error.code if error.code in TEXTS else IllegalAction.code)
