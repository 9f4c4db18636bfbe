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
    legal = openings(racks[turn]) if ends is EMPTY else ()
    hand = HandState(
        rules, starter, turn, racks, stock, ends, laid, scores, reach, passed, last, legal
    )
    return hand if legal else _with_legal(hand)


def _drawable(rules: HandRules, stock: tuple[Tile, ...]) -> int:
    return max(0, len(stock) - rules.reserve) if rules.draw_step else 0


def _with_legal(hand: HandState) -> HandState:
    """Work out what is legal on a line that has begun, plays or not."""
    ends, rack = hand.ends, hand.racks[hand.turn]
    if 0 in hand.racks or _locked(hand):
        return hand._replace(legal=())
    return hand._replace(legal=_plays(ends, rack) or (_DRAW if hand.drawable else _PASS))


def _locked(hand: HandState) -> bool:
    waiting = hand.rules.lock_waits and hand.drawable
    return not hand.reach & hand.ends.fits and not waiting


def _plays(ends: Ends, rack: int) -> tuple[Play, ...]:
    at_left = LEFT_PLAYS[ends.left][rack & ends.left_fits]
    return at_left + RIGHT_PLAYS[ends.right][rack & ends.right_fits]


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


def act(hand: HandState, action: Action) -> tuple[HandState, HandEvent]:
    """Carry a legal action out."""
    if type(action) is Play:
        ends = hand.ends.after[action.code]
        scored = hand.rules.placement_scores[ends.sum]
        played = _tile_played(hand.turn, action.code, scored)
        return _placed(hand, played, ends), played
    event = _drawing(hand) if type(action) is Draw else _passed(hand.turn)
    return evolve(hand, event), event


def evolve(hand: HandState, event: HandEvent) -> HandState:
    """Follow an event; it is taken as true."""
    if isinstance(event, TilePlayed):
        return _placed(hand, event, hand.ends.after[placement_code(event.tile, event.end)])
    if isinstance(event, TilesDrawn):
        return _drawn(hand, event)
    turn = (event.seat + 1) % len(hand.racks)
    return _with_legal(hand._replace(turn=turn, passed=hand.passed | 1 << event.seat, last=event))


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


def _placed(hand: HandState, event: TilePlayed, ends: Ends) -> HandState:
    # the hottest step: the tuple is made at once, past the constructor, and the next seat's plays
    # are taken for what is legal; only where it has none, or the hand is out, is more asked
    rules, starter, seat, racks, stock, _, laid, scores, reach, passed, _, _ = hand
    bit = event.tile.bit
    left = list(racks)
    left[seat] ^= bit
    turn = (seat + 1) % len(left)
    if event.scored:
        scores = _plus(scores, rules.terms.account_of[seat], event.scored)
    plays = _plays(ends, left[turn])
    hand = _new(
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
            reach ^ bit,
            passed and passed & ~(1 << seat),
            event,
            plays,
        ),
    )
    return hand if plays and left[seat] else _with_legal(hand)


def _drawn(hand: HandState, event: TilesDrawn) -> HandState:
    racks = list(hand.racks)
    racks[event.seat] |= mask_of(event.tiles)
    return _with_legal(
        hand._replace(
            racks=tuple(racks),
            stock=hand.stock[len(event.tiles) :],
            passed=hand.passed & ~(1 << event.seat),
            last=event,
        )
    )


def _plus(scores: Scores, account: int, scored: int) -> Scores:
    return (*scores[:account], scores[account] + scored, *scores[account + 1 :])
