"""One hand: who holds what, what is legal, what an action leads to, and when the hand is over.

The integer layer: racks are 28-bit masks, the line is a position of `engine.line`'s automaton and
the numbers of the placements so far. Matches, totals and JSON stand above.
"""

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
    TileDoesNotFit,
    TileNotInRack,
    UnreadableAction,
)
from engine.events import HandDealt, OutcomeKind, Passed, Scores, TilePlayed, TilesDrawn
from engine.line import EMPTY, Ends, ends_after, placement_code, placement_of
from engine.rulesets import DrawRule, Terms
from engine.scoring import placement_scores
from engine.tiles import Tile, brief, mask_of

HandEvent = TilePlayed | TilesDrawn | Passed

_DRAW_STEPS = {DrawRule.NONE: 0, DrawRule.UNTIL_PLAYABLE: 1, DrawRule.PAIRS: 2}
_DRAW = (Draw(),)
_PASS = (Pass(),)
_new = tuple.__new__


class HandRules(NamedTuple):
    """What a hand looks up at every step, worked out once a match.

    `draw_step` is how many tiles are drawn at once, 0 for none.
    """

    terms: Terms
    placement_scores: Scores
    draw_step: int
    reserve: int
    lock_waits: bool

    @classmethod
    def of(cls, terms: Terms) -> "HandRules":
        """Work the rules of every hand out."""
        ruleset = terms.ruleset
        return cls(
            terms=terms,
            placement_scores=placement_scores(ruleset),
            draw_step=_DRAW_STEPS[ruleset.draw],
            reserve=ruleset.reserve,
            lock_waits=ruleset.lock_waits_for_empty_stock,
        )


class HandState(NamedTuple):
    """A hand at a moment.

    `racks` are masks by seat, `stock` the tiles left in drawing order, `laid` the placements in
    order. `scores` (by account) is what placements scored so far. `reach` is the mask of the tiles
    that can still come to the line: in a rack or drawable. `passed` has bit 1 << seat for the seats
    whose latest action was a pass. `last` is the latest event, None at the start. `legal` is what
    the seat on turn may do: plays (left end first, by tile), else a draw, else a pass; it is empty
    when the hand is over, and only then.
    """

    rules: HandRules
    starter: int
    turn: int
    racks: tuple[int, ...]
    stock: tuple[Tile, ...]
    ends: Ends
    laid: tuple[TilePlayed, ...]
    scores: Scores
    reach: int
    passed: int
    last: HandEvent | None
    legal: tuple[Action, ...]

    @property
    def drawable(self) -> int:
        """How many tiles may still be drawn."""
        return _drawable(self.rules, self.stock)

    @property
    def outcome(self) -> OutcomeKind:
        """How a hand that is over ended; a last tile that would also lock is going out."""
        return OutcomeKind.OUT if 0 in self.racks else OutcomeKind.LOCK

    @property
    def placer(self) -> int:
        """The seat that placed the latest tile: it went out or locked the line."""
        return self.laid[-1].seat


def start(rules: HandRules, dealt: HandDealt) -> HandState:
    """Begin a hand."""
    racks = tuple([mask_of(rack) for rack in dealt.racks])
    scores = (0,) * len(rules.terms.side_of_account)
    return restored(rules, dealt.starter, dealt.starter, racks, dealt.stock, (), scores, 0, None)


def restored(
    rules: HandRules,
    starter: int,
    turn: int,
    racks: tuple[int, ...],
    stock: tuple[Tile, ...],
    laid: tuple[TilePlayed, ...],
    scores: Scores,
    passed: int,
    last: HandEvent | None,
) -> HandState:
    """Set a hand up from its facts; `ends`, `reach` and `legal` follow from them."""
    ends = ends_after([(event.tile, event.end) for event in laid])
    reach = mask_of(stock[: _drawable(rules, stock)])
    for rack in racks:
        reach |= rack
    legal = _legal(rules, racks, turn, stock, ends, reach)
    return _new(
        HandState,
        (rules, starter, turn, racks, stock, ends, laid, scores, reach, passed, last, legal),
    )


def _drawable(rules: HandRules, stock: tuple[Tile, ...]) -> int:
    return max(0, len(stock) - rules.reserve) if rules.draw_step else 0


def _legal(
    rules: HandRules,
    racks: tuple[int, ...],
    turn: int,
    stock: tuple[Tile, ...],
    ends: Ends,
    reach: int,
) -> tuple[Action, ...]:
    if ends is EMPTY:
        return openings(racks[turn])
    if 0 in racks:
        return ()
    return _plays(ends, racks[turn]) or _without_plays(rules, stock, ends, reach)


def _plays(ends: Ends, rack: int) -> tuple[Play, ...]:
    at_left = LEFT_PLAYS[ends.left][rack & ends.left_fits]
    return at_left + RIGHT_PLAYS[ends.right][rack & ends.right_fits]


