"""A second, slow checker of match records (`domino-match/1`).

It judges a finished record from the rule book alone: the standard library, plain lists and tuples,
one function a rule, in the order in which a match is played. It is there to disagree with the
engine when the engine is wrong, so nothing of the project may enter: no import, no shared table,
no shared trick. Clarity wins over speed everywhere.

Here stands the frame that every match has; beside it, in files of the same name: the shapes, the
table of fields, the shuffle, the play common to all, and a file for what each family brought in.
A house rule set may mix what the families brought, so a field's value names the function, never
the preset. Hands and moves are numbered from 0, as in the shuffle's purposes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.engine.second_checker_aznif import pip_loss, pips_left
from tests.engine.second_checker_domino101 import (
    Accounts,
    copied,
    credit,
    first_double,
    new_accounts,
    nobody_holds_a_double,
    opponents_lack_the_suit,
    opponents_pips,
    pay_the_winner,
    seka,
    too_many_doubles,
    too_many_of_a_suit,
)
from tests.engine.second_checker_kraloyun import highest_double, one_win
from tests.engine.second_checker_play import Table, play_hand
from tests.engine.second_checker_rulesets import Rules, preset_of, seats_of, the_rules
from tests.engine.second_checker_shapes import (
    ALL_TILES,
    Refused,
    Tile,
    has_fields,
    is_list,
    is_number,
    is_numbers,
    is_text,
    is_tiles,
    need,
    same,
    show,
)
from tests.engine.second_checker_shuffle import lot, shuffled, the_proof
from tests.engine.second_checker_vip import difference, winner_of_hand

__all__ = ["Refused", "check"]

FORMAT = "domino-match/1"
LONGEST_TO_A_GOAL = 500
STAKES = range(1, 10_001)
LARGEST_ID = 10**15 - 1


class Match(NamedTuple):
    """What stays the same in every hand of the match."""

    rules: Rules
    seats: int
    partners: bool
    secret: bytes | None
    contributions: str


class Ending(NamedTuple):
    """How a hand ended: `out` or `lock`, who placed last, and the side that won, if one did."""

    kind: str
    seat: int
    winner: int | None


class Before(NamedTuple):
    """What a hand inherits: the last one's end and starter, the accounts, the hands won by side."""

    ending: Ending | None
    starter: int
    accounts: Accounts
    wins: list[int]


def check(record: dict[str, Any]) -> None:
    """Hold the record against the rules; raise `Refused` for the first thing that breaks one.

    The record is one JSON object already parsed (what only the text can show, such as a key
    written twice, is not judged here).
    """
    has_fields(
        "record",
        record,
        must=("format", "ruleset", "seats", "partners", "stake", "hands", "result"),
        may=("proof", "ended", "players"),
    )
    need(same(record["format"], FORMAT), "record", f"the format is not {FORMAT}")
    match = the_match(record)
    check_stake(match, record["stake"])
    totals, finished = check_hands(match, record)
    if finished:
        check_result(match, record, totals)
    else:
        check_early_end(record)
    if "players" in record:
        check_players(match, record["players"], len(record["hands"]))


def the_match(record: dict[str, Any]) -> Match:
    """The frame of the match: rule set, seats, partners, proof."""
    preset = preset_of(record["ruleset"])
    seats, partners = seats_of(preset, record)
    rules = the_rules(preset, seats, record["ruleset"])
    secret, contributions = the_proof(record, seats)
    return Match(rules, seats, partners, secret, contributions)


def check_stake(match: Match, stake: object) -> None:
    """Aznif: its number of hands; elsewhere the organizer's number."""
    number = is_number("stake", stake)
    if match.rules["preset"] == "aznif":
        hands = match.rules["goal"]
        need(number == hands, "stake", f"it must equal the {hands} hands")
    need(number in STAKES, "stake", f"{number} is not from 1 to 10,000")


def by_side(match: Match, seats: list[int]) -> list[int]:
    """Alone a side is a seat; partners sit at 0 and 2 against 1 and 3."""
    if match.partners:
        return [seats[0] + seats[2], seats[1] + seats[3]]
    return list(seats)


def side_of(match: Match, seat: int) -> int:
    return seat % 2 if match.partners else seat


# --------------------------------------------------------------------------------------- the deal


def the_deal(
    match: Match, place: str, deal: dict[str, Any], purpose: str
) -> tuple[list[list[Tile]], list[Tile]]:
    """Racks and stock: 28 different tiles, and those that the secret gives."""
    racks = [
        is_tiles(f"{place}, rack {seat}", rack, match.rules["deal"])
        for seat, rack in enumerate(is_list(f"{place}, racks", deal["racks"], match.seats))
    ]
    stock = is_tiles(f"{place}, stock", deal["stock"], 28 - match.seats * match.rules["deal"])
    order = [tile for rack in racks for tile in rack] + stock
    need(sorted(order) == ALL_TILES, place, "the deal is not the 28 different tiles")
    if match.secret is not None:
        follows = order == shuffled(match.secret, purpose, match.contributions)
        need(follows, place, f"the deal does not follow from the secret ({purpose})")
    return racks, stock


