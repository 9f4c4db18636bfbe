"""One hand: what is legal, what an action leads to, and when the hand is over.

The integer layer. All racks are one number, `racks`: the 28-bit mask of the seat on turn lies
lowest, those of the seats after it follow, and the turn's end turns the whole by one rack. So what
the seat on turn may place is `racks & ends.fits`, whoever it is, and whether anybody at all can
place a tile is `racks & ends.fits_all`. The line is a position of `engine.line`'s automaton, which
is closed when the hand is over. States, matches and JSON stand above.

How a rule enters:

- what a placement scores: a function of the tile and the ends it leaves, named by
  `scoring.placement_score`; None where nothing ever scores;
- a forced opening: the hand begins on an empty line that is open to that tile alone;
- drawing, reserve, and a lock that waits for the stock: fields of `HandRules`;
- what a hand's end scores, accounts, bank, redeals, a match's length: none of it is known here.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from engine.actions import Action, Draw, Pass, Play, openings
from engine.errors import (
    EndMissing,
    EndOnEmptyLine,
    EngineError,
    IllegalAction,
    MustDraw,
    MustPlay,
    NothingToDraw,
    TileDoesNotFit,
    TileNotInRack,
    UnreadableAction,
)
from engine.events import Passed, Scores, TilePlayed, TilesDrawn
from engine.line import Ends, placement_of
from engine.rulesets import DrawRule, Terms
from engine.scoring import PlacementScore, placement_score
from engine.tiles import FULL_SET, TILES, Tile, brief, mask_of

HandEvent = TilePlayed | TilesDrawn | Passed

_DRAW_STEPS = {DrawRule.NONE: 0, DrawRule.UNTIL_PLAYABLE: 1, DrawRule.PAIRS: 2}
_DRAW = (Draw(),)
_PASS = (Pass(),)
_RACK = len(TILES)


# --- racks --------------------------------------------------------------------------------------


def packed(racks: Sequence[Iterable[Tile]], turn: int) -> int:
    """Put all racks, given by seat, into one number; the one of `turn` lies lowest.

    >>> packed([[Tile(0, 0)], [Tile(1, 1)]], 1) == 0b100 | 0b1 << 28
    True
    """
    masks = [mask_of(rack) for rack in (*racks[turn:], *racks[:turn])]
    return sum([mask << place * _RACK for place, mask in enumerate(masks)])


def unpacked(racks: int, turn: int, seats: int) -> tuple[int, ...]:
    """Give each seat's rack as a mask.

    >>> unpacked(0b100 | 0b1 << 28, 1, 2)
    (1, 4)
    """
    places = [(seat - turn) % seats for seat in range(seats)]
    return tuple([racks >> place * _RACK & FULL_SET for place in places])


# --- rules --------------------------------------------------------------------------------------


class HandRules(NamedTuple):
    """What a hand looks up at every step, worked out once a match.

    `following` gives the seat after each seat, `top` is how far the last rack is shifted.
    `draw_step` is how many tiles are drawn at once, 0 for none.
    """

    terms: Terms
    following: tuple[int, ...]
    top: int
    placement_score: PlacementScore | None
    draw_step: int
    reserve: int
    lock_waits: bool

    @classmethod
    def of(cls, terms: Terms) -> "HandRules":
        """Work the rules of every hand out."""
        ruleset = terms.ruleset
        return cls(
            terms=terms,
            following=(*range(1, terms.seats), 0),
            top=(terms.seats - 1) * _RACK,
            placement_score=placement_score(ruleset),
            draw_step=_DRAW_STEPS[ruleset.draw],
            reserve=ruleset.reserve,
            lock_waits=ruleset.lock_waits_for_empty_stock,
        )

    def turned(self, racks: int) -> int:
        """Give the racks as they lie for the next seat."""
        return racks >> _RACK | (racks & FULL_SET) << self.top

    def drawable(self, stock: Sequence[Tile]) -> int:
        """Say how many tiles may still be drawn."""
        return max(0, len(stock) - self.reserve) if self.draw_step else 0


# --- what is legal ------------------------------------------------------------------------------


def without_play(
    rules: HandRules, ends: Ends, racks: int, stock: Sequence[Tile]
) -> tuple[Action, ...]:
    """Give what is legal where no tile can be added to a line: open it, draw, pass, or nothing."""
    if not ends.fits:
        return ()
    if ends.left < 0:
        return openings(racks & ends.fits)
    return _DRAW if rules.drawable(stock) else _PASS


def is_locked(rules: HandRules, ends: Ends, racks: int, stock: Sequence[Tile]) -> bool:
    """Say whether no rack and nothing drawable holds a tile that fits (rules.md, Lock)."""
    if racks & ends.fits_all:
        return False
    drawable = rules.drawable(stock)
    if drawable and rules.lock_waits:
        return False
    return not mask_of(stock[:drawable]) & ends.fits


def refusal(ends: Ends, racks: int, legal: Sequence[Action], action: object) -> EngineError:
    """Say why an action is not among the legal ones of a hand in play: the error to raise."""
    if isinstance(action, Play):
        return _play_refusal(ends, racks, action)
    if not isinstance(action, Draw | Pass):
        return UnreadableAction(f"this is no action: {brief(action)}")
    if isinstance(legal[0], Play):
        return MustPlay()
    return NothingToDraw() if isinstance(action, Draw) else MustDraw()


def _play_refusal(ends: Ends, racks: int, play: Play) -> IllegalAction:
    if not racks & play.bit:
        return TileNotInRack(f"the tile {play.tile} is not in the rack")
    if ends.left < 0:
        return EndOnEmptyLine()
    if play.end is None:
        return EndMissing()
    return TileDoesNotFit(f"the tile {play.tile} does not match the end {play.end}")


# --- events -------------------------------------------------------------------------------------

# one object an event that can come again, in the tuple that a step hands out
PLACED = tuple(
    tuple((TilePlayed(seat, *placement_of(code)),) for code in range(3 * len(TILES)))
    for seat in range(4)
)
PASSED = tuple((Passed(seat),) for seat in range(4))


@cache  # at most 4 seats, 84 placements and a few scores
def placed_for(seat: int, code: int, scored: int) -> tuple[TilePlayed]:
    """Give the event of a placement that scores."""
    return (TilePlayed(seat, *placement_of(code), scored),)


def drawing(rules: HandRules, ends: Ends, seat: int, stock: tuple[Tile, ...]) -> TilesDrawn:
    """Draw step by step until a tile fits or nothing may be drawn."""
    most = rules.drawable(stock)
    count = able = 0
    while count < most and not able:
        taken = stock[count : min(count + rules.draw_step, most)]
        able = mask_of(taken) & ends.fits
        count += len(taken)
    return TilesDrawn(seat, stock[:count])


class Past(NamedTuple):
    """What a hand's moves leave to be told.

    `laid` has the placements in order, `passed` bit 1 << seat for the seats whose latest action was
    a pass. `last` is the latest move, None at the start.
    """

    laid: tuple[TilePlayed, ...] = ()
    passed: int = 0
    last: HandEvent | None = None

    def followed_by(self, moves: Iterable[HandEvent]) -> "Past":
        """Add moves, in order."""
        laid, passed, last = list(self.laid), self.passed, self.last
        for last in moves:
            passed &= ~(1 << last.seat)
            if isinstance(last, Passed):
                passed |= 1 << last.seat
            elif isinstance(last, TilePlayed):
                laid.append(last)
        return Past(tuple(laid), passed, last)


class HandState(NamedTuple):
    """A hand at a moment, spread out to be read.

    `racks` are masks by seat, `stock` the tiles left in drawing order, of which `drawable` may be
    drawn. `scores` (by account) is what placements scored so far; `laid`,
    `passed` and `last` are those of `Past`.
    """

    starter: int
    turn: int
    racks: tuple[int, ...]
    stock: tuple[Tile, ...]
    drawable: int
    ends: Ends
    scores: Scores
    laid: tuple[TilePlayed, ...]
    passed: int
    last: HandEvent | None
