"""rules.md, the *who* table: who is credited or charged. No database."""

import doctest

import pytest

from league.ledger import chain, policy
from league.ledger.policy import Award, How, Kind, Left, StintFact, UnknownStint, postings_for


def sat(seat: int, how: How = How.START, left: Left | None = None) -> StintFact:
    """The only stint of a seat; seat 2 is the stint 102 of player 202."""
    player = None if how is How.BOT else 200 + seat
    return StintFact(100 + seat, player, seat, 0, how, left)


def test_who_sat_there_from_start_to_end_gets_the_seats_points() -> None:
    awards = postings_for((11, -11), [sat(1), sat(0)])
    assert awards == (
        Award(100, 200, Kind.PLACEMENT, 11),
        Award(101, 201, Kind.PLACEMENT, -11),
    )


def test_zeros_are_posted_too() -> None:
    awards = postings_for((11, 0, -11), [sat(0), sat(1), sat(2)])
    assert [award.points for award in awards] == [11, 0, -11]


def test_a_bot_in_the_seat_is_posted_nothing() -> None:
    awards = postings_for((11, -11), [sat(0, How.BOT), sat(1)])
    assert [award.player_id for award in awards] == [201]


@pytest.mark.parametrize(
    "stint",
    [sat(0, left=Left.DROPPED), sat(0, left=Left.VOLUNTARY), sat(0, How.SUBSTITUTE), sat(2)],
)
def test_a_stint_no_row_covers_is_never_posted_by_guess(stint: StintFact) -> None:
    with pytest.raises(UnknownStint):
        postings_for((11, -11), [stint, sat(1)])


def test_keys_name_their_cause() -> None:
    key = policy.result_key(result_id=7, version=2, stint_id=12, kind=Kind.PLACEMENT)
    assert key == "result:7:v2:stint:12:placement"
    assert policy.reversal_key(31) == "reversal:31"


@pytest.mark.parametrize("module", [policy, chain])
def test_the_examples_in_the_docstrings_run(module: object) -> None:
    tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert tried.attempted > 0
    assert tried.failed == 0
