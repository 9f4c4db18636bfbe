"""What a placement and a hand's end score, and what places and points a match's end gives.

Pure arithmetic over scores and masks; who sat in a seat is not known here.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from engine.accounts import Accounts
from engine.events import OutcomeKind, Scores
from engine.line import Ends
from engine.rulesets import HandScoring, LengthKind, LockTie, PlacementScore, Ruleset, Terms
from engine.tiles import Tile, pips_in


class MatchResult(NamedTuple):
    """A match's end: scores by side; places (1 the best) and points by seat.

    See `match_result` and rules.md, From matches to points.
    """

    scores: Scores
    places: Scores
    points: Scores


def fives(tile: Tile, ends: Ends) -> int:
    """Score the sum of both ends if it is 5, 10, 15 or 20 (rules.md, Aznif).

    >>> from engine.line import ends_after
    >>> fives(Tile(5, 5), ends_after([(Tile(5, 5), None)]))
    10
    """
    return ends.sum if ends.sum in (5, 10, 15, 20) else 0


def unscored(tile: Tile, ends: Ends) -> int:
    """Score nothing.

    >>> from engine.line import ends_after
    >>> unscored(Tile(5, 5), ends_after([(Tile(5, 5), None)]))
    0
    """
    return 0


def placement_score(ruleset: Ruleset) -> PlacementScore:
    """Give the function that scores a rule set's placements: the family's own or by `fives`.

    >>> from engine.rulesets import preset
    >>> placement_score(preset("aznif")) is fives
    True
    """
    if ruleset.family.placement_score is not None:
        return ruleset.family.placement_score
    return fives if ruleset.fives else unscored


def pips(rack: int, blank: int = 0) -> int:
    """Count the pips of a rack (a mask); `blank` is what 0-0 counts (`blank_pips`).

    >>> from engine.tiles import mask_of
    >>> rack = mask_of([Tile(0, 0), Tile(1, 1)])
    >>> pips(rack), pips(rack, blank=10)
    (2, 12)
    """
    return pips_in(rack) + blank if rack & _BLANK else pips_in(rack)


_BLANK = Tile(0, 0).bit
# looked up once: a member's look-up by its name costs as much as a small function
_OUT, _LOCK = OutcomeKind.OUT, OutcomeKind.LOCK
_HANDS, _WINS = LengthKind.HANDS, LengthKind.WINS
_SEKA = LockTie.SEKA


class Lay(NamedTuple):
    """How the tiles lay when a hand ended.

    `seat` went out or placed the last tile before the lock; `racks` are the tiles left, as masks by
    seat.

    >>> Lay(OutcomeKind.OUT, 0, (0, 0b110)).racks[1].bit_count()
    2
    """

    kind: OutcomeKind
    seat: int
    racks: tuple[int, ...]


def pips_of(racks: Iterable[int], blank: int) -> list[int]:
    """Count the pips of each of several racks.

    >>> pips_of([0b1, 0b110], blank=10)  # 0-0; 1-0 and 1-1
    [10, 3]
    """
    return [pips(rack, blank) for rack in racks] if blank else list(map(pips_in, racks))


class Settled(NamedTuple):
    """What a hand's end leaves: the accounts, and the winning side or None (see `hand_settled`)."""

    accounts: Accounts
    winner: int | None


def pip_loss(terms: Terms, accounts: Accounts, lay: Lay) -> Settled:
    """Every player loses the pips left in the rack (rules.md, Aznif).

    Who locks pays as well if `locker_pays` says so. Nobody wins the hand.

    >>> from engine.rulesets import preset
    >>> terms = preset("aznif").at(2, partners=False)
    >>> pip_loss(terms, Accounts.of(terms), Lay(OutcomeKind.OUT, 0, (0, 0b110))).accounts.totals
    (0, -3)
    """
    totals, blank = list(accounts.totals), terms.ruleset.blank_pips
    for account, left in zip(terms.account_of, pips_of(lay.racks, blank), strict=True):
        totals[account] -= left
    if lay.kind is _LOCK and not terms.ruleset.locker_pays:
        totals[terms.account_of[lay.seat]] += pips(lay.racks[lay.seat], blank)
    return Settled(Accounts(tuple(totals), *accounts[1:]), None)


Worth = Callable[[Sequence[int], int], int]
"""What a won hand is worth, by the sides' results (pips left) and the winning side."""


def difference(results: Sequence[int], winner: int) -> int:
    """Give the losing sides' results less the winner's own, never below 0 (VIP Domino).

    >>> difference((0, 7, 12, 3), 0), difference((20, 10), 0)
    (22, 0)
    """
    return max(0, sum(results) - 2 * results[winner])


def opponents_pips(results: Sequence[int], winner: int) -> int:
    """Give all opponents' pips in full (Domino 101).

    >>> opponents_pips((4, 7, 12), 0)
    19
    """
    return sum(results) - results[winner]


def one_win(results: Sequence[int], winner: int) -> int:
    """Give 1, whatever is left in the racks (Kraloyun).

    >>> one_win((0, 54), 0)
    1
    """
    return 1


