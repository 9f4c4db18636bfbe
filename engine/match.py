"""A match: hands at one table, from the first deal to places and points.

`new_match` → `deal_hand` → `legal_actions` / `apply` until the phase is over. States never change;
`evolve` rebuilds them from events alone. A state knows the tiles but never the secret, so it may be
stored; nothing of it may be shown except through `engine.view`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from operator import sub
from typing import Any, NamedTuple

from engine import hand as hands
from engine.accounts import Accounts, plus, plus_at
from engine.actions import Action, Play
from engine.deal import (
    Before,
    Deal,
    check_deal,
    check_redeals,
    fixed_starter,
    opening_tile,
    reasons_to_redeal,
    split,
)
from engine.errors import (
    EngineError,
    InvalidDeal,
    InvalidRuleset,
    MatchOver,
    NoHandInPlay,
    RulesetFault,
)
from engine.events import (
    Event,
    HandDealt,
    HandEnded,
    MatchEnded,
    OutcomeKind,
    Passed,
    Redeal,
    RedealReason,
    Scores,
    TilePlayed,
    TilesDrawn,
)
from engine.fairness import Shuffle
from engine.hand import PASS, PASSED, HandRules, HandState, Past, Position
from engine.line import EMPTY, ends_after
from engine.log import Events, Log
from engine.rulesets import Ruleset
from engine.scoring import Lay, MatchResult, hand_settled, is_over, match_result
from engine.tiles import Tile, mask_of, tiles_in

LARGEST_STAKE = 10_000
RECENT_HANDS = 20  # how many finished hands a state remembers, so that a snapshot stays small

_new = tuple.__new__


class Phase(StrEnum):
    """What a match waits for: a deal, an action of the seat on turn, or nothing any more."""

    DEAL = "deal"
    PLAY = "play"
    OVER = "over"


# looked up once: a member's look-up by its name costs as much as a small function
_DEAL, _PLAY, _OVER = Phase.DEAL, Phase.PLAY, Phase.OVER
_OUT, _LOCK = OutcomeKind.OUT, OutcomeKind.LOCK


class Frame(NamedTuple):
    """What most moves leave as it is; `accounts` as they stood before the hand in play.

    `ended` holds the latest finished hands, the last one with its racks. `starter`, `redeals` (why
    deals were refused before it), `stock` (the tiles left in drawing order) and `scores` (by
    account, of the placements so far) are those of the hand in play or, between hands, just
    finished.
    """

    rules: HandRules
    stake: int
    phase: Phase
    hand_number: int
    accounts: Accounts
    ended: tuple[HandEnded, ...]
    result: MatchResult | None
    starter: int | None
    redeals: tuple[RedealReason, ...]
    stock: tuple[Tile, ...]
    scores: Scores


class MatchState:
    """A match at a moment. Two states are equal if they would go on alike; their logs may differ.

    Its cells are private and filled only here, where the state is made; nobody changes one later.
    `repr` shows no tile.

    >>> from engine.rulesets import preset
    >>> state = new_match(preset("domino101"), seats=2)
    >>> state
    <MatchState domino101: hand 0, deal>
    >>> state.totals, state.drafts, state.open, state.bank, state.turn
    ((0, 0), (0, 0), (False, False), 0, None)
    """

    # Every move makes one of these: so the hand's cells lie here too. It does not hold the states
    # before it, only the hand's log and how many steps of it led here, so that what a move makes is
    # gone with the state, and a match of any length costs the collector of garbage little.
    __slots__ = ("_count", "_frame", "_log", "_position", "_racks")
    _log: Log
    _count: int
    _frame: Frame
    _position: Position
    _racks: int

    @property
    def frame(self) -> Frame:
        """What most moves leave as it is."""
        return self._frame

    @property
    def hand(self) -> HandState | None:
        """The hand in play, between hands the one just finished, None before the first deal."""
        starter = self._frame.starter
        return None if starter is None else _hand_of(self, starter)

    @property
    def ruleset(self) -> Ruleset:
        """The rule set it is played under."""
        return self._frame.rules.terms.ruleset

    @property
    def seats(self) -> int:
        """How many seats."""
        return self._frame.rules.terms.seats

    @property
    def partners(self) -> bool:
        """Whether 0 and 2 play against 1 and 3."""
        return self._frame.rules.terms.partners

    @property
    def stake(self) -> int:
        """What the points are worked out from (rules.md, From matches to points)."""
        return self._frame.stake

    @property
    def phase(self) -> Phase:
        """What the match waits for."""
        return self._frame.phase

    @property
    def hand_number(self) -> int:
        """The number of the hand in play or dealt next, from 0; at the end that of the last."""
        return self._frame.hand_number

    @property
    def turn(self) -> int | None:
        """The seat to act, None unless a hand is in play."""
        return self._position.seat if self._frame.phase is _PLAY else None

    @property
    def player_totals(self) -> Scores | None:
        """Scores by seat, the hand in play included, where they are kept so (Aznif); else None."""
        by_player = self.ruleset.family.by_player
        return self._accounts().totals if by_player else None

    @property
    def totals(self) -> Scores:
        """Scores by side, the hand in play included; where accounts open, the main balances."""
        return self._frame.rules.terms.by_side(self._accounts().totals)

    @property
    def drafts(self) -> Scores | None:
        """What closed accounts keep, by side, the hand in play included (rules.md, Domino 101).

        None where the rule set has no opening minimum.
        """
        return self._accounts().drafts if self.ruleset.opening_minimum else None

    @property
    def open(self) -> tuple[bool, ...] | None:
        """Which sides' accounts are open; None where the rule set has no opening minimum."""
        return self._frame.accounts.open if self.ruleset.opening_minimum else None

    @property
    def bank(self) -> int:
        """The pips of sekas that the next winner takes; lost at the match's end."""
        return self._frame.accounts.bank

    @property
    def wins(self) -> Scores:
        """How many hands each side has won."""
        return self._frame.accounts.wins

    @property
    def result(self) -> MatchResult | None:
        """Scores, places and points when the match is over."""
        return self._frame.result

    def _accounts(self) -> Accounts:
        if self._frame.phase is not _PLAY:
            return self._frame.accounts
        return self._frame.accounts.credited(self._frame.scores)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MatchState):
            return NotImplemented
        return self._frame == other._frame and self.hand == other.hand

    def __hash__(self) -> int:
        return hash((self.hand_number, self.phase, self._racks))

    def __repr__(self) -> str:
        return f"<MatchState {self.ruleset.preset}: hand {self.hand_number}, {self.phase}>"

    def __copy__(self) -> "MatchState":
        return self

    def __deepcopy__(self, memo: object) -> "MatchState":
        return self


