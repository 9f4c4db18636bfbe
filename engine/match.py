"""A match: hands at one table, from the first deal to places and points.

`new_match` → `deal_hand` → `legal_actions` / `apply` until the phase is over. States never change;
`evolve` rebuilds them from events alone. A state knows the tiles but never the secret, so it may be
stored; nothing of it may be shown except through `engine.view`.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from operator import add
from typing import Any, NamedTuple

from engine import hand as hands
from engine.actions import Action
from engine.deal import Deal, Previous, check_deal, fixed_starter, split
from engine.errors import (
    EngineError,
    InvalidDeal,
    InvalidRuleset,
    InvalidSnapshot,
    MatchOver,
    NoHandInPlay,
)
from engine.events import (
    Event,
    HandDealt,
    HandEnded,
    MatchEnded,
    Passed,
    Scores,
    TilePlayed,
    TilesDrawn,
    event_from_json,
    event_to_json,
    texts,
)
from engine.fairness import Shuffle
from engine.hand import HandRules, HandState
from engine.rulesets import Ruleset, ruleset_from_json
from engine.scoring import MatchResult, hand_score, match_result
from engine.tiles import Tile, mask_of, tile_from_text, tiles_in

FORMAT = 1
RECENT_HANDS = 20  # how many finished hands a state remembers, so that a snapshot stays small

_new = tuple.__new__

_Log = tuple["_Log", Event] | None


class Phase(StrEnum):
    """What a match waits for: a deal, an action of the seat on turn, or nothing any more."""

    DEAL = "deal"
    PLAY = "play"
    OVER = "over"


class Frame(NamedTuple):
    """What changes only from hand to hand; `totals` by account, before the hand in play.

    `ended` holds the latest finished hands, the last one with its racks.
    """

    rules: HandRules
    stake: int
    phase: Phase
    hand_number: int
    totals: Scores
    ended: tuple[HandEnded, ...]
    result: MatchResult | None


class _Parts(NamedTuple):
    frame: Frame
    hand: HandState | None
    log: _Log


class MatchState(_Parts):
    """A match at a moment. Two states are equal if they would go on alike; their logs may differ.

    Between hands `hand` is the one just finished, None before the first deal. `repr` shows no tile.
    """

    __slots__ = ()

    @property
    def ruleset(self) -> Ruleset:
        """The rule set it is played under."""
        return self.frame.rules.terms.ruleset

    @property
    def seats(self) -> int:
        """How many seats."""
        return self.frame.rules.terms.seats

    @property
    def partners(self) -> bool:
        """Whether 0 and 2 play against 1 and 3."""
        return self.frame.rules.terms.partners

    @property
    def stake(self) -> int:
        """What the points are worked out from (rules.md, From matches to points)."""
        return self.frame.stake

    @property
    def phase(self) -> Phase:
        """What the match waits for."""
        return self.frame.phase

    @property
    def hand_number(self) -> int:
        """The number of the hand in play or dealt next, from 0; at the end that of the last."""
        return self.frame.hand_number

    @property
    def turn(self) -> int | None:
        """The seat to act, None unless a hand is in play."""
        return self.hand.turn if self.hand and self.frame.phase is Phase.PLAY else None

    @property
    def player_totals(self) -> Scores | None:
        """Scores by seat, the hand in play included, where they are kept so (Aznif); else None."""
        by_player = self.ruleset.family.by_player
        return self._accounts() if by_player else None

    @property
    def totals(self) -> Scores:
        """Scores by side, the hand in play included."""
        return self.frame.rules.terms.by_side(self._accounts())

    @property
    def result(self) -> MatchResult | None:
        """Scores, places and points when the match is over."""
        return self.frame.result

    def _accounts(self) -> Scores:
        if self.hand is None or self.frame.phase is not Phase.PLAY:
            return self.frame.totals
        return _sum(self.frame.totals, self.hand.scores)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MatchState) and self[:2] == other[:2]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.hand_number, self.phase, self.hand and self.hand.laid))

    def __repr__(self) -> str:
        return f"<MatchState {self.ruleset.preset}: hand {self.hand_number}, {self.phase}>"

    def __copy__(self) -> "MatchState":
        return self

    def __deepcopy__(self, memo: object) -> "MatchState":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return load, (dump(self),)


class Step(NamedTuple):
    """A state and the events that led to it from the one before, in order."""

    state: MatchState
    events: tuple[Event, ...]


def new_match(
    ruleset: Ruleset, *, seats: int, partners: bool = False, stake: int | None = None
) -> MatchState:
    """Set a match up, nothing dealt; raise `InvalidRuleset` if the rule set is not played so.

    Where the stake is the number of hands (Aznif) it may be left out and must not differ.

    >>> from engine.rulesets import preset
    >>> state = new_match(preset("aznif", hands=3), seats=4)
    >>> state.phase.value, state.stake, state.totals
    ('deal', 3, (0, 0, 0, 0))
    """
    terms = ruleset.at(seats, partners)
    rules = HandRules.of(terms)
    totals = (0,) * len(terms.side_of_account)
    frame = Frame(rules, _stake(ruleset, stake), Phase.DEAL, 0, totals, (), None)
    return MatchState(frame, None, None)


def _stake(ruleset: Ruleset, stake: object) -> int:
    usual = ruleset.family.stake if ruleset.family.stake is not None else ruleset.length.number
    if stake is None:
        return usual
    if type(stake) is not int or stake < 1:
        raise InvalidRuleset("stake", "a stake is a number above 0")
    if ruleset.family.stake is None and stake != usual:
        raise InvalidRuleset("stake", f"the stake is the number of hands, {usual}")
    return stake


def deal_hand(state: MatchState, shuffle: Shuffle) -> Step:
    """Deal the next hand from the shuffle, and draw the lot for its starter where the rules say so.

    >>> from engine.rulesets import preset
    >>> shuffle = Shuffle(bytes(range(32)), ("", "", "", ""))
    >>> step = deal_hand(new_match(preset("aznif"), seats=4), shuffle)
    >>> step.state.phase.value, step.state.turn, len(legal_actions(step.state))
    ('play', 3, 7)
    """
    _expect_deal(state)
    terms, number = state.frame.rules.terms, state.hand_number
    if len(shuffle.contributions) != terms.seats:
        raise InvalidDeal(f"a shuffle for {terms.seats} seats has as many contributions")
    deal = split(shuffle.order(number, 0), terms.seats, terms.ruleset.deal)
    fixed = _fixed_starter(state)
    starter = shuffle.starter(number, terms.seats) if fixed is None else fixed
    return _step(state, HandDealt(deal.racks, deal.stock, starter))


def deal_given(
    state: MatchState, racks: Sequence[Sequence[Tile]], stock: Sequence[Tile], starter: int
) -> Step:
    """Deal the next hand as it was dealt elsewhere; raise `InvalidDeal` if it could not be so.

    For records without a proof and for positions made by hand.
    """
    _expect_deal(state)
    deal = Deal(tuple(map(tuple, racks)), tuple(stock))
    check_deal(deal, state.frame.rules.terms)
    if starter not in range(state.seats):
        raise InvalidDeal(f"seat {starter} cannot start")
    fixed = _fixed_starter(state)
    if fixed is not None and starter != fixed:
        raise InvalidDeal(f"seat {fixed} starts this hand, not seat {starter}")
    return _step(state, HandDealt(deal.racks, deal.stock, starter))


def _expect_deal(state: MatchState) -> None:
    if state.phase is Phase.OVER:
        raise MatchOver()
    if state.phase is Phase.PLAY:
        raise InvalidDeal("a hand is in play")


def _fixed_starter(state: MatchState) -> int | None:
    ended = state.frame.ended
    previous = Previous(state.hand.starter, ended[-1]) if state.hand and ended else None
    return fixed_starter(state.frame.rules.terms, previous)


def _step(state: MatchState, event: Event) -> Step:
    return Step(evolve(state, event), (event,))


def legal_actions(state: MatchState) -> tuple[Action, ...]:
    """List what the seat on turn may do, in an order that depends on the position alone.

    Plays at the left end come first, then at the right, each by tile (0-0, 1-0, 1-1, …); a draw or
    a pass is the only action when it is legal. Empty unless a hand is in play.
    """
    hand = state.hand
    return () if hand is None else hand.legal


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
    frame, hand, log = state
    if hand is None or action not in hand.legal:
        raise _refusal(state, action)
    hand = hands.act(hand, action)
    event = hand.last
    assert event is not None  # an action has just made it
    state = _new(MatchState, (frame, hand, (log, event)))
    return _new(Step, (state, (event,))) if hand.legal else _finish(state, event)


def _refusal(state: MatchState, action: object) -> EngineError:
    if state.phase is Phase.OVER:
        return MatchOver()
    if state.hand is None or state.phase is Phase.DEAL:
        return NoHandInPlay()
    return hands.refusal(state.hand, action)


def _finish(state: MatchState, event: Event) -> Step:
    hand_ended = _hand_ended(state)
    state = evolve(state, hand_ended)
    if not _is_last_hand(state):
        return Step(state, (event, hand_ended))
    result = match_result(state.frame.rules.terms, state.totals, state.stake)
    match_ended = MatchEnded(*result)
    return Step(evolve(state, match_ended), (event, hand_ended, match_ended))


def _hand_ended(state: MatchState) -> HandEnded:
    frame, hand, _ = state
    assert hand is not None
    terms = frame.rules.terms
    left = tuple(map(tiles_in, hand.racks))
    score = hand_score(terms, hand.outcome, hand.placer, left)
    accounts = _sum(hand.scores, score.scores)
    return HandEnded(
        kind=hand.outcome,
        seat=hand.placer,
        winner=score.winner,
        scores=terms.by_side(accounts),
        totals=terms.by_side(_sum(frame.totals, accounts)),
        racks=left,
        player_scores=accounts if terms.ruleset.family.by_player else None,
    )


def _is_last_hand(state: MatchState) -> bool:
    """After a hand's end `hand_number` counts the finished hands."""
    return state.hand_number == state.ruleset.hands


