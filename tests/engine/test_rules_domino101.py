"""rules.md, *Domino 101*, sentence by sentence."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from engine.actions import Draw, Pass
from engine.errors import InvalidDeal, InvalidRuleset, NothingToDraw, OpeningForced
from engine.events import HandDealt, HandEnded, OutcomeKind, Redeal, RedealReason, TilesDrawn
from engine.match import MatchState, Phase, Step, apply, deal_given, deal_hand, legal_actions
from engine.tiles import TILES
from engine.view import view_for
from tests.engine.positions import (
    ended,
    hand_of,
    last_step,
    pips_left,
    play,
    played,
    said,
    shuffle_of,
    stock_ending,
    table,
    then,
    tiles,
)

OUT, LOCK = OutcomeKind.OUT, OutcomeKind.LOCK


def of_101(*racks: str, **options: Any) -> MatchState:
    partners = len(racks) == 4
    return hand_of("domino101", *racks, partners=partners, **options)


def dry(*racks: str, **options: Any) -> MatchState:
    """Without a market, so that short racks lock at once."""
    return of_101(*racks, draw="none", **options)


Accounts = tuple[tuple[int, ...], tuple[int, ...] | None, tuple[bool, ...] | None, int]


def accounts(step: Step) -> Accounts:
    """Totals, drafts, open accounts and the bank after a hand, in the event as in the state."""
    end, state = ended(step), step.state
    told = (end.totals, end.drafts, end.open, end.bank)
    assert told == (state.totals, state.drafts, state.open, state.bank)
    return told


# --- the opening ---------------------------------------------------------------------------------

ORDER = ("1-1", "2-2", "3-3", "4-4", "5-5", "6-6", "0-0")
FILL = ("6-5 5-4 4-3 3-2", "2-1 6-4 5-3 4-2")


def holding(*doubles: str) -> list[str]:
    """Two racks of four: seat 1 takes the first of these doubles, seat 0 the next, and so on."""
    hands = [list(doubles[1::2]), list(doubles[::2])]
    return [" ".join((own + fill.split())[:4]) for own, fill in zip(hands, FILL, strict=True)]


@pytest.mark.parametrize("at", range(7), ids=ORDER)
def test_101_opening_order_1_1_to_6_6_then_0_0(at: int) -> None:
    state = of_101(*holding(*ORDER[at:]), starter=1)
    assert legal_actions(state) == (play(ORDER[at]),)
    with pytest.raises(InvalidDeal):
        of_101(*holding(*ORDER[at:]), starter=0)


def test_101_the_holder_must_open_with_it() -> None:
    state = of_101("6-6 3-2", "2-2 2-1", starter=1)
    with pytest.raises(OpeningForced) as caught:
        apply(state, play("2-1"))
    assert caught.value.code == "opening_forced"
    assert view_for(state, 1)["legal"] == [{"play": "2-2"}]
    assert played(state, "2-2").turn == 0


def test_101_the_opening_double_may_lie_in_the_stock_the_next_opens() -> None:
    state = of_101("6-6 3-2", "0-0 2-1")
    assert legal_actions(state) == (play("6-6"),)


def test_101_the_shuffle_names_the_same_starter_and_tile() -> None:
    for word in range(20):
        state = deal_hand(table("domino101", seats=3), shuffle_of(word, 3)).state
        held = [play(double) for double in ORDER]
        assert len(legal_actions(state)) == 1
        assert legal_actions(state)[0] in held


def twelve(**options: Any) -> Step:
    """A first hand that seat 0 wins with 12."""
    return last_step(dry("1-1 2-1", "5-0 4-3", **options), "1-1", "pass", "2-1 R")


def test_101_later_hands_open_with_any_tile() -> None:
    state = then(twelve(), "1-1 5-4", "6-6 3-2")
    assert legal_actions(state) == (play("1-1"), play("5-4"))


def test_101_later_hands_need_no_double() -> None:
    assert legal_actions(then(twelve(), "5-1 5-4", "6-0 3-2")) == (play("5-1"), play("5-4"))


def test_101_who_went_out_starts_the_next_hand() -> None:
    step = last_step(of_101("6-6", "1-1", starter=1), "1-1")
    assert deal_hand(step.state, shuffle_of("out", 2)).state.turn == 1
    with pytest.raises(InvalidDeal):
        then(step, "6-6", "1-1", starter=0)


def test_101_who_made_the_locking_move_starts_the_next_hand() -> None:
    step = last_step(dry("1-1 5-4", "2-1 4-3"), "1-1", "2-1 R")
    assert (ended(step).kind, ended(step).seat) == (LOCK, 1)
    assert deal_hand(step.state, shuffle_of("lock", 2)).state.turn == 1


# --- the market ----------------------------------------------------------------------------------


def drawn(state: MatchState) -> tuple[str, ...]:
    """What the seat on turn draws."""
    (event,) = apply(state, Draw()).events
    assert isinstance(event, TilesDrawn)
    return tuple(tile.text for tile in event.tiles)


def test_101_two_players_draw_two_tiles_at_once_even_if_the_first_fits() -> None:
    state = played(of_101("1-1 1-0", "5-4 3-2", stock="2-1 6-6 6-1"), "1-1")
    assert drawn(state) == ("2-1", "6-6")
    state = played(state, "draw")
    assert (state.turn, legal_actions(state)) == (1, (play("2-1 L"), play("2-1 R")))


def test_101_two_players_draw_pair_after_pair_until_able() -> None:
    state = played(of_101("1-1 1-0", "5-4 3-2", stock="6-6 5-5 4-4 6-1 2-1"), "1-1")
    assert drawn(state) == ("6-6", "5-5", "4-4", "6-1")


RESERVE_OF_TWO = ("1-1 1-0 2-1 3-1 4-1", "6-6 6-5 6-4 6-3 6-2")


def test_101_two_players_the_last_two_are_the_reserve() -> None:
    """Only ones fit, and the two in the stock are its last: all else is drawn, in vain."""
    stock = stock_ending("6-1 5-1", *RESERVE_OF_TWO)
    state = played(of_101(*RESERVE_OF_TWO, stock=stock), "1-1")
    assert (view_for(state, 1)["stock"], view_for(state, 1)["drawable"]) == (18, 16)
    assert drawn(state) == tuple(stock.split()[:16])
    state = played(state, "draw")
    assert (view_for(state, 1)["stock"], view_for(state, 1)["drawable"]) == (2, 0)
    assert legal_actions(state) == (Pass(),)
    with pytest.raises(NothingToDraw):
        apply(state, Draw())
    assert played(state, "pass").turn == 0


def test_101_an_odd_last_tile_is_drawn_alone() -> None:
    """A house rule set's reserve of 1: eight pairs and one tile."""
    stock = stock_ending("5-1 6-1", *RESERVE_OF_TWO)
    state = played(of_101(*RESERVE_OF_TWO, stock=stock, reserve=1), "1-1")
    assert drawn(state) == tuple(stock.split()[:17])


