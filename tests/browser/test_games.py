"""The board at moments of each game: what a hand scored and why, accounts, the bank, openings."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.match import MatchState
from tests.browser.people import NAMES, Person, prepare
from tests.browser.scenes import DOMINO101, SCENES, secret_and_state, secret_with_redeals
from tests.stack import Stack

pytestmark = pytest.mark.browser

PLAY_ON = """
from tables.models import Table
from tests.browser.scenes import SCENES
from tests.tables.builders import play_until
play_until(Table.objects.get(pk={table}), SCENES["{scene}"].comes)
"""
SIT_ALL = """
from tables.models import Table
from tests.tables.builders import sit_all
sit_all(Table.objects.get(pk={table}))
"""
Seen = tuple[Person, MatchState]


@pytest.fixture
def seen(browser: Browser, patient_stack: Stack) -> Callable[[str], Seen]:
    """Play on to a scene, and look at it as the one on turn, or as seat 0."""

    def look(name: str) -> Seen:
        scene = SCENES[name]
        secret, state = secret_and_state(name)
        prepared = prepare(
            patient_stack, name, secret, scene.ruleset,
            tables=1, started=1, seats=scene.seats, partners=scene.partners,
        )  # fmt: skip
        table = prepared.tables[0]
        patient_stack.shell(PLAY_ON.format(table=table, scene=name))
        person = Person.arrive(browser, state.turn or 0, name)
        person.log_in(patient_stack.url)
        person.page.goto(f"{patient_stack.url}tables/{table}/")
        expect(person.board.locator(".felt")).to_be_visible()
        _fits_the_screen(person.page)
        return person, state

    return look


def _fits_the_screen(page: Page) -> None:
    """Nothing of the board sticks out to the right, where nobody can scroll."""
    out = """() => [...document.querySelectorAll("#board *")].filter(
        (each) => each.getBoundingClientRect().right > innerWidth + 1).length"""
    assert page.evaluate(out) == 0


def _panel(person: Person) -> str:
    panel = person.board.locator(".panel-reasons")
    expect(panel).to_be_visible()
    return panel.inner_text()


def _rows(person: Person) -> list[list[str]]:
    """The cells of the result's rows; line breaks are spaces."""
    rows = person.board.locator(".panel-hand .result tbody tr")
    return [
        [" ".join(cell.split()) for cell in row.locator("th, td").all_inner_texts()]
        for row in rows.all()
    ]


def test_domino101_of_two_shows_bank_reserve_draft_and_what_was_drawn(
    seen: Callable[[str], Seen],
) -> None:
    person, state = seen("pairs")
    assert state.hand is not None
    assert state.drafts is not None
    bar = person.board.locator(".board-facts")
    expect(bar).to_contain_text(f"Hand {state.hand_number + 1} · to 101")
    expect(bar).to_contain_text(f"Stock {state.hand.drawable} + 2")
    expect(bar).to_contain_text(f"Bank {state.bank}")
    own = person.board.locator(".seat-own")
    expect(own).to_contain_text("drew ")
    for seat in range(2):
        score = person.board.locator(f"[data-seat='{seat}'] .seat-score")
        assert state.open is not None
        told = f"{state.totals[seat]} open" if state.open[seat] else f"{state.drafts[seat]} draft"
        expect(score).to_contain_text(told)


def test_who_draws_in_pairs_presses_so_and_sees_how_many_came(
    seen: Callable[[str], Seen],
) -> None:
    person, _state = seen("draw")
    tiles = person.board.locator("[data-tile]")
    before = tiles.count()
    person.button("Draw in pairs").tap()
    drew = person.board.locator(".seat-own").get_by_text("drew ")
    expect(drew).to_be_visible()
    number = int(drew.inner_text().rpartition("drew ")[2])
    assert number % 2 == 0
    expect(tiles).to_have_count(before + number)


def test_the_end_of_a_match_of_partners(seen: Callable[[str], Seen]) -> None:
    person, state = seen("over")
    assert state.result is not None
    expect(person.board.get_by_role("heading", name="The match is over")).to_be_visible()
    rows = person.board.locator(".places tbody tr")
    won = {NAMES[seat] for seat in range(4) if state.result.places[seat] == 1}
    assert set(rows.get_by_role("rowheader").all_inner_texts()[:2]) == won
    score = state.totals[state.result.places.index(1) % 2]
    expect(rows.first.locator("td").nth(1)).to_have_text(str(score))
    expect(rows.first.locator("td").last).to_have_text("+11")
    expect(person.board.locator(".panel-reasons")).to_be_visible()


def test_seka_is_told_with_its_pips_and_the_bank(seen: Callable[[str], Seen]) -> None:
    person, state = seen("seka")
    standing = person.board.locator(".panel-hand .standing")
    expect(standing).to_contain_text("If it ended now")
    expect(standing.get_by_role("listitem")).to_have_count(3)
    place = 1 + sum(other > state.totals[0] for other in state.totals)
    expect(standing.locator(".standing-mine")).to_contain_text(f"{place}. {NAMES[0]} ")
    told = _panel(person)
    assert told == (
        f"Seka: the fewest pips are shared. {state.bank} pips go into the bank;"
        f" it holds {state.bank}."
    )
    assert [row[2] for row in _rows(person)] == ["0"] * 3


