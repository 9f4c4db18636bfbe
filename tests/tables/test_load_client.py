"""The load client's own checks: what must not be is found, and nothing else."""

import json
import random
from typing import Any

import pytest

from tables.protocol import canonical, digest
from tests.benchmarks.table_load import Board, Faults, Receiver, percentile
from tests.tables.builders import build_table, play_one, start, state_of, view_at

Json = dict[str, Any]


def board_of(seats: int = 2) -> Board:
    board = Board(7, ["token"] * seats, Faults(), random.Random(1))
    board.receivers = [Receiver(board, number) for number in range(seats)]
    return board


def view(seat: int | None, rack: list[str], **more: Any) -> Json:
    table = {"you": seat, "secret": None, "status": "playing"}
    return {"table": table, "match": {"rack": rack, "phase": "play", "ended": [], **more}}


def take(receiver: Receiver, version: int, shown: Json, events: tuple[Json, ...] = ()) -> None:
    frame = {"event": {"events": list(events)}, "v": version, "view": shown}
    receiver._take(json.dumps(frame))


def both_at(board: Board, version: int) -> None:
    """Let both seats have a version by a snapshot."""
    for seat, rack in ((0, ["6-4"]), (1, ["5-5"])):
        frame = {"snapshot": view(seat, rack), "v": version}
        board.receivers[seat]._take(json.dumps(frame))


def test_frames_in_order_with_own_tiles_alone_are_without_fault() -> None:
    board = board_of()
    both_at(board, 3)
    take(board.receivers[0], 4, view(0, ["6-4"]))
    take(board.receivers[1], 4, view(1, ["5-5"]))
    assert board.faults.taken() == {}
    assert (board.version, board.settled.is_set()) == (4, True)


DOUBLED = "doubled or out of order"


@pytest.mark.parametrize(("version", "fault"), [(5, "hole"), (3, DOUBLED), (1, DOUBLED)])
def test_holes_and_doubles_are_found(version: int, fault: str) -> None:
    board = board_of()
    both_at(board, 3)
    take(board.receivers[0], version, view(0, ["6-4"]))
    assert list(board.faults.taken()) == [fault]


@pytest.mark.parametrize("event", [False, True])
def test_a_foreign_tile_is_found_in_view_and_event(event: bool) -> None:
    board = board_of()
    both_at(board, 3)
    told = ({"kind": "tiles_drawn", "tiles": ["5-5"]},) if event else ()
    more = {} if event else {"hint": ["5-5"]}
    take(board.receivers[0], 4, view(0, ["6-4"], **more), told)
    take(board.receivers[1], 4, view(1, ["5-5"]))
    assert list(board.faults.taken()) == ["leak"]


def test_racks_turned_over_at_the_end_of_a_hand_are_no_leak() -> None:
    board = board_of()
    both_at(board, 3)
    turned = [["6-4"], ["5-5"]]
    for seat, rack in ((0, ["6-4"]), (1, ["5-5"])):
        shown = view(seat, rack, ended=[{"racks": turned}])
        take(board.receivers[seat], 4, shown, ({"kind": "hand_ended", "racks": turned},))
    assert board.faults.taken() == {}


def test_other_faults_are_found() -> None:
    board = board_of()
    both_at(board, 3)
    seat = board.receivers[0]
    seat._take(json.dumps({"beat": 3, "hash": digest(canonical(seat.view))}))
    assert board.faults.taken() == {}
    seat._take(json.dumps({"beat": 3, "hash": "0" * 64}))
    seat._take(json.dumps({"rumour": 1}))
    seat._take(json.dumps({"error": "stale", "text": "…"}))
    shown = view(1, [])
    shown["table"]["secret"] = "ab"
    take(seat, 4, shown)
    found = {"hash", "unknown frame", "refused", "wrong seat", "secret"}
    assert set(board.faults.taken()) == found


@pytest.mark.django_db
def test_real_views_of_a_match_leak_nothing() -> None:
    table = build_table()
    start(table)
    board = board_of(4)
    while state_of(table).hand_number < 2:
        for seat, receiver in enumerate(board.receivers):
            receiver._take(json.dumps({"snapshot": view_at(table, seat), "v": table.version}))
        play_one(table)
    assert board.faults.taken() == {}


def test_percentiles() -> None:
    values = [float(number) for number in range(1, 101)]
    assert (percentile(values, 0.5), percentile(values, 0.99)) == (51.0, 100.0)
    assert percentile(values, 1.0) == 100.0