def _sum(scores: Scores, more: Scores) -> Scores:
    return tuple(map(add, scores, more))


def evolve(state: MatchState, event: Event) -> MatchState:
    """Follow an event, which is taken as true: the events alone rebuild every state.

    >>> from engine.rulesets import preset
    >>> shuffle = Shuffle(bytes(range(32)), ("", "", "", ""))
    >>> state = new_match(preset("aznif"), seats=4)
    >>> step = deal_hand(state, shuffle)
    >>> evolve(state, step.events[0]) == step.state
    True
    """
    frame, hand, log = state
    if isinstance(event, TilePlayed | TilesDrawn | Passed):
        if hand is None:
            raise NoHandInPlay()
        hand = hands.evolve(hand, event)
    elif isinstance(event, HandDealt):
        frame = frame._replace(phase=Phase.PLAY)
        hand = hands.start(frame.rules, event)
    elif isinstance(event, HandEnded):
        frame = _after_hand(frame, event)
    else:
        frame = _after_match(frame, event)
    return MatchState(frame, hand, (log, event))


def _after_match(frame: Frame, event: MatchEnded) -> Frame:
    result = MatchResult(*event)
    return frame._replace(phase=Phase.OVER, result=result, hand_number=frame.hand_number - 1)


def _after_hand(frame: Frame, event: HandEnded) -> Frame:
    accounts = event.scores if event.player_scores is None else event.player_scores
    return frame._replace(
        phase=Phase.DEAL,
        hand_number=frame.hand_number + 1,
        totals=_sum(frame.totals, accounts),
        ended=_remember(frame.ended, event),
    )