def first_state(frame: Frame, past: Past) -> MatchState:
    """Make a state that has none before it, with nothing dealt."""
    closed = frame.rules.positions.closed(EMPTY, 0)
    return made_state(Log(past), 0, frame, closed, 0)


def made_state(log: Log, count: int, frame: Frame, position: Position, racks: int) -> MatchState:
    """Make a state to which the first `count` steps led; whoever calls answers for its sense."""
    state = MatchState()
    state._log = log
    state._count = count
    state._frame = frame
    state._position = position
    state._racks = racks
    return state


def _followed(
    before: MatchState, events: Events, frame: Frame, position: Position, racks: int
) -> MatchState:
    """Make a state that follows another of the same hand by `events`."""
    log = before._log.followed(before._count, events)
    return made_state(log, before._count + 1, frame, position, racks)


def _hand_of(state: MatchState, starter: int) -> HandState:
    frame, past = state._frame, state._log.past_after(state._count)
    return HandState(
        starter=starter,
        turn=state._position.seat,
        racks=_racks_of(state),
        redeals=frame.redeals,
        stock=frame.stock,
        drawable=frame.rules.drawable(frame.stock),
        ends=ends_after((event.tile, event.end) for event in past.laid),
        scores=frame.scores,
        laid=past.laid,
        passed=past.passed,
        last=past.last,
    )


def _racks_of(state: MatchState) -> tuple[int, ...]:
    return hands.unpacked(state._racks, state._frame.rules.terms.seats)


class Step:
    """A state and the events that led to it from the one before, in order.

    It can be taken apart as a pair: `state, events = step`.
    """

    __slots__ = ("events", "state")  # every action makes one, and a tuple would cost twice as much
    state: MatchState
    events: tuple[Event, ...]

    def __iter__(self) -> Iterator[Any]:
        """Give the state, then the events."""
        yield self.state
        yield self.events

    def __eq__(self, other: object) -> bool:
        """Compare as a pair."""
        return isinstance(other, Step) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        """Agree with `==`."""
        return hash(self.state)

    def __repr__(self) -> str:
        """Show the pair."""
        return f"Step(state={self.state!r}, events={self.events!r})"


