"""rules.md, the *who* table, row by row: from the command, or the clock, to the posting."""

from collections.abc import Iterable
from datetime import timedelta

import pytest
from django.utils import timezone

from engine.match import Phase
from engine.record import check_record
from league.accounts.models import Player
from league.ledger.models import Account, Posting
from league.results.models import How, Left, MatchStatus
from league.settlement.verification import ledger_faults
from league.tournaments.models import FixtureStatus
from league.tournaments.services import TableTerms
from tables.clock import Clock
from tables.models import Bot, Table, TableSeat, TableStatus
from tables.protocol import Ruling
from tables.selectors import record_of_table
from tables.services import command_execute
from tests.tables.acting import (
    ask,
    drop,
    go_on,
    leave,
    newcomer,
    organizer,
    playing,
    take_over,
    time_is_up,
    time_left,
)
from tests.tables.builders import (
    bring_back,
    build_table,
    come,
    command,
    fixture_of,
    go,
    play_one,
    play_out,
    play_until,
    player_at,
    send,
    state_of,
    ticket_of,
    view_at,
)

pytestmark = pytest.mark.django_db

STAKE = 3
PRICE = 2 * STAKE


def settle(table: Table, won: Iterable[int] = (), lost: Iterable[int] = ()) -> dict[int, int]:
    """Let the match come to an end in which some seats win and others lose; their points.

    The last hand is played to its end; then the referee names the places, so that they are known.
    """
    play_until(table, lambda state: state.phase is Phase.DEAL)
    order = [*won, *(seat for seat in range(4) if seat not in {*won, *lost}), *lost]
    places = [order.index(seat) + 1 for seat in range(4)]
    admin = organizer()
    named = {"ruling": Ruling.END, "reason": "seen by all", "places": tuple(places)}
    assert ask(table, admin, "referee", **named).version is not None
    assert table.status == TableStatus.FINISHED
    assert list(ledger_faults()) == []
    check_record(record_of_table(table))
    return dict(enumerate(table.match.results.get().points))


def posted(player: Player) -> list[tuple[str, int]]:
    """What was posted to somebody, in order."""
    postings = Posting.objects.filter(account__player=player).order_by("number")
    return [(posting.kind, posting.points) for posting in postings]


def stints(table: Table, seat: int) -> list[tuple[str, str | None]]:
    found = table.match.stints.filter(seat=seat).order_by("number")
    return [(stint.how, stint.left) for stint in found]


# --- sat there from the start to the end


def test_who_sat_there_to_the_end_gets_the_seats_points() -> None:
    table = playing()
    players = [player_at(table, seat) for seat in range(4)]
    play_out(table)
    points = table.match.results.get().points
    assert [posted(player) for player in players] == [[("placement", each)] for each in points]


# --- left of their own will


def test_leaving_is_priced_and_a_wrong_price_changes_nothing() -> None:
    table = playing()
    player, before = player_at(table, 1), table.version
    assert view_at(table, 1)["table"]["price"] == PRICE
    for price in (0, PRICE - 1, 2 * PRICE):
        assert ask(table, player, "leave", price=price).code == "price"
    assert (table.version, posted(player)) == (before, [])
    assert ask(table, player, "leave", price=PRICE).version == before + 1


def test_who_leaves_pays_2n_at_that_moment_and_nothing_more() -> None:
    table = playing()
    leaver = leave(table, 1)
    assert posted(leaver) == [("leaver", -PRICE)]
    assert stints(table, 1) == [(How.START, Left.VOLUNTARY)]
    take_over(table, 1)
    settle(table, won=[1])
    assert posted(leaver) == [("leaver", -PRICE)]


def test_leaving_before_the_start_costs_nothing() -> None:
    table = build_table()
    assert send(table, 1, command("sit")).version == 1
    assert view_at(table, 1)["table"]["price"] == 0
    leaver = leave(table, 1)
    assert posted(leaver) == []
    assert view_at(table, 1)["table"]["can"] == ["sit"]


def test_case_b9_a_leavers_turn_is_not_awaited_for_ever_without_a_clock() -> None:
    """cases.md B9: leaving always creates a deadline."""
    table = playing(tables=TableTerms(clock=False))
    turn = state_of(table).turn
    assert turn is not None
    assert table.deadline_at is None
    leave(table, turn)
    assert table.deadline_at is not None
    assert view_at(table, None)["table"]["empty"]
    other = (turn + 1) % 4
    assert ask(table, player_at(table, other), "continue").code == "seat_empty"
    take_over(table, turn)
    assert play_one(table).version is not None