def _remember(ended: tuple[HandEnded, ...], event: HandEnded) -> tuple[HandEnded, ...]:
    """Add a finished hand; only the latest keeps its racks."""
    if not ended:
        return (event,)
    return (*ended[-RECENT_HANDS + 1 : -1], ended[-1]._replace(racks=()), event)


def events_of(state: MatchState) -> tuple[Event, ...]:
    """List what happened since `new_match` or `load`, oldest first."""
    events, log = [], state.log
    while log is not None:
        log, event = log
        events.append(event)
    return tuple(reversed(events))


def dump(state: MatchState) -> dict[str, object]:
    """Write a state as JSON values, small and of a size that does not grow with the match.

    It holds every hidden tile (never the secret): for storage, not for people.
    """
    frame, hand, _ = state
    return {
        "format": FORMAT,
        "ruleset": state.ruleset.to_json(),
        "seats": state.seats,
        "partners": state.partners,
        "stake": frame.stake,
        "phase": frame.phase.value,
        "hand_number": frame.hand_number,
        "totals": list(frame.totals),
        "ended": [event_to_json(event) for event in frame.ended],
        "result": None if frame.result is None else [list(part) for part in frame.result],
        "hand": None if hand is None else _dump_hand(hand),
    }


def _dump_hand(hand: HandState) -> dict[str, object]:
    return {
        "starter": hand.starter,
        "turn": hand.turn,
        "racks": [texts(tiles_in(rack)) for rack in hand.racks],
        "stock": texts(hand.stock),
        "laid": [event_to_json(event) for event in hand.laid],
        "scores": list(hand.scores),
        "passed": hand.passed,
        "last": None if hand.last is None else event_to_json(hand.last),
    }