def test_101_three_players_draw_one_at_a_time_until_playable() -> None:
    state = of_101("1-1 1-0", "5-4 3-2", "6-6 6-5", stock="4-4 2-1 6-1")
    state = played(state, "1-1")
    assert drawn(state) == ("4-4", "2-1")
    assert view_for(state, None)["drawable"] == 22 - 1


def test_101_three_players_the_last_one_is_the_reserve() -> None:
    racks = ("1-1 1-0 2-1 3-1 4-1 0-0", "6-6 6-5 6-4 6-3 6-2 2-2", "5-1 5-5 5-4 5-3 5-2 3-3")
    stock = stock_ending("6-1", *racks)
    state = played(of_101(*racks, stock=stock), "1-1")
    assert drawn(state) == tuple(stock.split()[:9])
    state = played(state, "draw")
    assert legal_actions(state) == (Pass(),)
    assert played(state, "pass").turn == 2


def test_101_four_players_have_no_stock() -> None:
    state = deal_hand(table("domino101", seats=4, partners=True), shuffle_of("four", 4)).state
    assert (view_for(state, None)["stock"], view_for(state, None)["drawable"]) == (0, 0)


def test_101_four_players_with_fewer_tiles_do_not_draw() -> None:
    state = played(of_101("1-1 1-0", "2-1 3-2", "5-4 4-3", "6-6 6-5"), "1-1", "2-1 R")
    assert legal_actions(played(state)) == (Pass(),)


def test_101_a_house_rule_set_may_set_draw_and_reserve() -> None:
    state = of_101("1-1 1-0", "5-4 3-2", stock="2-1 6-6", draw="until_playable", reserve=0)
    state = played(state, "1-1")
    assert drawn(state) == ("2-1",)
    assert view_for(state, None)["drawable"] == 24


# --- redeals -------------------------------------------------------------------------------------

OTHER = "5-0 5-1 5-2 5-3 4-4 3-3 4-1"

FIRST_HANDS = [
    ("6-0 6-1 6-2 6-3 6-4 1-1 2-2", OTHER, "suit"),  # without the double five are too many
    ("6-0 6-1 6-2 6-3 6-6 1-1 2-2", OTHER, None),  # double + 4 is allowed
    ("6-0 6-1 6-2 6-3 6-4 6-6 1-1", OTHER, "suit"),  # double + 5 is not
    ("6-0 6-1 6-2 6-3 4-0 1-1 2-2", OTHER, None),  # four without the double
    ("1-0 2-0 3-0 4-0 5-0 6-0 0-0", "5-1 5-2 5-3 5-4 4-4 3-3 2-1", "suit"),
    ("1-0 2-0 3-0 4-0 0-0 6-5 6-6", "5-1 5-2 5-3 5-4 1-1 3-3 2-1", None),
    ("0-0 1-1 2-2 3-3 4-4 6-0 6-1", "5-5 6-5 4-3 2-1 3-1 4-2 5-4", "doubles"),
    ("0-0 1-1 2-2 3-3 6-5 6-0 6-1", "5-5 6-6 4-3 2-1 3-1 4-2 4-4", None),  # four doubles
    ("6-0 6-1 6-2 6-3 5-4 2-1 3-2", "5-0 5-1 5-2 5-3 6-4 1-0 2-0", "no-double"),
    ("6-0 6-1 6-2 6-3 5-4 2-1 3-2", "5-0 5-1 5-2 5-3 6-4 1-0 0-0", None),  # one is enough
]


