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
    IllegalAction,
    MustDraw,
    MustPlay,
    NothingToDraw,
    TileDoesNotFit,
    TileNotInRack,
    UnreadableAction,
)
from engine.events import HandDealt, OutcomeKind, Passed, Scores, TilePlayed, TilesDrawn
from engine.line import EMPTY, Ends, placement_code, placement_of
from engine.rulesets import DrawRule, Terms
from engine.scoring import placement_scores
from engine.tiles import Tile, brief, mask_of

HandEvent = TilePlayed | TilesDrawn | Passed

_DRAW_STEPS = {DrawRule.NONE: 0, DrawRule.UNTIL_PLAYABLE: 1, DrawRule.PAIRS: 2}
_DRAW = (Draw(),)
_PASS = (Pass(),)


class HandRules(NamedTuple):
    """What a hand looks up at every step, worked out once a match.

    `follower` is the next seat by seat; `draw_step` how many tiles are drawn at once, 0 for none.
    """

    terms: Terms
    follower: tuple[int, ...]
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
            follower=tuple((seat + 1) % terms.seats for seat in range(terms.seats)),
            placement_scores=placement_scores(ruleset),
            draw_step=_DRAW_STEPS[ruleset.draw],
            reserve=ruleset.reserve,
            lock_waits=ruleset.lock_waits_for_empty_stock,
        )


class HandState(NamedTuple):
    """A hand at a moment.

    `racks` are masks by seat, `stock` the tiles left in drawing order, `laid` the numbers of the
    placements in order, `placer` the seat of the latest (the starter before the first). `scores`
    (by account) is what placements scored so far. `reach` is the mask of the tiles that can still
    come to the line: in a rack or drawable. `passed` has bit 1 << seat for the seats whose latest
    action was a pass. `last` is the latest event, None at the start.
    """

    rules: HandRules
    starter: int
    turn: int
    racks: tuple[int, ...]
    stock: tuple[Tile, ...]
    ends: Ends
    laid: tuple[int, ...]
    placer: int
    scores: Scores
    reach: int
    passed: int
    last: HandEvent | None

    @property
    def drawable(self) -> int:
        """How many tiles may still be drawn."""
        rules = self.rules
        return max(0, len(self.stock) - rules.reserve) if rules.draw_step else 0


def start(rules: HandRules, dealt: HandDealt) -> HandState:
    """Begin a hand."""
    racks = tuple(mask_of(rack) for rack in dealt.racks)
    scores = (0,) * len(rules.terms.side_of_account)
    seat = dealt.starter
    hand = HandState(
        rules, seat, seat, racks, dealt.stock, EMPTY, (), seat, scores, reach=0, passed=0, last=None
    )
    return hand._replace(reach=reach_of(hand))


def reach_of(hand: HandState) -> int:
    """Work the tiles out that can still come to the line."""
    held = 0
    for rack in hand.racks:
        held |= rack
    return held | mask_of(hand.stock[: hand.drawable])


def legal(hand: HandState) -> tuple[Action, ...]:
    """List what the seat on turn may do: plays (left end first, by tile), else draw, else pass."""
    rack, ends = hand.racks[hand.turn], hand.ends
    if ends.left is None or ends.right is None:
        return openings(rack)
    plays = (
        LEFT_PLAYS[ends.left][rack & ends.left_fits]
        + RIGHT_PLAYS[ends.right][rack & ends.right_fits]
    )
    return plays or (_DRAW if hand.drawable else _PASS)


def refusal(hand: HandState, action: object) -> Exception:
    """Say why an action is not in `legal`: the error to raise."""
    if isinstance(action, Play):
        return _play_refusal(hand, action)
    if not isinstance(action, Draw | Pass):
        return UnreadableAction(f"this is no action: {brief(action)}")
    if isinstance(legal(hand)[0], Play):
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
        code = action.code
        scored = hand.rules.placement_scores[hand.ends.after[code].sum]
        played = _tile_played(hand.turn, code, scored)
        return _placed(hand, played, code), played
    event = _drawing(hand) if action is Draw() else _passed(hand.turn)
    return evolve(hand, event), event


def evolve(hand: HandState, event: HandEvent) -> HandState:
    """Follow an event; it is taken as true."""
    if isinstance(event, TilePlayed):
        return _placed(hand, event, placement_code(event.tile, event.end))
    if isinstance(event, TilesDrawn):
        return _drawn(hand, event)
    follower = hand.rules.follower[event.seat]
    return hand._replace(turn=follower, passed=hand.passed | 1 << event.seat, last=event)


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


def _placed(hand: HandState, event: TilePlayed, code: int) -> HandState:
    # the hottest step of all: the tuple is made at once, past the constructor's keyword handling
    rules, starter, seat, racks, stock, ends, laid, _, scores, reach, passed, _ = hand
    bit = event.tile.bit
    if event.scored:
        scores = _plus(scores, rules.terms.account_of[seat], event.scored)
    left = list(racks)
    left[seat] ^= bit
    return tuple.__new__(
        HandState,
        (
            rules,
            starter,
            rules.follower[seat],
            tuple(left),
            stock,
            ends.after[code],
            (*laid, code),
            seat,
            scores,
            reach ^ bit,
            passed and passed & ~(1 << seat),
            event,
        ),
    )


def _drawn(hand: HandState, event: TilesDrawn) -> HandState:
    racks = list(hand.racks)
    racks[event.seat] |= mask_of(event.tiles)
    return hand._replace(
        racks=tuple(racks),
        stock=hand.stock[len(event.tiles) :],
        passed=hand.passed & ~(1 << event.seat),
        last=event,
    )


def _plus(scores: Scores, account: int, scored: int) -> Scores:
    return (*scores[:account], scores[account] + scored, *scores[account + 1 :])


def ended(hand: HandState) -> OutcomeKind | None:
    """Say whether the hand is over. A last tile that would also lock is going out."""
    if 0 in hand.racks:
        return OutcomeKind.OUT
    if hand.reach & hand.ends.fits or hand.ends is EMPTY:
        return None
    waiting = hand.rules.lock_waits and hand.drawable
    return None if waiting else OutcomeKind.LOCK
