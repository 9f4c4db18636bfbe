"""The page of a replay: everything from the public record, a hand at a time, links to each move."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from engine.events import RedealReason
from engine.record import record_of
from engine.rulesets import preset
from league.results.models import Match
from tables import replay
from tables.models import Table
from tables.replay import Moment, hand_lines, names_of
from tables.selectors import record_of_table
from tests.browser.scenes import secret_with_redeals
from tests.reading import page_of
from tests.tables.builders import build_table, play_out, play_until, start

pytestmark = pytest.mark.django_db

DOMINO101 = {"preset": "domino101", "deal": 7, "target": 101}


def played(**terms: Any) -> Table:
    """A table whose match is over."""
    table = build_table(**terms)
    start(table)
    play_out(table)
    table.refresh_from_db()
    return table


def test_every_move_of_the_hand_stands_in_the_list(client: Client) -> None:
    table = played()
    record = record_of_table(table)
    page = page_of(client, f"/matches/{table.match_id}/replay/?hand=2")
    shown = [int(number) for number in re.findall(r'<a href="[^"]+" data-move="(\d+)"', page)]
    assert shown == list(range(len(record["hands"][1]["moves"]) + 1))
    for line in hand_lines(record, 2).moves:
        assert line.text in page.replace("&#x27;", "'")


def test_a_hand_in_words_holds_what_the_record_does() -> None:
    record = record_of_table(played())
    hand = record["hands"][0]
    lines = hand_lines(record, 1)
    for line, move in zip(lines.moves, hand["moves"], strict=True):
        assert (line.seat, line.scored) == (move["seat"], move.get("scored", 0))
        for tile in [move["play"]] if "play" in move else move.get("draw", []):
            assert tile in line.text
        assert ("left" in line.text) == (move.get("end") == "L")
        assert ("passes" in line.text) == ("pass" in move)
    assert [side.total for side in lines.sides] == hand["outcome"]["totals"]
    assert [side.scored for side in lines.sides] == hand["outcome"]["scores"]
    assert lines.starter == names_of(record, 1)[hand["starter"]]
    assert lines.ending


def test_a_link_names_hand_move_and_seat(client: Client) -> None:
    table = played()
    page = page_of(client, f"/matches/{table.match_id}/replay/?hand=2&move=3&seat=1")
    assert 'data-hand="2" data-move="3" data-seat="1"' in page
    current = re.findall(r'<li value="(\d+)" aria-current="step">', page)
    assert current == ["3"]
    assert "?hand=2&amp;move=4&amp;seat=1" in page


@pytest.mark.parametrize(
    ("asked", "moment"),
    [
        ({}, (1, 0, None)),
        ({"hand": "2", "move": "1", "seat": "0"}, (2, 1, 0)),
        ({"hand": "999", "move": "9999", "seat": "9"}, (3, -1, 3)),
        ({"hand": "0"}, (1, 0, None)),
        ({"hand": "x", "move": "-1", "seat": "1.5"}, (1, 0, None)),
        ({"hand": "٣", "move": "9" * 5000, "seat": ""}, (1, 0, None)),
    ],
)
def test_what_cannot_be_is_shown_as_the_nearest_that_can(
    asked: dict[str, str], moment: tuple[int, int, int | None]
) -> None:
    record = record_of_table(played())
    hand, move, seat = moment
    last = len(record["hands"][hand - 1]["moves"])
    assert Moment.asked(record, asked) == Moment(hand, last if move < 0 else move, seat)


def test_another_hand_comes_as_a_part_of_the_page(client: Client) -> None:
    table = played()
    address = f"/matches/{table.match_id}/replay/?hand=2"
    part = client.get(address, headers={"HX-Request": "true"})
    assert "<html" not in part.text
    assert 'id="hand-title"' in part.text
    assert "HX-Request" in part.headers["Vary"]


def test_no_replay_before_the_end(client: Client) -> None:
    table = build_table()
    for begun in (False, True):
        if begun:
            start(table)
        answer = client.get(f"/matches/{table.match_id}/replay/")
        assert (answer.status_code, answer.headers["Location"]) == (302, f"/tables/{table.pk}/")
        assert client.get(f"/api/v1/matches/{table.match_id}/record/").status_code == 409


def test_unknown_match_and_match_without_record_are_not_found(client: Client) -> None:
    table = played()
    table.match.results.update(record=None)
    for pk in (table.match_id, 999999):
        assert client.get(f"/matches/{pk}/replay/").status_code == 404
        assert client.get(f"/api/v1/matches/{pk}/record/").status_code == 404


def test_the_record_to_download_is_that_of_the_table(client: Client) -> None:
    table = played()
    page = page_of(client, f"/matches/{table.match_id}/replay/")
    address = f"/api/v1/matches/{table.match_id}/record/"
    assert f'href="{address}" download=' in page
    record = client.get(address).json()
    assert record == client.get(f"/api/v1/tables/{table.pk}/record/").json()
    assert record["proof"]["secret"] in page


def test_a_match_without_a_table_is_replayed_from_its_result(client: Client) -> None:
    """Entered from paper: no proof, nobody named."""
    table = played()
    record = record_of_table(table)
    plain = {key: value for key, value in record.items() if key not in ("proof", "players")}
    match = Match.objects.create(
        ruleset=table.match.ruleset, seats=4, partners=False, stake=table.match.stake
    )
    match.results.create(**record["result"], record=plain)
    page = page_of(client, f"/matches/{match.pk}/replay/")
    assert "carries no proof" in page
    assert "Seat 1" in page
    assert 'id="verify"' not in page


def test_a_record_without_a_hand_says_so(client: Client) -> None:
    rules = preset("aznif", hands=3, deal=5)
    record = record_of(events=(), ruleset=rules, seats=4, partners=False, stake=3)
    match = Match.objects.create(ruleset=rules.to_json(), seats=4, partners=False, stake=3)
    numbers = {"scores": [0] * 4, "places": [1] * 4, "points": [0] * 4}
    match.results.create(**numbers, record=record)
    page = page_of(client, f"/matches/{match.pk}/replay/")
    assert "No hand was played" in page
    assert "abandoned" in page


def test_redeals_drafts_and_bank_of_domino_101(client: Client) -> None:
    secret = secret_with_redeals(DOMINO101, 2, False, 0)
    table = played(secret=secret, ruleset=DOMINO101, seats=2)
    record = record_of_table(table)
    lines = hand_lines(record, 1)
    assert len(lines.redeals) == len(record["hands"][0]["redeals"]) > 0
    outcome = record["hands"][0]["outcome"]
    assert [side.draft for side in lines.sides] == outcome["drafts"]
    assert [side.is_open for side in lines.sides] == outcome["open"]
    assert "Dealt again" in page_of(client, f"/matches/{table.match_id}/replay/")


def test_every_reason_to_redeal_has_its_words() -> None:
    assert len({replay._redeal_line(reason) for reason in RedealReason}) == len(RedealReason)


def test_an_unfinished_hand_has_no_result(client: Client) -> None:
    table = build_table()
    start(table)
    play_until(table, lambda state: state.hand is not None and len(state.hand.laid) > 4)
    table.status = "abandoned"
    table.save(update_fields=["status"])
    page = page_of(client, f"/matches/{table.match_id}/replay/")
    assert "The hand was not played to its end" in page
    assert "The match was abandoned" in page


def test_stints_name_who_sat_in_a_hand() -> None:
    stint = {"id": 1, "name": "Ayşe", "from_hand": 0, "how": "start", "left": "voluntary"}
    bot = {"id": None, "name": "bot", "from_hand": 1, "how": "bot", "left": None}
    record = {"seats": 1, "players": [[stint, bot]], "hands": []}
    assert names_of(record, 1) == ["Ayşe"]
    assert names_of(record, 2) == ["Robot"]
    record = {"seats": 3, "players": [[stint], [bot | {"from_hand": 0}], [stint, bot]]}
    assert names_of(record, 1) == ["Ayşe", "Robot", "Ayşe"]
    assert names_of(record, 2) == ["Ayşe", "Robot 1", "Robot 2"]


def test_the_script_gets_words_and_rules(client: Client) -> None:
    table = played()
    page = page_of(client, f"/matches/{table.match_id}/replay/")
    found = re.search(r'<script id="words" type="application/json">(.*?)</script>', page)
    assert found is not None
    assert set(replay.replay_words()) <= set(json.loads(found[1]))
    assert '<script id="rules"' in page
