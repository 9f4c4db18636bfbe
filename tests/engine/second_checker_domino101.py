"""The section *Domino 101*: the opening, the redeals, the market in pairs, seka and the 13 rule.

The standard library alone. An account is what a side has between two hands: main balance, drafts,
whether it is open, and the bank they all play for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.engine.second_checker_kraloyun import highest_double
from tests.engine.second_checker_shapes import Tile, is_double

Racks = list[list[Tile]]


# ------------------------------------------------------------------------ opening and redeals


def first_double(held: list[Tile]) -> Tile:
    """1-1, 2-2 … 6-6, then 0-0; without a double the tile that opens in Kraloyun."""
    for number in (1, 2, 3, 4, 5, 6, 0):
        if (number, number) in held:
            return (number, number)
    return highest_double(held)


def too_many_of_a_suit(racks: Racks) -> bool:
    """A rack with five or more tiles of one suit, its double not counted."""
    return any(
        sum(number in tile and not is_double(tile) for tile in rack) >= 5
        for rack in racks
        for number in range(7)
    )


def too_many_doubles(racks: Racks) -> bool:
    return any(sum(map(is_double, rack)) >= 5 for rack in racks)


def opponents_lack_the_suit(racks: Racks, opening: Tile | None) -> bool:
    """First hand at four: the side against the opening double's holder has none of its suit."""
    if opening is None or not is_double(opening) or len(racks) != 4:
        return False
    holder = next(seat for seat, rack in enumerate(racks) if opening in rack)
    opponents = racks[(holder + 1) % 4] + racks[(holder + 3) % 4]
    return not any(opening[0] in tile for tile in opponents)


def nobody_holds_a_double(racks: Racks) -> bool:
    return not any(is_double(tile) for rack in racks for tile in rack)


def draw_pairs(tiles: list[Tile], able: Callable[[list[Tile]], bool]) -> list[Tile]:
    """Two at a time, both even if the first fits, until able or nothing is left."""
    drawn: list[Tile] = []
    while len(drawn) < len(tiles) and not able(drawn):
        drawn += tiles[len(drawn) : len(drawn) + 2]
    return drawn


# -------------------------------------------------------------------------- the hand's end


def opponents_pips(results: list[int], winner: int) -> int:
    """All opponents' pips in full; the winner's own side counts for nobody."""
    return sum(result for side, result in enumerate(results) if side != winner)


@dataclass
class Accounts:
    """By side, between two hands."""

    totals: list[int]
    drafts: list[int]
    opened: list[bool]
    bank: int


def new_accounts(sides: int, opening_minimum: int) -> Accounts:
    """Closed until the 13 rule is met; without an opening minimum open from the start."""
    return Accounts([0] * sides, [0] * sides, [opening_minimum == 0] * sides, 0)


def copied(old: Accounts) -> Accounts:
    return Accounts(list(old.totals), list(old.drafts), list(old.opened), old.bank)


def credit(accounts: Accounts, side: int, amount: int) -> None:
    """To the main balance of an open account, to the drafts of a closed one."""
    if accounts.opened[side]:
        accounts.totals[side] += amount
    else:
        accounts.drafts[side] += amount


def seka(accounts: Accounts, results: list[int]) -> None:
    """The pips of all racks go into the bank."""
    accounts.bank += sum(results)


def pay_the_winner(
    accounts: Accounts,
    winner: int,
    won: int,
    opening_minimum: int,
    bank_opens_account: bool,
    drafts_on_opening: str,
) -> None:
    """The win with the bank on top; a win worth the minimum opens the account first."""
    worth = won + accounts.bank if bank_opens_account else won
    if not accounts.opened[winner] and worth >= opening_minimum:
        accounts.opened[winner] = True
        if drafts_on_opening == "keep":
            accounts.totals[winner] += accounts.drafts[winner]
        accounts.drafts[winner] = 0
    credit(accounts, winner, won + accounts.bank)
    accounts.bank = 0
