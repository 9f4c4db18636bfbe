"""Positions and matches for the engine's tests, written as short as the rule book tells them.

Everything goes through the engine's public functions; no rule is worked out here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from engine.actions import Action, Draw, Pass, Play
from engine.errors import InvalidRuleset, RulesetFault
from engine.events import Event, HandEnded, OutcomeKind
from engine.fairness import Shuffle, below
from engine.line import End
from engine.match import MatchState, Phase, Step, apply, deal_given, deal_hand, legal_actions
from engine.match import new_match as new_match
from engine.rulesets import preset
from engine.tiles import TILES, Tile, tile_from_text
from tests.engine.table_of_fields import OFFERED, offered

TABLES: dict[str, tuple[tuple[int, bool], ...]] = {
    "aznif": ((2, False), (3, False), (4, False), (4, True)),
    "vip-draw": ((2, False), (4, False), (4, True)),
    "vip-block": ((2, False), (4, False), (4, True)),
    "domino101": ((2, False), (3, False), (4, True)),
    "kraloyun": ((2, False), (3, False), (4, False), (4, True)),
}
"""Every preset, and how many may sit at it: seats, partners."""


def tiles(text: str) -> tuple[Tile, ...]:
    """`"6-4 5-5"` → two tiles."""
    return tuple(map(tile_from_text, text.split()))


def play(text: str) -> Action:
    """`"6-4"` the first tile, `"6-4 L"` at an end, `"draw"`, `"pass"`."""
    if text in ("draw", "pass"):
        return Draw() if text == "draw" else Pass()
    tile, _, end = text.partition(" ")
    return Play(tile_from_text(tile), End(end) if end else None)


def aznif(*, seats: int = 4, partners: bool = False, **options: object) -> MatchState:
    """A new Aznif match of one hand unless said otherwise."""
    return new_match(preset("aznif", **{"hands": 1, **options}), seats=seats, partners=partners)


def table(name: str, *, seats: int, partners: bool = False, **options: object) -> MatchState:
    """A new match of a preset with options, nothing dealt."""
    return new_match(preset(name, **options), seats=seats, partners=partners)


def hand_of(
    name: str,
    *racks: str,
    stock: str = "",
    starter: int = 0,
    partners: bool = False,
    **options: object,
) -> MatchState:
    """The first hand of a preset, dealt so; seats and deal are as the racks have it."""
    options = {"deal": len(racks[0].split()), **options}
    start = table(name, seats=len(racks), partners=partners, **options)
    return dealt(*racks, stock=stock, starter=starter, state=start).state


def stock_ending(tail: str, *racks: str) -> str:
    """The tiles in no rack, 0-0 first, these at the very end."""
    kept = tail.split()
    named = {*kept, *" ".join(racks).split()}
    return " ".join([tile.text for tile in TILES if tile.text not in named] + kept)


def dealt(*racks: str, stock: str = "", starter: int = 0, state: MatchState | None = None) -> Step:
    """Deal these racks; the stock begins with `stock` and goes on with what is left, 0-0 first."""
    held = tuple(map(tiles, racks))
    first = tiles(stock)
    used = {tile for rack in (*held, first) for tile in rack}
    rest = tuple(tile for tile in TILES if tile not in used)
    if state is None:
        state = aznif(seats=len(racks), deal=len(held[0]))
    return deal_given(state, held, first + rest, starter)


def played(state: MatchState, *texts: str) -> MatchState:
    """Carry actions out, each written as `play` reads it."""
    for text in texts:
        state = apply(state, play(text)).state
    return state


def last_step(state: MatchState, *texts: str) -> Step:
    """Carry actions out and give the step of the last."""
    return apply(played(state, *texts[:-1]), play(texts[-1]))


def scored(step: Step) -> int:
    """What the placement of a step scored."""
    return step.events[0].scored  # type: ignore[union-attr]


def ended(step: Step) -> HandEnded:
    """The hand's end in a step."""
    return next(event for event in step.events if isinstance(event, HandEnded))


def pips_left(end: HandEnded) -> list[int]:
    """The pips left in each rack, 0-0 counting nothing."""
    return [sum(tile.pips for tile in rack) for rack in end.racks]


def shuffle_of(word: object, seats: int) -> Shuffle:
    """A secret made from a word, nobody contributing."""
    return Shuffle(hashlib.sha256(repr(word).encode()).digest(), ("",) * seats)


def chooser(shuffle: Shuffle) -> Callable[[Sequence[Action]], Action]:
    """Choose among actions by the shuffle's own numbers."""
    numbers = shuffle.numbers("test")
    return lambda actions: actions[below(numbers, len(actions))]


