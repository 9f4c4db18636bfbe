"""One whole Aznif match by four people at four phones, from log-in to the standings, by taps."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from engine.match import Phase
from engine.record import check_record
from league.shared.folding import sort_key
from tests.browser.people import NAMES, Person, Prepared, prepare
from tests.browser.rehearsal import RULESET, SEATS, Rehearsal
from tests.stack import Stack

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def prepared(patient_stack: Stack, rehearsal: Rehearsal) -> Prepared:
    """Its table, open and empty."""
    return prepare(patient_stack, "match", rehearsal.secret, RULESET, tables=1, started=0)


@pytest.fixture
def people(browser: Browser) -> Iterator[list[Person]]:
    """Four people, each with a phone."""
    arrived = [Person.arrive(browser, seat, "match") for seat in range(SEATS)]
    yield arrived
    for person in arrived:
        person.page.context.close()


def test_four_people_play_a_match_on_their_phones(
    patient_stack: Stack, prepared: Prepared, people: list[Person], rehearsal: Rehearsal
) -> None:
    for person in people:
        _sit_down(person, patient_stack.url)
    people[0].button("Start").tap()
    seen = _play(people)
    assert seen["draw"] == rehearsal.draws >= 1
    assert seen["pass"] == rehearsal.passes >= 1
    assert seen["choice"] == rehearsal.choices >= 1
    shown = [_result_shown(person) for person in people]
    _look_at_the_line(people[0])
    assert shown == [shown[0]] * SEATS
    for person in people:
        assert _standings_shown(person) == _as_standings(rehearsal.points)
    record = _record_behind_the_link(people[0], prepared.tables[0])
    assert check_record(record).phase == Phase.OVER
    assert record["proof"]["secret"] == rehearsal.secret.hex()
    places, points = record["result"]["places"], record["result"]["points"]
    assert (tuple(places), tuple(points)) == (rehearsal.places, rehearsal.points)
    by_place = sorted(range(SEATS), key=lambda seat: (places[seat], seat))
    assert shown[0] == [(people[seat].name, _signed(points[seat])) for seat in by_place]


def _sit_down(person: Person, url: str) -> None:
    person.log_in(url)
    person.page.get_by_role("link", name="Sit down").tap()
    person.button("Sit down").tap()
    expect(person.button("Sit down")).to_be_hidden()


def _play(people: list[Person]) -> Counter[str]:
    """Play until everybody sees that the match is over; return how often what was done."""
    seen: Counter[str] = Counter()
    version = SEATS + 1  # everybody sat down, and the start
    while True:
        for person in people:
            person.sees(version)
        if people[0].board.get_by_role("heading", name="The match is over").is_visible():
            return seen
        if people[0].button("Ready").is_visible():
            version = be_ready(people)
            continue
        [person] = [person for person in people if person.is_on_turn()]
        seen[move(person)] += 1
        version += 1


def be_ready(people: list[Person]) -> int:
    """Let everybody press *Ready*; return the version that everybody has come to."""
    start = people[0].version
    for count, person in enumerate(people, start=1):
        person.button("Ready").tap()
        person.sees(start + count)
    return start + len(people)


def move(person: Person) -> str:
    """Do what the board offers: draw, pass, or play the first tile that fits, right if asked."""
    for name, what in (("Draw", "draw"), ("Pass", "pass")):
        if person.button(name).is_visible():
            person.button(name).tap()
            return what
    person.board.locator("[data-tile][aria-disabled=false]").first.tap()
    right = person.board.get_by_role("group").locator("[data-end=R]")
    if right.is_visible():
        right.tap()
        return "choice"
    return "play"


def _result_shown(person: Person) -> list[tuple[str, str]]:
    rows = person.board.locator(".places tbody tr")
    return [
        (row.get_by_role("rowheader").inner_text(), row.locator("td").last.inner_text())
        for row in rows.all()
    ]


def _record_behind_the_link(person: Person, table: int) -> dict[str, Any]:
    """Go back to the table and follow the link to the record."""
    person.page.go_back()
    link = person.board.get_by_role("link", name="Match record")
    address = link.get_attribute("href") or ""
    assert address == f"/api/v1/tables/{table}/record/"
    with person.page.expect_download() as download:
        link.tap()
    assert download.value.suggested_filename == f"table-{table}.domino-match.json"
    record: dict[str, Any] = json.loads(download.value.path().read_bytes())
    return record


def _look_at_the_line(person: Person) -> None:
    """The panel holds the last hand too, goes away, and comes back."""
    panel = person.board.get_by_role("region", name="The match is over")
    last = panel.get_by_role("table", name="Result of hand 3")
    expect(panel).to_contain_text("The fives scored while playing are added.")
    expect(last.get_by_role("row")).to_have_count(1 + SEATS)
    panel.get_by_role("button", name="Close").tap()
    expect(panel).to_be_hidden()
    expect(person.board.get_by_role("img", name="The line:")).to_be_visible()
    person.button("Result").tap()
    expect(panel).to_be_visible()


def _standings_shown(person: Person) -> list[tuple[str, ...]]:
    """Go to the standings and read them: rank, name, played, points."""
    if not person.page.locator("#standings").is_visible():
        person.page.get_by_role("link", name="To the standings").tap()
    rows = person.page.locator("#standings tbody tr")
    expect(rows).to_have_count(SEATS)
    expect(person.page.locator("#standings tr.me")).to_contain_text(person.name)
    return [
        (
            row.locator(".rank").inner_text(),
            row.get_by_role("link").inner_text(),
            *(cell.inner_text() for cell in row.locator(".number").all()),
        )
        for row in rows.all()
    ]


def _as_standings(points: tuple[int, ...]) -> list[tuple[str, ...]]:
    """What the table must show after this one match; equals share a rank, in order of names."""
    order = sorted(range(SEATS), key=lambda seat: (-points[seat], sort_key(NAMES[seat])))
    ranks = [1 + sum(other > points[seat] for other in points) for seat in order]
    return [
        (str(rank), NAMES[seat], "1", _signed(points[seat]))
        for rank, seat in zip(ranks, order, strict=True)
    ]


def _signed(points: int) -> str:
    return f"{points:+d}".replace("-", "−") if points else "0"
