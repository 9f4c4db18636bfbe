"""A second, slow checker of match records (`domino-match/1`).

It judges a finished record from the rule book alone: the standard library, plain lists and tuples,
one function a rule, in the order in which a match is played. It is there to disagree with the
engine when the engine is wrong, so nothing of the project may enter: no import, no shared table,
no shared trick. Clarity wins over speed everywhere.

Known so far: Aznif. Another family enters as a line in PRESETS and, where it plays otherwise, as a
function in DRAWING, STARTING_TILE, HAND_SCORES or REDEAL_REASONS.

Tiles are pairs (high half, low half). A line is a list of pairs (left half, right half) as laid;
the first tile lies with its high half to the left. Hands and moves are numbered from 0, as
in the shuffle's purposes.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import reprlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn

Tile = tuple[int, int]
Line = list[tuple[int, int]]
Rules = dict[str, Any]

FORMAT = "domino-match/1"
ALL_TILES: list[Tile] = [(high, low) for high in range(7) for low in range(high + 1)]
TILE_OF: dict[str, Tile] = {f"{high}-{low}": (high, low) for high, low in ALL_TILES}
BIGGEST_NUMBER = 10**9
YES_OR_NO = (False, True)


class Refused(Exception):
    """The record breaks a rule; the text says where and why."""


class Match(NamedTuple):
    """What stays the same in every hand of the match."""

    rules: Rules
    seats: int
    partners: bool
    secret: bytes | None
    contributions: str


class Ending(NamedTuple):
    """How a hand ended: `out` or `lock`, who placed last, and each seat's score for the hand."""

    kind: str
    seat: int
    scores: list[int]


class Before(NamedTuple):
    """What a hand inherits: how the last one ended, who had started it, the totals by side."""

    ending: Ending | None
    starter: int
    totals: list[int]


@dataclass
class Table:
    """A hand under way."""

    racks: list[list[Tile]]
    stock: list[Tile]
    turn: int
    line: Line = field(default_factory=list)
    fives: list[int] = field(default_factory=list)
    last_placer: int = -1


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
    stake_is_the_number_of_hands(match, record["stake"])
    totals, finished = check_hands(match, record)
    if finished:
        check_result(match, record, totals)
    else:
        check_early_end(record)
    if "players" in record:
        check_players(match, record["players"], len(record["hands"]))


# ------------------------------------------------------------------ saying no, and plain shapes


def refuse(place: str, why: str) -> NoReturn:
    raise Refused(f"{place}: {why}")


def need(condition: bool, place: str, why: str) -> None:
    if not condition:
        refuse(place, why)


def show(value: object) -> str:
    """Any value, shortened, for a sentence."""
    try:
        return reprlib.repr(value)
    except ValueError:  # an integer of thousands of digits
        return "a very long number"


def same(value: object, expected: object) -> bool:
    """Equal and of the same type: True is not 1, and 1.0 is not 1."""
    return type(value) is type(expected) and value == expected


def has_fields(place: str, value: object, must: Sequence[str], may: Sequence[str] = ()) -> None:
    need(type(value) is dict, place, f"{show(value)} is not an object")
    assert isinstance(value, dict)
    for name in must:
        need(name in value, place, f"the field {name} is missing")
    for name in value:
        need(name in must or name in may, place, f"the field {show(name)} is not known")


def is_list(place: str, value: object, length: int | None = None) -> list[Any]:
    need(type(value) is list, place, f"{show(value)} is not a list")
    assert isinstance(value, list)
    need(length in (None, len(value)), place, f"{len(value)} entries where {length} belong")
    return value


def is_number(place: str, value: object) -> int:
    need(type(value) is int, place, f"{show(value)} is not a whole number")
    assert isinstance(value, int)
    need(abs(value) <= BIGGEST_NUMBER, place, "the number is far too big")
    return value


def is_numbers(place: str, value: object, length: int) -> list[int]:
    return [is_number(place, number) for number in is_list(place, value, length)]


def is_text(place: str, value: object) -> str:
    need(type(value) is str, place, f"{show(value)} is not a text")
    assert isinstance(value, str)
    return value