def test_who_left_gets_no_seat_in_that_match_again() -> None:
    table = playing()
    leaver = leave(table, 1)
    assert ask(table, leaver, "sit").code == "seat_once"
    leave(table, 2)
    assert ask(table, leaver, "sit", seat=2).code == "seat_once"
    take_over_both = [ask(table, newcomer(), "sit", seat=seat).code for seat in (1, 2)]
    assert take_over_both == ["", ""]


def test_a_leave_sent_again_with_its_id_is_answered_and_paid_once() -> None:
    table = playing()
    player, order = player_at(table, 1), command("leave", price=PRICE)
    answers = {
        command_execute(table_id=table.pk, ticket=ticket_of(player), command=order)
        for _time in range(2)
    }
    assert [answer.code for answer in answers] == [""]
    assert posted(player) == [("leaver", -PRICE)]
    other = command_execute(table_id=table.pk, ticket=ticket_of(newcomer()), command=order)
    assert other.code == "duplicate_id"


# --- sat down later


@pytest.mark.parametrize("wins", [True, False])
def test_a_substitute_shares_a_win_and_no_loss(wins: bool) -> None:
    table = playing()
    leave(table, 1)
    substitute = take_over(table, 1)
    points = settle(table, won=[1] if wins else [], lost=[] if wins else [1])
    assert (points[1] > 0) is wins
    assert posted(substitute) == [("substitute", points[1] if wins else 0)]
    assert stints(table, 1) == [(How.START, Left.VOLUNTARY), (How.SUBSTITUTE, None)]


@pytest.mark.parametrize(("balance", "earns"), [(2999, True), (3000, True), (3001, False)])
def test_a_substitute_above_3000_earns_nothing(balance: int, earns: bool) -> None:
    table, substitute = playing(), newcomer()
    leave(table, 1)
    take_over(table, 1, substitute)
    Account.objects.update_or_create(player=substitute, defaults={"balance": balance})
    play_until(table, lambda state: state.phase is Phase.DEAL)
    admin = organizer()
    named = {"ruling": Ruling.END, "reason": "seen by all", "places": (2, 1, 3, 4)}
    assert ask(table, admin, "referee", **named).version is not None
    posting = Posting.objects.get(account__player=substitute)
    assert (posting.points, posting.career_before) == (STAKE if earns else 0, balance)


def test_the_match_goes_on_when_the_manager_presses_after_a_substitute_sat_down() -> None:
    table = playing()
    leave(table, 1)
    substitute = newcomer()
    assert ask(table, substitute, "sit").version is not None
    view = view_at(table, 1)["table"]
    assert (view["empty"], view["press_due"], view["seats"][1]["player"]["id"]) == (
        False,
        True,
        substitute.pk,
    )
    turn = state_of(table).turn
    assert turn is not None
    assert send(table, turn, command("draw", v=table.version)).code == "continue_due"
    assert ask(table, substitute, "continue").code == "not_manager"
    go_on(table)
    assert play_one(table).version is not None


def test_a_substitute_who_leaves_pays_as_anyone() -> None:
    table = playing()
    leave(table, 1)
    take_over(table, 1)
    substitute = leave(table, 1)
    assert posted(substitute) == [("leaver", -PRICE)]
    last = take_over(table, 1)
    points = settle(table, won=[1])
    assert posted(substitute) == [("leaver", -PRICE)]
    assert posted(last) == [("substitute", points[1])]


# --- dropped


def test_dropped_by_a_spent_bank_while_disconnected() -> None:
    table = playing(tables=TableTerms(bank_seconds=20))
    turn = state_of(table).turn
    assert turn is not None
    drop(table, turn)
    seat = view_at(table, None)["table"]["seats"][turn]
    assert (seat["dropped"], seat["empty"], seat["bank_ms"]) == (True, True, 0)
    assert state_of(table).turn == turn  # nobody moved for it


def test_dropped_by_three_moves_of_the_clock_while_connected() -> None:
    table = playing(ruleset={"preset": "aznif", "deal": 5, "hands": 3})
    lazy = state_of(table).turn
    assert lazy is not None
    for number in range(1, 4):
        play_until(table, lambda state: state.phase is Phase.PLAY and state.turn == lazy)
        time_is_up(table)
        if number < 3:
            assert view_at(table, None)["table"]["seats"][lazy]["auto_moves"] == number
    assert view_at(table, lazy)["table"]["seats"][lazy]["dropped"]
    assert "sit" in view_at(table, lazy)["table"]["can"]


