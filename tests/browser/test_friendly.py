"""Tables of one's own: made by a form, joined by the link, played against a bot, played again."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.people import PASSWORD, PHONE, prepare, user_names, violations
from tests.browser.rehearsal import RULESET
from tests.stack import Stack

pytestmark = pytest.mark.browser
DESKTOP = ViewportSize(width=1280, height=800)


@pytest.fixture(scope="module")
def crowd(patient_stack: Stack) -> list[str]:
    """User names of people without a table."""
    prepare(patient_stack, "own", bytes(32), RULESET, tables=0, started=0)
    return user_names("own")


@contextmanager
def logged_in(browser: Browser, stack: Stack, user: str) -> Iterator[Page]:
    """Somebody who is logged in, in a browser of their own, on the home page."""
    context = browser.new_context(viewport=PHONE, locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{stack.url}accounts/login/")
    page.get_by_label("User name").fill(user)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("link", name="New table").wait_for()
    yield page
    context.close()


def _hinders_nobody(page: Page) -> None:
    """Look at a page at a phone and at a desk; nothing sticks out to the side."""
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def _choose(page: Page, **terms: str) -> None:
    """Fill in the form of a new table by its labels, and send it."""
    for label, value in terms.items():
        page.get_by_label(label.replace("_", " "), exact=True).select_option(value)
    page.get_by_role("button", name="Open the table").click()


def _open_one_hand_of_kraloyun(page: Page, against: str, shown: str) -> None:
    page.get_by_role("link", name="New table").click()
    _hinders_nobody(page)
    page.get_by_label("How many", exact=True).fill("1")
    terms = {"Game": "kraloyun", "Seats": "2", "Length_of_a_match": "wins"}
    _choose(page, **terms, Play_with=against, Who_may_come=shown)
    expect(page.get_by_role("heading", name="At the table")).to_be_visible()


def test_a_table_by_link_is_joined_in_another_browser(
    browser: Browser, patient_stack: Stack, crowd: list[str]
) -> None:
    with (
        logged_in(browser, patient_stack, crowd[0]) as owner,
        logged_in(browser, patient_stack, crowd[1]) as guest,
    ):
        _open_one_hand_of_kraloyun(owner, "", "link")
        _hinders_nobody(owner)
        invited = owner.get_by_role("region", name="Invite others")
        address = invited.get_by_role("link").inner_text()
        assert address == owner.url
        guest.goto(address)
        guest.get_by_role("link", name="To the table").click()
        guest.get_by_role("button", name="Sit here").click()
        expect(guest.get_by_role("button", name="Get up")).to_be_visible()
        owner.get_by_role("link", name="To the table").click()
        owner.get_by_role("button", name="Start").click()
        for page in (owner, guest):
            expect(page.locator("[data-tile]")).to_have_count(7)
        _hinders_nobody(guest)
        _leave(guest)
        gone = guest.get_by_text("Who left a seat of a match gets none in it again.")
        expect(gone).to_be_visible()
        expect(guest.get_by_role("button", name="Sit down")).to_have_count(0)
        guest.reload()
        expect(gone).to_be_visible()
        expect(guest.get_by_role("button", name="Sit down")).to_have_count(0)
        still = owner.get_by_role("region", name="A seat is empty")
        expect(still.get_by_role("link", name="Invite others")).to_have_attribute(
            "href", urlsplit(address).path
        )
        for page in (owner, guest):
            _hinders_nobody(page)


def test_several_bots_are_told_apart(
    browser: Browser, patient_stack: Stack, crowd: list[str]
) -> None:
    with logged_in(browser, patient_stack, crowd[3]) as page:
        page.get_by_role("link", name="New table").click()
        _choose(page, Seats="4", Play_with="random")
        page.get_by_role("link", name="To the table").click()
        names = page.locator(".sitter-name")
        expect(names).to_have_text([re.compile("."), "Robot 1", "Robot 2", "Robot 3"])
        expect(page.get_by_role("link", name="Invite others")).to_have_count(0)


def _leave(page: Page) -> None:
    page.get_by_role("button", name="Table menu").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave the table").click()
    page.get_by_role("dialog", name="Leave the table?").get_by_role("button", name="Leave").click()


def test_a_practice_match_is_played_to_its_end_and_played_again(
    browser: Browser, patient_stack: Stack, crowd: list[str]
) -> None:
    with logged_in(browser, patient_stack, crowd[2]) as page:
        _open_one_hand_of_kraloyun(page, "heaviest", "public")
        expect(page.get_by_text("Bot: the heaviest tile")).to_be_visible()
        expect(page.get_by_text("no clock · no points")).to_be_visible()
        page.get_by_role("link", name="To the table").click()
        page.get_by_role("button", name="Start").click()
        over = page.get_by_role("region", name="The match is over")
        while not over.is_visible():
            _move(page)
        expect(over).to_contain_text("This table posts no points.")
        expect(over.get_by_role("columnheader", name="Points")).to_have_count(0)
        _hinders_nobody(page)
        over.get_by_role("link", name="Play again").click()
        page.get_by_role("button", name="Rematch").click()
        expect(page.get_by_role("heading", name="Practice table")).to_be_visible()
        _hinders_nobody(page)
        page.get_by_role("link", name="To the table").click()
        page.get_by_role("button", name="Start").click()
        expect(page.locator("[data-tile]")).to_have_count(7)


def _move(page: Page) -> None:
    """Wait for the own turn or the end, and do what is offered."""
    board = page.locator("#board")
    moves = board.locator("[data-tile][aria-disabled=false], [data-do=draw], [data-do=pass]")
    over = board.locator(".panel-match")
    expect(moves.or_(over).first).to_be_visible()
    if over.is_visible():
        return
    version = board.get_attribute("data-version") or ""
    moves.last.click()
    end = board.get_by_role("group").locator("[data-end=R]")
    if end.is_visible():  # it fits at both
        end.click()
    expect(board).not_to_have_attribute("data-version", re.compile(f"^{version}$"))