def is_tile(place: str, value: object) -> Tile:
    name = is_text(place, value)
    need(name in TILE_OF, place, f"{show(name)} is not a tile (high half first)")
    return TILE_OF[name]


def is_tiles(place: str, value: object, length: int | None = None) -> list[Tile]:
    return [is_tile(place, name) for name in is_list(place, value, length)]


def name_of(tile: Tile) -> str:
    return f"{tile[0]}-{tile[1]}"


def names_of(tiles: Sequence[Tile]) -> str:
    return " ".join(map(name_of, tiles)) or "nothing"


# ---------------------------------------------------------------------- the fields of a rule set

# Each field: the preset's own value, and the values a house rule set may put in its place.
# What rules.md marks with a dash is not listed, so setting it is refused.
PRESETS: dict[str, dict[str, tuple[Any, Sequence[Any]]]] = {
    "aznif": {
        "deal": (7, range(1, 8)),
        "hands": (11, range(1, 10_001)),
        "draw": ("until_playable", ("until_playable", "pairs", "none")),
        "reserve": (0, range(29)),
        "first_starter": ("lot", ("lot", "first_double", "highest_double")),
        "next_starter": ("went_out", ("went_out", "rotate", "highest_double")),
        "starter_after_lock": ("lot", ("lot", "rotate", "last_placer", "highest_double")),
        "forced_opening": ("no", ("no", "first", "always")),
        "no_double_redeals": (False, YES_OR_NO),
        "lock_waits_for_empty_stock": (False, YES_OR_NO),
        "fives": (True, YES_OR_NO),
        "hand_scoring": ("pip_loss", ("pip_loss",)),
        "locker_pays": (True, YES_OR_NO),
        "blank_pips": (0, range(10_001)),
        "opening_minimum": (0, (0,)),
    },
}


def the_match(record: dict[str, Any]) -> Match:
    """The frame of the match: rule set, seats, partners, proof."""
    preset = preset_of(record["ruleset"])
    seats = is_number("seats", record["seats"])
    need(seats in (2, 3, 4), "seats", f"{seats} seats: two, three or four can play")
    partners = record["partners"]
    need(type(partners) is bool, "partners", "it must be true or false")
    need(seats == 4 or not partners, "partners", "partners need four seats")
    rules = the_rules(preset, record["ruleset"])
    enough_tiles(rules, seats)
    secret, contributions = the_proof(record, seats)
    return Match(rules, seats, partners, secret, contributions)


def preset_of(ruleset: object) -> str:
    need(type(ruleset) is dict, "ruleset", f"{show(ruleset)} is not an object")
    assert isinstance(ruleset, dict)
    preset = is_text("ruleset", ruleset.get("preset"))
    need(preset in PRESETS, "ruleset", f"the preset {show(preset)} is not known here")
    return preset


def the_rules(preset: str, ruleset: dict[str, Any]) -> Rules:
    """The preset's values with the record's own in their place."""
    known = PRESETS[preset]
    length = "hands"  # Aznif takes no target and no number of wins
    has_fields("ruleset", ruleset, must=("preset", "deal", length), may=(*known, "version"))
    if "version" in ruleset:
        need(is_number("ruleset", ruleset["version"]) >= 1, "ruleset", "the version is below 1")
    for name, (usual, allowed) in known.items():
        value = ruleset.get(name, usual)
        fits = type(value) is type(usual) and value in allowed
        need(fits, "ruleset", f"{name} cannot be {show(value)}")
    return {name: ruleset.get(name, usual) for name, (usual, _) in known.items()}


def enough_tiles(rules: Rules, seats: int) -> None:
    """More tiles dealt than 28, and a reserve larger than the stock, are errors."""
    dealt = rules["deal"] * seats
    need(dealt <= 28, "ruleset", f"{dealt} tiles dealt, there are 28")
    need(rules["reserve"] <= 28 - dealt, "ruleset", "the reserve is larger than the stock")


def stake_is_the_number_of_hands(match: Match, stake: object) -> None:
    hands = match.rules["hands"]
    need(is_number("stake", stake) == hands, "stake", f"it must equal the {hands} hands")