def test_a_move_of_ones_own_ends_the_row_of_the_clocks_moves() -> None:
    table = playing()
    seat = state_of(table).turn
    assert seat is not None
    time_is_up(table)
    assert table.seats.get(seat=seat).auto_moves == 1
    play_until(table, lambda state: state.phase is Phase.PLAY and state.turn == seat)
    play_one(table)
    assert table.seats.get(seat=seat).auto_moves == 0


def test_dropped_after_three_minutes_away_at_a_table_without_a_clock() -> None:
    table = playing(tables=TableTerms(clock=False))
    gone = player_at(table, 2)
    go(table, gone)
    assert Clock().tick() == 0
    since = table.seats.get(seat=2).gone_at
    assert since is not None
    TableSeat.objects.filter(table=table, seat=2).update(gone_at=since - timedelta(seconds=179))
    Clock().tick()
    assert table.seats.get(seat=2).dropped_at is None
    TableSeat.objects.filter(table=table, seat=2).update(gone_at=since - timedelta(seconds=181))
    Clock().tick()
    table.refresh_from_db()
    assert table.seats.get(seat=2).dropped_at is not None
    assert table.empty_at is not None
    assert table.deadline_at is not None


def test_who_is_back_within_three_minutes_is_counted_anew() -> None:
    table = playing(tables=TableTerms(clock=False))
    player = player_at(table, 2)
    go(table, player)
    Clock().tick()
    come(table, player)
    Clock().tick()
    assert table.seats.get(seat=2).gone_at is None


def test_who_came_back_before_anybody_sat_down_was_never_gone() -> None:
    table = playing()
    turn = state_of(table).turn
    assert turn is not None
    player = drop(table, turn)
    come(table, player)
    assert ask(table, player, "sit").version is not None
    assert not table.stands_still  # nobody needs to press anything
    assert table.deadline_at is not None
    assert stints(table, turn) == [(How.START, None)]
    points = settle(table, lost=[turn])
    assert posted(player) == [("placement", points[turn])]


def test_whoever_sits_down_on_turn_has_the_whole_time_of_a_move() -> None:
    table = playing(move_seconds=30)
    turn = state_of(table).turn
    assert turn is not None
    drop(table, turn)
    take_over(table, turn)
    assert timedelta(seconds=25) < time_left(table) <= timedelta(seconds=30)


@pytest.mark.parametrize("wins", [True, False])
def test_who_dropped_and_was_replaced_pays_the_seats_loss_alone(wins: bool) -> None:
    table = playing()
    dropped = drop(table, 1)
    substitute = take_over(table, 1)
    points = settle(table, won=[1] if wins else [], lost=[] if wins else [1])
    assert posted(dropped) == [("dropped", min(0, points[1]))]
    assert posted(substitute) == [("substitute", max(0, points[1]))]
    assert stints(table, 1) == [(How.START, Left.DROPPED), (How.SUBSTITUTE, None)]


def test_who_dropped_and_was_replaced_gets_no_seat_again() -> None:
    table = playing()
    dropped = drop(table, 1)
    assert ask(table, newcomer(), "sit", seat=1).version is not None
    assert ask(table, dropped, "sit").code == "no_empty_seat"
    go_on(table)
    leave(table, 2)
    assert ask(table, dropped, "sit").code == "seat_once"


def test_a_substitute_who_dropped_gets_zero_and_the_loss_is_paid_once() -> None:
    """The chain: who sat there first dropped, the first substitute too, the second stayed."""
    table = playing()
    first = drop(table, 1)
    second = take_over(table, 1)
    come(table, second)
    assert drop(table, 1) == second
    third = take_over(table, 1)
    points = settle(table, lost=[1])
    assert posted(first) == [("dropped", points[1])]
    assert posted(second) == posted(third) == [("substitute", 0)]


def test_dropped_at_the_end_and_never_replaced_has_the_seats_points() -> None:
    table = playing()
    dropped = drop(table, 1)
    admin = organizer()
    named = {"ruling": Ruling.END, "reason": "nobody came", "places": (1, 2, 3, 4)}
    assert ask(table, admin, "referee", **named).version is not None
    assert posted(dropped) == [("placement", table.match.results.get().points[1])]
    assert list(ledger_faults()) == []


