"""rules.md, the *who* table: who is credited or charged. No database."""

import doctest

import pytest

from league.ledger import policy
from league.ledger.policy import Award, How, Kind, Left, StintFact, UnknownStint, postings_for
from league.shared import canonical


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


SUBSTITUTE, BOT = How.SUBSTITUTE, How.BOT
VOLUNTARY, DROPPED = Left.VOLUNTARY, Left.DROPPED
WON, LOST, EVEN = 11, -5, 0


def seat_of(*chain: tuple[How, Left | None]) -> list[StintFact]:
    """The stints of seat 0 in their order: stint 100 + n is player 200 + n."""
    return [
        StintFact(100 + n, None if how is BOT else 200 + n, 0, n, how, left)
        for n, (how, left) in enumerate(chain)
    ]


def awarded(points: int, chain: list[StintFact], balance: int = 0) -> dict[int, tuple[Kind, int]]:
    """What the seat's points bring each player; all substitutes stand at `balance`."""
    balances = {stint.stint_id: balance for stint in chain if stint.how is SUBSTITUTE}
    awards = postings_for((points,), chain, balances)
    return {award.player_id: (award.kind, award.points) for award in awards}


STAYED = (How.START, None)
LEFT = (How.START, VOLUNTARY)
REPLACED = (How.START, DROPPED)
TOOK_OVER = (SUBSTITUTE, None)


@pytest.mark.parametrize("points", [WON, LOST, EVEN])
def test_who_left_gets_nothing_more_for_the_seat(points: int) -> None:
    assert 200 not in awarded(points, seat_of(LEFT, TOOK_OVER))


@pytest.mark.parametrize("stint", [STAYED, TOOK_OVER])
def test_leaving_costs_two_stakes_whatever_the_standing(stint: tuple[How, Left | None]) -> None:
    award = policy.leaver_award(seat_of(stint)[0], 11)
    assert award == Award(100, 200, Kind.LEAVER, -22)


@pytest.mark.parametrize(("points", "right"), [(WON, 11), (LOST, 0), (EVEN, 0)])
def test_a_substitute_shares_a_win_and_no_loss(points: int, right: int) -> None:
    assert awarded(points, seat_of(LEFT, TOOK_OVER))[201] == (Kind.SUBSTITUTE, right)


@pytest.mark.parametrize(("balance", "right"), [(2999, 11), (3000, 11), (3001, 0), (-40, 11)])
def test_a_substitute_above_3000_earns_nothing_and_3000_still_earns(
    balance: int, right: int
) -> None:
    """No clipping: who stands at 2999 earns all of it."""
    assert awarded(WON, seat_of(REPLACED, TOOK_OVER), balance)[201] == (Kind.SUBSTITUTE, right)


@pytest.mark.parametrize("points", [WON, LOST, EVEN])
def test_a_substitute_who_leaves_gets_nothing_at_the_end(points: int) -> None:
    assert awarded(points, seat_of(LEFT, (SUBSTITUTE, VOLUNTARY), TOOK_OVER)).keys() == {202}


@pytest.mark.parametrize("points", [WON, LOST, EVEN])
def test_a_substitute_who_dropped_gets_zero(points: int) -> None:
    given = awarded(points, seat_of(REPLACED, (SUBSTITUTE, DROPPED), TOOK_OVER))
    assert given[201] == (Kind.SUBSTITUTE, 0)


@pytest.mark.parametrize(("points", "right"), [(LOST, -5), (WON, 0), (EVEN, 0)])
def test_who_dropped_and_was_replaced_pays_the_seats_loss_alone(points: int, right: int) -> None:
    assert awarded(points, seat_of(REPLACED, TOOK_OVER))[200] == (Kind.DROPPED, right)


def test_the_seats_loss_is_paid_once_however_many_sat_there_after() -> None:
    given = awarded(LOST, seat_of(REPLACED, (SUBSTITUTE, DROPPED), (SUBSTITUTE, None)))
    assert sum(points for _kind, points in given.values()) == LOST


@pytest.mark.parametrize(("points", "right"), [(LOST, -5), (WON, 0)])
def test_the_rows_above_hold_for_the_people_before_a_bot(points: int, right: int) -> None:
    assert awarded(points, seat_of(REPLACED, (BOT, None))) == {200: (Kind.DROPPED, right)}
    assert awarded(points, seat_of(LEFT, (BOT, None))) == {}


@pytest.mark.parametrize("points", [WON, LOST, EVEN])
def test_who_came_back_or_was_never_replaced_gets_the_seats_points(points: int) -> None:
    """Their stint was not ended, so it is one that lasted from the start to the end."""
    assert awarded(points, seat_of(STAYED)) == {200: (Kind.PLACEMENT, points)}


def test_a_match_nobody_went_on_with_costs_a_dropped_player_one_stake() -> None:
    award = policy.abandoned_award(seat_of(STAYED)[0], 11)
    assert award == Award(100, 200, Kind.DROPPED, -11)


def test_a_substitute_whose_account_was_not_read_is_never_posted_by_guess() -> None:
    with pytest.raises(UnknownStint):
        postings_for((11, -11), [sat(0, SUBSTITUTE), sat(1)])


def test_a_stint_of_a_seat_without_points_is_refused() -> None:
    with pytest.raises(UnknownStint):
        postings_for((11, -11), [sat(2), sat(1)])


def test_a_stint_of_a_person_names_a_player() -> None:
    with pytest.raises(UnknownStint):
        postings_for((11,), [StintFact(100, None, 0, 0, How.START)])


def test_keys_name_their_cause() -> None:
    key = policy.result_key(result_id=7, version=2, stint_id=12, kind=Kind.PLACEMENT)
    assert key == "result:7:v2:stint:12:placement"
    assert policy.reversal_key(31) == "reversal:31"
    assert policy.leaver_key(12) == "stint:12:leaver"
    assert policy.abandoned_key(12) == "stint:12:abandoned"


@pytest.mark.parametrize("module", [policy, canonical])
def test_the_examples_in_the_docstrings_run(module: object) -> None:
    tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert tried.attempted > 0
    assert tried.failed == 0