def check_deals(
    match: Match, place: str, number: int, hand: dict[str, Any]
) -> tuple[list[list[Tile]], list[Tile]]:
    """The deal that was played, after those that had to be refused."""
    attempt = check_redeals(match, place, number, hand)
    racks, stock = the_deal(match, place, hand, f"deal:{number}:{attempt}")
    reasons = reasons_to_redeal(match, number, racks)
    need(not reasons, place, f"the deal had to be refused: {' '.join(reasons)}")
    return racks, stock


def check_redeals(match: Match, place: str, number: int, hand: dict[str, Any]) -> int:
    """Every refused deal had its reason; returns how many there were."""
    redeals = is_list(f"{place}, redeals", hand.get("redeals", []))
    for attempt, redeal in enumerate(redeals):
        where = f"{place}, redeal {attempt}"
        has_fields(where, redeal, must=("racks", "stock", "reason"))
        racks, _ = the_deal(match, where, redeal, f"deal:{number}:{attempt}")
        reason = is_text(where, redeal["reason"])
        need(reason in reasons_to_redeal(match, number, racks), where, "its reason does not hold")
    return len(redeals)


def reasons_to_redeal(match: Match, number: int, racks: list[list[Tile]]) -> list[str]:
    """Suit and doubles in every hand of Domino 101, the other two in a first hand alone."""
    of_101 = match.rules["preset"] == "domino101"
    reasons = {
        "suit": of_101 and too_many_of_a_suit(racks),
        "doubles": of_101 and too_many_doubles(racks),
    }
    if number == 0:
        opening = forced_tile(match, number, match.rules["first_starter"], racks)
        reasons["opponents"] = of_101 and opponents_lack_the_suit(racks, opening)
        no_double = match.rules["no_double_redeals"] and nobody_holds_a_double(racks)
        reasons["no-double"] = no_double
    return [reason for reason, holds in reasons.items() if holds]


# ------------------------------------------------------------------------------------ who starts

STARTING_TILE: dict[str, Callable[[list[Tile]], Tile]] = {
    "highest_double": highest_double,
    "first_double": first_double,
}


def way_to_start(match: Match, before: Before) -> str:
    if before.ending is None:
        return str(match.rules["first_starter"])
    name = "next_starter" if before.ending.kind == "out" else "starter_after_lock"
    return str(match.rules[name])


def starting_tile(way: str, racks: list[list[Tile]]) -> Tile | None:
    """The tile whose holder starts, where the way to start looks at tiles."""
    if way not in STARTING_TILE:
        return None
    return STARTING_TILE[way]([tile for rack in racks for tile in rack])


def must_start(match: Match, number: int, before: Before, racks: list[list[Tile]]) -> int | None:
    """The seat that must start; None if only an unproved lot decides."""
    way = way_to_start(match, before)
    tile = starting_tile(way, racks)
    if tile is not None:
        return next(seat for seat, rack in enumerate(racks) if tile in rack)
    if way == "rotate":
        return (before.starter + 1) % match.seats
    if way in ("went_out", "last_placer"):
        assert before.ending is not None
        return before.ending.seat
    if match.secret is None:
        return None
    return lot(match.secret, number, match.seats, match.contributions)


def forced_tile(match: Match, number: int, way: str, racks: list[list[Tile]]) -> Tile | None:
    """`forced_opening`: the tile that named the starter must open."""
    forced = match.rules["forced_opening"]
    if forced == "always" or (forced == "first" and number == 0):
        return starting_tile(way, racks)
    return None


def check_starter(match: Match, place: str, starter: int, expected: int | None) -> None:
    need(0 <= starter < match.seats, place, f"there is no seat {starter} to start")
    need(expected in (None, starter), place, f"seat {expected} starts, not {starter}")


# ------------------------------------------------------------------------------------- the hands


def check_hands(match: Match, record: dict[str, Any]) -> tuple[list[int], bool]:
    """Every hand in order; returns the totals by side and whether the match was played out."""
    hands = is_list("hands", record["hands"])
    most = match.rules["goal"] if match.rules["length"] == "hands" else LONGEST_TO_A_GOAL
    need(len(hands) <= most, "hands", f"{len(hands)} hands in a match of {most}")
    sides = len(by_side(match, [0] * match.seats))
    accounts = new_accounts(sides, match.rules["opening_minimum"])
    before, over = Before(None, -1, accounts, [0] * sides), False
    for number, hand in enumerate(hands):
        need(not over, f"hand {number}", f"the match was over after {number} hands")
        may_break_off = record["result"] is None and number == len(hands) - 1
        before = check_hand(match, number, hand, before, may_break_off)
        over = before.ending is not None and match_is_over(match, number + 1, before)
    return before.accounts.totals, over


