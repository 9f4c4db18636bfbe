"""record.md: records written and checked, and everything that must be refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.__main__ import simulate
from engine.errors import InvalidRecord
from engine.fairness import Shuffle
from engine.match import MatchState, events_of
from engine.record import Ending, check_record, parse_record, record_of
from engine.rulesets import PRESETS
from tests.engine.altering import (
    Path,
    at,
    holders,
    leaves,
    other_values,
    said,
    with_value,
    without,
    wrong_kinds,
)
from tests.engine.positions import aznif, match_of, new_matches, table
from tests.engine.second_checker_builders import BROKEN, GOLDEN, GOOD, STINT, Record, with_players
from tests.engine.second_checker_shapes import same

SIMULATED = {
    "vip-draw": (2088, table("vip-draw", seats=4, partners=True, target=50)),
    "vip-block": (8, table("vip-block", seats=4, target=60)),
    "domino101": (2197, table("domino101", seats=2)),
    "kraloyun": (220, table("kraloyun", seats=3, wins=2)),
}
"""The golden records that `simulate` wrote: the seed, and the match before its first deal."""


def record(*, proof: bool = True, seats: int = 4, **options: Any) -> Record:
    """The record of a random match."""
    partners = options.pop("partners", False)
    start = aznif(seats=seats, partners=partners, **{"deal": 5, "hands": 2, **options})
    state, events, shuffle = match_of(("record", seats), start)
    return record_of(
        events=events,
        ruleset=state.ruleset,
        seats=seats,
        partners=partners,
        stake=state.stake,
        shuffle=shuffle if proof else None,
    )


def refused(data: object) -> InvalidRecord:
    """Check that a record is refused with one printable sentence, and give the error."""
    with pytest.raises(InvalidRecord) as caught:
        check_record(data)
    assert said(caught.value)
    return caught.value


@pytest.mark.parametrize(
    "data", GOOD, ids=lambda data: f"{data['ruleset']['preset']}-{data['seats']}"
)
def test_good_records_hold(data: Record) -> None:
    state = check_record(data)
    assert state.result is not None
    assert list(state.result.points) == data["result"]["points"]


MATCH = {"cut hand", "places", "points"}
MOVE = {"drop move", "end", "extra pass", "low first", "scored"}


@pytest.mark.parametrize("line", BROKEN, ids=lambda line: line["wrong"])
def test_broken_records_are_refused_with_the_place(line: Record) -> None:
    """What is wrong in a move names hand and move, what is wrong in a hand the hand."""
    error = refused(line["record"])
    assert (error.hand is not None) == (line["wrong"] not in MATCH)
    assert (error.move is not None) == (line["wrong"] in MOVE)
    if error.hand is not None:
        assert str(error).startswith(f"hand {error.hand}")


def test_the_good_and_the_broken_records_are_of_every_preset() -> None:
    assert (len(GOOD), len(BROKEN)) == (32, 32)
    assert {data["ruleset"]["preset"] for data in GOOD} == set(PRESETS)
    assert {line["record"]["ruleset"]["preset"] for line in BROKEN} == set(PRESETS)


def test_a_refusal_says_what_it_is() -> None:
    error = refused(next(line["record"] for line in BROKEN if line["wrong"] == "end"))
    assert (error.hand, error.move) == (1, 17)
    assert str(error) == "hand 1, move 17: the tile 3-3 does not match the end L"


@pytest.mark.parametrize("name", SIMULATED)
def test_the_golden_records_are_simulated_the_same_again(name: str) -> None:
    seed, start = SIMULATED[name]
    (golden,) = [data for data in GOLDEN if data["ruleset"]["preset"] == name]
    assert [json.dumps(data) for data in simulate(start, seed, 1)] == [json.dumps(golden)]


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda data: data["ruleset"]["preset"])
def test_the_golden_records_hold_and_are_written_the_same_again(golden: Record) -> None:
    state = check_record(golden)
    proof = golden["proof"]
    again = record_of(
        events=events_of(state),
        ruleset=state.ruleset,
        seats=state.seats,
        partners=state.partners,
        stake=state.stake,
        shuffle=Shuffle(bytes.fromhex(proof["secret"]), tuple(proof["contributions"])),
    )
    assert again == golden


def test_there_is_a_golden_record_of_every_family() -> None:
    assert [data["ruleset"]["preset"] for data in GOLDEN] == list(PRESETS)


@settings(max_examples=40, deadline=None)
@given(new_matches(), st.integers(0, 10**6), st.booleans())
def test_a_record_is_written_read_and_written_again(
    start: MatchState, word: int, proved: bool
) -> None:
    state, events, shuffle = match_of(word, start)

    def written(of: list[Any]) -> Record:
        return record_of(
            events=of,
            ruleset=state.ruleset,
            seats=state.seats,
            partners=state.partners,
            stake=state.stake,
            shuffle=shuffle if proved else None,
        )

    data = parse_record(json.dumps(written(events)))
    checked = check_record(data)
    assert checked == state
    assert written(list(events_of(checked))) == data


@pytest.mark.parametrize("data", GOOD + GOLDEN, ids=lambda data: data["ruleset"]["preset"])
def test_accounts_stand_in_the_outcome_exactly_with_an_opening_minimum(data: Record) -> None:
    usual = ["kind", "seat", "winner", "scores", "totals"]
    more = ["drafts", "open", "bank"] if data["ruleset"]["preset"] == "domino101" else []
    for hand in data["hands"]:
        assert list(hand["outcome"]) == usual + more


def test_a_house_rule_set_without_the_minimum_has_no_accounts_to_record() -> None:
    for minimum, more in ((0, False), (1, True)):
        (data,) = simulate(table("domino101", seats=3, hands=1, opening_minimum=minimum), 1, 1)
        outcome = check_and_give(data)["hands"][0]["outcome"]
        assert [name in outcome for name in ("drafts", "open", "bank")] == [more] * 3


def check_and_give(data: Record) -> Record:
    check_record(parse_record(json.dumps(data)))
    return data


def test_redeals_stand_first_in_a_hand_and_are_left_out_when_empty() -> None:
    hands = [hand for data in GOLDEN for hand in data["hands"]]
    usual = ["racks", "stock", "starter", "moves", "outcome"]
    assert {tuple(hand) for hand in hands} == {tuple(usual), ("redeals", *usual)}
    assert all(hand["redeals"] for hand in hands if "redeals" in hand)


def test_what_differs_from_the_preset_stands_in_the_record() -> None:
    start = table("domino101", seats=2, wins=1, drafts_on_opening="drop", reserve=3, blank_pips=10)
    (data,) = simulate(start, 1, 1)
    assert check_and_give(data)["ruleset"] == {
        "preset": "domino101", "deal": 7, "wins": 1, "reserve": 3, "drafts_on_opening": "drop",
    }  # fmt: skip


def test_without_a_proof_any_possible_deal_holds() -> None:
    data = record(proof=False)
    assert "proof" not in data
    check_record(data)


def test_house_rules_stand_in_the_record() -> None:
    data = record(draw="none", next_starter="rotate")
    assert data["ruleset"] == {
        "preset": "aznif", "deal": 5, "hands": 2, "draw": "none", "next_starter": "rotate",
    }  # fmt: skip
    check_record(data)


# --- what is altered is refused ------------------------------------------------------------------


SMALL = record(seats=3, deal=3, hands=1)


def way(path: Path) -> str:
    return ".".join(map(str, path))


@pytest.mark.parametrize("path", leaves(SMALL), ids=way)
def test_every_altered_value_is_refused(path: Path) -> None:
    right = at(SMALL, path)
    for value in (*other_values(right), *wrong_kinds(right), "6-6", -7):
        if not same(value, right):
            refused(with_value(SMALL, path, value))


@pytest.mark.parametrize("path", leaves(SMALL), ids=way)
def test_every_value_left_out_is_refused(path: Path) -> None:
    refused(without(SMALL, path))


@pytest.mark.parametrize("path", holders(SMALL), ids=way)
def test_an_unknown_field_is_refused_at_any_level(path: Path) -> None:
    if isinstance(at(SMALL, path), dict):
        for name in ("note", "", "\ud800", "Format"):
            refused(with_value(SMALL, (*path, name), 1))


def wrong(change: Callable[[Record], object], **options: Any) -> InvalidRecord:
    data = copy.deepcopy(record(**options))
    change(data)
    return refused(data)


def test_moves_left_out_swapped_or_doubled_are_refused() -> None:
    for number in range(len(SMALL["hands"][0]["moves"])):
        for change in (list.pop, lambda moves, n: moves.insert(n, moves[n])):
            data = copy.deepcopy(SMALL)
            change(data["hands"][0]["moves"], number)
            refused(data)


def test_redeals_may_be_an_empty_list_and_nothing_else() -> None:
    data = copy.deepcopy(SMALL)
    data["hands"][0]["redeals"] = []
    check_record(data)
    hand = SMALL["hands"][0]
    redeal = {"racks": hand["racks"], "stock": hand["stock"], "reason": "suit"}
    refused(with_value(SMALL, ("hands", 0, "redeals"), [redeal]))


def test_a_deal_that_does_not_follow_from_the_secret_is_refused() -> None:
    def swap(data: Record) -> None:
        stock = data["hands"][0]["stock"]
        stock[-1], stock[-2] = stock[-2], stock[-1]

    assert "secret" in str(wrong(swap))
    assert wrong(swap).hand == 1


def test_a_lot_that_does_not_follow_from_the_secret_is_refused() -> None:
    data = record()
    starter = data["hands"][0]["starter"]
    assert "lot" in str(refused(with_value(data, ("hands", 0, "starter"), (starter + 1) % 4)))


def test_the_first_tile_takes_no_end_not_even_null() -> None:
    first = SMALL["hands"][0]["moves"][0]
    for end in ("L", "R", None):
        refused(with_value(SMALL, ("hands", 0, "moves", 0), {**first, "end": end}))


def test_a_placement_that_scores_nothing_has_no_scored() -> None:
    moves = SMALL["hands"][0]["moves"]
    for number, move in enumerate(moves):
        if "play" in move and "scored" not in move:
            error = refused(with_value(SMALL, ("hands", 0, "moves", number, "scored"), 0))
            assert error.move == number + 1


def test_a_hand_too_few_or_too_many_is_refused() -> None:
    assert wrong(lambda data: data["hands"].pop()).hand is None
    assert wrong(lambda data: data["hands"].append(data["hands"][0])).hand == 3


def test_another_format_is_named() -> None:
    assert "domino-match/2" in str(refused({"format": "domino-match/2", "new": 1}))


def test_a_preset_the_engine_does_not_know_is_named() -> None:
    data = with_value(SMALL, ("ruleset", "preset"), "mexican-train")
    assert "mexican-train" in str(refused(data))


# --- matches without a result --------------------------------------------------------------------


def unfinished(hands: int, moves: int | None, ended: str = "abandoned") -> Record:
    """A record cut after so many hands, the last of them after so many moves."""
    data = record(hands=3)
    del data["hands"][hands:]
    if moves is not None:
        del data["hands"][-1]["outcome"]
        del data["hands"][-1]["moves"][moves:]
    return {**data, "result": None, "ended": ended}


@pytest.mark.parametrize("ended", list(Ending))
@pytest.mark.parametrize(
    ("hands", "moves"), [(0, None), (1, None), (1, 0), (1, 4), (2, 3), (2, None)]
)
def test_a_match_without_a_result_may_end_anywhere(
    hands: int, moves: int | None, ended: str
) -> None:
    state = check_record(unfinished(hands, moves, ended))
    assert state.result is None


def test_an_abandoned_match_is_written_so() -> None:
    state, events, shuffle = match_of("left", aznif(seats=2, hands=2))
    data = record_of(
        events=events[:5], ruleset=state.ruleset, seats=2, partners=False, stake=2, shuffle=shuffle,
        ended=Ending.DECISION,
    )  # fmt: skip
    assert (data["result"], data["ended"]) == (None, "decision")
    assert "outcome" not in data["hands"][-1]
    check_record(data)


def test_a_match_without_a_result_says_why() -> None:
    data = unfinished(1, 4)
    refused({key: value for key, value in data.items() if key != "ended"})
    refused({**data, "ended": None})
    refused({**data, "ended": "lost"})
    refused({**data, "result": record()["result"]})


def test_a_match_played_to_its_end_was_not_abandoned() -> None:
    data = record()
    refused({**data, "ended": "abandoned"})
    refused({**data, "ended": "abandoned", "result": None})


def test_only_the_last_hand_may_be_unfinished() -> None:
    data = unfinished(2, 3)
    first = data["hands"][0]
    del first["outcome"]
    assert refused(data).hand == 1


def test_a_finished_hand_has_its_outcome_even_when_the_match_was_abandoned() -> None:
    data = unfinished(1, None)
    del data["hands"][0]["outcome"]
    refused(data)


# --- players -------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(GOOD)))
def test_players_are_taken_by_seat(number: int) -> None:
    check_record(with_players(GOOD[number]))


def begun_at(*hands: int) -> Record:
    """One seat's stints from these hands on; the match has two."""
    return {**record(seats=2), "players": [[STINT], [{**STINT, "from_hand": n} for n in hands]]}


