"""The replay of a finished match in a real browser, and the shuffle verified there."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.browser.people import PHONE
from tests.browser.scenes import DOMINO101, secret_with_redeals
from tests.stack import Stack

pytestmark = pytest.mark.browser

VECTOR = Path(__file__).parents[1] / "engine" / "shuffle-vector.json"
Record = dict[str, Any]

PLAYED = """
import json
from tests.tables.builders import build_table, play_out, start
matches = []
for secret, terms in {given!r}:
    table = build_table(secret=bytes.fromhex(secret), **terms)
    start(table)
    play_out(table)
    matches.append(table.match_id)
print(json.dumps(matches))
"""
REDEALT = {"ruleset": DOMINO101, "seats": 2}


def play_matches(stack: Stack) -> list[int]:
    """Play whole matches in a running installation, once, and return their ids.

    One of Aznif, and one of Domino 101 whose first deal was refused.
    """
    secrets = bytes(range(32)), secret_with_redeals(DOMINO101, 2, False, 0)
    given = [(secrets[0].hex(), {}), (secrets[1].hex(), REDEALT)]
    printed = stack.shell(PLAYED.format(given=given))
    matches: list[int] = json.loads(printed.strip().splitlines()[-1])
    return matches


@pytest.fixture(scope="package")
def played(patient_stack: Stack) -> list[int]:
    return play_matches(patient_stack)


@pytest.fixture
def aznif(played: list[int]) -> int:
    return played[0]


@pytest.fixture
def redealt(played: list[int]) -> int:
    return played[1]


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()


def open_replay(page: Page, stack: Stack, match: int, asked: str = "") -> None:
    page.goto(f"{stack.url}matches/{match}/replay/{asked}")
    expect(page.locator("#replay .replay-felt svg")).to_be_visible()


def expect_at(page: Page, place: str) -> None:
    """The address comes to name a place (the browser tells of it a little later)."""
    expect(page).to_have_url(re.compile(f"{re.escape(place)}$"))


def record_of(page: Page, stack: Stack, match: int) -> Record:
    answer = page.request.get(f"{stack.url}api/v1/matches/{match}/record/")
    record: Record = answer.json()
    return record


def step(page: Page, what: str) -> Locator:
    return page.locator(f'[data-step="{what}"]')


def laid(page: Page) -> int:
    return page.locator("#replay .line .tile").count()


def scores(page: Page) -> list[str]:
    return [text.strip() for text in page.locator(".replay-score").all_inner_texts()]


def test_step_by_step_through_a_hand_and_into_the_next(
    page: Page, patient_stack: Stack, aznif: int
) -> None:
    open_replay(page, patient_stack, aznif)
    record = record_of(page, patient_stack, aznif)
    moves = record["hands"][0]["moves"]
    placed = 0
    for number, move in enumerate(moves, start=1):
        step(page, "on").tap()
        placed += "play" in move
        expect(page.locator("#replay .line .tile")).to_have_count(placed)
        expect_at(page, f"hand=1&move={number}")
        expect(page.locator('.replay-moves [aria-current="step"]')).to_have_attribute(
            "value", str(number)
        )
    totals = [str(total).replace("-", "−") for total in record["hands"][0]["outcome"]["totals"]]
    assert scores(page) == totals
    expect(page.locator(".replay-reasons")).to_be_visible()
    step(page, "on").tap()
    expect(page.locator("#hand-title")).to_have_text("Hand 2")
    assert laid(page) == 0
    step(page, "back").tap()
    expect_at(page, f"hand=1&move={len(moves)}")


def test_arrow_keys_slider_and_links_lead_to_a_move(
    page: Page, patient_stack: Stack, aznif: int
) -> None:
    open_replay(page, patient_stack, aznif, "?hand=2&move=3")
    page.keyboard.press("ArrowRight")
    expect_at(page, "hand=2&move=4")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect_at(page, "hand=2&move=2")
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("End")
    last = len(record_of(page, patient_stack, aznif)["hands"][1]["moves"])
    expect_at(page, f"move={last}")
    page.locator('.replay-moves [data-move="1"]').tap()
    expect_at(page, "move=1")
    page.locator('.replay-hands [data-hand="3"]').tap()
    expect(page.locator("#hand-title")).to_have_text("Hand 3")
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    expect_at(page, "hand=3&move=1")
    page.get_by_role("button", name="Türkçe").tap()
    expect(page.locator("html")).to_have_attribute("lang", "tr")
    expect_at(page, "hand=3&move=1")


def test_from_a_seat_only_its_own_tiles_are_open_until_the_end(
    page: Page, patient_stack: Stack, aznif: int
) -> None:
    open_replay(page, patient_stack, aznif, "?hand=1&move=2&seat=1")
    cards = page.locator(".replay-seat")
    assert cards.first.get_attribute("data-seat") == "1"
    assert page.locator('.replay-seat[data-seat="1"] .replay-back').count() == 0
    for seat in (0, 2, 3):
        card = page.locator(f'.replay-seat[data-seat="{seat}"]')
        assert card.locator(".left-tile").count() == 0
        assert card.locator(".replay-back").count() > 0
    step(page, "last").tap()
    assert page.locator(".replay-back").count() == 0
    step(page, "first").tap()
    page.get_by_role("combobox").select_option("")
    assert page.locator(".replay-back").count() == 0
    assert "seat" not in page.url


def test_redeals_drafts_and_bank_are_told(page: Page, patient_stack: Stack, redealt: int) -> None:
    open_replay(page, patient_stack, redealt)
    expect(page.locator(".replay-now")).to_contain_text("Dealt again")
    record = record_of(page, patient_stack, redealt)
    for number, hand in enumerate(record["hands"], start=1):
        page.goto(f"{patient_stack.url}matches/{redealt}/replay/?hand={number}")
        step(page, "last").tap()
        outcome = hand["outcome"]
        shown = zip(outcome["totals"], outcome["drafts"], outcome["open"], strict=True)
        expected = [str(total if is_open else draft) for total, draft, is_open in shown]
        assert [text.split()[0] for text in scores(page)] == expected
        bank = page.locator(".replay-facts-line")
        assert (f"Bank {outcome['bank']}" in bank.inner_text()) == (outcome["bank"] > 0)


def test_without_javascript_it_is_a_list_of_moves(
    browser: Browser, patient_stack: Stack, aznif: int
) -> None:
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{patient_stack.url}matches/{aznif}/replay/")
    expect(page.locator("#replay")).to_be_hidden()
    page.get_by_role("link", name="Next hand").click()
    expect(page.locator("#hand-title")).to_have_text("Hand 2")
    page.locator('.replay-moves [data-move="2"]').click()
    current = page.locator('.replay-moves [aria-current="step"]')
    expect(current).to_have_attribute("value", "2")
    context.close()


def verify(page: Page) -> None:
    page.locator("#verify").get_by_role("button").tap()
    expect(page.locator("#verify .verify-sum")).to_be_visible()


def failing(page: Page) -> list[str]:
    return page.locator('#verify [data-holds="no"] summary').all_inner_texts()


def test_the_shuffle_of_a_match_is_verified(
    page: Page, patient_stack: Stack, aznif: int, redealt: int
) -> None:
    for match in (aznif, redealt):
        open_replay(page, patient_stack, match)
        verify(page)
        assert failing(page) == []
        record = record_of(page, patient_stack, match)
        deals = sum(1 + len(hand.get("redeals", [])) for hand in record["hands"])
        names = page.locator("#verify summary").all_inner_texts()
        assert sum("eal" in name for name in names) == deals
        assert sum("Lot" in name for name in names) > 0 or match == redealt


def _swapped(record: Record) -> None:
    racks = record["hands"][1]["racks"]
    racks[0][0], racks[1][0] = racks[1][0], racks[0][0]


def _moved_to_the_neighbour(record: Record) -> None:
    racks = record["hands"][0]["racks"]
    racks[0].append(racks[1].pop(0))


def _stock_reordered(record: Record) -> None:
    record["hands"][0]["stock"].reverse()


def _other_starter(record: Record) -> None:
    record["hands"][0]["starter"] = (record["hands"][0]["starter"] + 1) % 4


def _other_commitment(record: Record) -> None:
    record["proof"]["commitment"] = "0" * 64


def _other_secret(record: Record) -> None:
    record["proof"]["secret"] = "ab" * 32


def _other_contribution(record: Record) -> None:
    record["proof"]["contributions"][2] = "a1"


@pytest.mark.parametrize(
    ("alter", "wrong"),
    [
        (_swapped, "Deal of hand 2"),
        (_moved_to_the_neighbour, "Deal of hand 1"),
        (_stock_reordered, "Deal of hand 1"),
        (_other_starter, "Lot for the starter of hand 1"),
        (_other_commitment, "Fingerprint of the secret"),
        (_other_secret, "Fingerprint of the secret"),
        (_other_contribution, "Deal of hand 1"),
    ],
)
def test_an_altered_record_does_not_hold(
    page: Page, patient_stack: Stack, aznif: int, alter: Callable[[Record], None], wrong: str
) -> None:
    def altered(route: Route) -> None:
        record = route.fetch().json()
        alter(record)
        route.fulfill(json=record)

    page.route("**/record/", altered)
    open_replay(page, patient_stack, aznif)
    verify(page)
    assert any(wrong in line for line in failing(page))
    if alter in (_swapped, _moved_to_the_neighbour, _stock_reordered, _other_starter):
        assert len(failing(page)) == 1
    expect(page.locator("#verify .verify-sum")).to_contain_text("do not hold")


def test_a_refused_deal_left_out_does_not_hold(
    page: Page, patient_stack: Stack, redealt: int
) -> None:
    def altered(route: Route) -> None:
        record = route.fetch().json()
        record["hands"][0].pop("redeals")
        route.fulfill(json=record)

    page.route("**/record/", altered)
    open_replay(page, patient_stack, redealt)
    verify(page)
    assert [re.sub(r":.*", "", line) for line in failing(page)] == ["Deal of hand 1"]


COMPUTE = """async ({module, vector}) => {
  const {Shuffle, commitmentOf} = await import(module);
  const found = [];
  for (const {purpose, contributions, order, seats} of vector.cases) {
    const shuffle = new Shuffle(vector.secret, contributions);
    found.push(order ? await shuffle.mixed(purpose) : await shuffle.lot(purpose, seats));
  }
  return {commitment: await commitmentOf(vector.secret), found};
}"""


def test_the_published_vector_comes_out_of_the_browser(
    page: Page, patient_stack: Stack, aznif: int
) -> None:
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    open_replay(page, patient_stack, aznif)
    module = next(url for url in loaded if re.search(r"/shuffle(\.\w+)?\.js", url))
    vector = json.loads(VECTOR.read_text(encoding="utf-8"))
    found = page.evaluate(COMPUTE, {"module": module, "vector": vector})
    assert found["commitment"] == vector["commitment"]
    assert found["found"] == [case.get("order", case.get("starter")) for case in vector["cases"]]


@pytest.mark.parametrize("width", [390, 844, 1280])
def test_the_replay_and_the_protocol_hinder_nobody(
    page: Page, patient_stack: Stack, aznif: int, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 844 if width == 390 else 390})
    open_replay(page, patient_stack, aznif, "?hand=1&move=9&seat=2")
    verify(page)
    found = Axe().run(page).response["violations"]
    page.goto(f"{patient_stack.url}api/protocol/")
    found += Axe().run(page).response["violations"]
    assert [f"{one['id']}: {node['html']}" for one in found for node in one["nodes"]] == []
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wide
