"""One hand: what is legal, what an action leads to, and when the hand is over.

The integer layer. All racks are one number, `racks`: the 28-bit mask of seat s stands at bit
28 * s. A `Position` is what a move depends on apart from the racks: the ends of the line and the
seat on turn. It knows which tiles fit, ready to be held against `racks`, and where each placement
leads; that is worked out when it is first needed and then remembered, so that a placement is a
look-up and a little arithmetic. States, matches and JSON stand above.

How a rule enters:

- what a placement scores: a function of the tile and the ends it leaves, named by
  `scoring.placement_score`; it is asked once for each placement of a position;
- a forced opening: the hand begins at a position that fits that tile alone (`deal.opening_tile`);
- drawing, reserve, and a lock that waits for the stock: fields of `HandRules`;
- what a hand's end scores, accounts, bank, redeals, a match's length: none of it is known here;
  `HandRules` only keeps, worked out once a match, whether they can occur at all.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from engine.actions import LEFT_PLAYS, RIGHT_PLAYS, Action, Draw, Pass, Play, openings
from engine.errors import (
    EndMissing,
    EndOnEmptyLine,
    EngineError,
    IllegalAction,
    MustDraw,
    MustPlay,
    NothingToDraw,
    OpeningForced,
    TileDoesNotFit,
    TileNotInRack,
    UnreadableAction,
)
from engine.events import Passed, RedealReason, Scores, TilePlayed, TilesDrawn
from engine.line import EMPTY, Ends, placement_of
from engine.rulesets import DrawRule, ForcedOpening, PlacementScore, Terms
from engine.scoring import placement_score, unscored
from engine.tiles import FULL_SET, TILES, Tile, bit_of, brief, mask_of, tiles_in

HandEvent = TilePlayed | TilesDrawn | Passed

_DRAW_STEPS = {DrawRule.NONE: 0, DrawRule.UNTIL_PLAYABLE: 1, DrawRule.PAIRS: 2}
_DRAW = (Draw(),)
PASS = (Pass(),)
_RACK = len(TILES)
_SHIFTS = tuple(range(0, 4 * _RACK, _RACK))  # by seat
_OWN = tuple([FULL_SET << shift for shift in _SHIFTS])
_BITS = tuple([tuple([tile.bit << shift for tile in TILES]) for shift in _SHIFTS])


# --- racks --------------------------------------------------------------------------------------


def packed(racks: Iterable[Iterable[Tile]]) -> int:
    """Put the racks of all seats, no tile twice, into one number.

    >>> packed([[Tile(0, 0)], [Tile(1, 1)]]) == 0b1 | 0b100 << 28
    True
    """
    return sum([sum(map(bit_of, rack)) << _SHIFTS[seat] for seat, rack in enumerate(racks)])


def unpacked(racks: int, seats: int) -> tuple[int, ...]:
    """Give each seat's rack as a mask.

    >>> unpacked(0b1 | 0b100 << 28, 2)
    (1, 4)
    """
    return tuple([racks >> shift & FULL_SET for shift in _SHIFTS[:seats]])


# --- positions ----------------------------------------------------------------------------------


class Position:
    """The ends of the line and the seat on turn, with what can be known of them beforehand.

    `shift` is where the rack of the seat on turn stands in `racks`, `own` that whole rack. `fits`
    are the tiles it may place, `fits_all` the same in every rack. `moves` remembers what
    `move_from` has found, `passed` what `passed_from` has. A position with no `fits` is closed: the
    hand is over.

    >>> position = Positions(2, unscored).opening(0, forced=Tile(6, 6))
    >>> position.seat, tiles_in(position.fits), tiles_in(position.left_fits)
    (0, (Tile(6, 6),), ())
    """

    __slots__ = (
        "ends",
        "fits",
        "fits_all",
        "left_fits",
        "left_plays",
        "moves",
        "own",
        "passed",
        "positions",
        "right_fits",
        "right_plays",
        "seat",
        "shift",
    )

    def __init__(self, positions: "Positions", ends: Ends, seat: int, fits: int) -> None:
        """Work the masks out; `fits` is the mask of the tiles that may be placed."""
        self.positions, self.ends, self.seat, self.fits = positions, ends, seat, fits
        self.shift, self.own = _SHIFTS[seat], _OWN[seat]
        self.fits_all = in_all_racks(fits, positions.seats)
        self.left_fits, self.right_fits = fits & ends.left_fits, fits & ends.right_fits
        self.left_plays, self.right_plays = LEFT_PLAYS[ends.left], RIGHT_PLAYS[ends.right]
        self.moves: dict[object, Move] = {}
        self.passed: Position | None = None


@cache  # a few dozen; one number for all seats, so that what a match looks at stays small
def in_all_racks(fits: int, seats: int) -> int:
    """Give the mask of these tiles (a mask of 28 bits) in every rack.

    >>> in_all_racks(0b1, 2) == 0b1 | 0b1 << 28
    True
    """
    return sum([fits << shift for shift in _SHIFTS[:seats]])


Move = tuple[int, Position, int, tuple[TilePlayed]]
"""The tile's bit in `racks`, the position after it, what it scores, and its event.