def opener(racks: tuple[str, ...]) -> int:
    """The seat with the first of the doubles, 0 where there is none."""
    held = [double for double in ORDER if any(double in rack for rack in racks)]
    return next((seat for seat, rack in enumerate(racks) if held and held[0] in rack), 0)


@pytest.mark.parametrize(("rack", "other", "reason"), FIRST_HANDS)
@pytest.mark.parametrize("turned", [False, True], ids=["seat 0", "seat 1"])
def test_101_first_hand_refused_for(
    rack: str, other: str, reason: str | None, turned: bool
) -> None:
    racks = (other, rack) if turned else (rack, other)
    if reason is None:
        state = of_101(*racks, starter=opener(racks))
        assert state.phase is Phase.PLAY
        return
    with pytest.raises(InvalidDeal):
        of_101(*racks, starter=opener(racks))


ONE_SIDE = (
    "1-1 1-0 2-1 3-1 5-5 6-5 4-3",
    "0-0 2-0 3-0 4-0 5-2 6-3 4-4",
    "4-1 5-1 6-1 2-2 3-3 6-0 5-4",
    "6-6 6-2 6-4 5-0 5-3 3-2 4-2",
)
BOTH_SIDES = (
    "1-1 1-0 2-1 0-0 5-5 6-5 4-3",
    "3-1 2-0 3-0 4-0 5-2 6-3 4-4",
    "4-1 5-1 6-1 2-2 3-3 6-0 5-4",
    "6-6 6-2 6-4 5-0 5-3 3-2 4-2",
)


def test_101_first_hand_four_players_the_opponents_lack_the_opening_doubles_suit() -> None:
    with pytest.raises(InvalidDeal):
        of_101(*ONE_SIDE)
    assert of_101(*BOTH_SIDES).turn == 0


@pytest.mark.parametrize("turn", range(4))
def test_101_opponents_are_the_seats_beside_the_opener(turn: int) -> None:
    racks = ONE_SIDE[-turn:] + ONE_SIDE[:-turn] if turn else ONE_SIDE
    with pytest.raises(InvalidDeal):
        of_101(*racks, starter=turn)


def test_101_the_opener_s_partner_may_lack_the_suit() -> None:
    assert of_101("1-1 5-4", "2-1 4-3", "6-6 5-5", "6-4 3-3").turn == 0
    with pytest.raises(InvalidDeal):
        of_101("1-1 5-4", "6-6 4-3", "2-1 5-5", "6-4 3-3")


def test_101_the_suit_is_that_of_the_double_that_opens_not_of_1_1() -> None:
    """1-1 and 2-2 lie in the stock: 3-3 opens."""
    assert of_101("3-3 6-5", "3-2 5-4", "6-6 5-5", "6-4 4-4").turn == 0
    with pytest.raises(InvalidDeal):
        of_101("3-3 6-5", "2-1 5-4", "6-6 5-5", "6-4 4-4")


@pytest.mark.parametrize("racks", [("1-1 5-4", "6-6 3-2"), ("1-1 5-4", "6-6 3-2", "4-4 2-0")])
def test_101_two_and_three_players_may_lack_the_suit(racks: tuple[str, ...]) -> None:
    assert of_101(*racks).turn == 0


def test_101_a_double_in_the_stock_is_held_by_nobody() -> None:
    with pytest.raises(InvalidDeal):
        of_101("6-5 2-1", "4-3 1-0")


def test_101_with_no_double_redeals_off_the_tile_that_would_open_in_kraloyun_opens() -> None:
    state = of_101("5-4 2-1", "6-3 1-0", starter=1, no_double_redeals=False)
    assert legal_actions(state) == (play("6-3"),)
    four = of_101("5-4", "6-3", "2-1", "1-0", starter=1, no_double_redeals=False)
    assert legal_actions(four) == (play("6-3"),)  # no double opens, so nobody can lack its suit


@pytest.mark.parametrize("racks", [FIRST_HANDS[0][:2], FIRST_HANDS[6][:2]])
def test_101_suit_and_doubles_are_refused_with_no_double_redeals_off_too(
    racks: tuple[str, str],
) -> None:
    with pytest.raises(InvalidDeal):
        of_101(*racks, no_double_redeals=False)