def _without_plays(
    rules: HandRules, stock: tuple[Tile, ...], ends: Ends, reach: int
) -> tuple[Action, ...]:
    """Draw, or pass, or nothing at all: the line is locked."""
    drawable = _drawable(rules, stock)
    if reach & ends.fits or (rules.lock_waits and drawable):
        return _DRAW if drawable else _PASS
    return ()


def refusal(hand: HandState, action: object) -> EngineError:
    """Say why an action is not legal in a hand that is in play: the error to raise."""
    if isinstance(action, Play):
        return _play_refusal(hand, action)
    if not isinstance(action, Draw | Pass):
        return UnreadableAction(f"this is no action: {brief(action)}")
    if isinstance(hand.legal[0], Play):
        return MustPlay()
    return NothingToDraw() if isinstance(action, Draw) else MustDraw()


def _play_refusal(hand: HandState, play: Play) -> IllegalAction:
    if not hand.racks[hand.turn] & play.bit:
        return TileNotInRack(f"the tile {play.tile} is not in the rack")
    if hand.ends is EMPTY:
        return EndOnEmptyLine()
    if play.end is None:
        return EndMissing()
    return TileDoesNotFit(f"the tile {play.tile} does not match the end {play.end}")


def act(hand: HandState, action: Action) -> HandState:
    """Carry a legal action out; the event is the `last` of the hand it leads to."""
    if type(action) is Play:
        return _placed(hand, action.code, None)
    return evolve(hand, _drawing(hand) if type(action) is Draw else _passed(hand.turn))


def evolve(hand: HandState, event: HandEvent) -> HandState:
    """Follow an event; it is taken as true."""
    if isinstance(event, TilePlayed):
        return _placed(hand, placement_code(event.tile, event.end), event)
    seat, racks, passed = event.seat, hand.racks, hand.passed
    if isinstance(event, Passed):
        follower = (seat + 1) % len(racks)
        return _turned(hand, event, follower, racks, hand.stock, passed | 1 << seat)
    held = list(racks)
    held[seat] |= mask_of(event.tiles)
    stock = hand.stock[len(event.tiles) :]
    return _turned(hand, event, seat, tuple(held), stock, passed & ~(1 << seat))


@cache  # at most 4 seats × 84 placements × 5 scores
def _tile_played(seat: int, code: int, scored: int) -> TilePlayed:
    return TilePlayed(seat, *placement_of(code), scored)


@cache
def _passed(seat: int) -> Passed:
    return Passed(seat)


def _drawing(hand: HandState) -> TilesDrawn:
    """Draw step by step until a tile fits or nothing may be drawn."""
    step, most, fits = hand.rules.draw_step, hand.drawable, hand.ends.fits
    count = able = 0
    while count < most and not able:
        taken = hand.stock[count : min(count + step, most)]
        able = mask_of(taken) & fits
        count += len(taken)
    return TilesDrawn(hand.turn, hand.stock[:count])


def _placed(hand: HandState, code: int, known: TilePlayed | None) -> HandState:
    """Place a tile; the event is `known` when it is followed, and made when it is played."""
    # the hottest step: tuples are taken apart and made at once, past names and constructors
    rules, starter, seat, racks, stock, ends, laid, scores, reach, passed, _, _ = hand
    ends = ends.after[code]
    event = known or _tile_played(seat, code, rules.placement_scores[ends.sum])
    _, tile, _, scored = event
    left = list(racks)
    left[seat] = rest = left[seat] ^ tile.bit
    turn = (seat + 1) % len(left)
    reach ^= tile.bit
    if scored:
        scores = _plus(scores, rules.terms.account_of[seat], scored)
    legal: tuple[Action, ...] = ()
    if rest:
        legal = _plays(ends, left[turn]) or _without_plays(rules, stock, ends, reach)
    return _new(
        HandState,
        (
            rules,
            starter,
            turn,
            tuple(left),
            stock,
            ends,
            (*laid, event),
            scores,
            reach,
            passed and passed & ~(1 << seat),
            event,
            legal,
        ),
    )


def _turned(
    hand: HandState,
    event: HandEvent,
    turn: int,
    racks: tuple[int, ...],
    stock: tuple[Tile, ...],
    passed: int,
) -> HandState:
    """Go on with the line as it is."""
    rules, starter, _, _, _, ends, laid, scores, reach, _, _, _ = hand
    legal = _plays(ends, racks[turn]) or _without_plays(rules, stock, ends, reach)
    return _new(
        HandState,
        (rules, starter, turn, racks, stock, ends, laid, scores, reach, passed, event, legal),
    )


def _plus(scores: Scores, account: int, scored: int) -> Scores:
    return (*scores[:account], scores[account] + scored, *scores[account + 1 :])