def match_is_over(match: Match, played: int, before: Before) -> bool:
    """Looked at when a hand has ended. Two sides level above the target play on."""
    length, goal = match.rules["length"], int(match.rules["goal"])
    if length == "hands":
        return played == goal
    if played == LONGEST_TO_A_GOAL:
        return True
    if length == "wins":
        return max(before.wins) >= goal
    highest = max(before.accounts.totals)
    return highest >= goal and before.accounts.totals.count(highest) == 1


def check_hand(
    match: Match, number: int, hand: dict[str, Any], before: Before, may_break_off: bool
) -> Before:
    """One hand from its deal to its outcome; returns what the next one inherits."""
    place = f"hand {number}"
    has_fields(place, hand, must=("racks", "stock", "starter", "moves"), may=("redeals", "outcome"))
    racks, stock = check_deals(match, place, number, hand)
    starter = is_number(f"{place}, starter", hand["starter"])
    check_starter(match, place, starter, must_start(match, number, before, racks))
    opening = forced_tile(match, number, way_to_start(match, before), racks)
    table = Table(racks, stock, starter, fives=[0] * match.seats)
    kind = play_hand(match.rules, place, table, is_list(place, hand["moves"]), opening)
    if kind is None:
        need(may_break_off, place, "the moves stop before the hand ends")
        need("outcome" not in hand, place, "an outcome, but the hand has not ended")
        return Before(None, starter, before.accounts, before.wins)
    need("outcome" in hand, place, "the hand has ended, but its outcome is missing")
    after = settle(match, kind, table, before)
    check_outcome(match, f"{place}, outcome", hand["outcome"], before, after)
    return after._replace(starter=starter)


# -------------------------------------------------------------------------------- the hand's end

HAND_SCORES: dict[str, Callable[[list[int], int], int]] = {
    "difference": difference,
    "opponents_pips": opponents_pips,
    "one_win": one_win,
}


def settle(match: Match, kind: str, table: Table, before: Before) -> Before:
    """What the hand leaves behind. What was scored while playing comes before its end."""
    accounts, wins = copied(before.accounts), list(before.wins)
    for side, score in enumerate(by_side(match, table.fives)):
        credit(accounts, side, score)
    pips = [pips_left(rack, match.rules["blank_pips"]) for rack in table.racks]
    if match.rules["hand_scoring"] == "pip_loss":
        losses = pip_loss(kind, table.last_placer, pips, match.rules["locker_pays"])
        accounts.totals = added(accounts.totals, by_side(match, losses))
        return Before(Ending(kind, table.last_placer, None), -1, accounts, wins)
    results = by_side(match, pips)
    placer = side_of(match, table.last_placer)
    winner = winner_of_hand(kind, placer, results, match.rules["going_out_wins"])
    if winner is not None:
        wins[winner] += 1
        pay(match.rules, accounts, winner, results)
    elif kind == "lock" and match.rules["lock_tie"] == "seka":
        seka(accounts, results)
    return Before(Ending(kind, table.last_placer, winner), -1, accounts, wins)


def pay(rules: Rules, accounts: Accounts, winner: int, results: list[int]) -> None:
    """What the hand is worth, by its scoring; where accounts are always open no rule opens them."""
    won = HAND_SCORES[rules["hand_scoring"]](results, winner)
    bank_opens = rules.get("bank_opens_account", True)
    on_opening = rules.get("drafts_on_opening", "keep")
    pay_the_winner(accounts, winner, won, rules["opening_minimum"], bank_opens, on_opening)


def added(totals: list[int], scores: list[int]) -> list[int]:
    return [old + new for old, new in zip(totals, scores, strict=True)]


def check_outcome(match: Match, place: str, outcome: object, before: Before, after: Before) -> None:
    has_accounts = match.rules["opening_minimum"] > 0
    more = ("drafts", "open", "bank") if has_accounts else ()
    has_fields(place, outcome, ("kind", "seat", "winner", "scores", "totals", *more))
    assert isinstance(outcome, dict)
    assert after.ending is not None
    kind, seat, winner = after.ending
    need(same(outcome["kind"], kind), place, f"the hand ended by {kind}")
    need(same(outcome["seat"], seat), place, f"seat {seat} placed last")
    won = "nobody wins" if winner is None else f"side {winner} wins"
    need(same(outcome["winner"], winner), place, f"{won} the hand")
    old, new = before.accounts.totals, after.accounts.totals
    check_numbers(place, "scores", outcome["scores"], added(new, [-total for total in old]))
    check_numbers(place, "totals", outcome["totals"], new)
    if has_accounts:
        check_accounts(place, outcome, after.accounts)