def locked_first(deal: int = 5, seats: int = 2) -> Step:
    """A first hand that locks at once; whoever placed last starts the next."""
    if seats == 4:
        return last_step(dry("1-1 6-5", "2-1 4-3", "6-6 5-5", "6-4 3-3"), "1-1", "2-1 R")
    return last_step(dry("1-1 6-5 6-4 5-4 5-5", "6-6 3-2 4-3 2-0 3-0"), "1-1")


@pytest.mark.parametrize("rack", ["6-0 6-1 6-2 6-3 6-4", "0-0 1-1 2-2 3-3 4-4"])
def test_101_later_hands_are_refused_for_suit_and_doubles(rack: str) -> None:
    for racks in ((rack, "5-4 5-3 4-3 2-0 5-5"), ("5-4 5-3 4-3 2-0 5-5", rack)):
        with pytest.raises(InvalidDeal):
            then(locked_first(), *racks)


def test_101_later_hands_may_be_without_a_double() -> None:
    state = then(locked_first(), "6-0 6-1 6-2 6-3 5-4", "5-0 5-1 5-2 5-3 4-3")
    assert len(legal_actions(state)) == 5


def test_101_later_hands_the_opponents_may_lack_any_suit() -> None:
    state = then(locked_first(seats=4), "4-4 5-4", "1-1 3-3", "6-5 5-5", "2-1 6-6", starter=1)
    assert state.turn == 1


def test_101_later_hands_the_opponents_may_lack_the_suit_of_a_forced_double_too() -> None:
    """A house rule set in which 1-1 must open later hands as well."""
    options = {"forced_opening": "always", "starter_after_lock": "first_double"}
    racks = ("1-1 6-5", "2-1 4-3", "6-6 5-5", "6-4 3-3")
    first = last_step(dry(*racks, **options), "1-1", "2-1 R")
    state = then(first, "6-5 5-5", "4-4 5-4", "1-1 3-3", "6-6 4-3", starter=2)
    assert legal_actions(state) == (play("1-1"),)


@pytest.mark.parametrize("first_starter", ["first_double", "highest_double"])
def test_101_opponents_lack_the_suit_of_whichever_double_opens(first_starter: str) -> None:
    """1-1 and 6-6 at one pair, the other has a one but no six."""
    racks = ("1-1 6-6", "2-1 4-3", "6-5 5-5", "5-4 3-3")
    if first_starter == "first_double":
        assert of_101(*racks, first_starter=first_starter).turn == 0
    else:
        with pytest.raises(InvalidDeal):
            of_101(*racks, first_starter=first_starter)


def redeal(racks: tuple[str, ...], reason: RedealReason) -> Redeal:
    return Redeal(tuple(map(tiles, racks)), tiles(stock_ending("", *racks)), reason)


SUIT = redeal(FIRST_HANDS[0][:2], RedealReason.SUIT)
DOUBLES = redeal(FIRST_HANDS[6][:2], RedealReason.DOUBLES)
NO_DOUBLE = redeal(FIRST_HANDS[8][:2], RedealReason.NO_DOUBLE)
CLEAN = FIRST_HANDS[1][:2]


def redealt(*redeals: Redeal, racks: tuple[str, ...] = CLEAN, seats: int = 2) -> Step:
    start = table("domino101", seats=seats, partners=seats == 4)
    stock = tiles(stock_ending("", *racks))
    return deal_given(start, tuple(map(tiles, racks)), stock, 0, redeals)


def test_101_refused_deals_are_recorded_each_with_its_reason() -> None:
    for redeals in ((SUIT,), (DOUBLES,), (NO_DOUBLE,), (SUIT, NO_DOUBLE, SUIT, DOUBLES)):
        (event,) = redealt(*redeals).events
        assert isinstance(event, HandDealt)
        assert event.redeals == redeals
    opponents = redeal(ONE_SIDE, RedealReason.OPPONENTS)
    assert redealt(opponents, racks=BOTH_SIDES, seats=4).state.turn == 0


@pytest.mark.parametrize("reason", [RedealReason.SUIT, RedealReason.DOUBLES])
def test_101_a_reason_that_does_not_hold_is_refused(reason: RedealReason) -> None:
    with pytest.raises(InvalidDeal):
        redealt(NO_DOUBLE._replace(reason=reason))
    with pytest.raises(InvalidDeal):
        redealt(redeal(CLEAN, reason))


def test_101_where_several_reasons_hold_any_may_stand() -> None:
    """Five sixes at one, five doubles at the other."""
    racks = ("6-0 6-1 6-2 6-3 6-4 5-1 5-2", "0-0 1-1 2-2 3-3 4-4 5-0 4-1")
    for reason in (RedealReason.SUIT, RedealReason.DOUBLES):
        assert redealt(redeal(racks, reason)).state.turn == 0


