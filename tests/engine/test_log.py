"""What a state tells of its past, however often other states went on from the same one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import product

from engine.actions import Action
from engine.match import MatchState, Step, apply, events_of, evolve, legal_actions
from tests.engine.positions import dealt, played


def told(state: MatchState) -> list[str]:
    assert state.hand is not None
    return [event.tile.text for event in state.hand.laid]


def test_each_of_two_ways_on_tells_its_own_moves() -> None:
    start = dealt("6-1 6-0 4-4", "5-1 6-5 6-6").state
    opened = played(start, "6-1")
    one, other = played(opened, "5-1 R"), played(opened, "6-6 L")
    longer, other = played(one, "6-0 L"), played(other, "6-0 L")
    assert told(opened) == ["6-1"]
    assert told(one) == ["6-1", "5-1"]
    assert told(longer) == ["6-1", "5-1", "6-0"]
    assert told(other) == ["6-1", "6-6", "6-0"]


def test_a_state_does_not_learn_what_followed_it() -> None:
    start = dealt("6-1 6-0 4-4", "5-1 6-5 6-6").state
    opened = played(start, "6-1")
    before = events_of(opened)
    for action in legal_actions(opened):
        apply(opened, action)
    assert events_of(opened) == before
    assert len(events_of(start)) == 1


def test_a_log_rebuilds_the_state_whichever_way_was_taken() -> None:
    start = dealt("6-1 6-0 4-4", "5-1 6-5 6-6").state
    opened = played(start, "6-1")
    for action in reversed(legal_actions(opened)):
        state, _ = apply(opened, action)
        rebuilt = start
        for event in events_of(state)[1:]:
            rebuilt = evolve(rebuilt, event)
        assert rebuilt == state


def test_threads_that_go_on_from_one_state_do_not_mix_their_moves() -> None:
    start = dealt("6-1 6-0 4-4", "5-1 6-5 6-6").state
    ways = [(first, end) for first, end in product(("6-1", "6-0", "4-4"), range(40))]

    def go(way: tuple[str, int]) -> tuple[str, list[str]]:
        return way[0], told(played(start, way[0]))

    with ThreadPoolExecutor(8) as pool:
        assert all(laid == [first] for first, laid in pool.map(go, ways))


def test_a_step_is_a_pair() -> None:
    start = dealt("6-1 6-0", "5-1 6-5").state
    action: Action = legal_actions(start)[0]
    step = apply(start, action)
    state, events = step
    assert (state, events) == (step.state, step.events)
    assert step == apply(start, action)
    assert {step, apply(start, action)} == {step}
    assert isinstance(step, Step)
    assert repr(step).startswith("Step(state=<MatchState ")
