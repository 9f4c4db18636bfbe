"""The words of the board, for the browser: it gets them as JSON and knows no language itself.

Placeholders in braces are filled in by tables/static/tables/words.js. Nothing but words may enter.
"""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext


def board_words() -> dict[str, str]:
    """Return every word of the board in the active language, by the key the browser asks for."""
    return {
        **_tile_words(),
        **_place_words(),
        **_turn_words(),
        **_line_words(),
        **_waiting_words(),
        **_result_words(),
        **_spoken_words(),
    }


def _tile_words() -> dict[str, str]:
    return {
        "number_0": pgettext("half of a tile", "blank"),
        "number_1": pgettext("half of a tile", "one"),
        "number_2": pgettext("half of a tile", "two"),
        "number_3": pgettext("half of a tile", "three"),
        "number_4": pgettext("half of a tile", "four"),
        "number_5": pgettext("half of a tile", "five"),
        "number_6": pgettext("half of a tile", "six"),
        # Translators: a tile in words, the high half first
        "tile": _("{high}-{low}"),
        "double": _("double {number}"),
        "double_blank": _("double blank"),
        "tile_one": ngettext("{n} tile", "{n} tiles", 1),
        "tile_many": ngettext("{n} tile", "{n} tiles", 2),
    }


def _place_words() -> dict[str, str]:
    return {
        "connecting": _("Connecting to the table…"),
        "lost": _("Connection lost. Reconnecting…"),
        "logged_out": _("You are logged out."),
        "log_in": _("Log in"),
        "gone": _("There is no such table."),
        "back": _("Back to the tournament"),
        "language": _("Language"),
        "passed": _("passed"),
        "away": _("offline"),
        "partner": _("partner"),
        "you": _("you"),
    }


def _turn_words() -> dict[str, str]:
    return {
        "hand_of": _("Hand {n} of {total}"),
        "stock": _("Stock {n}"),
        # Translators: the sum of both ends of the line, which scores when it is 5, 10, 15 or 20
        "sum": _("Ends {n}"),
        "your_turn": _("Your turn"),
        "turn_of": _("{name} to play"),
        "sending": _("Sending…"),
        "waiting_link": _("No connection"),
        "choose_end": _("Which end for {tile}?"),
        "left": _("Left {n}"),
        "right": _("Right {n}"),
        "cancel": _("Cancel"),
        "draw": pgettext("take tiles from the stock", "Draw"),
        "pass": pgettext("in a game", "Pass"),
    }


def _line_words() -> dict[str, str]:
    return {
        "your_tiles": _("Your tiles"),
        "fits_L": _("fits on the left"),
        "fits_R": _("fits on the right"),
        "fits_both": _("fits at both ends"),
        "fits_open": _("can open"),
        "fits_none": _("does not fit"),
        "not_fitting": _("This tile cannot be played now: {tile}."),
        "line_empty": _("No tile has been played yet"),
        "line_label": _("The line: {tiles}. Left end {left}, right end {right}."),
    }


def _waiting_words() -> dict[str, str]:
    return {
        "waiting_title": _("Before the start"),
        "waiting_text": _("The match can start when everybody is seated."),
        "all_seated": _("Everybody is seated. The table manager can start the match."),
        "sit": _("Sit down"),
        "start": pgettext("button", "Start"),
        "seated": _("seated"),
        "not_seated": _("not here yet"),
        "manager": _("table manager"),
        "proof": _("Provable shuffle"),
        "proof_help": _(
            "Every deal follows from a secret. Its fingerprint was fixed before the first deal; "
            "the secret is published when the match is over, so that anyone can check every "
            "shuffle."
        ),
        # Translators: random digits that a player may mix into the shuffle
        "own_chance": _("Your contribution to the shuffle"),
        "add_chance": _("Add random digits of my own"),
        "commitment": _("Fingerprint (SHA-256)"),
        "secret": _("Secret"),
    }


def _result_words() -> dict[str, str]:
    return {
        "hand_out": _("{name} went out"),
        "hand_locked": _("The hand is locked"),
        "hand_result": _("Result of hand {n}"),
        "player": _("Player"),
        "tiles_left": _("Tiles left"),
        "this_hand": pgettext("score of this hand", "Hand"),
        "total": pgettext("running score", "Total"),
        "ready": pgettext("for the next hand", "Ready"),
        "ready_wait": _("Waiting for the others."),
        "next_in": _("Next hand in {n} s"),
        "match_over": _("The match is over"),
        "place": _("Place"),
        "score": pgettext("in a match", "Score"),
        "points": pgettext("in the league", "Points"),
        "to_standings": _("To the standings"),
        "to_record": _("Match record"),
        "result": _("Result"),
        "close": _("Close"),
    }


def _spoken_words() -> dict[str, str]:
    return {
        "say_dealt": _("The tiles have been dealt."),
        "say_played": _("{name} played {tile}."),
        "say_drew": _("{name} drew {tiles}."),
        "say_passed": _("{name} passed."),
        "say_your_turn": _("It is your turn."),
    }
