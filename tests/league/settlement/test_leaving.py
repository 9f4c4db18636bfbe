"""rules.md, the *who* table, from the seat to the posting: leaving, dropping, taking over."""

from typing import Any

import pytest

from league.accounts.models import Player
from league.ledger.models import Account, Posting
from league.results.models import How, Left, Match, MatchStatus
from league.settlement.posting import By
from league.settlement.services import (
    match_abandon,
    match_decide,
    match_settle,
    match_void,
    seat_take_over,
    stint_leave,
)
from league.shared.errors import DomainError
from league.tournaments.models import FixtureStatus
from tests.factories import build_match, build_player, build_players
from tests.league.settlement.four import FOUR, correct
from tests.league.settlement.verifier import verify

pytestmark = pytest.mark.django_db

WINNER, LOSER = 0, 1  # seats of FOUR: +3 and -3 at a stake of 3


def settle(match: Match) -> None:
    match_settle(match_id=match.pk, **FOUR)
    assert "The ledger holds" in verify()


def postings_of(player: Player | None) -> list[tuple[str, int]]:
    """What was posted to a player, in order."""
    postings = Posting.objects.filter(account__player=player).order_by("number")
    return [(posting.kind, posting.points) for posting in postings]


def sitting(match: Match, seat: int) -> Player | None:
    return match.stints.get(seat=seat, left__isnull=True).player


def take_over(match: Match, seat: int, player: Player | None, hand: int = 1) -> None:
    seat_take_over(match_id=match.pk, seat=seat, player=player, from_hand=hand)


def stands_at(balance: int) -> Player:
    """A player whose account stands there, as far as the ledger of a test goes."""
    player = build_player()
    Account.objects.create(player=player, balance=balance)
    return player


def refused(code: str, act: Any, **given: Any) -> None:
    with pytest.raises(DomainError) as caught:
        act(**given)
    assert caught.value.code == code


def test_who_leaves_pays_two_stakes_at_that_moment_and_nothing_more() -> None:
    match = build_match()
    leaver = sitting(match, WINNER)
    stint_leave(match_id=match.pk, seat=WINNER)
    assert postings_of(leaver) == [("leaver", -6)]
    take_over(match, WINNER, build_player())
    settle(match)
    assert postings_of(leaver) == [("leaver", -6)]


def test_who_left_a_seat_gets_none_in_that_match_again() -> None:
    match = build_match()
    leaver = sitting(match, 2)
    stint_leave(match_id=match.pk, seat=2)
    refused("seat_once", seat_take_over, match_id=match.pk, seat=2, player=leaver, from_hand=1)
    assert match.stints.count() == 4


@pytest.mark.parametrize(("seat", "right"), [(WINNER, 3), (LOSER, 0)])
def test_a_substitute_shares_a_win_and_no_loss(seat: int, right: int) -> None:
    match, substitute = build_match(), build_player()
    stint_leave(match_id=match.pk, seat=seat)
    take_over(match, seat, substitute)
    settle(match)
    assert postings_of(substitute) == [("substitute", right)]


@pytest.mark.parametrize(("balance", "right"), [(2999, 3), (3000, 3), (3001, 0)])
def test_a_substitute_above_3000_earns_nothing(balance: int, right: int) -> None:
    match, substitute = build_match(), stands_at(balance)
    stint_leave(match_id=match.pk, seat=WINNER)
    take_over(match, WINNER, substitute)
    match_settle(match_id=match.pk, **FOUR)
    assert postings_of(substitute) == [("substitute", right)]
    assert Posting.objects.get(account__player=substitute).career_before == balance


def test_a_substitute_who_leaves_pays_as_anyone() -> None:
    match, substitute = build_match(), build_player()
    stint_leave(match_id=match.pk, seat=WINNER)
    take_over(match, WINNER, substitute)
    stint_leave(match_id=match.pk, seat=WINNER)
    take_over(match, WINNER, build_player())
    settle(match)
    assert postings_of(substitute) == [("leaver", -6)]


@pytest.mark.parametrize(("seat", "right"), [(WINNER, 0), (LOSER, -3)])
def test_who_dropped_and_was_replaced_pays_the_seats_loss(seat: int, right: int) -> None:
    match = build_match()
    dropped = sitting(match, seat)
    take_over(match, seat, build_player())
    settle(match)
    assert postings_of(dropped) == [("dropped", right)]
    assert match.stints.get(player=dropped).left == Left.DROPPED