def check_numbers(place: str, name: str, value: object, right: list[int]) -> None:
    numbers = is_numbers(f"{place}, {name}", value, len(right))
    need(numbers == right, place, f"the {name} are {right}, not {numbers}")


def check_accounts(place: str, outcome: dict[str, Any], accounts: Accounts) -> None:
    """Drafts, open accounts and the bank, after the hand."""
    check_numbers(place, "drafts", outcome["drafts"], accounts.drafts)
    said = is_list(f"{place}, open", outcome["open"], len(accounts.opened))
    right = all(same(given, opened) for given, opened in zip(said, accounts.opened, strict=True))
    need(right, place, f"the open accounts are {accounts.opened}, not {show(said)}")
    bank = is_number(f"{place}, bank", outcome["bank"])
    need(bank == accounts.bank, place, f"the bank is {accounts.bank}, not {bank}")


# ------------------------------------------------------------------------- the result of the match


def places_of(scores: list[int]) -> list[int]:
    """1 + the number of seats with a higher score."""
    return [1 + sum(other > score for other in scores) for score in scores]


def placement_points(seats: int, stake: int) -> list[int]:
    """What each place is worth to somebody who plays alone."""
    half = stake // 2
    return {4: [stake, half, -half, -stake], 3: [stake, 0, -stake], 2: [stake, -stake]}[seats]


def toward_zero(total: int, by: int) -> int:
    share = abs(total) // by
    return share if total >= 0 else -share


def points_alone(places: list[int], stake: int) -> list[int]:
    """Tied seats share the sum of the places they cover, truncated toward zero."""
    worth = placement_points(len(places), stake)
    points = []
    for place in places:
        tied = places.count(place)
        points.append(toward_zero(sum(worth[place - 1 : place - 1 + tied]), tied))
    return points


def points_of_partners(places: list[int], stake: int) -> list[int]:
    """+N for each of the higher pair, −N for each of the lower; equal pairs 0."""
    if places == [1, 1, 1, 1]:
        return [0, 0, 0, 0]
    return [stake if place == 1 else -stake for place in places]


def check_result(match: Match, record: dict[str, Any], totals: list[int]) -> None:
    result = record["result"]
    need("ended" not in record, "result", "the match was played out, yet it says how it ended")
    has_fields("result", result, must=("scores", "places", "points"))
    seat_scores = [totals[side_of(match, seat)] for seat in range(match.seats)]
    places = places_of(seat_scores)
    points = points_of_partners if match.partners else points_alone
    stake = record["stake"]
    for name, right in (("scores", totals), ("places", places), ("points", points(places, stake))):
        check_numbers("result", name, result[name], right)


def check_early_end(record: dict[str, Any]) -> None:
    """Abandoned or ended by decision: no result, and it says which."""
    played = len(record["hands"])
    need(record["result"] is None, "hands", f"a result after {played} hands, but more must follow")
    ended = record.get("ended")
    said = any(same(ended, word) for word in ("abandoned", "decision"))
    need(said, "result", "a match without a result was abandoned or ended by decision")


# --------------------------------------------------------------------------------- who sat there


def check_players(match: Match, players: object, hands: int) -> None:
    """By seat the stints in order; only their form is judged, the rules do not need them."""
    for seat, stints in enumerate(is_list("players", players, match.seats)):
        place = f"players, seat {seat}"
        begun = [check_stint(place, stint, hands) for stint in is_list(place, stints)]
        need(bool(begun), place, "nobody ever sat there")
        need(begun == sorted(begun) and begun[0] == 0, place, "the stints are not in order")


def check_stint(place: str, stint: dict[str, Any], hands: int) -> int:
    has_fields(place, stint, must=("id", "name", "from_hand", "how", "left"))
    check_id(place, stint["id"])
    is_text(place, stint["name"])
    how = any(same(stint["how"], word) for word in ("start", "substitute", "bot"))
    need(how, place, f"{show(stint['how'])} is no way to sit down")
    left = any(same(stint["left"], word) for word in ("voluntary", "dropped", None))
    need(left, place, f"{show(stint['left'])} is no way to leave")
    begun = is_number(place, stint["from_hand"])
    # A substitute may have sat down after the last hand that was played.
    need(0 <= begun <= hands, place, f"there is no hand {begun}")
    return begun


def check_id(place: str, value: object) -> None:
    """A number, a text, or nothing."""
    if type(value) is str:
        is_text(place, value)
    elif value is not None:
        need(type(value) is int, place, "the id is not a number or a text")
        need(value in range(-LARGEST_ID, LARGEST_ID + 1), place, "the id is far too big")
