"""Drawing a tournament's rounds, and taking one back."""

from datetime import timedelta
from itertools import combinations
from random import Random

import pytest
from django.utils import timezone

from league.pairings.services import Drawn, round_draw
from league.shared.errors import DomainError
from league.tournaments.models import Fixture, FixtureSeat, Round, Stage, Tournament
from league.tournaments.selectors import tables_seated
from league.tournaments.services import (
    entries_create,
    entry_create,
    fixture_mark_open,
    round_remove,
)
from tables.opening import table_open
from tests.at_once import together
from tests.factories import build_players, build_round, build_tournament

pytestmark = pytest.mark.django_db


def _tournament(entered: int) -> Tournament:
    tournament = build_tournament()
    for player in build_players(entered):
        entry_create(tournament=tournament, player=player)
    return tournament


def _draw(tournament: Tournament, number: int = 1, chance: int = 1) -> Drawn:
    soon = timezone.now() + timedelta(hours=1)
    return round_draw(tournament=tournament, number=number, starts_at=soon, chance=Random(chance))


def _refused(code: str) -> "pytest.RaisesExc[DomainError]":
    return pytest.raises(DomainError, check=lambda error: error.code == code)


def test_all_entries_are_seated_and_those_left_over_named() -> None:
    tournament = _tournament(10)
    drawn = _draw(tournament)
    seated = [player for table in tables_seated(tournament) for player in table]
    assert (drawn.round.number, drawn.tables, len(seated)) == (1, 2, 8)
    resting = {player.pk for player in drawn.sitting_out}
    assert resting | set(seated) == set(tournament.entries.values_list("player", flat=True))


def test_who_sat_out_plays_next() -> None:
    tournament = _tournament(6)
    resting = [set(_draw(tournament, number).sitting_out) for number in (1, 2, 3)]
    assert [len(out) for out in resting] == [2, 2, 2]
    assert len(set.union(*resting)) == 6


def test_rounds_drawn_one_after_another_bring_together_few_who_met() -> None:
    tournament = _tournament(16)
    for number in (1, 2, 3):
        _draw(tournament, number, chance=number)
    pairs = [
        frozenset(two) for table in tables_seated(tournament) for two in combinations(table, 2)
    ]
    assert len(pairs) == len(set(pairs)) == 3 * 4 * 6


def test_a_round_drawn_by_hand_counts_as_well() -> None:
    """A–B, C–D, then A–C, B–D: only A–D, B–C are left."""
    tournament = build_tournament(ruleset={"preset": "aznif", "deal": 5, "hands": 3}, seats=2)
    a, b, c, d = build_players(4)
    build_round(tournament, [[a, b], [c, d]])
    build_round(tournament, [[a, c], [b, d]])
    _draw(tournament, number=3)
    last = {frozenset(table) for table in tables_seated(tournament)[-2:]}
    assert last == {frozenset((a.pk, d.pk)), frozenset((b.pk, c.pk))}


def test_without_randomness_given_the_system_draws() -> None:
    tournament = _tournament(4)
    round_draw(tournament=tournament, number=1, starts_at=timezone.now())
    assert Round.objects.get().fixtures.get().seats.count() == 4


@pytest.mark.parametrize(
    ("number", "code"), [(0, "round_exists"), (1, "round_exists"), (3, "no_such_round")]
)
def test_only_the_next_round_is_drawn(number: int, code: str) -> None:
    tournament = _tournament(4)
    _draw(tournament)
    with _refused(code):
        _draw(tournament, number)
    assert Round.objects.count() == 1


@pytest.mark.parametrize("entered", [0, 3])
def test_too_few_for_a_table_make_no_round(entered: int) -> None:
    with _refused("too_few_entered"):
        _draw(_tournament(entered))
    assert Stage.objects.count() == Round.objects.count() == 0


@pytest.mark.parametrize("hours", [-1, 24 * 400])
def test_a_round_begins_neither_in_the_past_nor_years_ahead(hours: int) -> None:
    when = timezone.now() + timedelta(hours=hours)
    with _refused("starts_at"):
        round_draw(tournament=_tournament(4), number=1, starts_at=when)
    assert Round.objects.count() == 0


def test_a_new_stage_begins_with_round_one() -> None:
    tournament = _tournament(4)
    _draw(tournament)
    Stage.objects.create(tournament=tournament, number=2)
    drawn = _draw(tournament, number=1)
    assert (drawn.round.stage.number, drawn.round.number) == (2, 1)


@pytest.mark.django_db(transaction=True)
def test_of_two_presses_at_the_same_moment_one_makes_the_round() -> None:
    tournament = _tournament(8)
    outcomes = together(*[lambda: _draw(tournament)] * 2)
    refusals = [one for one in outcomes if isinstance(one, DomainError)]
    assert [error.code for error in refusals] == ["round_exists"]
    assert refusals[0].text == "Round 1 exists already."
    assert (Round.objects.count(), Fixture.objects.count()) == (1, 2)


def test_several_are_entered_or_nobody() -> None:
    tournament = build_tournament()
    here, new = build_players(2)
    entries_create(tournament=tournament, players=[here])
    with _refused("entered_already"):
        entries_create(tournament=tournament, players=[new, here])
    with _refused("nobody"):
        entries_create(tournament=tournament, players=[])
    assert list(tournament.entries.values_list("player", flat=True)) == [here.pk]


def test_the_last_round_is_taken_back_and_its_number_given_again() -> None:
    tournament = _tournament(8)
    _draw(tournament)
    second = _draw(tournament, 2).round
    round_remove(tournament=tournament, round_id=second.pk)
    assert (Round.objects.count(), Fixture.objects.count(), FixtureSeat.objects.count()) == (
        1,
        2,
        8,
    )
    assert _draw(tournament, 2).round.number == 2


def test_an_earlier_round_and_a_foreign_one_stay() -> None:
    tournament, other = _tournament(4), _tournament(4)
    first = _draw(tournament).round
    _draw(tournament, 2)
    foreign = _draw(other).round
    for round_id in (first.pk, foreign.pk, 0, 10**30):
        with _refused("no_such_round"):
            round_remove(tournament=tournament, round_id=round_id)
    assert Round.objects.count() == 3


def test_a_round_whose_table_stands_stays() -> None:
    tournament = _tournament(8)
    made = _draw(tournament).round
    fixture = made.fixtures.first()
    assert fixture is not None
    fixture_mark_open(fixture=fixture)
    with _refused("round_begun"):
        round_remove(tournament=tournament, round_id=made.pk)
    assert FixtureSeat.objects.filter(round=made).count() == 8


@pytest.mark.django_db(transaction=True)
def test_a_table_opened_while_its_round_is_taken_back_loses_or_keeps_it_whole() -> None:
    tournament = _tournament(4)
    made = _draw(tournament).round
    fixture = made.fixtures.get()
    opened, removed = together(
        lambda: table_open(fixture=fixture),
        lambda: round_remove(tournament=tournament, round_id=made.pk),
    )
    refusals = [isinstance(opened, Fixture.DoesNotExist), isinstance(removed, DomainError)]
    assert sorted(refusals) == [False, True]
    assert Round.objects.filter(pk=made.pk).exists() is isinstance(removed, DomainError)
