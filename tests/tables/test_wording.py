"""The rule set of a tournament or table in words, and as the board's script gets it."""

import json
import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from engine.rulesets import FAMILIES
from league.tournaments.wording import differences, game_line, terms_of
from tables.wording import board_rules
from tests.factories import build_tournament
from tests.tables.builders import build_table


def _played(seats: int, partners: bool = False, **ruleset: Any) -> SimpleNamespace:
    return SimpleNamespace(ruleset=ruleset, seats=seats, partners=partners)


def test_the_game_in_a_line() -> None:
    four = _played(4, partners=True, preset="domino101", deal=7, target=101)
    assert game_line(terms_of(four)) == "Domino 101 · to 101 · 7 tiles each · partners"
    alone = _played(3, preset="kraloyun", deal=6, wins=1)
    assert game_line(terms_of(alone)) == "Kraloyun · 1 won hand · 6 tiles each"


@pytest.mark.parametrize("name", FAMILIES)
def test_a_preset_differs_in_nothing_from_itself(name: str) -> None:
    for seats, partnerships in FAMILIES[name].partners.items():
        for partners in partnerships:
            played = _played(seats, partners, preset=name, deal=5, hands=3)
            assert differences(terms_of(played)) == []


def test_what_is_played_otherwise_stands_a_line_a_field() -> None:
    house: dict[str, Any] = {"preset": "domino101", "deal": 7, "target": 101}
    house |= {"reserve": 4, "lock_tie": "nobody"}
    assert differences(terms_of(_played(2, **house))) == [
        "Tiles that are never drawn: 4",
        "A lock with a shared least total: nobody scores",
    ]


def test_a_deal_of_so_many_seats_is_no_difference_there() -> None:
    """VIP Domino deals 7 tiles to two and 5 to four: the game's line tells it, nothing else."""
    two = terms_of(_played(2, preset="vip-draw", deal=7, target=100))
    assert (game_line(two), differences(two)) == (
        "VIP Domino with drawing · to 100 · 7 tiles each",
        [],
    )


def test_the_script_gets_what_its_words_hang_on_and_writes_no_python() -> None:
    two = board_rules(_played(2, preset="domino101", deal=7, target=101))
    rules = json.loads(json.dumps(two))
    assert (rules["draw"], rules["reserve"], rules["blank_pips"]) == ("pairs", 2, 10)
    assert (rules["first_starter"], rules["opening_minimum"]) == ("first_double", 13)


@pytest.mark.django_db
def test_pages_of_tournament_and_table_name_the_rules(client: Client) -> None:
    house = {"preset": "vip-draw", "deal": 5, "target": 60, "going_out_wins": False}
    table = build_table(ruleset=house, partners=True)
    fixture = table.match.fixture
    assert fixture is not None
    page = client.get(f"/tournaments/{fixture.round.stage.tournament_id}/").content.decode()
    assert "VIP Domino with drawing · to 60 · 5 tiles each · partners" in page
    assert "Going out wins the hand: no" in page
    board = client.get(f"/tables/{table.pk}/").content.decode()
    script = re.search(r'<script id="rules" type="application/json">(.*?)</script>', board, re.S)
    assert script is not None
    assert json.loads(script[1])["words"][1:] == ["Going out wins the hand: no"]


@pytest.mark.django_db
def test_an_ordinary_tournament_lists_no_differences(client: Client) -> None:
    tournament = build_tournament(ruleset={"preset": "kraloyun", "deal": 7, "hands": 1}, seats=2)
    page = client.get(f"/tournaments/{tournament.pk}/").content.decode()
    assert "Kraloyun · 1 hand · 7 tiles each" in page
    assert "differences" not in page