A plain tuple, for it is taken apart at every placement.
"""


class Positions:
    """All positions of a table with so many seats and a way to score placements.

    Where none scores, doubles at the ends make no difference, so that there are fewer.

    >>> positions = Positions(2, unscored)
    >>> positions.opening(0) is positions.opening(0), positions.opening(0).fits == FULL_SET
    (True, True)
    """

    __slots__ = ("_known", "_scoring", "placement_score", "seats")

    def __init__(self, seats: int, placement_score: PlacementScore) -> None:
        """Begin with none: each is made when it is first needed."""
        self.seats, self.placement_score = seats, placement_score
        self._scoring = placement_score is not unscored
        self._known: dict[tuple[Ends, int, int], Position] = {}

    def opening(self, seat: int, forced: Tile | None = None) -> Position:
        """Begin a hand: the starter may place any tile, or the one that is forced.

        >>> tiles_in(Positions(2, unscored).opening(0, forced=Tile(1, 1)).fits)
        (Tile(1, 1),)
        """
        return self._get(EMPTY, seat, FULL_SET if forced is None else forced.bit)

    def on_line(self, ends: Ends, seat: int) -> Position:
        """Go on with a line: what matches an end may be placed.

        >>> ends = EMPTY.after[Play(Tile(6, 6)).code]
        >>> [str(tile) for tile in tiles_in(Positions(2, unscored).on_line(ends, 1).fits)]
        ['6-0', '6-1', '6-2', '6-3', '6-4', '6-5', '6-6']
        """
        return self._get(ends if self._scoring else ends.bare, seat, ends.fits)

    def closed(self, ends: Ends, seat: int) -> Position:
        """Let nobody go on; `seat` is who would be on turn.

        >>> Positions(2, unscored).closed(EMPTY.after[Play(Tile(6, 6)).code], 1).fits
        0
        """
        return self._get(ends if self._scoring else ends.bare, seat, 0)

    def _get(self, ends: Ends, seat: int, fits: int) -> Position:
        key = ends, seat, fits
        # setdefault: two threads must not go on with two objects
        return self._known.get(key) or self._known.setdefault(key, Position(self, *key))


_POSITIONS: dict[tuple[int, PlacementScore], Positions] = {}


def positions_of(terms: Terms) -> Positions:
    """Give the positions of a table, the same object for all that play alike.

    >>> from engine.rulesets import preset
    >>> block, draw = (preset(name).at(4, partners=True) for name in ("vip-block", "vip-draw"))
    >>> positions_of(block) is positions_of(draw)
    True
    """
    key = terms.seats, placement_score(terms.ruleset)
    return _POSITIONS.get(key) or _POSITIONS.setdefault(key, Positions(*key))


def move_from(position: Position, action: object) -> Move | None:
    """Give where a placement leads and remember it; None for what no rack could do here.

    That includes what is no placement. Whether the rack holds the tile is not looked at.

    >>> from engine.rulesets import preset
    >>> opening = positions_of(preset("aznif").at(4, partners=False)).opening(0)
    >>> bit, after, scored, events = move_from(opening, Play(Tile(5, 5)))
    >>> bit == Tile(5, 5).bit, after.seat, scored
    (True, 1, 10)
    >>> move_from(opening, Draw()) is None
    True
    """
    if not isinstance(action, Play) or not action.bit & position.fits:
        return None
    ends = position.ends.after.get(action.code)
    if ends is None:
        return None
    after = position.positions.on_line(ends, (position.seat + 1) % position.positions.seats)
    scored = position.positions.placement_score(action.tile, ends)
    events = placed(position.seat, action.code, scored)
    bit = _BITS[position.seat][action.tile.index]
    return position.moves.setdefault(action, (bit, after, scored, events))


def passed_from(position: Position) -> Position:
    """Give where a pass leads and remember it: the same line, the next seat.

    >>> positions = Positions(2, unscored)
    >>> passed_from(positions.on_line(EMPTY.after[Play(Tile(6, 6)).code], 1)).seat
    0
    """
    if position.passed is None:
        positions = position.positions
        following = (position.seat + 1) % positions.seats
        position.passed = positions.on_line(position.ends, following)
    return position.passed


# --- rules --------------------------------------------------------------------------------------


class HandRules(NamedTuple):
    """What a hand looks up, worked out once a match.

    `draw_step` is how many tiles are drawn at once, 0 for none. Of the hands' beginnings and ends
    it tells whether a deal may be refused or an opening forced, whether scores are kept by player,
    and whether accounts can be closed.

    >>> from engine.rulesets import preset
    >>> rules = HandRules.of(preset("domino101").at(2, partners=False))
    >>> rules.draw_step, rules.reserve, rules.may_redeal, rules.closable
    (2, 2, True, True)
    """

    terms: Terms
    positions: Positions
    draw_step: int
    reserve: int
    lock_waits: bool
    may_redeal: bool
    may_force: bool
    by_player: bool
    closable: bool

    @classmethod
    def of(cls, terms: Terms) -> "HandRules":
        """Work the rules of every hand out, of a rule set at a table.

        >>> from engine.rulesets import preset
        >>> HandRules.of(preset("vip-block").at(4, partners=True)).draw_step
        0
        """
        ruleset = terms.ruleset
        return cls(
            terms=terms,
            positions=positions_of(terms),
            draw_step=_DRAW_STEPS[terms.draw],
            reserve=terms.reserve,
            lock_waits=ruleset.lock_waits_for_empty_stock,
            may_redeal=bool(ruleset.family.refusals) or ruleset.no_double_redeals,
            may_force=ruleset.forced_opening is not ForcedOpening.NO,
            by_player=ruleset.family.by_player,
            closable=ruleset.opening_minimum > 0,
        )

    def drawable(self, stock: Sequence[Tile]) -> int:
        """Say how many tiles may still be drawn: the stock but for the reserve.

        >>> from engine.rulesets import preset
        >>> HandRules.of(preset("domino101").at(3, partners=False)).drawable(TILES[:7])
        6
        """
        return max(0, len(stock) - self.reserve) if self.draw_step else 0


# --- what is legal ------------------------------------------------------------------------------


def without_play(
    rules: HandRules, position: Position, racks: int, stock: Sequence[Tile]
) -> tuple[Action, ...]:
    """Give what is legal where no tile can be added to a line: open it, draw, pass, or nothing.

    `racks` are packed, `stock` lies in drawing order (rules.md, Common to all).

    >>> from engine.rulesets import preset
    >>> rules = HandRules.of(preset("vip-draw").at(2, partners=False))
    >>> position = rules.positions.on_line(EMPTY.after[Play(Tile(6, 6)).code], 1)
    >>> without_play(rules, position, 0, (Tile(0, 0),)), without_play(rules, position, 0, ())
    ((Draw(),), (Pass(),))
    """
    if position.ends is EMPTY:
        return openings(racks >> position.shift & position.fits)
    if not position.fits:
        return ()
    return _DRAW if rules.draw_step and rules.drawable(stock) else PASS


def is_locked(rules: HandRules, position: Position, racks: int, stock: Sequence[Tile]) -> bool:
    """Say whether no rack and nothing drawable holds a tile that fits (rules.md, Lock).

    >>> from engine.rulesets import preset
    >>> rules = HandRules.of(preset("vip-draw").at(2, partners=False))
    >>> position = rules.positions.on_line(EMPTY.after[Play(Tile(6, 6)).code], 1)
    >>> racks = packed([[Tile(1, 0)], [Tile(2, 0)]])
    >>> [is_locked(rules, position, racks, stock) for stock in [(Tile(0, 0),), (Tile(6, 0),)]]
    [True, False]
    """
    if racks & position.fits_all:
        return False
    if not rules.draw_step:
        return True
    drawable = rules.drawable(stock)
    if drawable and rules.lock_waits:
        return False
    return not mask_of(stock[:drawable]) & position.fits


def refusal(position: Position, racks: int, legal: Sequence[Action], action: object) -> EngineError:
    """Say why an action is not among the legal ones of a hand in play: the error to raise.

    An `IllegalAction`, or an `UnreadableAction` for what is no action. `legal` is not empty.

    >>> from engine.line import End
    >>> position = Positions(2, unscored).on_line(EMPTY.after[Play(Tile(6, 6)).code], 1)
    >>> refusal(position, 0, (Draw(),), Play(Tile(6, 1), End.L))
    TileNotInRack('the tile 6-1 is not in the rack')
    >>> refusal(position, 0, (Draw(),), Pass())
    MustDraw('there are tiles to draw')
    """
    if isinstance(action, Play):
        return _play_refusal(position, racks, action)
    if not isinstance(action, Draw | Pass):
        return UnreadableAction(f"this is no action: {brief(action)}")
    if isinstance(legal[0], Play):
        return MustPlay()
    return NothingToDraw() if isinstance(action, Draw) else MustDraw()


def _play_refusal(position: Position, racks: int, play: Play) -> IllegalAction:
    if not racks >> position.shift & play.bit:
        return TileNotInRack(f"the tile {play.tile} is not in the rack")
    if position.ends is EMPTY:
        return _opening_refusal(position, play)
    if play.end is None:
        return EndMissing()
    return TileDoesNotFit(f"the tile {play.tile} does not match the end {play.end}")


def _opening_refusal(position: Position, play: Play) -> IllegalAction:
    if play.end is not None:
        return EndOnEmptyLine()
    return OpeningForced(f"this hand opens with {tiles_in(position.fits)[0]}")


# --- events -------------------------------------------------------------------------------------

PASSED = tuple((Passed(seat),) for seat in range(4))
"""Each seat's pass, in the tuple that a step hands out."""