def test_101_a_redeal_starts_from_all_28_again() -> None:
    doubled = SUIT._replace(stock=(*SUIT.stock[:-1], SUIT.stock[0]))
    with pytest.raises(InvalidDeal):
        redealt(doubled)
    with pytest.raises(InvalidDeal):
        redealt(SUIT._replace(stock=SUIT.stock[:-1]))


@pytest.mark.parametrize(("seats", "partners"), [(2, False), (3, False), (4, True)])
def test_101_it_is_dealt_until_clean_by_one_attempt_after_the_other(
    seats: int, partners: bool
) -> None:
    start = table("domino101", seats=seats, partners=partners)
    found = 0
    for word in range(60):
        shuffle = shuffle_of(word, seats)
        (event,) = deal_hand(start, shuffle).events
        assert isinstance(event, HandDealt)
        found += len(event.redeals)
        deals = [(deal.racks, deal.stock) for deal in event.redeals]
        deals.append((event.racks, event.stock))
        for attempt, (racks, stock) in enumerate(deals):
            order = [tile for rack in (*racks, stock) for tile in rack]
            assert sorted(order) == list(TILES)
            assert order == list(shuffle.order(0, attempt))
    assert found > 0


def test_101_several_redeals_of_one_hand_come_from_the_shuffle() -> None:
    start = table("domino101", seats=4, partners=True)
    deals = (deal_hand(start, shuffle_of(word, 4)).events[0] for word in count())
    twice = next(deal for deal in deals if len(deal.redeals) > 1)  # type: ignore[union-attr]
    assert twice.redeals[0] != twice.redeals[1]  # type: ignore[union-attr]


# --- the lock ------------------------------------------------------------------------------------

SIXES_OUT = ("1-1", "6-1 L", "1-0 R", "6-0 R", "6-2 R", "3-2 R", "6-3 R", "6-4 R", "5-4 R", "6-5 R")
"""Both ends show 6 and all sixes but 6-6 lie on the line."""

SPARES = {2: ("2-1", "3-1"), 3: ("2-1", "4-3 5-2", "4-2 5-3")}


def six_six_kept(seats: int, **options: Any) -> Step:
    """The last of `SIXES_OUT` is placed; 6-6 is the stock's last tile."""
    racks = [
        " ".join([*(text.split()[0] for text in SIXES_OUT[seat::seats]), SPARES[seats][seat]])
        for seat in range(seats)
    ]
    stock = stock_ending("6-6", *racks)
    return last_step(of_101(*racks, stock=stock, **options), *SIXES_OUT)


@pytest.mark.parametrize("seats", [2, 3])
def test_101_lock_a_playable_tile_in_the_reserve_alone_does_not_count(seats: int) -> None:
    step = six_six_kept(seats)
    assert ended(step).kind is LOCK
    assert ended(step).seat == 9 % seats
    view = view_for(step.state, None)
    assert view["stock"] - view["drawable"] == {2: 2, 3: 1}[seats]
    assert view["drawable"] > 0


@pytest.mark.parametrize("seats", [2, 3])
def test_101_no_lock_while_a_drawable_tile_fits(seats: int) -> None:
    step = six_six_kept(seats, reserve=0)
    assert step.state.phase is Phase.PLAY
    assert legal_actions(step.state) == (Draw(),)


def test_101_lock_with_more_than_one_playable_tile_in_the_reserve() -> None:
    racks = ("1-1 5-4", "6-6 6-5")
    stock = stock_ending("6-1 5-1 4-1 3-1 2-1 1-0", *racks)
    step = last_step(of_101(*racks, stock=stock, reserve=6), "1-1")
    assert said(step) == (LOCK, 0, (23, 0))
    held = last_step(of_101(*racks, stock=stock, reserve=5), "1-1")
    assert held.state.phase is Phase.PLAY


# --- the hand's end ------------------------------------------------------------------------------


def test_101_two_the_winner_scores_the_losers_pips() -> None:
    step = last_step(of_101("1-1", "6-5"), "1-1")
    assert accounts(step) == ((0, 0), (11, 0), (False, False), 0)
    step = last_step(of_101("1-1", "6-6"), "1-1")
    assert accounts(step) == ((0, 0), (12, 0), (False, False), 0)


def test_101_three_the_winner_scores_both_others_pips() -> None:
    step = last_step(of_101("1-1", "5-4", "6-6"), "1-1")
    assert said(step) == (OUT, 0, (21, 0, 0))


def test_101_four_the_other_pair_s_pips_a_partners_count_for_nobody() -> None:
    step = last_step(of_101("1-1", "6-1", "6-6", "5-2"), "1-1")
    assert said(step) == (OUT, 0, (14, 0))


