"""Seats change hands in a match by taps: who leaves, who drops and is back, who sits down."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import NAMES, SUBSTITUTE, Person, Prepared, prepare
from tests.browser.rehearsal import RULESET, SEATS, Rehearsal
from tests.browser.test_match import be_ready, move
from tests.stack import Stack

pytestmark = pytest.mark.browser
STAKE = 3  # Aznif: the number of hands


@pytest.fixture(scope="module")
def prepared(patient_stack: Stack, rehearsal: Rehearsal) -> Prepared:
    """A table without a clock, open and empty."""
    return prepare(
        patient_stack, "going", rehearsal.secret, RULESET,
        tables=1, started=0, move_seconds=None,
    )  # fmt: skip


@pytest.fixture
def people(browser: Browser) -> Iterator[list[Person]]:
    """Four people with seats, and one without."""
    arrived = [Person.arrive(browser, seat, "going") for seat in range(SEATS + 1)]
    yield arrived
    for person in arrived:
        person.page.context.close()


def test_a_match_in_which_one_leaves_one_drops_and_returns_and_a_substitute_sits_in(
    patient_stack: Stack, prepared: Prepared, people: list[Person], rehearsal: Rehearsal
) -> None:
    address = f"{patient_stack.url}tables/{prepared.tables[0]}/"
    for person in people:
        person.log_in(patient_stack.url)
        person.page.goto(address)
    for person in people[:SEATS]:
        person.button("Sit down").tap()
        expect(person.button("Sit down")).to_be_hidden()
    started = people[0].version + 1
    people[0].button("Start").tap()
    people[0].sees(started)
    players = people[:SEATS]
    _play_moves(players, 3)
    _drop_and_return(players[2], players, address)
    _play_moves(players, 3)
    _leave(players[1], players[0])
    _substitute(people[SUBSTITUTE], players)
    players[1] = people[SUBSTITUTE]
    while not _over(players[0]):
        _play_moves(players, 1)
    _look_at_points(players, rehearsal)


def _play_moves(players: list[Person], count: int) -> None:
    """Play so many moves, ready presses between hands beside them, seen by everybody."""
    for _move in range(count):
        _same_version(players)
        if _over(players[0]):
            return
        if players[0].button("Ready").is_visible():
            be_ready(players)
            continue
        [person] = [person for person in players if person.is_on_turn()]
        version = person.version
        move(person)
        person.sees(version + 1)


def _same_version(players: list[Person]) -> None:
    newest = max(person.version for person in players)
    for person in players:
        person.sees(newest)


def _over(person: Person) -> bool:
    return person.board.get_by_role("heading", name="The match is over").is_visible()


def _drop_and_return(person: Person, players: list[Person], address: str) -> None:
    """Their page is closed; opened again it takes the seat back by itself, and play goes on."""
    person.page.goto("about:blank")
    others = [each for each in players if each is not person]
    for other in others:
        empty = other.board.get_by_role("region", name="A seat is empty")
        expect(empty).to_contain_text(f"{person.name} dropped", timeout=60_000)
        expect(other.board.locator("[data-tile][aria-disabled=false]")).to_have_count(0)
    person.page.goto(address)
    for each in players:
        expect(each.board.locator(".panel-still")).to_have_count(0)
        expect(each.board.get_by_text("dropped", exact=True)).to_have_count(0)


def _leave(person: Person, other: Person) -> None:
    """The question names the price, and the answer pays it."""
    person.button("Table menu").tap()
    person.page.get_by_role("dialog").get_by_role("button", name="Leave the table").tap()
    question = person.page.get_by_role("dialog", name="Leave the table?")
    expect(question).to_contain_text(f"costs you {2 * STAKE} points")
    expect(question).to_contain_text("one abandoned match is written on your record")
    question.get_by_role("button", name=f"Leave for −{2 * STAKE} points").tap()
    expect(person.board.get_by_text("You left the table.")).to_be_visible()
    expect(person.board.locator("[data-tile]")).to_have_count(0)
    expect(other.board.get_by_role("region", name="A seat is empty")).to_be_visible()


def _substitute(person: Person, players: list[Person]) -> None:
    """Somebody from outside sits down; the manager presses, nobody else can."""
    person.button("Sit down in seat 2").tap()
    manager, *others = [each for each in players if each.seat != 1]
    due = manager.board.get_by_role("region", name="Everybody is seated again")
    expect(due).to_contain_text(f"The match goes on when {manager.name} presses Continue.")
    for each in (*others, person):
        expect(each.board.get_by_role("region", name="Everybody is seated again")).to_be_visible()
        expect(each.button("Continue")).to_have_count(0)
    manager.button("Continue").tap()
    for each in (manager, *others, person):
        expect(each.board.locator(".panel-still")).to_have_count(0)
    expect(person.board.locator(".seat-own")).to_contain_text(NAMES[SUBSTITUTE])


def _look_at_points(players: list[Person], rehearsal: Rehearsal) -> None:
    """Who left paid; who dropped and came back is as if never gone; a substitute never loses."""
    earned = [0 if seat == 1 else rehearsal.points[seat] for seat in range(SEATS)]
    expected = {NAMES[seat]: earned[seat] for seat in range(SEATS)}
    expected[NAMES[1]] = -2 * STAKE
    expected[NAMES[SUBSTITUTE]] = max(0, rehearsal.points[1])
    players[0].page.get_by_role("link", name="To the standings").tap()
    rows = players[0].page.locator("#standings tbody tr")
    expect(rows).to_have_count(SEATS + 1)
    shown = {
        row.get_by_role("link").inner_text(): row.locator(".number").last.inner_text()
        for row in rows.all()
    }
    assert shown == {name: _signed(points) for name, points in expected.items()}


def _signed(points: int) -> str:
    return f"{points:+d}".replace("-", "−") if points else "0"