def test_who_dropped_must_come_back_before_sitting_elsewhere() -> None:
    table = playing()
    dropped = drop(table, 1)
    other = playing()
    leave(other, 2)
    assert ask(other, dropped, "sit").code == "must_come_back"
    waiting = build_table([dropped, *[newcomer() for _ in range(3)]])
    assert ask(waiting, dropped, "sit").code == "must_come_back"
    assert ask(table, dropped, "sit").version is not None
    assert ask(other, dropped, "sit").code == "plays_elsewhere"
    assert ask(waiting, dropped, "sit").version is not None


def test_who_dropped_and_was_replaced_may_sit_elsewhere() -> None:
    table = playing()
    dropped = drop(table, 1)
    take_over(table, 1)
    other = playing()
    leave(other, 2)
    assert ask(other, dropped, "sit").version is not None


# --- bots as substitutes


def test_a_bot_sits_down_where_the_season_allows_it_and_is_posted_nothing() -> None:
    table = playing(tables=TableTerms(bots_may_substitute=True))
    dropped = drop(table, 1)
    time_is_up(table)
    view = view_at(table, None)["table"]
    assert (view["seats"][1]["bot"], view["empty"], view["press_due"]) == (
        Bot.HEAVIEST,
        False,
        True,
    )
    go_on(table)
    play_until_bots_moved(table, 1)
    points = settle(table, lost=[1])
    assert posted(dropped) == [("dropped", points[1])]
    assert stints(table, 1) == [(How.START, Left.DROPPED), (How.BOT, None)]
    assert Posting.objects.count() == 4


def play_until_bots_moved(table: Table, seat: int) -> None:
    """Let people move, and the clock for the bot, until the hand is over."""
    while state_of(table).phase is Phase.PLAY:
        if state_of(table).turn == seat:
            time_is_up(table)
        else:
            assert play_one(table).version is not None


# --- nobody sits down


def test_a_match_is_abandoned_when_nobody_sits_down_in_the_time_allowed() -> None:
    table = playing()
    players = [player_at(table, seat) for seat in range(4)]
    leave(table, 0)
    turn = state_of(table).turn
    assert turn is not None
    substitute = take_over(table, 0)
    drop(table, 2)
    assert table.deadline_at is not None
    assert table.deadline_at - timezone.now() > timedelta(minutes=14)
    time_is_up(table)
    table.match.refresh_from_db()
    assert (table.status, table.match.status, fixture_of(table).status) == (
        TableStatus.ABANDONED,
        MatchStatus.ABANDONED,
        FixtureStatus.ABANDONED,
    )
    assert [posted(player) for player in players] == [
        [("leaver", -PRICE)],
        [],
        [("dropped", -STAKE)],
        [],
    ]
    assert posted(substitute) == []
    assert list(ledger_faults()) == []
    assert check_record(record_of_table(table)).phase is not Phase.OVER
    assert ask(table, players[2], "sit").code == "match_over"


def test_everybody_leaves() -> None:
    table = playing()
    leavers = [leave(table, seat) for seat in range(4)]
    assert view_at(table, None)["table"]["manager"] is None
    time_is_up(table)
    assert table.status == TableStatus.ABANDONED
    assert [posted(player) for player in leavers] == [[("leaver", -PRICE)]] * 4
    assert list(ledger_faults()) == []


def test_a_seat_that_became_empty_later_has_its_own_whole_time() -> None:
    table = playing()
    leave(table, 1)
    long_ago = timezone.now() - timedelta(minutes=14)
    Table.objects.filter(pk=table.pk).update(empty_at=long_ago)
    leave(table, 2)
    assert table.empty_at is not None
    assert table.empty_at > long_ago + timedelta(minutes=13)


def test_friendly_matches_post_nothing_whatever_happens() -> None:
    table = playing()
    match = table.match
    match.fixture = None
    match.save()
    Table.objects.filter(pk=table.pk).update(kind="friendly", owner=player_at(table, 0))
    table.refresh_from_db()
    assert view_at(table, 1)["table"]["price"] == 0
    leave(table, 1)
    take_over(table, 1)
    drop(table, 2)
    bring_back(table)
    play_out(table)
    assert not Posting.objects.exists()
