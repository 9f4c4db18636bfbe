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
        **_account_words(),
        **_reason_words(),
        **_opening_words(),
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
        # Translators: two partners
        "both": _("{first} and {second}"),
        # Translators: how many tiles a player drew, how many hands a side has won
        "drew": _("drew {n}"),
        "won": pgettext("hands", "won {n}"),
    }


def _turn_words() -> dict[str, str]:
    return {
        "hand_of_hands": _("Hand {n} of {total}"),
        # Translators: a match that goes to a target score, or to a number of won hands
        "hand_of_target": _("Hand {n} · to {total}"),
        "hand_of_wins": _("Hand {n} · to {total} wins"),
        "stock": _("Stock {n}"),
        "stock_reserve": _("In the stock {n} tiles may be drawn, {reserve} stay."),
        # Translators: the sum of both ends of the line, which scores when it is 5, 10, 15 or 20
        "sum": _("Ends {n}"),
        "your_turn": _("Your turn"),
        "your_opening": _("You open"),
        "turn_of": _("{name} to play"),
        "sending": _("Sending…"),
        "waiting_link": _("No connection"),
        "choose_end": _("Which end for {tile}?"),
        "left": _("Left {n}"),
        "right": _("Right {n}"),
        "cancel": _("Cancel"),
        "draw": pgettext("take tiles from the stock", "Draw"),
        "draw_pairs": pgettext("take tiles from the stock", "Draw in pairs"),
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
        "fits_not_first": _("cannot open this hand"),
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


def _account_words() -> dict[str, str]:
    """Domino 101: the bank of sekas, drafts, and what an account waits for."""
    return {
        "bank": pgettext("of sekas", "Bank {n}"),
        "bank_lost": _("The match is over: the bank of {n} is lost."),
        "draft": pgettext("score of a closed account", "draft"),
        "open": pgettext("account", "open"),
        "closed": pgettext("account", "closed"),
        "pip_one": ngettext("{n} pip", "{n} pips", 1),
        "pip_many": ngettext("{n} pip", "{n} pips", 2),
    }


def _reason_words() -> dict[str, str]:
    """Why a hand scored what it did."""
    return {
        "others_lose": _("All others lose the pips they have left."),
        "all_lose": _("Everybody loses the pips left, who locked too."),
        "all_but_one_lose": _("All but {name}, who locked, lose the pips left."),
        "fives_too": _("The fives scored while playing are added."),
        "tie": _("The fewest pips are shared: nobody scores."),
        "seka": _("Seka: the fewest pips are shared. {n} pips go into the bank; it holds {bank}."),
        "least_wins": _("The fewest pips win: {side}, {n}."),
        "worth_difference": _(
            "The winner scores what the others have left less the own, never below 0: "
            "{others} − {own}."
        ),
        "worth_opponents_pips": _("The winner scores what the opponents have left: {others}."),
        "worth_one_win": _("A won hand counts 1."),
        "bank_won": _("The bank's {n} come on top."),
        "drafted": _("It is draft: only a win of {n} or more opens the account."),
        "opened": _("A win of {n} or more: the account is open."),
        "drafts_keep": _("The draft of {n} moves to the main balance."),
        "drafts_drop": _("The draft of {n} is dropped."),
        "on_main": _("The account is open: it counts at once."),
    }


def _opening_words() -> dict[str, str]:
    """Which tile opens a hand, and why it was dealt again."""
    return {
        "opens_first_double": _(
            "You open with this tile: {tile}. The first double held opens: 1-1 to 6-6, then 0-0."
        ),
        "opens_highest_double": _(
            "You open with this tile: {tile}. It is the highest double held."
        ),
        "opens_heaviest": _(
            "You open with this tile: {tile}. Nobody holds a double, and no tile is heavier."
        ),
        "redealt": _("Dealt again: {reasons}."),
        "redealt_often": _("Dealt again {n} times: {reasons}."),
        "redeal_suit": _("somebody had five or more tiles of one number"),
        "redeal_doubles": _("somebody had five or more doubles"),
        "redeal_opponents": _("one side had no tile of the opening number"),
        "redeal_no-double": _("nobody had a double"),
    }


def _spoken_words() -> dict[str, str]:
    return {
        "say_dealt": _("The tiles have been dealt."),
        "say_played": _("{name} played {tile}."),
        "say_drew": _("{name} drew {tiles}."),
        "say_passed": _("{name} passed."),
        "say_your_turn": _("It is your turn."),
    }