# ------------------------------------------------------------------------------------ the shuffle


def the_proof(record: dict[str, Any], seats: int) -> tuple[bytes | None, str]:
    """The secret and the joined contributions, or no secret for a record without proof."""
    if "proof" not in record:
        return None, ""
    proof = record["proof"]
    has_fields("proof", proof, must=("secret", "commitment", "contributions"))
    secret = is_text("proof", proof["secret"])
    need(re.fullmatch("[0-9a-f]{64}", secret) is not None, "proof", "the secret is not 64 hex")
    given = is_list("proof", proof["contributions"], seats)
    for text in given:
        fits = re.fullmatch("[0-9a-fA-F]{0,64}", is_text("proof", text)) is not None
        need(fits, "proof", "a contribution is not at most 64 hex digits")
    commitment = hashlib.sha256(bytes.fromhex(secret)).hexdigest()
    kept = same(proof["commitment"], commitment)
    need(kept, "proof", "the commitment is not the SHA-256 of the secret")
    return bytes.fromhex(secret), ",".join(given)


def stream(secret: bytes, purpose: str, contributions: str) -> Iterator[int]:
    """The endless row of 32-bit numbers that the secret gives for one purpose."""
    block = 0
    while True:
        message = f"ayaz/1|{purpose}|{contributions}|{block}".encode("ascii")
        digest = hmac.new(secret, message, hashlib.sha256).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def below(n: int, numbers: Iterator[int]) -> int:
    limit = 2**32 - 2**32 % n
    number = next(numbers)
    while number >= limit:
        number = next(numbers)
    return number % n


def shuffled(secret: bytes, purpose: str, contributions: str) -> list[Tile]:
    numbers = stream(secret, purpose, contributions)
    tiles = list(ALL_TILES)
    for i in range(27, 0, -1):
        j = below(i + 1, numbers)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    return tiles


def lot(match: Match, hand: int) -> int | None:
    """The seat that the lot names, or None where no proof tells."""
    if match.secret is None:
        return None
    return below(match.seats, stream(match.secret, f"starter:{hand}", match.contributions))


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


def nobody_holds_a_double(match: Match, number: int, racks: list[list[Tile]]) -> bool:
    """`no_double_redeals`, in the first hand."""
    if number > 0 or not match.rules["no_double_redeals"]:
        return False
    return not any(is_double(tile) for rack in racks for tile in rack)


REDEAL_REASONS: dict[str, Callable[[Match, int, list[list[Tile]]], bool]] = {
    "no-double": nobody_holds_a_double,
}


def reasons_to_redeal(match: Match, number: int, racks: list[list[Tile]]) -> list[str]:
    return [name for name, holds in REDEAL_REASONS.items() if holds(match, number, racks)]


# ------------------------------------------------------------------------------------ who starts


def is_double(tile: Tile) -> bool:
    return tile[0] == tile[1]


def highest_double(held: list[Tile]) -> Tile:
    """6-6 down to 0-0; without a double the tile with most pips, then the higher half."""
    doubles = [tile for tile in held if is_double(tile)]
    return max(doubles) if doubles else max(held, key=lambda tile: (sum(tile), tile[0]))


def first_double(held: list[Tile]) -> Tile:
    """1-1, 2-2 … 6-6, then 0-0; without a double the tile that opens for `highest_double`."""
    for number in (1, 2, 3, 4, 5, 6, 0):
        if (number, number) in held:
            return (number, number)
    return highest_double(held)


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
    return lot(match, number)


def forced_tile(match: Match, number: int, before: Before, racks: list[list[Tile]]) -> Tile | None:
    """`forced_opening`: the tile that named the starter must open."""
    forced = match.rules["forced_opening"]
    if forced == "always" or (forced == "first" and number == 0):
        return starting_tile(way_to_start(match, before), racks)
    return None


# ------------------------------------------------------------------------------------- the moves


def fits(tile: Tile, line: Line) -> bool:
    """Any tile on an empty line; afterwards one that matches an end."""
    return not line or line[0][0] in tile or line[-1][1] in tile


