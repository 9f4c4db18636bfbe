"""What a placement and a hand's end score, and what places and points a match's end gives.

Pure arithmetic over scores and masks; who sat in a seat is not known here.
"""

from collections.abc import Callable, Collection, Sequence
from operator import attrgetter
from typing import NamedTuple

from engine.events import OutcomeKind, Racks, Scores
from engine.line import Ends
from engine.rulesets import HandScoring, Ruleset, Terms
from engine.tiles import Tile


class HandScore(NamedTuple):
    """What a hand's end scores: by account, and the winning side or None."""

    scores: Scores
    winner: int | None


class MatchResult(NamedTuple):
    """A match's end: scores by side; places (1 the best) and points by seat."""

    scores: Scores
    places: Scores
    points: Scores


PlacementScore = Callable[[Tile, Ends], int]
"""What a placement scores, by the tile and the ends after it."""


def fives(tile: Tile, ends: Ends) -> int:
    """Score the sum of both ends if it is 5, 10, 15 or 20 (rules.md, Aznif).

    >>> from engine.line import ends_after
    >>> fives(Tile(5, 5), ends_after([(Tile(5, 5), None)]))
    10
    """
    return ends.sum if ends.sum in (5, 10, 15, 20) else 0


def unscored(tile: Tile, ends: Ends) -> int:
    """Score nothing."""
    return 0


def placement_score(ruleset: Ruleset) -> PlacementScore:
    """Give the function that scores a rule set's placements."""
    return fives if ruleset.fives else unscored


def pips(rack: Collection[Tile], blank: int = 0) -> int:
    """Count the pips of a rack; `blank` is what 0-0 counts.

    >>> pips([Tile(0, 0), Tile(1, 1)]), pips([Tile(0, 0), Tile(1, 1)], blank=10)
    (2, 12)
    """
    count = sum(map(_pips, rack))
    return count + blank if blank and _BLANK in rack else count


_BLANK = Tile(0, 0)
_pips: Callable[[Tile], int] = attrgetter("pips")


def pip_loss(terms: Terms, kind: OutcomeKind, seat: int, racks: Racks) -> HandScore:
    """Every player loses the pips left in the rack (rules.md, Aznif).

    `seat` went out (its rack is empty) or locked the line; who locks pays if `locker_pays` says so.
    """
    blank = terms.ruleset.blank_pips
    scores = [0] * len(terms.side_of_account)
    for account, rack in zip(terms.account_of, racks, strict=True):
        scores[account] -= pips(rack, blank)
    if kind is OutcomeKind.LOCK and not terms.ruleset.locker_pays:
        scores[terms.account_of[seat]] += pips(racks[seat], blank)
    return HandScore(tuple(scores), None)


_HAND_SCORING: dict[HandScoring, Callable[[Terms, OutcomeKind, int, Racks], HandScore]] = {
    HandScoring.PIP_LOSS: pip_loss,
}


def hand_score(terms: Terms, kind: OutcomeKind, seat: int, racks: Racks) -> HandScore:
    """Give what a hand's end scores by `hand_scoring`; `racks` are the tiles left."""
    return _HAND_SCORING[terms.ruleset.hand_scoring](terms, kind, seat, racks)


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
    """Rank a match by its final scores by side."""
    places = places_of([scores[side] for side in terms.side_of])
    points = points_partners if terms.partners else points_alone
    return MatchResult(scores, places, points(places, stake))
