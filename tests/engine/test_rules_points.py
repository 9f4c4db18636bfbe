"""rules.md, *From matches to points*: places, points by place, ties."""

from __future__ import annotations

from itertools import product

import pytest

from engine.errors import InvalidRuleset
from engine.match import new_match
from engine.rulesets import preset
from engine.scoring import match_result, places_of, points_alone, points_partners
from tests.engine.positions import aznif, match_of


def alone(scores: tuple[int, ...], stake: int = 11) -> tuple[int, ...]:
    return points_alone(places_of(scores), stake)


def test_four_alone_get_n_half_n_minus_half_n_minus_n() -> None:
    assert alone((40, 30, 20, 10)) == (11, 5, -5, -11)
    assert alone((10, 20, 30, 40)) == (-11, -5, 5, 11)
    assert alone((4, 3, 2, 1), stake=3) == (3, 1, -1, -3)
    assert alone((4, 3, 2, 1), stake=1) == (1, 0, 0, -1)


def test_three_alone_get_n_0_minus_n() -> None:
    assert alone((3, 2, 1)) == (11, 0, -11)


def test_two_alone_get_n_and_minus_n() -> None:
    assert alone((1, 2)) == (-11, 11)


@pytest.mark.parametrize(
    ("scores", "points"),
    [
        ((9, 9, 5, 1), (8, 8, -5, -11)),  # 16/2
        ((9, 5, 5, 1), (11, 0, 0, -11)),
        ((9, 5, 1, 1), (11, 5, -8, -8)),  # −16/2
        ((9, 9, 9, 1), (3, 3, 3, -11)),  # 11/3
        ((9, 1, 1, 1), (11, -3, -3, -3)),  # −11/3, toward zero
        ((9, 9, 9, 9), (0, 0, 0, 0)),
        ((9, 9, 1, 1), (8, 8, -8, -8)),
    ],
)
def test_tied_seats_share_the_places_they_cover(
    scores: tuple[int, ...], points: tuple[int, ...]
) -> None:
    assert alone(scores) == points


def test_three_alone_tied() -> None:
    assert alone((9, 9, 1)) == (5, 5, -11)
    assert alone((9, 1, 1)) == (11, -5, -5)
    assert alone((1, 1, 1)) == (0, 0, 0)


def test_two_alone_tied_get_nothing() -> None:
    assert alone((-7, -7)) == (0, 0)


def test_tied_seats_always_get_the_same_and_a_better_place_never_less() -> None:
    for scores, stake in product(product((0, 1, 2, 3), repeat=4), (1, 2, 3, 11)):
        points = alone(scores, stake)
        order = sorted(zip(scores, points, strict=True))
        assert [point for _, point in order] == sorted(points)
        assert len(dict.fromkeys(order)) == len(set(scores))


def test_partners_get_n_each_or_lose_n_each() -> None:
    assert points_partners((1, 3, 1, 3), 11) == (11, -11, 11, -11)
    assert points_partners((3, 1, 3, 1), 11) == (-11, 11, -11, 11)


def test_equal_pairs_get_nothing() -> None:
    assert points_partners((1, 1, 1, 1), 11) == (0, 0, 0, 0)


def test_places_are_1_and_the_number_of_higher_scores() -> None:
    assert places_of((10, -33, -8, -21)) == (1, 4, 2, 3)
    assert places_of((5, 5, 5, 1)) == (1, 1, 1, 4)
    assert places_of((-5, -5)) == (1, 1)


def test_partners_share_a_place() -> None:
    terms = preset("aznif").at(4, True)
    assert match_result(terms, (-49, -79), 3) == ((-49, -79), (1, 3, 1, 3), (3, -3, 3, -3))
    assert match_result(terms, (4, 4), 3).places == (1, 1, 1, 1)


def test_the_stake_of_aznif_is_its_number_of_hands() -> None:
    assert new_match(preset("aznif", hands=5), seats=4).stake == 5
    assert new_match(preset("aznif", hands=5), seats=4, stake=5).stake == 5
    for stake in (11, 0, -5, True, "5", 5.0):
        with pytest.raises(InvalidRuleset):
            new_match(preset("aznif", hands=5), seats=4, stake=stake)  # type: ignore[arg-type]


def test_a_match_gives_points_by_its_stake() -> None:
    state, _, _ = match_of("points", aznif(seats=4, hands=3))
    assert state.result is not None
    assert state.result.places == places_of(state.result.scores)
    assert state.result.points == points_alone(state.result.places, 3)