def can_play(rack: list[Tile], line: Line) -> bool:
    return any(fits(tile, line) for tile in rack)


def place_left(place: str, line: Line, tile: Tile) -> None:
    end = line[0][0]
    need(end in tile, place, f"{name_of(tile)} does not match the left end, {end}")
    other = tile[0] if tile[1] == end else tile[1]
    line.insert(0, (other, end))


def place_right(place: str, line: Line, tile: Tile) -> None:
    end = line[-1][1]
    need(end in tile, place, f"{name_of(tile)} does not match the right end, {end}")
    other = tile[0] if tile[1] == end else tile[1]
    line.append((end, other))


def sum_of_ends(line: Line) -> int:
    """A lone tile counts its pips once; later a double at an end counts both its halves."""
    if len(line) == 1:
        return sum(line[0])
    left = sum(line[0]) if is_double(line[0]) else line[0][0]
    right = sum(line[-1]) if is_double(line[-1]) else line[-1][1]
    return left + right


def score_of_placement(rules: Rules, line: Line) -> int:
    """`fives`: 5, 10, 15 or 20 at the ends score that sum, anything else nothing."""
    total = sum_of_ends(line)
    return total if rules["fives"] and total in (5, 10, 15, 20) else 0


def drawable(rules: Rules, stock: list[Tile]) -> list[Tile]:
    """What may be drawn: nothing without drawing, and never the reserve."""
    if rules["draw"] == "none":
        return []
    return stock[: len(stock) - rules["reserve"]]


def draw_until_playable(tiles: list[Tile], line: Line) -> list[Tile]:
    """One at a time, until one fits or nothing is left."""
    drawn: list[Tile] = []
    for tile in tiles:
        drawn.append(tile)
        if fits(tile, line):
            break
    return drawn


def draw_pairs(tiles: list[Tile], line: Line) -> list[Tile]:
    """Two at a time, both even if the first fits, until able or nothing is left."""
    drawn: list[Tile] = []
    while len(drawn) < len(tiles) and not can_play(drawn, line):
        drawn += tiles[len(drawn) : len(drawn) + 2]
    return drawn


DRAWING: dict[str, Callable[[list[Tile], Line], list[Tile]]] = {
    "until_playable": draw_until_playable,
    "pairs": draw_pairs,
}


def make_move(match: Match, place: str, table: Table, move: dict[str, Any]) -> None:
    """One recorded move, if it was this seat's to make."""
    kinds = [kind for kind in MOVES if type(move) is dict and kind in move]
    need(len(kinds) == 1, place, "it must be one of play, draw and pass")
    make, may = MOVES[kinds[0]]
    has_fields(place, move, must=("seat", kinds[0]), may=may)
    seat = is_number(place, move["seat"])
    need(seat == table.turn, place, f"it is the turn of seat {table.turn}, not of {seat}")
    make(match, place, table, move)


def make_play(match: Match, place: str, table: Table, move: dict[str, Any]) -> None:
    tile = is_tile(place, move["play"])
    seat = table.turn
    need(tile in table.racks[seat], place, f"seat {seat} does not hold {name_of(tile)}")
    put_on_line(place, table.line, tile, move)
    table.racks[seat].remove(tile)
    table.last_placer = seat
    table.turn = (seat + 1) % match.seats
    check_scored(match, place, table, move)


def put_on_line(place: str, line: Line, tile: Tile, move: dict[str, Any]) -> None:
    """The first tile names no end; every later one does."""
    if not line:
        need("end" not in move, place, "the first tile goes on an empty line and has no end")
        line.append(tile)
        return
    need("end" in move, place, "the end is missing")
    end = is_text(place, move["end"])
    need(end in ("L", "R"), place, f"the end is L or R, not {show(end)}")
    if end == "L":
        place_left(place, line, tile)
    else:
        place_right(place, line, tile)


