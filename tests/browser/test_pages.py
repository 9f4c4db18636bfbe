"""Every page in a real browser: accessible, within the policy, and a move by keyboard alone."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Literal
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.people import PASSWORD, Person, Prepared, prepare, violations
from tests.browser.rehearsal import RULESET, Rehearsal
from tests.stack import Stack

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def prepared(patient_stack: Stack, rehearsal: Rehearsal) -> Prepared:
    """Two tables that play and one that waits."""
    return prepare(patient_stack, "pages", rehearsal.secret, RULESET, tables=3, started=2)


@pytest.fixture
def person(browser: Browser, patient_stack: Stack, prepared: Prepared) -> Iterator[Person]:
    """Who begins the match, logged in."""
    arrived = Person.arrive(browser, 0, "pages")
    arrived.log_in(patient_stack.url)
    yield arrived
    arrived.page.context.close()


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Person]:
    """Somebody who is not logged in."""
    arrived = Person.arrive(browser, 0, "nobody")
    yield arrived
    arrived.page.context.close()


def _addresses(prepared: Prepared) -> dict[str, str]:
    return {
        "home": "",
        "season": f"seasons/{prepared.season}/",
        "tournament": f"tournaments/{prepared.tournament}/",
        "player": f"players/{prepared.player}/",
        "club": f"clubs/{prepared.club}/",
        "password": "accounts/password/change/",
        "playing": f"tables/{prepared.tables[0]}/",
        "waiting": f"tables/{prepared.tables[2]}/",
    }


def _open(page: Page, address: str) -> None:
    page.goto(address)
    if "/tables/" in address:
        expect(page.locator("#board .felt")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_hinders_anybody(
    person: Person, patient_stack: Stack, prepared: Prepared, scheme: Literal["light", "dark"]
) -> None:
    person.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    found = {}
    for name, address in _addresses(prepared).items():
        _open(person.page, patient_stack.url + address)
        found[name] = violations(person.page)
    assert {name: all_ for name, all_ in found.items() if all_} == {}


def test_the_log_in_page_hinders_nobody(visitor: Person, patient_stack: Stack) -> None:
    _open(visitor.page, patient_stack.url + "accounts/login/")
    assert violations(visitor.page) == []


MAKE_ORGANIZER = """
from league.accounts.services import user_create
from league.clubs.models import Club, Role
from league.clubs.services import membership_create
user = user_create(username="organizer", password="{password}", name="Gülay Aktaş")
club = Club.objects.get(slug="{club}")
membership_create(club=club, player=user.player, role=Role.ORGANIZER)
"""


def test_an_organizer_draws_a_round_and_takes_it_back_by_keyboard_hindered_by_nothing(
    visitor: Person, patient_stack: Stack, prepared: Prepared
) -> None:
    patient_stack.shell(MAKE_ORGANIZER.format(password=PASSWORD, club=prepared.club))
    page = visitor.page
    page.goto(patient_stack.url + "accounts/login/")
    page.get_by_label("User name").fill("organizer")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="You organize").wait_for()
    page.locator(f"#organized-{prepared.tournament}").click()
    for fold in ("New round", "Add players"):
        page.get_by_text(fold, exact=True).press("Enter")
    expect(page.get_by_role("checkbox", name="Gülay Aktaş")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Draw round 4").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Round 4 is drawn: 1 table.")
    assert violations(page) == []
    page.get_by_role("button", name="Take this round back").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("The round is taken back.")


def test_no_page_breaks_the_policy_or_fails_in_the_console(
    person: Person, patient_stack: Stack, prepared: Prepared
) -> None:
    said: list[str] = []
    person.page.on("console", lambda message: said.append(message.text))
    person.page.on("pageerror", lambda error: said.append(str(error)))
    for address in _addresses(prepared).values():
        _open(person.page, patient_stack.url + address)
        person.page.wait_for_load_state("load")
    assert said == []


def test_no_page_is_wider_than_a_phone(
    person: Person, patient_stack: Stack, prepared: Prepared
) -> None:
    for code, language in (("tr", "Türkçe"), ("az", "Azərbaycanca"), ("en", "English")):
        person.page.goto(patient_stack.url)
        person.page.get_by_role("button", name=language).tap()
        expect(person.page.locator(f"html[lang={code}]")).to_be_attached()
        for name, address in _addresses(prepared).items():
            _open(person.page, patient_stack.url + address)
            width = person.page.evaluate("document.documentElement.scrollWidth")
            assert width <= 390, (language, name)


@pytest.mark.parametrize("language", ["en-GB", "az"])
def test_times_stand_in_the_readers_zone(
    browser: Browser, patient_stack: Stack, prepared: Prepared, language: str
) -> None:
    context = browser.new_context(locale=language, timezone_id="Asia/Baku")
    page = context.new_page()
    page.goto(patient_stack.url + f"tournaments/{prepared.tournament}/")
    shown = page.locator("time").first
    expect(shown).to_have_attribute("title", "Asia/Baku")
    moment = datetime.fromisoformat(shown.get_attribute("datetime") or "")
    there = moment.astimezone(ZoneInfo("Asia/Baku"))
    day = f"{there:%d.%m}" if language == "az" else f"{there.day} {there:%b}"
    expect(shown).to_have_text(re.compile(rf"^{day}\b.* {there:%H:%M}$"))
    context.close()


def test_standings_renew_themselves(
    visitor: Person, patient_stack: Stack, prepared: Prepared
) -> None:
    address = patient_stack.url + f"seasons/{prepared.season}/"
    with visitor.page.expect_request(lambda request: "hx-request" in request.headers):
        visitor.page.goto(address)


def test_a_match_is_begun_by_keyboard_alone(
    browser: Browser, patient_stack: Stack, prepared: Prepared
) -> None:
    """Tab reaches the rack, arrow keys a tile, Enter plays it; what happened is spoken."""
    people = [Person.arrive(browser, seat, "pages") for seat in range(4)]
    for person in people:
        person.log_in(patient_stack.url)
        _open(person.page, patient_stack.url + f"tables/{prepared.tables[1]}/")
    [person] = [person for person in people if person.is_on_turn()]
    tiles = person.board.locator("[data-tile]")
    first, second = (tiles.nth(n).get_attribute("data-tile") for n in (0, 1))
    _tab_to(person.page, f'[data-tile="{first}"]')
    person.page.keyboard.press("ArrowRight")
    expect(person.board.locator(f'[data-tile="{second}"]')).to_be_focused()
    person.page.keyboard.press("Enter")
    expect(tiles).to_have_count(4)
    expect(person.page.get_by_role("status")).to_contain_text(f"{person.name} played")
    for other in people:
        other.page.context.close()


def _tab_to(page: Page, selector: str) -> None:
    for _step in range(10):
        page.keyboard.press("Tab")
        if page.locator(f"{selector}:focus").count():
            return
    raise AssertionError(f"Tab never reaches {selector}")
