"""What people do around the line: choose seats, pause, call the referee, chat, come too late."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Dialog, Locator, expect

from tests.browser.people import NAMES, Person, prepare, user_names
from tests.browser.rehearsal import RULESET, SEATS
from tests.browser.test_board import PROMOTE, SIT_ALL
from tests.stack import Stack

pytestmark = pytest.mark.browser

FRIENDLY = """
from league.accounts.models import Player
from tables.opening import FriendlyTerms, friendly_open
owner = Player.objects.get(user__username="{owner}")
terms = FriendlyTerms(ruleset={ruleset}, seats=3)
print(friendly_open(owner=owner, terms=terms).pk)
"""


@contextmanager
def at_table(
    browser: Browser, stack: Stack, table: int, crowd: str, seats: range
) -> Iterator[list[Person]]:
    """People of a crowd who look at a table, each with a phone."""
    people = [Person.arrive(browser, seat, crowd) for seat in seats]
    for person in people:
        person.log_in(stack.url)
        person.page.goto(f"{stack.url}tables/{table}/")
        expect(person.board.locator(".felt")).to_be_visible()
    yield people
    for person in people:
        person.page.context.close()


def _region(person: Person, name: str) -> Locator:
    return person.board.get_by_role("region", name=name, exact=True)


def test_seats_of_a_friendly_table_are_chosen_offered_and_exchanged(
    browser: Browser, patient_stack: Stack
) -> None:
    prepare(patient_stack, "friends", bytes(32), RULESET, tables=0, started=0)
    made = FRIENDLY.format(owner=user_names("friends")[0], ruleset=RULESET)
    table = int(patient_stack.shell(made))
    with at_table(browser, patient_stack, table, "friends", range(2)) as [owner, guest]:
        expect(_region(guest, "Before the start")).to_contain_text("This table posts no points.")
        seat = guest.board.get_by_role("listitem").filter(has_text="Seat 3")
        seat.get_by_role("button", name="Sit here").tap()
        expect(guest.button("Get up")).to_be_visible()
        guest.button("Offer to swap").tap()
        expect(guest.board.get_by_text("swap offered")).to_be_visible()
        owner.is_hindered_by_nothing()
        owner.button("Swap").tap()
        first = owner.board.locator(".sitter").first
        expect(first).to_contain_text(guest.name)
        guest.button("Get up").tap()
        expect(first).to_contain_text("Seat 1")
        expect(owner.page.get_by_role("status")).to_have_text(f"{guest.name} got up.")


def test_the_manager_pauses_and_everybody_sees_why_and_until_when(
    browser: Browser, patient_stack: Stack
) -> None:
    [table] = prepare(
        patient_stack, "pause", bytes(32), RULESET, tables=1, started=1, bank_seconds=75
    ).tables
    with at_table(browser, patient_stack, table, "pause", range(2)) as [manager, other]:
        expect(other.board.locator(".bank-time").first).to_have_text("1:15")
        other.button("Table menu").tap()
        menu = other.page.get_by_role("dialog")
        expect(menu.get_by_role("button", name="Call the referee")).to_be_visible()
        expect(menu.get_by_role("button", name="Pause")).to_have_count(0)
        other.is_hindered_by_nothing()
        menu.get_by_role("button", name="Close").tap()
        manager.button("Table menu").tap()
        manager.page.get_by_role("dialog").get_by_role("button", name="Pause").tap()
        for person in (manager, other):
            still = _region(person, "The match is paused")
            expect(still).to_contain_text("It goes on by itself in")
            expect(still).to_contain_text("keeps 6")  # a little more than an hour, in minutes
            expect(person.board.locator("[data-tile][aria-disabled=false]")).to_have_count(0)
        expect(other.page.get_by_role("status")).to_have_text("The match is paused")
        expect(other.button("Continue")).to_have_count(0)
        manager.button("Continue").tap()
        expect(_region(other, "The match is paused")).to_have_count(0)


def test_the_referee_is_called_and_ends_the_match_with_a_reason(
    browser: Browser, patient_stack: Stack
) -> None:
    prepared = prepare(patient_stack, "ruling", bytes(32), RULESET, tables=1, started=1)
    [table] = prepared.tables
    prepare(patient_stack, "judges", bytes(32), RULESET, tables=0, started=0)
    username = user_names("judges")[0]
    patient_stack.shell(PROMOTE.format(club=prepared.club, username=username))
    with (
        at_table(browser, patient_stack, table, "ruling", range(1, 2)) as [player],
        at_table(browser, patient_stack, table, "judges", range(1)) as [organizer],
    ):
        player.choose("Call the referee", "Call the referee")
        expect(_region(player, "The referee has been called")).to_be_visible()
        expect(player.button("Decide as referee")).to_have_count(0)
        organizer.button("Decide as referee").tap()
        dialog = organizer.page.get_by_role("dialog", name="Decide as referee")
        dialog.get_by_label("The match ends by decision").tap()
        for seat in range(SEATS):
            dialog.locator("select").nth(seat).select_option(str(min(seat + 1, 3)))
        organizer.is_hindered_by_nothing()
        decide = dialog.get_by_role("button", name="Decide", exact=True)
        decide.tap()
        expect(dialog).to_be_visible()  # without a reason nothing is decided
        dialog.get_by_label("Reason").tap()
        organizer.page.keyboard.type("The hall closes.")
        decide.tap()
        for person in (player, organizer):
            end = _region(person, "The referee ended the match")
            expect(end).to_contain_text("The referee's reason: The hall closes.")
            expect(end.get_by_role("link", name="To the standings")).to_be_visible()
        player.page.reload()
        end = _region(player, "The referee ended the match")
        expect(end).to_contain_text("The referee's reason: The hall closes.")
        decided = end.get_by_role("table", name="The referee ended the match")
        assert [" ".join(row.split()) for row in decided.get_by_role("row").all_inner_texts()] == [
            "Place Player Points",
            f"1. {NAMES[0]} +3",
            f"2. {NAMES[1]} +1",
            f"3. {NAMES[2]} −2",
            f"3. {NAMES[3]} −2",
        ]
        player.is_hindered_by_nothing()


def test_three_moves_by_the_clock_free_the_seat_and_a_large_button_takes_it_again(
    browser: Browser, patient_stack: Stack
) -> None:
    [table] = prepare(
        patient_stack, "late", bytes(32), RULESET, tables=1, started=0, move_seconds=2
    ).tables
    with at_table(browser, patient_stack, table, "late", range(SEATS)) as people:
        patient_stack.shell(SIT_ALL.format(table=table))
        people[0].button("Start").tap()
        told = people[0].board.get_by_text("The clock moved for you (1 of 3)")
        expect(told).to_contain_text("the heaviest tile that fits", timeout=60_000)
        expect(told).to_contain_text("After three such moves in a row the seat is free.")
        back = "Come back to the table"
        expect(people[0].board.locator(".panel-still")).to_be_visible(timeout=60_000)
        [dropped] = [person for person in people if person.button(back).is_visible()]
        still = _region(dropped, "You dropped from your seat")
        expect(still).to_contain_text("the clock moved for you three times in a row")
        others = [person for person in people if person is not dropped]
        expect(_region(others[0], "A seat is empty")).to_contain_text(f"{dropped.name} dropped")
        dropped.is_hindered_by_nothing()
        dropped.button(back).tap()
        expect(still).to_have_count(0)


def test_what_is_said_is_text_and_who_is_muted_stays_muted(
    browser: Browser, patient_stack: Stack
) -> None:
    [table] = prepare(patient_stack, "talk", bytes(32), RULESET, tables=1, started=1).tables
    with at_table(browser, patient_stack, table, "talk", range(2)) as [one, other]:
        other.page.on("dialog", _fail)
        one.button("Chat").tap()
        one.button("Good luck!").tap()
        other.button("Chat, 1 new").tap()
        said = _region(other, "Chat").locator(".said li")
        expect(said).to_have_text([f"{one.name} Good luck!"])
        _type(one, "<img src=x onerror=alert(1)>")
        expect(said).to_have_count(2)
        expect(said.last).to_have_text(f"{one.name} <img src=x onerror=alert(1)>")
        heard = f"{one.name}: <img src=x onerror=alert(1)>"
        expect(other.page.get_by_role("status")).to_have_text(heard)
        other.is_hindered_by_nothing()
        other.board.get_by_text("Mute", exact=True).tap()
        other.button(f"Mute {one.name}").tap()
        expect(said).to_have_count(0)
        _type(one, "Hello?")
        expect(_region(one, "Chat").locator(".said li")).to_have_count(3)
        other.page.reload()
        other.button("Chat").tap()
        expect(said).to_have_count(0)
        other.board.get_by_text("Mute", exact=True).tap()
        other.button(f"Listen to {one.name} again").tap()
        expect(said).to_have_count(3)


def _type(person: Person, text: str) -> None:
    person.type_in("Your message", text)
    person.button("Send").tap()


def _fail(dialog: Dialog) -> None:
    raise AssertionError(dialog.message)


def test_the_table_by_keys_alone(browser: Browser, patient_stack: Stack) -> None:
    """Letters count only while the board has the focus; what they read is spoken."""
    [table] = prepare(patient_stack, "keys", bytes(32), RULESET, tables=1, started=1).tables
    with at_table(browser, patient_stack, table, "keys", range(SEATS)) as people:
        [person] = [each for each in people if each.is_on_turn()]
        keyboard, status = person.page.keyboard, person.page.get_by_role("status")
        person.board.locator('[data-tile][tabindex="0"]').focus()
        keyboard.press("e")
        expect(status).to_have_text("No tile has been played yet")
        keyboard.press("Enter")
        expect(person.board.locator("[data-tile]")).to_have_count(4)
        keyboard.press("e")
        expect(status).to_contain_text("Left end")
        keyboard.press("s")
        expect(status).to_contain_text(f"{person.name}: ")
        expect(status).to_contain_text("place 1, ")
        expect(status).to_contain_text("points if it ended now")
        person.board.get_by_role("button", name="Table menu").press("Enter")
        leave = person.page.get_by_role("dialog").get_by_role("button", name="Leave the table")
        leave.press("Enter")
        question = person.page.get_by_role("dialog", name="Leave the table?")
        expect(question).to_be_visible()
        keyboard.press("Escape")
        expect(question).to_be_hidden()
        expect(person.board.locator("[data-tile]")).to_have_count(4)