def check_scored(match: Match, place: str, table: Table, move: dict[str, Any]) -> None:
    """`scored` stands exactly where the placement scored."""
    score = score_of_placement(match.rules, table.line)
    said = "scored" in move
    ends = sum_of_ends(table.line)
    need(said or score == 0, place, f"the ends make {ends}, but no score is recorded")
    need(score > 0 or not said, place, f"the ends make {ends}: nothing to score")
    if said:
        right = is_number(place, move["scored"]) == score
        need(right, place, f"the ends make {ends}, not {show(move['scored'])}")
    table.fives[table.last_placer] += score


def make_draw(match: Match, place: str, table: Table, move: dict[str, Any]) -> None:
    """Only who cannot play draws, and then all that the rule set says, as one move."""
    seat = table.turn
    need(not can_play(table.racks[seat], table.line), place, f"seat {seat} could have played")
    tiles = drawable(match.rules, table.stock)
    need(bool(tiles), place, "nothing may be drawn")
    expected = DRAWING[match.rules["draw"]](tiles, table.line)
    drawn = is_tiles(place, move["draw"])
    need(drawn == expected, place, f"the drawing is {names_of(expected)}, not {names_of(drawn)}")
    del table.stock[: len(expected)]
    table.racks[seat] += expected


def make_pass(match: Match, place: str, table: Table, move: dict[str, Any]) -> None:
    """Only who can neither play nor draw passes."""
    need(move["pass"] is True, place, "a pass is written as true")
    seat = table.turn
    need(not can_play(table.racks[seat], table.line), place, f"seat {seat} could have played")
    need(not drawable(match.rules, table.stock), place, f"seat {seat} could have drawn")
    table.turn = (seat + 1) % match.seats


Mover = Callable[[Match, str, Table, dict[str, Any]], None]
MOVES: dict[str, tuple[Mover, Sequence[str]]] = {
    "play": (make_play, ("end", "scored")),
    "draw": (make_draw, ()),
    "pass": (make_pass, ()),
}


# ----------------------------------------------------------------------------------- the hand's end


def went_out(table: Table) -> bool:
    return table.last_placer >= 0 and not table.racks[table.last_placer]


def locked(rules: Rules, table: Table) -> bool:
    """No rack holds a playable tile, and no drawable tile is playable (or none is left)."""
    if not table.line or any(can_play(rack, table.line) for rack in table.racks):
        return False
    left = drawable(rules, table.stock)
    if rules["lock_waits_for_empty_stock"]:
        return not left
    return not can_play(left, table.line)


def how_it_ended(match: Match, table: Table) -> Ending | None:
    """Out before lock: a last tile that would also lock is going out."""
    for kind, ended in (("out", went_out(table)), ("lock", locked(match.rules, table))):
        if ended:
            score = HAND_SCORES[match.rules["hand_scoring"]]
            return Ending(kind, table.last_placer, score(match.rules, kind, table))
    return None


def pips_left(rules: Rules, rack: list[Tile]) -> int:
    return sum(rules["blank_pips"] if tile == (0, 0) else sum(tile) for tile in rack)


def pip_loss(rules: Rules, kind: str, table: Table) -> list[int]:
    """Everybody loses the pips left, after a lock the one who locked only if `locker_pays`."""
    scores = []
    for seat, rack in enumerate(table.racks):
        spared = kind == "lock" and seat == table.last_placer and not rules["locker_pays"]
        scores.append(table.fives[seat] - (0 if spared else pips_left(rules, rack)))
    return scores


HAND_SCORES: dict[str, Callable[[Rules, str, Table], list[int]]] = {"pip_loss": pip_loss}


def by_side(match: Match, seats: list[int]) -> list[int]:
    """Alone a side is a seat; partners sit at 0 and 2 against 1 and 3."""
    if match.partners:
        return [seats[0] + seats[2], seats[1] + seats[3]]
    return list(seats)


def check_outcome(
    match: Match, place: str, outcome: object, ending: Ending, totals: list[int]
) -> None:
    has_fields(place, outcome, must=("kind", "seat", "winner", "scores", "totals"))
    assert isinstance(outcome, dict)
    need(same(outcome["kind"], ending.kind), place, f"the hand ended by {ending.kind}")
    need(same(outcome["seat"], ending.seat), place, f"seat {ending.seat} placed last")
    need(outcome["winner"] is None, place, "a hand of Aznif has no winner")
    for name, right in (("scores", by_side(match, ending.scores)), ("totals", totals)):
        numbers = is_numbers(f"{place}, {name}", outcome[name], len(right))
        need(numbers == right, place, f"the {name} are {right}, not {numbers}")