def _step(state: MatchState, events: Events) -> Step:
    step = Step()
    step.state = state
    step.events = events
    return step


def new_match(
    ruleset: Ruleset, *, seats: int, partners: bool = False, stake: int | None = None
) -> MatchState:
    """Set a match up, nothing dealt; raise `InvalidRuleset` if the rule set is not played so.

    The stake is from 1 to 10,000, 11 if left out. In Aznif it is the number of hands; left out, or
    the same.

    >>> from engine.rulesets import preset
    >>> state = new_match(preset("aznif", hands=3), seats=4)
    >>> state.phase.value, state.stake, state.totals
    ('deal', 3, (0, 0, 0, 0))
    """
    terms = ruleset.at(seats, partners)
    rules, accounts = HandRules.of(terms), Accounts.of(terms)
    stake = _stake(ruleset, stake)
    frame = Frame(rules, stake, _DEAL, 0, accounts, (), None, None, (), (), accounts.totals)
    return first_state(frame, Past())


def _stake(ruleset: Ruleset, stake: object) -> int:
    usual = ruleset.family.stake if ruleset.family.stake is not None else ruleset.length.number
    if stake is None:
        return usual
    if type(stake) is not int or not 1 <= stake <= LARGEST_STAKE:
        raise InvalidRuleset(RulesetFault.STAKE, "a stake is a number from 1 to 10,000", "stake")
    if ruleset.family.stake is None and stake != usual:
        sentence = f"the stake is the number of hands, {usual}"
        raise InvalidRuleset(RulesetFault.STAKE, sentence, "stake")
    return stake


def deal_hand(state: MatchState, shuffle: Shuffle) -> Step:
    """Deal the next hand from the shuffle, and draw the lot for its starter where the rules say so.

    Deals that the rule set refuses are dealt again, all 28 tiles, until one is clean. Raises
    `InvalidDeal` while a hand is in play or for a shuffle of other seats, `MatchOver` at the end.

    >>> from engine.rulesets import preset
    >>> shuffle = Shuffle(bytes(range(32)), ("", "", "", ""))
    >>> step = deal_hand(new_match(preset("aznif"), seats=4), shuffle)
    >>> step.state.phase.value, step.state.turn, len(legal_actions(step.state))
    ('play', 3, 7)
    """
    frame = state._frame
    if frame.phase is not _DEAL:
        raise _undealt(frame.phase)
    rules, before = frame.rules, _before(frame)
    terms = rules.terms
    if len(shuffle.contributions) != terms.seats:
        raise InvalidDeal(f"a shuffle for {terms.seats} seats has as many contributions")
    redeals: list[Redeal] = []
    deal = split(shuffle.order(before.number, 0), terms.seats, terms.deal)
    while rules.may_redeal and (reason := next(reasons_to_redeal(terms, before, deal), None)):
        redeals.append(Redeal(deal.racks, deal.stock, reason))
        deal = split(shuffle.order(before.number, len(redeals)), terms.seats, terms.deal)
    fixed = fixed_starter(terms, before, deal)
    starter = shuffle.starter(before.number, terms.seats) if fixed is None else fixed
    events = (HandDealt(deal.racks, deal.stock, starter, tuple(redeals)),)
    return _step(_dealt(state, events), events)