def test_101_went_out_wins_with_the_heavier_pair_in_full() -> None:
    step = last_step(of_101("1-1", "1-0", "6-6", "5-2"), "1-1")
    assert said(step) == (OUT, 0, (0, 0))
    assert step.state.wins == (1, 0)
    assert ended(step).drafts == (8, 0)


def test_101_lock_the_least_pips_win_and_score_the_opponents_in_full() -> None:
    """9 against 23: 23, not 14."""
    assert said(last_step(dry("1-1 5-4", "6-6 6-5"), "1-1")) == (LOCK, 0, (23, 0))


def test_101_lock_the_one_who_did_not_lock_may_win() -> None:
    step = last_step(dry("1-1 6-6 5-5", "3-0 2-0 4-0"), "1-1")
    assert said(step) == (LOCK, 1, (0, 22))
    assert ended(step).seat == 0


def test_101_lock_three_the_least_scores_both_others() -> None:
    step = last_step(dry("1-1 5-4", "3-2 4-0", "3-0 2-0"), "1-1")
    assert said(step) == (LOCK, 2, (0, 0, 18))


def test_101_lock_four_the_pips_of_the_pair_are_compared() -> None:
    """9 + 9 against 3 + 16, though seat 1 holds least: 19."""
    step = last_step(dry("1-1 5-4", "2-1 3-0", "4-0 5-0", "6-0 6-4"), "1-1", "2-1 R")
    assert said(step) == (LOCK, 0, (19, 0))


def test_101_0_0_left_in_a_rack_counts_10() -> None:
    racks = ("1-1 2-1", "5-4 0-0")
    step = last_step(dry(*racks), "1-1", "pass", "2-1 R")
    assert said(step) == (OUT, 0, (19, 0))
    cheap = last_step(dry(*racks, blank_pips=0), "1-1", "pass", "2-1 R")
    assert accounts(cheap) == ((0, 0), (9, 0), (False, False), 0)


def test_101_0_0_counts_10_also_when_comparing_at_a_lock() -> None:
    """10 against 9: seat 1 wins the 10. At 0 it would be seat 0 with 9."""
    racks = ("1-1 0-0", "5-0 2-2")
    step = last_step(dry(*racks), "1-1")
    assert (ended(step).winner, ended(step).drafts) == (1, (0, 10))
    cheap = last_step(dry(*racks, blank_pips=0), "1-1")
    assert (ended(cheap).winner, ended(cheap).drafts) == (0, (9, 0))


# --- seka ----------------------------------------------------------------------------------------


def test_101_0_0_counts_10_also_in_a_seka() -> None:
    step = last_step(dry("1-1 0-0", "5-0 3-2"), "1-1")
    assert said(step) == (LOCK, None, (0, 0))
    assert ended(step).bank == 20


def seka(**options: Any) -> Step:
    """A first hand that locks at 9 and 9."""
    return last_step(dry("1-1 5-4", "4-0 3-2", **options), "1-1")


def test_101_seka_nobody_scores_and_the_pips_of_all_racks_go_into_the_bank() -> None:
    step = seka()
    assert said(step) == (LOCK, None, (0, 0))
    assert accounts(step) == ((0, 0), (0, 0), (False, False), 18)
    assert step.state.wins == (0, 0)


def test_101_seka_by_two_of_three_banks_the_third_rack_too() -> None:
    step = last_step(dry("1-1 5-4", "4-0 3-2", "6-6 5-0"), "1-1")
    assert pips_left(ended(step)) == [9, 9, 17]
    assert accounts(step) == ((0, 0, 0), (0, 0, 0), (False,) * 3, 35)


def test_101_seka_by_three() -> None:
    step = last_step(dry("1-1 5-4", "4-0 3-2", "6-0 3-0"), "1-1")
    assert (ended(step).winner, ended(step).bank) == (None, 27)


def test_101_no_seka_where_the_least_is_not_shared() -> None:
    step = last_step(dry("1-1 5-4", "4-0 3-2", "2-0 3-0"), "1-1")
    assert (ended(step).winner, ended(step).bank) == (2, 0)


def test_101_seka_of_pairs() -> None:
    """9 + 9 and 3 + 15."""
    step = last_step(dry("1-1 5-4", "2-1 3-0", "4-0 5-0", "6-0 6-3"), "1-1", "2-1 R")
    assert said(step) == (LOCK, None, (0, 0))
    assert ended(step).bank == 36


def test_101_the_next_clear_winner_scores_the_bank_on_top() -> None:
    step = last_step(then(seka(), "5-5 2-1", "6-4 3-0"), "5-5")
    assert said(step) == (LOCK, 0, (13 + 18, 0))
    assert ended(step).bank == 0


def test_101_seka_after_seka_the_bank_grows() -> None:
    step = last_step(then(seka(), "3-3 5-4", "6-1 2-0"), "3-3")
    assert said(step) == (LOCK, None, (0, 0))
    assert ended(step).bank == 18 + 18
    step = last_step(then(step, "0-0 2-1", "6-1 3-1"), "0-0")
    assert said(step) == (LOCK, 0, (11 + 36, 0))
    assert accounts(step) == ((47, 0), (0, 0), (True, False), 0)