# ---------------------------------------------------------------------------------------- the match


def check_hands(match: Match, record: dict[str, Any]) -> tuple[list[int], bool]:
    """Every hand in order; returns the totals by side and whether the match was played out."""
    hands = is_list("hands", record["hands"])
    last = match.rules["hands"]
    need(len(hands) <= last, "hands", f"{len(hands)} hands in a match of {last}")
    before = Before(None, -1, by_side(match, [0] * match.seats))
    for number, hand in enumerate(hands):
        may_break_off = record["result"] is None and number == len(hands) - 1
        before = check_hand(match, number, hand, before, may_break_off)
    return before.totals, len(hands) == last and before.ending is not None


def check_hand(
    match: Match, number: int, hand: dict[str, Any], before: Before, may_break_off: bool
) -> Before:
    """One hand from its deal to its outcome; returns what the next one inherits."""
    place = f"hand {number}"
    has_fields(place, hand, must=("racks", "stock", "starter", "moves"), may=("redeals", "outcome"))
    racks, stock = check_deals(match, place, number, hand)
    starter = is_number(f"{place}, starter", hand["starter"])
    check_starter(match, place, starter, must_start(match, number, before, racks))
    opening = forced_tile(match, number, before, racks)
    table = Table(racks, stock, starter, fives=[0] * match.seats)
    ending = play_hand(match, place, table, is_list(place, hand["moves"]), opening)
    if ending is None:
        need(may_break_off, place, "the moves stop before the hand ends")
        need("outcome" not in hand, place, "an outcome, but the hand has not ended")
        return Before(None, starter, before.totals)
    totals = added(before.totals, by_side(match, ending.scores))
    need("outcome" in hand, place, "the hand has ended, but its outcome is missing")
    check_outcome(match, f"{place}, outcome", hand["outcome"], ending, totals)
    return Before(ending, starter, totals)


def added(totals: list[int], scores: list[int]) -> list[int]:
    return [old + new for old, new in zip(totals, scores, strict=True)]


def check_starter(match: Match, place: str, starter: int, expected: int | None) -> None:
    need(0 <= starter < match.seats, place, f"there is no seat {starter} to start")
    need(expected in (None, starter), place, f"seat {expected} starts, not {starter}")


def play_hand(
    match: Match, place: str, table: Table, moves: list[Any], opening: Tile | None
) -> Ending | None:
    """The moves one by one; the hand ends by itself at the moment it is out or locked."""
    ending = None
    for i, move in enumerate(moves):
        where = f"{place}, move {i}"
        need(ending is None, where, "the hand has already ended")
        make_move(match, where, table, move)
        if i == 0 and opening is not None:
            need(table.line == [opening], where, f"{name_of(opening)} must open")
        ending = how_it_ended(match, table)
    return ending


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
    seat_scores = [totals[seat % 2] for seat in range(4)] if match.partners else totals
    places = places_of(seat_scores)
    points = points_of_partners if match.partners else points_alone
    stake = record["stake"]
    for name, right in (("scores", totals), ("places", places), ("points", points(places, stake))):
        numbers = is_numbers(f"result, {name}", result[name], len(right))
        need(numbers == right, "result", f"the {name} are {right}, not {numbers}")


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
    need(type(stint["id"]) in (int, str, type(None)), place, "the id is not a number or a text")
    is_text(place, stint["name"])
    how = any(same(stint["how"], word) for word in ("start", "substitute", "bot"))
    need(how, place, f"{show(stint['how'])} is no way to sit down")
    left = any(same(stint["left"], word) for word in ("voluntary", "dropped", None))
    need(left, place, f"{show(stint['left'])} is no way to leave")
    begun = is_number(place, stint["from_hand"])
    need(0 <= begun <= max(0, hands - 1), place, f"there is no hand {begun}")
    return begun