def load(data: Mapping[str, Any]) -> MatchState:
    """Read what `dump` wrote; anything else is an `InvalidSnapshot`. The log starts empty.

    >>> from engine.rulesets import preset
    >>> state = new_match(preset("aznif"), seats=4)
    >>> load(dump(state)) == state
    True
    """
    try:
        if data["format"] != FORMAT:
            raise InvalidSnapshot(f"a snapshot of format {FORMAT} is needed")
        return _load(data)
    except InvalidSnapshot:
        raise
    except (EngineError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidSnapshot(f"a snapshot cannot be read: {type(error).__name__}") from error


def _load(data: Mapping[str, Any]) -> MatchState:
    ruleset = ruleset_from_json(data["ruleset"])
    fresh = new_match(
        ruleset, seats=data["seats"], partners=data["partners"], stake=data["stake"]
    ).frame
    result = data["result"]
    frame = fresh._replace(
        phase=Phase(data["phase"]),
        hand_number=data["hand_number"],
        totals=tuple(data["totals"]),
        ended=tuple(_hand_ended_from(event) for event in data["ended"]),
        result=None if result is None else MatchResult(*map(tuple, result)),
    )
    hand = None if data["hand"] is None else _load_hand(frame.rules, data["hand"])
    return MatchState(frame, hand, None)


def _hand_ended_from(data: Mapping[str, Any]) -> HandEnded:
    event = event_from_json(data)
    if not isinstance(event, HandEnded):
        raise InvalidSnapshot("a finished hand is no hand_ended event")
    return event


def _played_from(data: Mapping[str, Any]) -> TilePlayed:
    event = event_from_json(data)
    if not isinstance(event, TilePlayed):
        raise InvalidSnapshot("a placement is no tile_played event")
    return event


def _load_hand(rules: HandRules, data: Mapping[str, Any]) -> HandState:
    last = None if data["last"] is None else event_from_json(data["last"])
    if not isinstance(last, TilePlayed | TilesDrawn | Passed | None):
        raise InvalidSnapshot("the last move of a hand is no move")
    return hands.restored(
        rules,
        starter=data["starter"],
        turn=data["turn"],
        racks=tuple(mask_of(map(tile_from_text, rack)) for rack in data["racks"]),
        stock=tuple(map(tile_from_text, data["stock"])),
        laid=tuple(map(_played_from, data["laid"])),
        scores=tuple(data["scores"]),
        passed=data["passed"],
        last=last,
    )
