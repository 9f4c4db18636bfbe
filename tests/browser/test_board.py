"""The board: how the line lies, what a lost connection shows, and that nobody sees too much."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import PHONE, TURNED, Person, Prepared, prepare, user_names
from tests.browser.rehearsal import RULESET, secret_with_a_draw_and_a_choice
from tests.stack import Stack

pytestmark = pytest.mark.browser

# Lays lines of every length with the first tile at every place and returns what is wrong with them:
# tiles that overlap, neighbours whose matching halves do not touch, tiles outside of what is shown
# or too small to read; a first tile beside the middle, a right arm that does not turn down, a left
# one that does not turn up, a corner that is not upright.
FAULTS_OF_LAYOUT = """
async ([width, height]) => {
  const { layLine } = await import("/static/tables/layout.js");
  const size = ({ turn }) => (turn % 180 === 0 ? [1, 0.5] : [0.5, 1]);
  const half = ({ x, y, turn }, way) => {
    const angle = (turn * Math.PI) / 180;
    return [x + way * 0.5 * Math.cos(angle), y + way * 0.5 * Math.sin(angle)];
  };
  const faults = [];
  for (let count = 1; count <= 28; count += 1) {
    for (let first = 0; first < count; first += 1) {
      const halves = Array.from({ length: count }, () => [1, 1]);
      const { tiles, slots, box } = layLine(halves, first, width, height);
      const all = [slots.L, ...tiles, slots.R];
      const scale = Math.min(width / box.width, height / box.height);
      if (scale < 20) faults.push(`${count}/${first}: half a tile is ${scale} px`);
      if (Math.hypot(tiles[first].x, tiles[first].y) > 0) faults.push(`${count}/${first}: aside`);
      tiles.forEach(({ y, turn }, index) => {
        if (index > first ? y < 0 : y > 0) faults.push(`${count}/${first}: ${index} turns wrong`);
        if ((turn % 180 !== 0) !== (y % 2 !== 0)) faults.push(`${count}/${first}: ${index} corner`);
      });
      all.forEach((one, index) => {
        const [w, h] = size(one);
        const inside = one.x - w >= box.x && one.x + w <= box.x + box.width
          && one.y - h >= box.y && one.y + h <= box.y + box.height;
        if (!inside) faults.push(`${count}/${first}: ${index} outside`);
        for (const other of all.slice(index + 1)) {
          const [v, g] = size(other);
          const across = Math.abs(one.x - other.x) - w - v;
          const along = Math.abs(one.y - other.y) - h - g;
          if (Math.max(across, along) < -1e-9) faults.push(`${count}/${first}: ${index} overlaps`);
        }
      });
      for (let index = 0; index + 1 < tiles.length; index += 1) {
        const [a, b] = half(tiles[index], 1);
        const [c, d] = half(tiles[index + 1], -1);
        if (Math.abs(Math.hypot(a - c, b - d) - 1) > 1e-9) faults.push(`${count}/${first}: gap`);
      }
    }
  }
  return faults;
}
"""


SIT_ALL = """
from tables.models import Table
from tests.tables.builders import sit_all
sit_all(Table.objects.get(pk={table}))
"""
PROMOTE = """
from league.accounts.models import Player
from league.clubs.models import Club
from league.clubs.services import membership_create
club, player = Club.objects.get(slug="{club}"), Player.objects.get(user__username="{username}")
membership_create(club=club, player=player, role="organizer")
"""
END_SESSIONS = """
from django.contrib.sessions.models import Session
Session.objects.all().delete()
"""


@pytest.fixture(scope="module")
def prepared(patient_stack: Stack) -> Prepared:
    """Two tables that play and one that waits."""
    secret = secret_with_a_draw_and_a_choice().secret
    return prepare(patient_stack, "board", secret, RULESET, tables=3, started=2)


@pytest.fixture
def people(browser: Browser) -> Iterator[list[Person]]:
    """Four people at their phones."""
    arrived = [Person.arrive(browser, seat, "board") for seat in range(4)]
    yield arrived
    for person in arrived:
        person.page.context.close()


@pytest.mark.parametrize(
    "room",
    [(320, 250), (390, 330), (390, 490), (604, 275), (1240, 450), (1900, 800)],
    ids=str,
)
def test_the_line_refits_at_any_length_without_overlap(
    people: list[Person], patient_stack: Stack, room: tuple[int, int]
) -> None:
    page = people[0].page
    page.goto(patient_stack.url)
    assert page.evaluate(FAULTS_OF_LAYOUT, list(room)) == []


def test_a_lost_connection_locks_the_rack_until_the_table_is_back(
    people: list[Person], patient_stack: Stack, prepared: Prepared
) -> None:
    for person in people:
        person.log_in(patient_stack.url)
        person.page.goto(patient_stack.url + f"tables/{prepared.tables[0]}/")
        person.sees(5)
    [person] = [person for person in people if person.is_on_turn()]
    playable = person.board.locator("[data-tile][aria-disabled=false]")
    expect(playable.first).to_be_visible()
    patient_stack.kill("daphne")
    expect(person.board.get_by_text("Connection lost. Reconnecting…")).to_be_visible()
    expect(playable).to_have_count(0)
    expect(person.board.get_by_text("Connection lost. Reconnecting…")).to_be_hidden(timeout=60_000)
    playable.first.tap()
    for other in people:
        expect(other.board).to_have_attribute("data-version", "6", timeout=30_000)


@pytest.mark.parametrize("found_by", ["the beat", "a new connection"])
def test_who_was_logged_out_is_told_so_and_comes_back(
    people: list[Person], patient_stack: Stack, prepared: Prepared, found_by: str
) -> None:
    """The rack neither vanishes without a word nor can it be played from."""
    person = people[1]
    person.log_in(patient_stack.url)
    person.page.goto(patient_stack.url + f"tables/{prepared.tables[1]}/")
    tiles = person.board.locator("[data-tile]")
    expect(tiles).to_have_count(5)
    patient_stack.shell(END_SESSIONS)
    if found_by == "a new connection":
        patient_stack.kill("daphne")
    told = person.board.get_by_text("You are logged out.")
    expect(told).to_be_visible(timeout=60_000)
    expect(tiles).to_have_count(5)
    expect(person.board.locator("[data-tile][aria-disabled=false]")).to_have_count(0)
    expect(person.page.get_by_role("status")).to_have_text("You are logged out.")
    told.get_by_role("link", name="Log in").tap()
    person.say_who()
    expect(tiles).to_have_count(5)
    expect(told).to_be_hidden()


def test_an_organizer_starts_a_table_once_everybody_sits(
    browser: Browser, patient_stack: Stack, prepared: Prepared
) -> None:
    """Nobody else who looks on gets the button, nor the organizer before all are seated."""
    table = prepared.tables[2]
    prepare(patient_stack, "staff", bytes(32), RULESET, tables=0, started=0)
    staff = [Person.arrive(browser, seat, "staff") for seat in range(2)]
    organizer, other = staff
    username = user_names("staff")[organizer.seat]
    patient_stack.shell(PROMOTE.format(club=prepared.club, username=username))
    for person in staff:
        person.log_in(patient_stack.url)
        person.page.goto(patient_stack.url + f"tables/{table}/")
        person.sees(0)
        expect(person.button("Start")).to_have_count(0)
    patient_stack.shell(SIT_ALL.format(table=table))
    for person in staff:
        person.sees(4)
    expect(other.button("Start")).to_have_count(0)
    organizer.button("Start").tap()
    for person in staff:
        person.sees(5)
        expect(person.board.locator(".seat")).to_have_count(4)
        expect(person.board.locator("[data-do]")).to_have_count(0)
        person.page.context.close()


def test_everybody_sees_the_last_seconds_of_a_move(
    people: list[Person], browser: Browser, patient_stack: Stack
) -> None:
    """At this table a whole move takes no longer; whoever is late, the clock moves for."""
    [table] = prepare(
        patient_stack, "hurry", bytes(32), RULESET, tables=1, started=0, move_seconds=9
    ).tables
    crowd = [Person.arrive(browser, seat, "hurry") for seat in range(4)]
    for person in crowd:
        person.log_in(patient_stack.url)
    for person in (*crowd, people[0]):
        person.page.goto(patient_stack.url + f"tables/{table}/")
    patient_stack.shell(SIT_ALL.format(table=table))
    own = crowd[0]
    own.button("Start").tap()
    for person in (own, people[0]):
        expect(person.board.locator(".ring-seconds")).to_have_text(re.compile("^[0-9]$"))
    loud = own.board.locator(".own-seconds")
    expect(loud).to_have_text(re.compile("^[0-9]$"), timeout=90_000)
    expect(loud).to_have_attribute("aria-hidden", "true")
    for person in crowd:
        person.page.context.close()


def test_the_table_page_speaks_another_language_at_a_tap(
    people: list[Person], patient_stack: Stack, prepared: Prepared
) -> None:
    page = people[0].page
    address = patient_stack.url + f"tables/{prepared.tables[0]}/"
    page.goto(address)
    people[0].button("Table menu").tap()
    page.get_by_role("dialog").get_by_role("button", name="Language").tap()
    page.get_by_role("dialog").get_by_role("button", name="Türkçe").tap()
    expect(page.locator("html[lang=tr]")).to_be_attached()
    expect(page).to_have_url(address)


def test_a_visitor_watches_without_a_rack(
    browser: Browser, patient_stack: Stack, prepared: Prepared
) -> None:
    visitor = Person.arrive(browser, 0, "nobody")
    visitor.page.goto(patient_stack.url + f"tables/{prepared.tables[1]}/")
    visitor.sees(5)
    expect(visitor.board.locator(".seat")).to_have_count(4)
    expect(visitor.board.locator("[data-tile]")).to_have_count(0)
    expect(visitor.board.locator("[data-do]")).to_have_count(0)
    for size in (TURNED, PHONE):
        visitor.page.set_viewport_size(size)
        assert visitor.page.evaluate(OVER_THE_BAR) == []
    visitor.page.context.close()


# The bar's buttons that its facts, or a seat below it, lie over.
OVER_THE_BAR = """
() => {
  const box = (each) => each.getBoundingClientRect();
  const parts = [...document.querySelectorAll(".board-facts li, .board-around .seat")].map(box);
  const over = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return [...document.querySelectorAll(".board-bar button, .board-back")]
    .filter((button) => parts.some((part) => over(part, box(button))))
    .map((button) => button.getAttribute("aria-label"));
}
"""


SEATED = """
async (clockwise) => {
  const { placesAround } = await import("/static/tables/places.js");
  return [4, 3, 2].map((seats) => Object.fromEntries(placesAround(1, seats, clockwise)));
}
"""


def test_who_plays_next_sits_on_the_right_or_where_play_goes_clockwise_on_the_left(
    people: list[Person], patient_stack: Stack, prepared: Prepared
) -> None:
    page = people[0].page
    page.goto(patient_stack.url + f"tables/{prepared.tables[0]}/")
    for place, seat in (("right", 1), ("top", 2), ("left", 3)):
        expect(page.locator(f".seat-{place}")).to_have_attribute("data-seat", str(seat))
    counter = [{"right": 2, "top": 3, "left": 0}, {"right": 2, "left": 0}, {"top": 0}]
    clockwise = [{"left": 2, "top": 3, "right": 0}, {"left": 2, "right": 0}, {"top": 0}]
    assert page.evaluate(SEATED) == counter
    assert page.evaluate(SEATED, True) == clockwise


def test_a_beat_that_agrees_asks_for_nothing(
    people: list[Person], patient_stack: Stack, prepared: Prepared
) -> None:
    """The page's own hash of its view equals the server's, names in every alphabet included."""
    person = people[1]
    person.log_in(patient_stack.url)
    sent: list[str] = []
    with person.page.expect_websocket() as opened:
        person.page.goto(patient_stack.url + f"tables/{prepared.tables[1]}/")
    opened.value.on("framesent", lambda payload: sent.append(str(payload)))
    for _beat in range(2):  # the first one's answer has gone out when the second one comes
        opened.value.wait_for_event("framereceived", _is_beat, timeout=60_000)
    assert [frame for frame in sent if "resume" in frame] == []


def _is_beat(payload: str | bytes) -> bool:
    return '"beat"' in str(payload)