def test_101_the_bank_goes_to_a_winner_who_goes_out_as_well() -> None:
    step = last_step(then(seka(), "6-5 5-3", "1-0 2-0"), "6-5", "pass", "5-3 R")
    assert said(step) == (OUT, 0, (3 + 18, 0))


def test_101_a_bank_left_at_the_matchs_end_is_lost() -> None:
    step = seka(hands=1)
    assert step.state.result is not None
    assert step.state.result.scores == (0, 0)
    assert step.state.result.points == (0, 0)


def test_101_with_nobody_a_tied_lock_fills_no_bank() -> None:
    assert accounts(seka(lock_tie="nobody")) == ((0, 0), (0, 0), (False, False), 0)


# --- the 13 rule ---------------------------------------------------------------------------------


def thirteen(before: Step) -> Step:
    """Seat 0 goes out against 13."""
    return last_step(then(before, "6-5 5-2", "4-3 3-3"), "6-5", "pass", "5-2 R")


def three(before: Step) -> Step:
    """Seat 0 goes out against 3."""
    return last_step(then(before, "6-5 5-3", "1-0 2-0"), "6-5", "pass", "5-3 R")


def test_101_a_win_of_12_is_draft_and_the_account_stays_closed() -> None:
    step = twelve()
    assert said(step) == (OUT, 0, (0, 0))
    assert accounts(step) == ((0, 0), (12, 0), (False, False), 0)


def test_101_a_win_of_13_opens_the_account() -> None:
    step = last_step(dry("1-1 2-1", "6-0 4-3"), "1-1", "pass", "2-1 R")
    assert said(step) == (OUT, 0, (13, 0))
    assert accounts(step) == ((13, 0), (0, 0), (True, False), 0)


def test_101_on_opening_the_drafts_move_with_the_opening_win() -> None:
    step = thirteen(twelve())
    assert said(step) == (OUT, 0, (12 + 13, 0))
    assert accounts(step) == ((25, 0), (0, 0), (True, False), 0)


def test_101_with_drop_the_drafts_are_lost_on_opening() -> None:
    step = thirteen(twelve(drafts_on_opening="drop"))
    assert accounts(step) == ((13, 0), (0, 0), (True, False), 0)


def test_101_an_open_account_takes_any_win_and_what_moved_stays() -> None:
    assert accounts(three(thirteen(twelve()))) == ((28, 0), (0, 0), (True, False), 0)


def test_101_drafts_never_open_the_account() -> None:
    """12 and 12 make 24 of draft, and the account stays closed."""
    step = last_step(then(twelve(), "1-1 2-1", "5-0 4-3"), "1-1", "pass", "2-1 R")
    assert accounts(step) == ((0, 0), (24, 0), (False, False), 0)


def test_101_drafts_never_win() -> None:
    step = last_step(then(twelve(target=20), "1-1 2-1", "5-0 4-3"), "1-1", "pass", "2-1 R")
    assert ended(step).drafts == (24, 0)
    assert step.state.phase is Phase.DEAL
    assert thirteen(step).state.result is not None


def test_101_drafts_do_not_rank() -> None:
    result = twelve(hands=1).state.result
    assert result is not None
    assert (result.scores, result.points) == ((0, 0), (0, 0))


def test_101_the_account_is_a_sides_own() -> None:
    out = last_step(then(twelve(), "3-2 6-6", "4-2 4-3"), "3-2", "4-2 R", "pass", "4-3 L")
    assert said(out) == (OUT, 1, (0, 0))
    assert accounts(out) == ((0, 0), (12, 12), (False, False), 0)


def test_101_partners_share_one_account() -> None:
    step = last_step(of_101("1-1", "6-1", "6-6", "5-2"), "1-1")
    assert accounts(step) == ((14, 0), (0, 0), (True, False), 0)


def small_seka() -> Step:
    """5 and 5: a bank of 10."""
    return last_step(dry("1-1 5-0", "3-0 2-0"), "1-1")


def won_after_a_small_seka(last: str) -> Step:
    """Win what the other has left, and the bank of 10."""
    return last_step(then(small_seka(), "6-5 5-3", f"6-1 {last}"), "6-5", "6-1 L", "5-3 R")


def test_101_a_bank_of_10_and_a_win_of_2_do_not_open() -> None:
    step = won_after_a_small_seka("2-0")
    assert accounts(step) == ((0, 0), (12, 0), (False, False), 0)


def test_101_a_bank_of_10_and_a_win_of_3_open() -> None:
    step = won_after_a_small_seka("2-1")
    assert accounts(step) == ((13, 0), (0, 0), (True, False), 0)


