"""rules.md, *Shuffle*: provable by anyone, held against the published test vector."""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
import pickle
import struct
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from engine.errors import InvalidDeal, InvalidShuffle
from engine.events import HandDealt
from engine.fairness import Shuffle, below, commitment, dealing_order, lot, shuffled, stream
from engine.match import deal_hand
from engine.tiles import TILES
from tests.engine.positions import aznif

VECTOR: dict[str, Any] = json.loads((Path(__file__).parent / "shuffle-vector.json").read_text())
SECRET = bytes.fromhex(VECTOR["secret"])
ORDERS = [case for case in VECTOR["cases"] if "order" in case]
LOTS = [case for case in VECTOR["cases"] if "starter" in case]


def test_the_vector_has_orders_and_lots() -> None:
    assert ORDERS
    assert LOTS


def test_the_commitment_is_the_sha_256_of_the_secret() -> None:
    assert commitment(SECRET) == VECTOR["commitment"]
    assert Shuffle(SECRET, ()).commitment == VECTOR["commitment"]


@pytest.mark.parametrize("case", ORDERS, ids=lambda case: case["purpose"])
def test_the_vector_s_orders(case: dict[str, Any]) -> None:
    _, hand, attempt = case["purpose"].split(":")
    shuffle = Shuffle(SECRET, tuple(case["contributions"]))
    assert [tile.text for tile in shuffle.order(int(hand), int(attempt))] == case["order"]


@pytest.mark.parametrize("case", LOTS, ids=lambda case: case["purpose"])
def test_the_vector_s_lots(case: dict[str, Any]) -> None:
    hand = int(case["purpose"].split(":")[1])
    shuffle = Shuffle(SECRET, tuple(case["contributions"]))
    assert shuffle.starter(hand, case["seats"]) == case["starter"]


def test_a_block_is_an_hmac_of_version_purpose_contributions_and_number() -> None:
    numbers = stream(SECRET, ("a1", ""), "deal:2:0")
    for block in range(2):
        message = f"ayaz/1|deal:2:0|a1,|{block}".encode()
        digest = hmac.new(SECRET, message, hashlib.sha256).digest()
        for at in range(0, 32, 4):
            assert next(numbers) == int.from_bytes(digest[at : at + 4], "big")


def test_below_takes_the_next_number_where_the_last_span_is_incomplete() -> None:
    edge = 2**32 - 2**32 % 28
    assert below(iter([edge, edge + 3, 29]), 28) == 1
    assert below(iter([edge - 1]), 28) == 27
    assert below(iter([2**32 - 1]), 4) == 3  # 4 divides 2³²: nothing is left out


def test_shuffled_swaps_from_the_last_place_down() -> None:
    """I = 2 swaps with 0, i = 1 with itself: the first and the last have changed places."""
    assert shuffled(["a", "b", "c"], iter([0, 1])) == ["c", "b", "a"]


def test_a_deal_s_order_is_that_of_its_stream() -> None:
    for given, hand in product((("", ""), ("a1", "F")), range(150)):
        numbers = stream(SECRET, given, f"deal:{hand}:1")
        assert Shuffle(SECRET, given).order(hand, 1) == tuple(shuffled(TILES, numbers))


def test_an_order_by_numbers_at_hand_is_the_shuffled_one() -> None:
    numbers = stream(SECRET, ("",), "at hand")
    for _ in range(100):
        first = [next(numbers) for _ in range(32)]
        blocks = struct.pack(">32I", *first)
        assert dealing_order(blocks) == tuple(shuffled(TILES, iter(first)))


@pytest.mark.parametrize("n", range(2, 29))
def test_no_order_is_made_at_once_of_a_number_that_below_leaves_out(n: int) -> None:
    last_span = 2**32 - 2**32 % n
    for number in range(last_span, 2**32):
        assert dealing_order(struct.pack(">32I", *range(26), number, *range(5))) is None


def test_a_lot_is_below_the_seats() -> None:
    assert lot(iter([7]), 4) == 3


def test_seat_0_takes_the_first_tiles_seat_1_the_next_the_rest_is_the_stock() -> None:
    shuffle = Shuffle(SECRET, ("", "", "", ""))
    dealt = deal_hand(aznif(seats=4, deal=5), shuffle).events[0]
    assert isinstance(dealt, HandDealt)
    order = VECTOR["cases"][0]["order"]
    assert [tile.text for tile in dealt.racks[0]] == order[:5]
    assert [tile.text for tile in dealt.racks[3]] == order[15:20]
    assert [tile.text for tile in dealt.stock] == order[20:]
    assert dealt.starter == 3


def test_every_contribution_changes_the_deal() -> None:
    orders = {Shuffle(SECRET, given).order(0, 0) for given in (("", ""), ("a", ""), ("", "a"))}
    assert len(orders) == 3


def test_every_attempt_and_every_hand_is_another_order_of_all_28() -> None:
    shuffle = Shuffle(SECRET, ("", ""))
    orders = {shuffle.order(hand, attempt) for hand in range(3) for attempt in range(3)}
    assert len(orders) == 9
    assert all(sorted(order) == list(TILES) for order in orders)


@pytest.mark.parametrize("contribution", ["g", "a" * 65, "٠", "a\n", " ", "0x1", 5, None])
def test_a_contribution_is_at_most_64_hex_digits(contribution: Any) -> None:
    with pytest.raises(InvalidShuffle):
        Shuffle(SECRET, (contribution, ""))


@pytest.mark.parametrize("secret", [b"", SECRET[:-1], SECRET + b"x", SECRET.hex()])
def test_a_secret_is_32_bytes(secret: Any) -> None:
    with pytest.raises(InvalidShuffle):
        Shuffle(secret, ())


def test_a_shuffle_for_other_seats_deals_nothing() -> None:
    with pytest.raises(InvalidDeal):
        deal_hand(aznif(seats=4), Shuffle(SECRET, ("", "")))


def test_a_shuffle_does_not_show_its_secret_and_does_not_change() -> None:
    shuffle = Shuffle(SECRET, ("", "ab"))
    assert VECTOR["secret"] not in repr(shuffle)
    assert repr(SECRET) not in repr(shuffle)
    with pytest.raises(AttributeError):
        shuffle.secret = bytes(32)
    assert pickle.loads(pickle.dumps(shuffle)) == copy.deepcopy(shuffle) == shuffle
    assert shuffle != Shuffle(SECRET, ("", ""))
    assert len({shuffle, Shuffle(SECRET, ("", "ab"))}) == 1