def test_a_substitute_may_sit_down_after_the_last_hand_and_no_later() -> None:
    check_record(begun_at(0, 0, 2, 2))
    assert "hand 3" in str(refused(begun_at(0, 3)))
    check_record({**unfinished(0, None), "players": [[STINT]] * 4})


@pytest.mark.parametrize("hands", [(), (1,), (0, 1, 0), (1, 0)], ids=str)
def test_the_stints_of_a_seat_begin_with_hand_0_and_go_on(hands: tuple[int, ...]) -> None:
    assert "seat 1" in str(refused(begun_at(*hands)))


@pytest.mark.parametrize(
    "players",
    [
        None,
        {},
        [[STINT]],
        [[STINT], STINT],
        [[STINT], [{**STINT, "mail": "x"}]],
        [[STINT], [{**STINT, "how": "bought"}]],
        [[STINT], [{**STINT, "left": "angry"}]],
        [[STINT], [{**STINT, "from_hand": -1}]],
        [[STINT], [{**STINT, "from_hand": True}]],
        [[STINT], [{**STINT, "name": 5}]],
        [[STINT], [{**STINT, "id": 1.5}]],
        [[STINT], [{**STINT, "id": True}]],
        [[STINT], [{}]],
    ],
)
def test_players_of_another_shape_are_refused(players: object) -> None:
    refused({**record(seats=2), "players": players})


# --- any value ---------------------------------------------------------------------------------

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(leaves(SMALL)), values, st.integers(1, 6))
def test_any_value_at_any_place_ends_in_a_sentence(path: Path, value: object, depth: int) -> None:
    path = path[:depth]
    if value != at(SMALL, path):
        refused(with_value(SMALL, path, value))


@settings(max_examples=100, deadline=None)
@given(values)
def test_any_json_value_ends_in_a_sentence(value: object) -> None:
    refused(value)


def test_a_long_match_is_checked() -> None:
    state, events, shuffle = match_of("long", aznif(seats=2, deal=1, hands=1_000))
    data = record_of(
        events=events, ruleset=state.ruleset, seats=2, partners=False, stake=1_000, shuffle=shuffle
    )
    assert check_record(data) == state
