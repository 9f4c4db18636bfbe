"""The section *Common to all*: the line, playing, drawing, passing, going out and the lock.

A line is a list of pairs (left half, right half) as laid; the first tile lies with its high half
to the left. The standard library alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.engine.second_checker_aznif import score_of_placement, sum_of_ends
from tests.engine.second_checker_domino101 import draw_pairs
from tests.engine.second_checker_rulesets import Rules
from tests.engine.second_checker_shapes import (
    Tile,
    has_fields,
    is_number,
    is_text,
    is_tile,
    is_tiles,
    name_of,
    names_of,
    need,
    show,
)

Line = list[tuple[int, int]]


@dataclass
class Table:
    """A hand under way."""

    racks: list[list[Tile]]
    stock: list[Tile]
    turn: int
    line: Line = field(default_factory=list)
    fives: list[int] = field(default_factory=list)
    last_placer: int = -1


def play_hand(
    rules: Rules, place: str, table: Table, moves: list[Any], opening: Tile | None
) -> str | None:
    """The moves one by one; the hand ends by itself at the moment it is out or locked."""
    kind = None
    for i, move in enumerate(moves):
        where = f"{place}, move {i}"
        need(kind is None, where, "the hand has already ended")
        make_move(rules, where, table, move)
        if i == 0 and opening is not None:
            need(table.line == [opening], where, f"{name_of(opening)} must open")
        kind = how_it_ended(rules, table)
    return kind


# --------------------------------------------------------------------------------- the line


def fits(tile: Tile, line: Line) -> bool:
    """Any tile on an empty line; afterwards one that matches an end."""
    return not line or line[0][0] in tile or line[-1][1] in tile


def can_play(rack: Sequence[Tile], line: Line) -> bool:
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


# --------------------------------------------------------------------------------- the moves


def make_move(rules: Rules, place: str, table: Table, move: dict[str, Any]) -> None:
    """One recorded move, if it was this seat's to make."""
    kinds = [kind for kind in MOVES if type(move) is dict and kind in move]
    need(len(kinds) == 1, place, "it must be one of play, draw and pass")
    make, may = MOVES[kinds[0]]
    has_fields(place, move, must=("seat", kinds[0]), may=may)
    seat = is_number(place, move["seat"])
    need(seat == table.turn, place, f"it is the turn of seat {table.turn}, not of {seat}")
    make(rules, place, table, move)


def next_turn(table: Table) -> None:
    table.turn = (table.turn + 1) % len(table.racks)


def make_play(rules: Rules, place: str, table: Table, move: dict[str, Any]) -> None:
    tile = is_tile(place, move["play"])
    seat = table.turn
    need(tile in table.racks[seat], place, f"seat {seat} does not hold {name_of(tile)}")
    put_on_line(place, table.line, tile, move)
    table.racks[seat].remove(tile)
    table.last_placer = seat
    next_turn(table)
    check_scored(rules, place, table, move)


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


def check_scored(rules: Rules, place: str, table: Table, move: dict[str, Any]) -> None:
    """`scored` stands exactly where the placement scored."""
    said = "scored" in move
    if not rules["fives"]:
        need(not said, place, "nothing scores while playing by these rules")
        return
    score = score_of_placement(table.line)
    ends = sum_of_ends(table.line)
    need(said or score == 0, place, f"the ends make {ends}, but no score is recorded")
    need(score > 0 or not said, place, f"the ends make {ends}: nothing to score")
    if said:
        right = is_number(place, move["scored"]) == score
        need(right, place, f"the ends make {ends}, not {show(move['scored'])}")
    table.fives[table.last_placer] += score


def drawable(rules: Rules, stock: list[Tile]) -> list[Tile]:
    """What may be drawn: nothing without drawing, and never the reserve."""
    if rules["draw"] == "none":
        return []
    return stock[: len(stock) - rules["reserve"]]


def draw_until_playable(tiles: list[Tile], able: Callable[[list[Tile]], bool]) -> list[Tile]:
    """One at a time, until one fits or nothing is left."""
    drawn: list[Tile] = []
    while len(drawn) < len(tiles) and not able(drawn):
        drawn.append(tiles[len(drawn)])
    return drawn


DRAWING: dict[str, Callable[[list[Tile], Callable[[list[Tile]], bool]], list[Tile]]] = {
    "until_playable": draw_until_playable,
    "pairs": draw_pairs,
}


def make_draw(rules: Rules, place: str, table: Table, move: dict[str, Any]) -> None:
    """Only who cannot play draws, and then all that the rule set says, as one move."""
    seat = table.turn
    need(not can_play(table.racks[seat], table.line), place, f"seat {seat} could have played")
    tiles = drawable(rules, table.stock)
    need(bool(tiles), place, "nothing may be drawn")
    expected = DRAWING[rules["draw"]](tiles, lambda drawn: can_play(drawn, table.line))
    drawn = is_tiles(place, move["draw"])
    need(drawn == expected, place, f"the drawing is {names_of(expected)}, not {names_of(drawn)}")
    del table.stock[: len(expected)]
    table.racks[seat] += expected


def make_pass(rules: Rules, place: str, table: Table, move: dict[str, Any]) -> None:
    """Only who can neither play nor draw passes."""
    need(move["pass"] is True, place, "a pass is written as true")
    seat = table.turn
    need(not can_play(table.racks[seat], table.line), place, f"seat {seat} could have played")
    need(not drawable(rules, table.stock), place, f"seat {seat} could have drawn")
    next_turn(table)


Mover = Callable[[Rules, str, Table, dict[str, Any]], None]
MOVES: dict[str, tuple[Mover, Sequence[str]]] = {
    "play": (make_play, ("end", "scored")),
    "draw": (make_draw, ()),
    "pass": (make_pass, ()),
}


# ---------------------------------------------------------------------------- the hand's end


def how_it_ended(rules: Rules, table: Table) -> str | None:
    """Out before lock: a last tile that would also lock is going out."""
    if went_out(table):
        return "out"
    return "lock" if locked(rules, table) else None


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