def deal_given(
    state: MatchState,
    racks: Sequence[Sequence[Tile]],
    stock: Sequence[Tile],
    starter: int,
    redeals: Sequence[Redeal] = (),
) -> Step:
    """Deal the next hand as it was dealt elsewhere; raise `InvalidDeal` if it could not be so.

    `redeals` are the deals that were refused before. For records without a proof and for positions
    made by hand. Raises `MatchOver` after the last hand.

    >>> from engine.rulesets import preset
    >>> from engine.tiles import TILES
    >>> state = new_match(preset("kraloyun"), seats=2)
    >>> step = deal_given(state, [TILES[:7], TILES[7:14]], TILES[14:], starter=1)
    >>> legal_actions(step.state)
    (Play(3-3),)
    >>> deal_given(state, [TILES[:7], TILES[7:14]], TILES[14:], starter=0)
    Traceback (most recent call last):
    engine.errors.InvalidDeal: seat 1 starts this hand, not seat 0
    """
    if state._frame.phase is not _DEAL:
        raise _undealt(state._frame.phase)
    terms, before = state._frame.rules.terms, _before(state._frame)
    deal = Deal(tuple(map(tuple, racks)), tuple(stock))
    check_deal(deal, terms)
    check_redeals(terms, before, redeals, deal)
    if starter not in range(terms.seats):
        raise InvalidDeal(f"seat {starter} cannot start")
    fixed = fixed_starter(terms, before, deal)
    if fixed is not None and starter != fixed:
        raise InvalidDeal(f"seat {fixed} starts this hand, not seat {starter}")
    events = (HandDealt(deal.racks, deal.stock, starter, tuple(redeals)),)
    return _step(_dealt(state, events), events)


def _undealt(phase: Phase) -> EngineError:
    return MatchOver() if phase is _OVER else InvalidDeal("a hand is in play")


def _before(frame: Frame) -> Before:
    """Tell the deal what it hangs on; `frame` is one of before the deal."""
    if not frame.ended:
        return Before(frame.hand_number)
    return Before(frame.hand_number, frame.starter, frame.ended[-1])


def legal_actions(state: MatchState) -> tuple[Action, ...]:
    """List what the seat on turn may do, in an order that depends on the position alone.

    Plays at the left end come first, then at the right, each by tile (0-0, 1-0, 1-1, …); a draw or
    a pass is the only action when it is legal. Empty unless a hand is in play.

    >>> from engine.rulesets import preset
    >>> state = new_match(preset("vip-draw"), seats=2)
    >>> legal_actions(state)
    ()
    >>> state = deal_hand(state, Shuffle(bytes(range(32)), ("", ""))).state
    >>> legal_actions(apply(state, legal_actions(state)[0]).state)
    (Play(3-1, L), Play(5-0, R), Play(6-0, R))
    """
    position, racks = state._position, state._racks
    rack = racks >> position.shift
    at_left = position.left_plays[rack & position.left_fits]
    plays = at_left + position.right_plays[rack & position.right_fits]
    return plays or hands.without_play(state._frame.rules, position, racks, state._frame.stock)


def apply(state: MatchState, action: Action) -> Step:
    """Carry an action of the seat on turn out, and what comes of it by itself.

    The lock, `HandEnded` and `MatchEnded` come in the same step. Raises a subclass of
    `IllegalAction` for an action that is not in `legal_actions`, `UnreadableAction` for what is no
    action.

    >>> from engine.rulesets import preset
    >>> shuffle = Shuffle(bytes(range(32)), ("", "", "", ""))
    >>> state = deal_hand(new_match(preset("aznif"), seats=4), shuffle).state
    >>> apply(state, legal_actions(state)[0]).events
    (TilePlayed(seat=3, tile=Tile(1, 0), end=None, scored=0),)
    >>> from engine.actions import Pass
    >>> apply(state, Pass())
    Traceback (most recent call last):
    engine.errors.MustPlay: there is a playable tile, so it must be played
    """
    position, racks = state._position, state._racks
    if action is _A_PASS:
        return _pass(state)
    try:
        bit, after, scored, events = position.moves[action]
    except (KeyError, TypeError):  # what has no hash is no action
        return _apply_unknown(state, action)
    if not racks & bit:
        raise _refusal(state, action)
    racks ^= bit
    if scored or not (racks & position.own and racks & after.fits_all):
        return _settled(state, events, *_placed(state, events, bit, after))
    moved = MatchState()  # as `_followed` would, without three calls: most actions end here
    log, count = state._log, state._count
    steps = log.steps
    if len(steps) == count:
        steps.append(events)
    moved._log = log if steps[count] is events else log.followed(count, events)
    moved._count = count + 1
    moved._frame = state._frame
    moved._position = after
    moved._racks = racks
    step = Step()
    step.state = moved
    step.events = events
    return step


_A_PASS = PASS[0]