def test_an_account_that_opens_with_bank_and_draft_is_told_step_by_step(
    seen: Callable[[str], Seen],
) -> None:
    person, state = seen("opened")
    before, ended = state.frame.ended[-2:]
    assert before.drafts is not None
    winner = ended.winner
    assert winner is not None
    told = _panel(person)
    assert f"The bank's {before.bank} come on top." in told
    assert "A win of 13 or more: the account is open." in told
    assert f"The draft of {before.drafts[winner]} moves to the main balance." in told
    gain = ended.scores[winner] - before.drafts[winner]
    assert _rows(person)[winner][2:] == [f"+{gain}", f"{state.totals[winner]} open"]


def test_partners_share_a_row_and_a_small_win_is_draft(seen: Callable[[str], Seen]) -> None:
    person, state = seen("drafted")
    assert "It is draft: only a win of 13 or more opens the account." in _panel(person)
    rows = _rows(person)
    assert [row[0] for row in rows] == [NAMES[0], NAMES[2], NAMES[1], NAMES[3]]
    assert [len(row) for row in rows] == [4, 2, 4, 2]
    assert state.drafts is not None
    expect(person.board.get_by_text("draft", exact=True).first).to_be_visible()


def test_a_vip_table_of_partners_counts_by_side(seen: Callable[[str], Seen]) -> None:
    person, state = seen("vip")
    for seat in range(4):
        score = person.board.locator(f"[data-seat='{seat}'] .seat-score")
        expect(score).to_contain_text(str(state.totals[seat % 2]))
    expect(person.board.get_by_text("partner")).to_be_visible()
    expect(person.board.locator(".account")).to_have_count(0)
    expect(person.board.locator(".board-facts")).to_contain_text("Hand 2 · to 100")


def test_a_vip_lock_names_the_side_with_the_fewest_pips(seen: Callable[[str], Seen]) -> None:
    person, state = seen("vip-lock")
    ended = state.frame.ended[-1]
    assert ended.winner is not None
    pips = [sum(tile.pips for seat in (side, side + 2) for tile in ended.racks[seat])
            for side in range(2)]  # fmt: skip
    won, lost = pips[ended.winner], pips[1 - ended.winner]
    names = f"{NAMES[ended.winner]} and {NAMES[ended.winner + 2]}"
    told = f"The fewest pips win: {names}, {won}."
    worth = "The winner scores what the others have left less the own, never below 0: "
    assert _panel(person) == f"{told} {worth}{lost} − {won}."


def test_kraloyun_says_which_double_opens_and_why(seen: Callable[[str], Seen]) -> None:
    person, state = seen("kraloyun")
    expect(person.board.locator("[data-tile][aria-disabled=false]")).to_have_count(1)
    expect(person.board.get_by_text("You open", exact=True)).to_be_visible()
    why = "You open with this tile: double six. It is the highest double held."
    expect(person.board.locator(".felt-notes")).to_have_text(why)
    expect(person.page.get_by_role("status")).to_contain_text(why)
    person.board.locator("[data-tile][aria-disabled=true]").first.tap(force=True)
    expect(person.page.get_by_role("status")).to_have_text(why)
    expect(person.board.locator(".board-facts")).to_contain_text("Hand 1 · to 3 wins")
    assert state.turn == person.seat


def test_a_hand_won_in_kraloyun_counts_one(seen: Callable[[str], Seen]) -> None:
    person, state = seen("kraloyun-won")
    assert "A won hand counts 1." in _panel(person)
    winner = state.frame.ended[-1].winner
    assert winner is not None
    assert _rows(person)[winner][2:] == ["+1", "1"]


def test_a_refused_deal_is_told_in_a_line_until_the_first_tile_lies(
    browser: Browser, patient_stack: Stack
) -> None:
    secret = secret_with_redeals(DOMINO101, 4, True, 0)
    prepared = prepare(
        patient_stack, "redealt", secret, DOMINO101, tables=1, started=0, partners=True
    )
    [table] = prepared.tables
    patient_stack.shell(SIT_ALL.format(table=table))
    person = Person.arrive(browser, 0, "redealt")
    person.log_in(patient_stack.url)
    person.page.goto(f"{patient_stack.url}tables/{table}/")
    expect(person.board.locator(".panel-rules")).to_have_text(
        "Domino 101 · to 101 · 7 tiles each · partners"
    )
    person.button("Start").tap()
    notes = person.board.locator(".felt-notes")
    expect(notes).to_contain_text("Dealt again")
    expect(person.page.get_by_role("status")).to_contain_text("Dealt again")
    person.page.reload()
    expect(notes).to_contain_text("Dealt again")
    person.board.locator("[data-tile][aria-disabled=false]").tap()
    expect(notes).to_have_count(0)
