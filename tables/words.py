"""The words of the board, for the browser: it gets them as JSON and knows no language itself.

Placeholders in braces are filled in by tables/static/tables/words.js. Nothing but words may enter.
"""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tables.chat import phrase_words


def board_words() -> dict[str, str]:
    """Return every word of the board in the active language, by the key the browser asks for."""
    return {
        **_tile_words(),
        **_place_words(),
        **_turn_words(),
        **_line_words(),
        **_waiting_words(),
        **_seat_words(),
        **_still_words(),
        **_still_times(),
        **_press_words(),
        **_leaving_words(),
        **_referee_words(),
        **_clock_words(),
        **_chat_words(),
        **_result_words(),
        **_cut_words(),
        **_account_words(),
        **_reason_words(),
        **_opening_words(),
        **_spoken_words(),
        **_spoken_of_people(),
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
        "banned": _("You are banned here."),
        "gone": _("There is no such table."),
        "back": _("Back"),
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
        # Translators: time is minutes and seconds, 1:45
        "until_start": _("It starts by itself in {time}."),
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


def _seat_words() -> dict[str, str]:
    """Who sits where, and how seats change hands."""
    return {
        "seat_number": _("Seat {n}"),
        "seat_free": _("free"),
        "sit_here": _("Sit here"),
        "invite": _("Invite others"),
        "seat_once": _("Who left a seat of a match gets none in it again."),
        "get_up": _("Get up"),
        "log_in_to_sit": _("Log in to sit down"),
        "swap_offer": _("Offer to swap"),
        "swap_offered": _("swap offered"),
        "swap_accept": pgettext("seats", "Swap"),
        "robot": _("Robot"),
        "bot_random": _("plays any tile"),
        "bot_heaviest": _("plays the heaviest tile"),
        "bot_best": _("plays for the best score"),
        "dropped": pgettext("from the table", "dropped"),
        "empty": pgettext("seat", "empty"),
        "kind_scheduled": _("counts in the league"),
        "kind_friendly": _("friendly"),
        "kind_practice": _("practice"),
        "no_points": _("This table posts no points."),
    }


def _still_words() -> dict[str, str]:
    """Why the match stands still."""
    return {
        "why_still": _("Why nobody plays"),
        "stands_still": _("The match stands still just now."),
        "still_empty": _("A seat is empty"),
        "still_due": _("Everybody is seated again"),
        "still_manager": _("The match is paused"),
        "still_referee": _("The referee has been called"),
        "seat_dropped": _("{name} dropped and may come back until somebody sits down in the seat."),
        "seat_left": _("{name}: the player left. Somebody may sit down."),
        "due_help": _("The match goes on when {name} presses Continue."),
        "due_wait": _("After a minute without a press another player may press."),
        "manager_help": _("The table manager paused it. Every seat keeps its time."),
        "referee_help": _("An organizer decides how it goes on. Every seat keeps its time."),
        "turn_kept": _("{name} is on turn and keeps {time}."),
        "you_dropped": _("You dropped from your seat"),
        "dropped_help": _(
            "You were away for too long, or the clock moved for you three times in a row. Your "
            "seat is kept for now."
        ),
        "must_come_back": _(
            "Please come back: until somebody sits down in your seat you cannot sit anywhere else."
        ),
        "come_back": _("Come back to the table"),
        "sit_for": _("Sit down for {name}"),
        "sit_in": _("Sit down in seat {n}"),
        "substitute_help": _(
            "Who sits down now plays on from here. If the seat loses it costs you nothing; if it "
            "wins you get its points, unless your account stands above 3000."
        ),
        "you_left": _("You left the table."),
        "you_were_replaced": _("Somebody else plays on in your seat."),
    }


def _still_times() -> dict[str, str]:
    """Until when the match stands still; time is minutes and seconds, 1:45."""
    return {
        "until_empty": _("If nobody sits down in {time}, the match is abandoned."),
        "until_robot": _("If nobody sits down in {time}, a robot plays on."),
        "until_due": _("It goes on by itself in {time}."),
        "until_manager": _("It goes on by itself in {time}."),
        "until_referee": _("Without a decision it goes on by itself in {time}."),
    }


def _press_words() -> dict[str, str]:
    return {
        "menu": _("Table menu"),
        # Translators: a switch
        "sound": _("Sound"),
        "continue": pgettext("button", "Continue"),
        "pause": pgettext("button", "Pause"),
        "keys_help": _(
            "Keys on the board: arrows and Enter for the tiles, L and R for the ends, D draws, P "
            "passes, E reads the ends, S the scores."
        ),
    }


def _leaving_words() -> dict[str, str]:
    return {
        "leave": _("Leave the table"),
        "leave_title": _("Leave the table?"),
        # Translators: n is the number of points that are taken away
        "leave_price": _(
            "Leaving now costs you {n} points, whatever the standing, and one abandoned match is "
            "written on your record."
        ),
        "leave_free": _("Leaving costs no points here."),
        "leave_once": _("Who leaves gets no seat in this match again."),
        "leave_for": _("Leave for −{n} points"),
        "stay": _("Stay"),
    }


def _referee_words() -> dict[str, str]:
    return {
        "call_referee": _("Call the referee"),
        "call_title": _("Call the referee?"),
        "call_help": _("The match stands still until an organizer has decided."),
        "rule": _("Decide as referee"),
        "rule_how": _("How does it go on?"),
        "rule_reason": _("Reason (everybody at the table reads it)"),
        "rule_places": _("Places"),
        "rule_send": pgettext("button", "Decide"),
        "ruling_continue": _("The match goes on"),
        "ruling_undo": _("The clock's last move is taken back"),
        "ruling_end": _("The match ends by decision"),
        "ruling_reason": _("The referee's reason: {reason}"),
    }


def _clock_words() -> dict[str, str]:
    return {
        "time_bank": pgettext("of time", "bank"),
        "by_clock": _("clock moved {n}/3"),
        "clock_moved": _(
            "The clock moved for you ({n} of 3): it plays the heaviest tile that fits. After three "
            "such moves in a row the seat is free."
        ),
        "no_clock": _("no clock"),
        "clock_move": _("{n} s a move"),
        "clock_bank": _("{n} s a move and {bank} s for the match"),
    }


def _chat_words() -> dict[str, str]:
    phrases = {f"phrase_{key}": text for key, text in phrase_words().items()}
    return {
        **phrases,
        "chat": _("Chat"),
        "chat_unread": _("Chat, {n} new"),
        "chat_text": _("Your message"),
        "chat_send": pgettext("a message", "Send"),
        "chat_readers": _("Only who sits here writes."),
        "chat_nothing": _("Nobody has said anything yet."),
        "phrases": _("Phrases"),
        "mute_people": _("Mute"),
        "mute": _("Mute {name}"),
        "unmute": _("Listen to {name} again"),
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
        "to_next": _("To your next table"),
        "to_replay": _("Look at it again"),
        "rematch": _("Play again"),
        "result": _("Result"),
        "close": _("Close"),
        # Translators: over the places and points, which the match does not give yet
        "if_now": _("If it ended now"),
    }


def _cut_words() -> dict[str, str]:
    """Matches that did not end by play, and what the points of a seat mean for people."""
    return {
        "points_help": _(
            "The points of the seats. Who left, dropped or sat down later is credited by the "
            "league's rules for them."
        ),
        "abandoned_title": _("The match is abandoned"),
        "abandoned_help": _("Nobody sat down in the empty seat in the time allowed."),
        "abandoned_points": _(
            "Who left has paid, and who dropped and did not come back is charged. An organizer "
            "decides whether it is played again."
        ),
        "decided_title": _("The referee ended the match"),
        "decided_help": _("The places were named by decision."),
        "decided_points": _("The points stand in the standings."),
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


def _spoken_of_people() -> dict[str, str]:
    return {
        "say_sat": _("{name} sat down."),
        "say_got_up": _("{name} got up."),
        "say_left": _("{name} left the table."),
        "say_dropped": _("{name} dropped."),
        "say_came_back": _("{name} is back."),
        "say_took_over": _("{name} sits down and plays on."),
        "say_continue": _("The match goes on."),
        "say_ruling": _("The referee decided: {ruling}. {reason}"),
        # Translators: a player's time is spent
        "say_clock": _("The time of {name} is up: the clock moves."),
        # Translators: n is 1, 2, 3 …
        "say_place": _("place {n}"),
        "say_points": _("{n} points if it ended now"),
        "say_ends": _("Left end {left}, right end {right}."),
    }