@cache  # at most 4 seats, 84 placements and a few scores
def placed(seat: int, code: int, scored: int) -> tuple[TilePlayed]:
    """Give the event of a placement, in the tuple that a step hands out.

    >>> placed(0, Play(Tile(5, 5)).code, 10)
    (TilePlayed(seat=0, tile=Tile(5, 5), end=None, scored=10),)
    """
    return (TilePlayed(seat, *placement_of(code), scored),)


def drawing(rules: HandRules, position: Position, stock: tuple[Tile, ...]) -> TilesDrawn:
    """Draw step by step until a tile fits or nothing may be drawn.

    By pairs both tiles are taken even if the first fits (rules.md, Domino 101).

    >>> from engine.rulesets import preset
    >>> rules = HandRules.of(preset("domino101").at(2, partners=False))
    >>> position = rules.positions.on_line(EMPTY.after[Play(Tile(6, 6)).code], 1)
    >>> drawing(rules, position, (Tile(6, 0), Tile(1, 0), Tile(1, 1), Tile(2, 0)))
    TilesDrawn(seat=1, tiles=(Tile(6, 0), Tile(1, 0)))
    """
    most = rules.drawable(stock)
    count = able = 0
    while count < most and not able:
        taken = stock[count : min(count + rules.draw_step, most)]
        able = mask_of(taken) & position.fits
        count += len(taken)
    return TilesDrawn(position.seat, stock[:count])