def _pass(state: MatchState) -> Step:
    if legal_actions(state) is not PASS:
        raise _refusal(state, _A_PASS)
    events = PASSED[state._position.seat]
    position = hands.passed_from(state._position)
    return _step(_followed(state, events, state._frame, position, state._racks), events)


def _apply_unknown(state: MatchState, action: Action) -> Step:
    """Carry out what `moves` does not know: a placement for the first time, or a draw."""
    if isinstance(action, Play) and hands.move_from(state._position, action) is not None:
        return apply(state, action)
    if action not in legal_actions(state):
        raise _refusal(state, action)
    events = (hands.drawing(state._frame.rules, state._position, state._frame.stock),)
    return _settled(state, events, *_drawn(state, events))


def _refusal(state: MatchState, action: object) -> EngineError:
    if state.phase is _OVER:
        return MatchOver()
    if state.phase is _DEAL:
        return NoHandInPlay()
    return hands.refusal(state._position, state._racks, legal_actions(state), action)


def _settled(
    before: MatchState, events: Events, frame: Frame, position: Position, racks: int
) -> Step:
    """Let come what comes by itself after a move: the ends of hand and match."""
    if not position.fits:
        move = events[0]
        last = move.seat if isinstance(move, TilePlayed) else before._log.placer(before._count)
        frame, hand_ended = _hand_ended(frame, last, racks)
        events = (move, hand_ended)
        if is_over(frame.rules.terms, frame.accounts, frame.hand_number):
            frame, match_ended = _match_ended(frame, hand_ended.totals)
            events = (move, hand_ended, match_ended)
    return _step(_followed(before, events, frame, position, racks), events)


def _hand_ended(frame: Frame, placer: int, packed: int) -> tuple[Frame, HandEnded]:
    """Settle a hand that is over: the frame after it, and the event that tells of it."""
    rules, before = frame.rules, frame.accounts
    terms = rules.terms
    racks = hands.unpacked(packed, terms.seats)
    kind = _LOCK if all(racks) else _OUT
    lay = _new(Lay, (kind, placer, racks))
    accounts, winner = hand_settled(terms, before.credited(frame.scores), lay)
    change = tuple(map(sub, accounts.totals, before.totals))
    event = HandEnded(
        kind,
        placer,
        winner,
        terms.by_side(change),
        terms.by_side(accounts.totals),
        tuple(map(tiles_in, racks)),
        change if rules.by_player else None,
        accounts.drafts if rules.closable else None,
        accounts.open if rules.closable else None,
        accounts.bank,
    )
    return _after_hand(frame, accounts, event), event


def _match_ended(frame: Frame, totals: Scores) -> tuple[Frame, MatchEnded]:
    event = MatchEnded(*match_result(frame.rules.terms, totals, frame.stake))
    return _after_match(frame, event), event


def evolve(state: MatchState, event: Event) -> MatchState:
    """Follow an event, which is taken as true: the events alone rebuild every state.

    >>> from engine.rulesets import preset
    >>> shuffle = Shuffle(bytes(range(32)), ("", "", "", ""))
    >>> state = new_match(preset("aznif"), seats=4)
    >>> step = deal_hand(state, shuffle)
    >>> evolve(state, step.events[0]) == step.state
    True
    """
    follow: Callable[[MatchState, Any], MatchState] = _FOLLOW[type(event)]
    return follow(state, (event,))


def _dealt(state: MatchState, events: tuple[HandDealt]) -> MatchState:
    event, before = events[0], state._frame
    nothing = (0,) * len(before.scores)
    frame = Frame(
        before.rules,
        before.stake,
        _PLAY,
        before.hand_number,
        before.accounts,
        before.ended,
        None,
        event.starter,
        tuple([redeal.reason for redeal in event.redeals]),
        event.stock,
        nothing,
    )
    rules, forced = frame.rules, None
    if rules.may_force:
        forced = opening_tile(rules.terms.ruleset, _before(before), event.stock)
    position = rules.positions.opening(event.starter, forced)
    log = Log(_NOTHING_BEFORE, events, before=state._log, told=state._count)
    return made_state(log, 1, frame, position, hands.packed(event.racks))


_NOTHING_BEFORE = Past()


def _played(state: MatchState, events: tuple[TilePlayed]) -> MatchState:
    play = Play(events[0].tile, events[0].end)
    move = hands.move_from(state._position, play)
    if move is None:
        raise _refusal(state, play)
    return _followed(state, events, *_placed(state, events, *move[:2]))