def won_by_side(worth: Worth, terms: Terms, accounts: Accounts, lay: Lay) -> Settled:
    """Let the winning side score what the hand is worth; a tied lock may fill the bank.

    >>> from engine.rulesets import preset
    >>> terms = preset("vip-block").at(2, partners=False)
    >>> lay = Lay(OutcomeKind.LOCK, 0, (0b10, 0b1000))  # 1-0 against 2-0
    >>> settled = won_by_side(difference, terms, Accounts.of(terms), lay)
    >>> settled.winner, settled.accounts.totals
    (0, (1, 0))
    """
    left = [0] * terms.sides
    for side, rack in zip(terms.side_of, lay.racks, strict=True):
        left[side] |= rack
    results = pips_of(left, terms.ruleset.blank_pips)
    winner = winning_side(terms, lay, results)
    if winner is not None:
        return Settled(accounts.won(terms, winner, worth(results, winner)), winner)
    if lay.kind is _LOCK and terms.ruleset.lock_tie is _SEKA:
        accounts = accounts.banked(sum(results))
    return Settled(accounts, None)


def winning_side(terms: Terms, lay: Lay, results: Sequence[int]) -> int | None:
    """Give the side that went out or, at a lock, has the lowest result; None if that is shared.

    With `going_out_wins` off the lowest result decides after going out too.

    >>> from engine.rulesets import preset
    >>> terms = preset("vip-draw").at(4, partners=True)
    >>> winning_side(terms, Lay(OutcomeKind.OUT, 0, ()), (20, 10))
    0
    >>> winning_side(terms, Lay(OutcomeKind.LOCK, 0, ()), (10, 10)) is None
    True
    """
    if lay.kind is _OUT and terms.ruleset.going_out_wins:
        return terms.side_of[lay.seat]
    lowest = min(results)
    return results.index(lowest) if results.count(lowest) == 1 else None


_HAND_SCORING: dict[HandScoring, Callable[[Terms, Accounts, Lay], Settled]] = {
    HandScoring.PIP_LOSS: pip_loss,
    HandScoring.DIFFERENCE: partial(won_by_side, difference),
    HandScoring.OPPONENTS_PIPS: partial(won_by_side, opponents_pips),
    HandScoring.ONE_WIN: partial(won_by_side, one_win),
}


def hand_settled(terms: Terms, accounts: Accounts, lay: Lay) -> Settled:
    """Settle a hand's end by `hand_scoring`; what was scored while playing is in `accounts`.

    >>> from engine.rulesets import preset
    >>> terms = preset("kraloyun").at(2, partners=False)
    >>> hand_settled(terms, Accounts.of(terms), Lay(OutcomeKind.OUT, 1, (0b110, 0))).winner
    1
    """
    return _HAND_SCORING[terms.ruleset.hand_scoring](terms, accounts, lay)


def is_over(terms: Terms, accounts: Accounts, hands: int) -> bool:
    """Say whether the match is over after so many hands (rules.md, Common to all).

    Two sides level above a target play on.

    >>> from engine.rulesets import preset
    >>> terms = preset("vip-draw").at(2, partners=False)
    >>> start = Accounts.of(terms)
    >>> [is_over(terms, start._replace(totals=t), 5) for t in ((99, 7), (105, 105), (105, 99))]
    [False, False, True]
    """
    kind, goal = terms.ruleset.length
    if kind is _HANDS:
        return hands == goal
    if hands == terms.ruleset.family.longest:
        return True
    if kind is _WINS:
        return max(accounts.wins) >= goal
    totals = terms.by_side(accounts.totals)
    highest = max(totals)
    return highest >= goal and totals.count(highest) == 1


def places_of(scores: Sequence[int]) -> Scores:
    """Give places: 1 + the number of higher scores.

    >>> places_of([10, -33, -8, -8])
    (1, 4, 2, 2)
    """
    return tuple(1 + sum(other > score for other in scores) for score in scores)


def _points_by_place(seats: int, stake: int) -> Scores:
    half = stake // 2
    return {2: (stake, -stake), 3: (stake, 0, -stake), 4: (stake, half, -half, -stake)}[seats]


def _shared(total: int, sharers: int) -> int:
    """Divide truncating toward zero."""
    return total // sharers if total >= 0 else -(-total // sharers)


def points_alone(places: Sequence[int], stake: int) -> Scores:
    """Give the points by place; tied seats share the places they cover.

    See rules.md, From matches to points.

    >>> points_alone((1, 1, 3, 4), 11), points_alone((1, 2, 2, 2), 11)
    ((8, 8, -5, -11), (11, -3, -3, -3))
    """
    table = _points_by_place(len(places), stake)

    def share(place: int) -> int:
        sharers = list(places).count(place)
        return _shared(sum(table[place - 1 : place - 1 + sharers]), sharers)

    return tuple(share(place) for place in places)


def points_partners(places: Sequence[int], stake: int) -> Scores:
    """Give both of the higher pair the stake, take it from both of the lower; equal: nothing.

    >>> points_partners((1, 3, 1, 3), 11), points_partners((1, 1, 1, 1), 11)
    ((11, -11, 11, -11), (0, 0, 0, 0))
    """
    if len(set(places)) == 1:
        return (0,) * len(places)
    return tuple(stake if place == 1 else -stake for place in places)


def match_result(terms: Terms, scores: Scores, stake: int) -> MatchResult:
    """Rank a match by its final scores by side.

    >>> from engine.rulesets import preset
    >>> match_result(preset("vip-draw").at(4, partners=True), (100, 71), 11).points
    (11, -11, 11, -11)
    """
    places = places_of([scores[side] for side in terms.side_of])
    points = points_partners if terms.partners else points_alone
    return MatchResult(scores, places, points(places, stake))