def steps_of(state: MatchState, shuffle: Shuffle) -> Iterator[Step]:
    """Play a match to its end by random actions, step by step."""
    choose = chooser(shuffle)
    while state.phase is not Phase.OVER:
        if state.phase is Phase.DEAL:
            step = deal_hand(state, shuffle)
        else:
            step = apply(state, choose(legal_actions(state)))
        yield step
        state = step.state


def match_of(word: object, state: MatchState) -> tuple[MatchState, list[Event], Shuffle]:
    """Play a whole match: the last state, all events, the shuffle."""
    shuffle = shuffle_of(word, state.seats)
    events: list[Event] = []
    for step in steps_of(state, shuffle):
        events.extend(step.events)
        state = step.state
    return state, events, shuffle


# --- any match under any house rules ------------------------------------------------------------


@st.composite
def new_matches(draw: st.DrawFn, *, names: Sequence[str] = tuple(TABLES)) -> MatchState:
    """A new match of any family at any of its tables, under any mix of house rules; rather short.

    About every third field differs from the preset's value.
    """
    name = draw(st.sampled_from(names))
    seats, partners = draw(st.sampled_from(TABLES[name]))
    deal = draw(st.integers(1, 7))
    stock = 28 - seats * deal
    options: dict[str, Any] = {"deal": deal}
    if stock < 2 or draw(st.booleans()):
        options["reserve"] = draw(st.sampled_from(sorted({0, stock // 2, stock})))
    for field in OFFERED:
        values = offered(name, field)
        if field != "reserve" and len(values) > 1 and draw(st.integers(0, 2)) == 0:
            options[field] = draw(st.sampled_from(values))
    if name == "domino101":
        options.update(_minimum_in_reach(options))
    options |= draw(st.sampled_from(_short_lengths(name, options)))
    try:
        return table(name, seats=seats, partners=partners, **options)
    except InvalidRuleset as error:  # fields that are good alone and speak against each other
        assume(error.code != RulesetFault.CONTRADICTION)
        raise


def _short_lengths(name: str, options: dict[str, Any]) -> list[dict[str, int]]:
    """Lengths of a few hands: no target that small racks could reach only after hundreds."""
    lengths = [{"hands": 1}, {"hands": 2}]
    if name == "aznif":
        return lengths
    lengths += [{"wins": 1}, {"wins": 2}]
    usual = "one_win" if name == "kraloyun" else ""
    if options.get("hand_scoring", usual) == "one_win":
        return lengths if name == "domino101" else [*lengths, {"target": 2}]
    if name == "domino101" and options["deal"] < 4:
        return lengths
    return [*lengths, {"target": 1}, {"target": 40}]


def _minimum_in_reach(options: dict[str, Any]) -> dict[str, Any]:
    """Lower an opening minimum that a few hands would not reach, or none at all."""
    minimum = options.get("opening_minimum", 13)
    one = options.get("hand_scoring") == "one_win"
    return {"opening_minimum": min(minimum, 1 if one else 20)}


def said(step: Step) -> tuple[OutcomeKind, int | None, tuple[int, ...]]:
    """How a hand ended, who won it, and the scores."""
    end = ended(step)
    return end.kind, end.winner, end.scores


def then(step: Step, *racks: str, starter: int = 0, stock: str = "") -> MatchState:
    """The next hand."""
    return dealt(*racks, starter=starter, stock=stock, state=step.state).state


LOCKING_LINE = (
    "6-6", "6-1 L", "6-2 R", "1-0 L", "3-2 R", "6-0 L", "6-3 R", "6-4 R", "5-4 R", "6-5 R",
)  # fmt: skip
"""Ten placements after which both ends show 6 and all seven sixes lie on the line."""

_SPARE = ("0-0", "5-5", "2-1", "4-4", "3-1", "5-2", "4-3", "1-1")


def before_the_lock(
    *, seats: int, starter: int = 0, spare: int = 1, state: MatchState | None = None
) -> MatchState:
    """A hand one action (`6-5 R`) before its lock.

    The starter holds its part of `LOCKING_LINE` and `spare` more tiles; everybody has as many.
    """
    racks = _locking_racks(seats, starter, spare)
    if state is None:
        state = aznif(seats=seats, deal=len(racks[0].split()))
    return played(dealt(*racks, starter=starter, state=state).state, *LOCKING_LINE[:-1])


def _locking_racks(seats: int, starter: int, spare: int) -> list[str]:
    spares = iter(_SPARE)
    racks = [[text.split()[0] for text in LOCKING_LINE[turn::seats]] for turn in range(seats)]
    size = len(racks[0]) + spare
    filled = [" ".join(rack + [next(spares) for _ in range(size - len(rack))]) for rack in racks]
    return [filled[(seat - starter) % seats] for seat in range(seats)]