Moved = tuple[Frame, Position, int]
"""Where a move leads: frame, position and racks."""


def _placed(state: MatchState, events: tuple[TilePlayed], bit: int, after: Position) -> Moved:
    frame, scored, racks = state._frame, events[0].scored, state._racks ^ bit
    if scored:
        account = frame.rules.terms.account_of[events[0].seat]
        frame = _with(frame, frame.stock, plus_at(frame.scores, account, scored))
    out = not racks & state._position.own
    if out or hands.is_locked(frame.rules, after, racks, frame.stock):
        after = frame.rules.positions.closed(after.ends, after.seat)
    return frame, after, racks


def _drew(state: MatchState, events: tuple[TilesDrawn]) -> MatchState:
    return _followed(state, events, *_drawn(state, events))


def _drawn(state: MatchState, events: tuple[TilesDrawn]) -> Moved:
    tiles, frame, position = events[0].tiles, state._frame, state._position
    racks = state._racks | mask_of(tiles) << position.shift
    frame = _with(frame, frame.stock[len(tiles) :], frame.scores)
    # the whole stock may have been drawn in vain
    if hands.is_locked(frame.rules, position, racks, frame.stock):
        position = frame.rules.positions.closed(position.ends, position.seat)
    return frame, position, racks


def _passed(state: MatchState, events: tuple[Passed]) -> MatchState:
    position = hands.passed_from(state._position)
    return _followed(state, events, state._frame, position, state._racks)


def _with(frame: Frame, stock: tuple[Tile, ...], scores: Scores) -> Frame:
    return Frame._make((*frame[:-2], stock, scores))


def _hand_over(state: MatchState, events: tuple[HandEnded]) -> MatchState:
    frame = _after_hand(state._frame, _told(state._frame.accounts, events[0]), events[0])
    return _followed(state, events, frame, state._position, state._racks)


def _match_over(state: MatchState, events: tuple[MatchEnded]) -> MatchState:
    frame = _after_match(state._frame, events[0])
    return _followed(state, events, frame, state._position, state._racks)


_FOLLOW: Mapping[type, Callable[[MatchState, Any], MatchState]] = {
    HandDealt: _dealt,
    TilePlayed: _played,
    TilesDrawn: _drew,
    Passed: _passed,
    HandEnded: _hand_over,
    MatchEnded: _match_over,
}


def _after_match(frame: Frame, event: MatchEnded) -> Frame:
    result = MatchResult(*event)
    return frame._replace(phase=_OVER, result=result, hand_number=frame.hand_number - 1)


def _after_hand(frame: Frame, accounts: Accounts, event: HandEnded) -> Frame:
    return Frame(
        frame.rules,
        frame.stake,
        _DEAL,
        frame.hand_number + 1,
        accounts,
        _remember(frame.ended, event),
        None,
        frame.starter,
        frame.redeals,
        frame.stock,
        frame.scores,
    )


def _told(accounts: Accounts, event: HandEnded) -> Accounts:
    """Give the accounts that a hand's end tells of."""
    change = event.scores if event.player_scores is None else event.player_scores
    return Accounts(
        totals=plus(accounts.totals, change),
        drafts=accounts.drafts if event.drafts is None else event.drafts,
        open=accounts.open if event.open is None else event.open,
        bank=event.bank,
        wins=accounts.wins if event.winner is None else plus_at(accounts.wins, event.winner, 1),
    )


def _remember(ended: tuple[HandEnded, ...], event: HandEnded) -> tuple[HandEnded, ...]:
    """Add a finished hand; only the latest keeps its racks."""
    if not ended:
        return (event,)
    last = ended[-1]  # made anew at once, for _replace is slow
    last = HandEnded(*last[:5], (), *last[6:])
    return (*ended[-RECENT_HANDS + 1 : -1], last, event)


def events_of(state: MatchState) -> tuple[Event, ...]:
    """List what happened since `new_match` or `load`, oldest first.

    >>> from engine.rulesets import preset
    >>> step = deal_hand(new_match(preset("aznif"), seats=2), Shuffle(bytes(32), ("", "")))
    >>> events_of(step.state) == step.events
    True
    """
    return state._log.events(state._count)
