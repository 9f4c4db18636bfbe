"""A family that contradicts itself is a slip of who wrote it, and is told before anything plays."""

from typing import Any

import pytest

from engine.rulesets import FAMILIES, BySeats, Family, Length, LengthKind, StarterRule, build
from engine.rulesets.family import check_family

VIP = FAMILIES["vip-draw"]._replace(name="mine")


def valued(**values: Any) -> Family:
    return VIP._replace(values={**VIP.values, **values})


@pytest.mark.parametrize("name", FAMILIES)
def test_the_families_do_not_contradict_themselves(name: str) -> None:
    check_family(FAMILIES[name])


@pytest.mark.parametrize(
    ("family", "said"),
    [
        (valued(next_starter="rotate"), "member of its enumeration"),
        (valued(forced_opening="no"), "member of its enumeration"),
        (valued(next_starter=StarterRule.LAST_PLACER), "next_starter is one of"),
        (valued(first_starter=StarterRule.WENT_OUT), "first_starter is one of"),
        (valued(reserve=BySeats(0, 0, 29)), "reserve is from 0 to 28"),
        (valued(fives=1), "fives is true or false"),
        (valued(opening_minimum=13), "not among what is offered"),
        (valued(colour="red"), "the values are not of the fields"),
        (VIP._replace(values={}), "the values are not of the fields"),
        (VIP._replace(deal=9), "deal is from 1 to 7"),
        (VIP._replace(deal=BySeats(7, 5, 8)), "deal is from 1 to 7"),
        (VIP._replace(length=Length(LengthKind.WINS, 0)), "a length is from 1"),
        (VIP._replace(lengths=(LengthKind.HANDS,)), "its length is none of its"),
        (VIP._replace(partners={5: (False,)}), "two, three or four seats"),
        (VIP._replace(partners={}), "two, three or four seats"),
        (VIP._replace(offers={"colour": ()}), "no field"),
        (VIP._replace(refusals={"suit": lambda dealt: True}), "a reason is a RedealReason"),  # type: ignore[dict-item]
        (VIP._replace(placement_score=lambda tile, ends: 1), "by fives"),
    ],
)
def test_a_slip_is_told(family: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        build(family, {})