def test_101_opening_by_the_bank_moves_the_drafts_too() -> None:
    tied = last_step(then(twelve(), "3-3 5-4", "6-1 2-0"), "3-3")
    assert accounts(tied) == ((0, 0), (12, 0), (False, False), 18)
    assert accounts(three(tied)) == ((12 + 3 + 18, 0), (0, 0), (True, False), 0)


def test_101_with_bank_opens_account_off_only_the_win_itself_is_measured() -> None:
    """3 and the bank of 18 are draft; the next 13 opens, and all drafts move."""
    step = three(seka(bank_opens_account=False))
    assert said(step) == (OUT, 0, (0, 0))
    assert accounts(step) == ((0, 0), (21, 0), (False, False), 0)
    assert accounts(thirteen(step)) == ((34, 0), (0, 0), (True, False), 0)


def test_101_with_bank_opens_account_off_a_win_of_13_takes_the_bank_with_it() -> None:
    step = thirteen(seka(bank_opens_account=False))
    assert accounts(step) == ((13 + 18, 0), (0, 0), (True, False), 0)


def test_101_bank_opens_account_off_and_drop() -> None:
    step = three(seka(bank_opens_account=False, drafts_on_opening="drop"))
    assert accounts(thirteen(step)) == ((13, 0), (0, 0), (True, False), 0)


@pytest.mark.parametrize(("minimum", "opened"), [(1, True), (12, True), (13, False), (14, False)])
def test_101_the_opening_minimum_is_a_field(minimum: int, opened: bool) -> None:
    assert ended(twelve(opening_minimum=minimum)).open == (opened, False)


def test_101_without_an_opening_minimum_there_are_no_accounts_to_open() -> None:
    assert accounts(twelve(opening_minimum=0)) == ((12, 0), None, None, 0)


def test_101_fives_while_the_account_is_closed_are_draft() -> None:
    step = last_step(of_101("5-5", "5-4", fives=True), "5-5")
    assert accounts(step) == ((0, 0), (10 + 9, 0), (False, False), 0)


def test_101_fives_move_with_the_opening_win_or_are_dropped() -> None:
    racks, moves = ("5-5 5-0", "6-6 1-0"), ("5-5", "pass", "5-0 R")
    kept = last_step(dry(*racks, fives=True), *moves)
    assert accounts(kept) == ((10 + 10 + 13, 0), (0, 0), (True, False), 0)
    dropped = last_step(dry(*racks, fives=True, drafts_on_opening="drop"), *moves)
    assert accounts(dropped) == ((13, 0), (0, 0), (True, False), 0)


def test_101_fives_of_an_open_account_are_main_balance() -> None:
    step = last_step(dry("1-1 2-1", "6-0 4-3", fives=True), "1-1", "pass", "2-1 R")
    state = then(step, "5-5 6-5", "4-3 3-3")
    assert played(state, "5-5").totals == (13 + 10, 0)


# --- the match -----------------------------------------------------------------------------------


def main_balance_of(last: str) -> Step:
    """Four hands won for 23 make 92, then one for what the rack of seat 1 holds."""
    step = last_step(dry("1-1 5-4", "6-6 6-5"), "1-1")
    for _ in range(3):
        step = last_step(then(step, "1-1 5-4", "6-6 6-5"), "1-1")
    assert step.state.totals == (92, 0)
    assert step.state.phase is Phase.DEAL
    return last_step(then(step, "5-5 5-2", last), "5-5", "pass", "5-2 R")


def test_101_the_match_goes_to_the_first_side_with_101_on_its_main_balance() -> None:
    hundred = main_balance_of("4-3 1-0")
    assert hundred.state.totals == (100, 0)
    assert hundred.state.phase is Phase.DEAL
    won = main_balance_of("4-3 2-0")
    assert won.state.result is not None
    assert won.state.result.scores == (101, 0)
    assert won.state.result.points == (11, -11)


def test_101_partners_at_four_always() -> None:
    with pytest.raises(InvalidRuleset):
        table("domino101", seats=4)
    for seats in (2, 3):
        with pytest.raises(InvalidRuleset):
            table("domino101", seats=seats, partners=True)
    assert table("domino101", seats=4, partners=True).totals == (0, 0)


def test_101_accounts_stand_in_the_view() -> None:
    view = view_for(three(thirteen(seka(bank_opens_account=False))).state, None)
    assert (view["drafts"], view["open"], view["bank"]) == ([0, 0], [True, False], 0)
    assert [hand["bank"] for hand in view["ended"]] == [18, 0, 0]
    assert view["length"] == {"kind": "target", "number": 101}
    assert view["wins"] == [2, 0]


def test_101_a_hand_ended_is_told_with_its_accounts() -> None:
    end = ended(seka())
    assert isinstance(end, HandEnded)
    assert (end.drafts, end.open, end.bank, end.player_scores) == ((0, 0), (False, False), 18, None)