def test_the_seats_loss_is_paid_once_however_many_sat_there_after() -> None:
    match, first, second = build_match(), build_player(), build_player()
    take_over(match, LOSER, first, hand=1)
    take_over(match, LOSER, second, hand=2)
    settle(match)
    assert postings_of(first) == postings_of(second) == [("substitute", 0)]
    assert sum(posting.points for posting in Posting.objects.filter(stint__seat=LOSER)) == -3


def test_a_bot_in_the_seat_is_posted_nothing() -> None:
    match = build_match()
    dropped = sitting(match, LOSER)
    take_over(match, LOSER, None)
    settle(match)
    assert postings_of(dropped) == [("dropped", -3)]
    assert match.stints.get(seat=LOSER, number=1).how == How.BOT


def test_a_correction_keeps_what_was_read_of_a_substitute() -> None:
    """Above 3000 after the match, at 3000 when it was settled: the decision stays."""
    match, substitute = build_match(), stands_at(3000)
    stint_leave(match_id=match.pk, seat=WINNER)
    take_over(match, WINNER, substitute)
    match_settle(match_id=match.pk, **FOUR)
    correct(match.pk, [11, -33, -8, -21], "a miscount")
    assert postings_of(substitute) == [("substitute", 3), ("reversal", -3), ("substitute", 3)]


# --- a match nobody goes on with


def abandoned(dropped: int = LOSER) -> Match:
    """A match in which one left, one dropped, and nobody sat down."""
    match = build_match()
    stint_leave(match_id=match.pk, seat=2)
    return match_abandon(match_id=match.pk, dropped=[dropped])


def test_an_abandoned_match_charges_who_dropped_one_stake() -> None:
    match = abandoned()
    assert postings_of(sitting(match, LOSER)) == [("dropped", -3)]
    assert postings_of(sitting(match, WINNER)) == []
    match.refresh_from_db()
    assert match.fixture is not None
    assert (match.status, match.fixture.status) == (
        MatchStatus.ABANDONED,
        FixtureStatus.ABANDONED,
    )
    assert "The ledger holds" in verify()


def test_a_substitute_who_dropped_pays_nothing_for_an_abandoned_match() -> None:
    match, substitute = build_match(), build_player()
    take_over(match, LOSER, substitute)
    match_abandon(match_id=match.pk, dropped=[LOSER])
    assert postings_of(substitute) == []


def test_a_void_match_gives_the_dropped_players_stake_back_and_no_leavers() -> None:
    match = abandoned()
    for _ in range(2):
        match_void(match_id=match.pk)
    assert postings_of(sitting(match, LOSER)) == [("dropped", -3), ("reversal", 3)]
    assert postings_of(match.stints.get(seat=2).player) == [("leaver", -6)]
    assert "The ledger holds" in verify()


def test_a_decision_posts_the_places_that_were_named() -> None:
    match = abandoned()
    match_decide(match_id=match.pk, places=[1, 4, 2, 3], record=None, by=By(None, "seen by all"))
    assert postings_of(sitting(match, WINNER)) == [("placement", 3)]
    assert postings_of(sitting(match, LOSER)) == [("dropped", -3), ("placement", -3)]
    assert postings_of(match.stints.get(seat=2).player) == [("leaver", -6)]
    assert "The ledger holds" in verify()


@pytest.mark.parametrize("places", [[1, 2, 3], [1, 1, 2, 3], [0, 1, 2, 3], [1, 2, 3, 5], ["1"] * 4])
def test_places_that_cannot_be_are_refused(places: list[Any]) -> None:
    match = abandoned()
    refused(
        "outcome", match_decide, match_id=match.pk, places=places, record=None, by=By(None, "x")
    )
    match.refresh_from_db()
    assert match.status == MatchStatus.ABANDONED


def test_a_match_that_is_over_cannot_be_left_taken_over_or_abandoned() -> None:
    match = build_match()
    settle(match)
    refused("match_state", stint_leave, match_id=match.pk, seat=0)
    refused("match_state", match_abandon, match_id=match.pk, dropped=[0])
    refused("match_state", match_void, match_id=match.pk)
    refused("match_state", seat_take_over, match_id=match.pk, seat=0, player=None, from_hand=1)


def test_a_friendly_match_posts_nothing_whatever_happens() -> None:
    terms = build_match()
    friendly = Match.objects.create(
        ruleset=terms.ruleset, seats=4, stake=3, partners=False, status=MatchStatus.PLAYING
    )
    for seat, player in enumerate(build_players(4)):
        friendly.stints.create(seat=seat, player=player)
    stint_leave(match_id=friendly.pk, seat=0)
    take_over(friendly, 0, build_player())
    settle(friendly)
    assert Posting.objects.filter(stint__match=friendly).count() == 0