class Past(NamedTuple):
    """What a hand's moves leave to be told.

    `laid` has the placements in order, `passed` bit 1 << seat for the seats whose latest action was
    a pass. `last` is the latest move, None at the start.

    >>> Past().passed, Past(passed=0b101).passed >> 2 & 1  # nobody; seat 2 has passed
    (0, 1)
    """

    laid: tuple[TilePlayed, ...] = ()
    passed: int = 0
    last: HandEvent | None = None

    def followed_by(self, moves: Iterable[HandEvent]) -> "Past":
        """Add moves, in order.

        >>> past = Past().followed_by([Passed(1), Passed(2), TilesDrawn(1, (Tile(0, 0),))])
        >>> past.passed, past.last
        (4, TilesDrawn(seat=1, tiles=(Tile(0, 0),)))
        """
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

    `racks` are masks by seat, `redeals` the reasons for which deals were refused before it, `stock`
    the tiles left in drawing order, of which `drawable` may be drawn. `scores` (by account) is what
    placements scored so far; `laid`, `passed` and `last` are those of `Past`.

    >>> from engine.fairness import Shuffle
    >>> from engine.match import deal_hand, new_match
    >>> from engine.rulesets import preset
    >>> start = new_match(preset("vip-draw"), seats=2)
    >>> hand = deal_hand(start, Shuffle(bytes(32), ("", ""))).state.hand
    >>> [len(tiles_in(rack)) for rack in hand.racks], len(hand.stock), hand.drawable
    ([7, 7], 14, 14)
    """

    starter: int
    turn: int
    racks: tuple[int, ...]
    redeals: tuple[RedealReason, ...]
    stock: tuple[Tile, ...]
    drawable: int
    ends: Ends
    scores: Scores
    laid: tuple[TilePlayed, ...]
    passed: int
    last: HandEvent | None
