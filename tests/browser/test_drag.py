"""A tile by drag, beside the tap: where it may be let go, what puts it back. Sound, flight."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Literal

import pytest
from playwright.sync_api import Browser, CDPSession, Locator, Page, ViewportSize, expect

from engine.actions import Draw, Play
from engine.match import MatchState, Phase, legal_actions
from tests.browser.people import PASSWORD, PHONE, prepare, user_names
from tests.browser.rehearsal import RULESET, Rehearsal
from tests.stack import Stack

pytestmark = pytest.mark.browser
DESKTOP = ViewportSize(width=1280, height=800)

# The first legal move each time, table by table, until its moment has come.
PLAY_ON = """
import json
import re
from tables.models import Table
from tests.browser.test_drag import MOMENTS
from tests.tables.builders import play_until
states = [play_until(Table.objects.get(pk=table), moment)
          for table, moment in zip({tables}, MOMENTS)]
print(json.dumps([state.turn for state in states]))
"""
TURN_COMES = """
from tables.models import Table
from tests.tables.builders import play_until
play_until(Table.objects.get(pk={table}), lambda state: state.turn == {seat})
"""
# What is made of Web Audio's parts and what flies is counted on the page's root: the knock has
# noise, the call has notes. (The page's policy lets no test wait for a script's value.)
COUNT = """
const count = (name) => {
  const { dataset } = document.documentElement;
  dataset[name] = Number(dataset[name] ?? 0) + 1;
};
const { createBufferSource } = BaseAudioContext.prototype;
BaseAudioContext.prototype.createBufferSource = function () {
  count("knocks");
  return createBufferSource.call(this);
};
const { start } = OscillatorNode.prototype;
OscillatorNode.prototype.start = function (when) {
  count("notes");
  return start.call(this, when);
};
new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
  if (node.className === "flying") count("flown");
}))).observe(document, { childList: true, subtree: true });
"""


def one_end(state: MatchState) -> bool:
    """Some tile fits at one end alone, and a line lies there."""
    if state.phase is not Phase.PLAY or state.hand is None or len(state.hand.laid) < 2:
        return False
    return _ends(state) in ([["L"]], [["R"]])


def both_ends(state: MatchState) -> bool:
    """Some tile fits at both ends."""
    return state.phase is Phase.PLAY and ["L", "R"] in _ends(state)


def empty_line(state: MatchState) -> bool:
    return state.phase is Phase.PLAY and state.hand is not None and not state.hand.laid


def must_draw(state: MatchState) -> bool:
    return state.phase is Phase.PLAY and legal_actions(state) == (Draw(),)


def must_draw_calmly(state: MatchState) -> bool:
    """The same at a table of its own, for somebody who wants less motion."""
    return must_draw(state)


def _ends(state: MatchState) -> list[list[str]]:
    by_tile: dict[str, list[str]] = {}
    for action in legal_actions(state):
        if isinstance(action, Play) and action.end is not None:
            by_tile.setdefault(str(action.tile), []).append(action.end.value)
    return sorted(map(sorted, by_tile.values()))


MOMENTS = (empty_line, one_end, both_ends, must_draw, must_draw_calmly)


@dataclass(frozen=True)
class Moment:
    """A table where a moment has come, and the seat on turn there."""

    table: int
    seat: int


@pytest.fixture(scope="module")
def moments(patient_stack: Stack, rehearsal: Rehearsal) -> dict[str, Moment]:
    """A table for each moment, by its name."""
    tables = prepare(
        patient_stack, "drag", rehearsal.secret, RULESET,
        tables=len(MOMENTS), started=len(MOMENTS),
    ).tables  # fmt: skip
    printed = patient_stack.shell(PLAY_ON.format(tables=tables))
    turns = json.loads(printed.strip().splitlines()[-1])
    names = [moment.__name__ for moment in MOMENTS]
    found = map(Moment, tables, turns)
    return dict(zip(names, found, strict=True))


@contextmanager
def on_turn(
    browser: Browser,
    stack: Stack,
    moment: Moment,
    size: ViewportSize = DESKTOP,
    motion: Literal["no-preference", "reduce"] = "no-preference",
) -> Iterator[Page]:
    """Who is on turn, at a desk with a mouse or at a phone."""
    touch = size == PHONE
    context = browser.new_context(
        viewport=size, has_touch=touch, is_mobile=touch, locale="en-GB", reduced_motion=motion
    )
    page = context.new_page()
    page.add_init_script(COUNT)
    page.goto(f"{stack.url}accounts/login/?next=/tables/{moment.table}/")
    page.get_by_label("User name").fill(user_names("drag")[moment.seat])
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator(".status-mine")).to_be_visible()
    yield page
    context.close()


def _middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _counted(page: Page, what: str) -> str:
    return page.locator("html").get_attribute(f"data-{what}") or "0"


def _playable(page: Page) -> Locator:
    return page.locator("[data-tile][aria-disabled=false]")


def _lift(page: Page) -> None:
    """Press on the first playable tile with the mouse and begin to drag it."""
    x, y = _middle(_playable(page).first)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 30, steps=3)
    expect(page.locator(".drag-ghost")).to_be_visible()


def test_a_tile_let_go_at_the_end_where_it_fits_is_played(
    browser: Browser, patient_stack: Stack, moments: dict[str, Moment]
) -> None:
    """The end where it does not fit is shut; a tile let go there goes back, as by Escape."""
    with on_turn(browser, patient_stack, moments["one_end"]) as page:
        tiles, ghost = page.locator("[data-tile]"), page.locator(".drag-ghost")
        held, version = tiles.count(), page.locator("#board").get_attribute("data-version")
        _lift(page)
        shut = page.locator(".slot-shut")
        expect(page.locator(".slot")).to_have_count(2)
        page.mouse.move(*_middle(shut), steps=4)
        expect(page.locator(".slot-over")).to_have_count(0)
        page.mouse.up()
        expect(ghost).to_have_count(0)
        expect(page.locator(".slot")).to_have_count(0)
        _lift(page)
        page.keyboard.press("Escape")
        expect(ghost).to_have_count(0)
        page.mouse.up()  # no tap comes of it
        _lift(page)
        expect(page.locator("#board")).to_have_attribute("data-version", version or "")
        expect(tiles).to_have_count(held)
        page.mouse.move(*_middle(page.locator(".slot:not(.slot-shut)")), steps=4)
        expect(page.locator(".slot-over")).to_have_count(1)
        page.mouse.up()
        expect(tiles).to_have_count(held - 1)
        expect(page.locator(".slot")).to_have_count(0)


def test_a_finger_drags_a_tile_to_the_end_it_means(
    browser: Browser, patient_stack: Stack, moments: dict[str, Moment]
) -> None:
    with on_turn(browser, patient_stack, moments["both_ends"], PHONE) as page:
        label = page.get_by_role("img", name="The line:").get_attribute("aria-label") or ""
        right_end = label.partition("right end ")[2]
        touch = page.context.new_cdp_session(page)
        x, y = _middle(page.locator('[data-tile][aria-label*="both ends"]').first)
        _touch(touch, "touchStart", (x, y))
        _touch(touch, "touchMove", (x, y - 40))
        expect(page.locator(".slot")).to_have_count(2)
        expect(page.locator(".slot-shut")).to_have_count(0)
        _touch(touch, "touchCancel")  # the browser takes the finger, to scroll say
        expect(page.locator(".drag-ghost")).to_have_count(0)
        expect(page.locator(".slot")).to_have_count(0)
        _touch(touch, "touchStart", (x, y))
        _touch(touch, "touchMove", (x, y - 40))
        for end in ("R", "L"):
            x, y = _middle(page.locator(f".slot-{end}"))
            _touch(touch, "touchMove", (x, y + 36))  # the tile is above the finger, to be seen
            expect(page.locator(f".slot-{end}.slot-over")).to_have_count(1)
        _touch(touch, "touchEnd")
        expect(page.locator(".drag-ghost")).to_have_count(0)
        expect(page.get_by_text("Your turn", exact=True)).to_be_hidden()
        line = page.get_by_role("img", name="The line:")
        expect(line).not_to_have_attribute("aria-label", label)
        assert (line.get_attribute("aria-label") or "").endswith(f"right end {right_end}")


def _touch(session: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    given = [{"x": x, "y": y} for x, y in points]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": given})


def test_the_first_tile_goes_anywhere_on_the_felt_and_is_heard(
    browser: Browser, patient_stack: Stack, moments: dict[str, Moment]
) -> None:
    with on_turn(browser, patient_stack, moments["empty_line"]) as page:
        sound = page.get_by_role("button", name="Sound")
        expect(sound).to_have_attribute("aria-pressed", "true")
        sound.click()
        expect(sound).to_have_attribute("aria-pressed", "false")
        assert _counted(page, "knocks") == _counted(page, "notes") == "0"
        page.reload()
        expect(sound).to_have_attribute("aria-pressed", "false")
        sound.click()
        root = page.locator("html")
        expect(root).to_have_attribute("data-knocks", "1")  # one hears what was switched on
        _lift(page)
        page.mouse.move(*_middle(page.get_by_role("button", name="Sound")), steps=3)
        page.mouse.up()
        expect(page.locator(".drag-ghost")).to_have_count(0)
        expect(page.locator("[data-tile]")).to_have_count(5)
        _lift(page)
        page.mouse.move(*_middle(page.locator(".felt")), steps=4)
        page.mouse.up()
        expect(page.locator("[data-tile]")).to_have_count(4)
        expect(root).to_have_attribute("data-knocks", "2")
        assert _counted(page, "notes") == "0"  # it is another's turn
        patient_stack.shell(TURN_COMES.format(**asdict(moments["empty_line"])))
        expect(root).to_have_attribute("data-knocks", re.compile("[3-9]"))
        expect(root).to_have_attribute("data-notes", "2")


def test_drawn_tiles_fly_and_nothing_waits_for_them(
    browser: Browser, patient_stack: Stack, moments: dict[str, Moment]
) -> None:
    """A phone is silent until it is asked to sound."""
    with on_turn(browser, patient_stack, moments["must_draw"], PHONE) as page:
        expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "false")
        tiles = page.locator("[data-tile]")
        held = tiles.count()
        page.get_by_role("button", name="Draw", exact=True).tap()
        expect(page.locator("html")).to_have_attribute("data-flown", re.compile("[1-5]"))
        drew = page.locator(".seat-own").get_by_text("drew ").inner_text().partition("drew ")[2]
        expect(tiles).to_have_count(held + int(drew.split()[0]))
        assert _counted(page, "flown") == str(min(5, int(drew.split()[0])))
        assert _counted(page, "knocks") == "0"
        expect(page.locator(".flying")).to_have_count(0)


def test_who_wants_less_motion_sees_none(
    browser: Browser, patient_stack: Stack, moments: dict[str, Moment]
) -> None:
    """The drawn tiles are simply there; what blinks elsewhere ends at once."""
    moment = moments["must_draw_calmly"]
    with on_turn(browser, patient_stack, moment, PHONE, motion="reduce") as page:
        tiles = page.locator("[data-tile]")
        held = tiles.count()
        page.get_by_role("button", name="Draw", exact=True).tap()
        drew = page.locator(".seat-own").get_by_text("drew ").inner_text().partition("drew ")[2]
        expect(tiles).to_have_count(held + int(drew.split()[0]))
        assert _counted(page, "flown") == "0"
        endless = (
            "[...document.getAnimations()].filter((each) => each.playState === 'running').length"
        )
        assert page.evaluate(endless) == 0
