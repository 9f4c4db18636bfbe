"""Tournaments, entries, rounds and fixtures."""

from datetime import date, timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone, translation

from engine.errors import RulesetFault
from league.clubs.services import club_create, membership_create
from league.results.models import MatchStatus
from league.results.services import match_open, match_start
from league.seasons.services import season_create
from league.shared.errors import DomainError
from league.tournaments.models import Fixture, FixtureSeat, FixtureStatus, Round
from league.tournaments.planning import match_planned
from league.tournaments.selectors import fixtures_ahead, fixtures_due, fixtures_of
from league.tournaments.services import (
    entry_create,
    fixture_mark_finished,
    fixture_mark_playing,
    fixture_seat_assign,
    round_create,
    tournament_create,
)
from league.tournaments.wording import TEXTS
from tests.at_once import together
from tests.factories import (
    AZNIF_SHORT,
    build_club,
    build_fixture,
    build_match,
    build_player,
    build_players,
    build_round,
    build_season,
    build_tournament,
    moment,
)

pytestmark = pytest.mark.django_db


def test_the_stake_of_aznif_is_its_number_of_hands() -> None:
    assert build_tournament().stake == 3
    assert build_tournament(ruleset={"preset": "aznif", "deal": 7, "hands": 11}).stake == 11


def test_a_tournament_keeps_its_rule_set_as_a_record_writes_it() -> None:
    ruleset = AZNIF_SHORT | {"locker_pays": False}
    assert build_tournament(ruleset=ruleset).ruleset == ruleset | {"version": 1}
    kept = build_tournament(ruleset=AZNIF_SHORT | {"locker_pays": True, "version": 2}).ruleset
    assert kept == AZNIF_SHORT | {"version": 2}


def test_every_reason_of_the_engine_against_terms_has_a_sentence() -> None:
    """The engine's own sentences are English."""
    assert set(TEXTS) == set(RulesetFault)


@pytest.mark.parametrize(
    ("language", "text"),
    [("tr", "Bu adda bir kural seti yok."), ("az", "Bu adda qaydalar yoxdur.")],
)
def test_terms_are_refused_in_the_persons_language(language: str, text: str) -> None:
    with translation.override(language), pytest.raises(DomainError) as refused:
        match_planned(ruleset={"preset": "chess", "deal": 7, "hands": 1}, seats=4, partners=False)
    assert (refused.value.code, refused.value.text) == ("unknown_preset", text)


@pytest.mark.parametrize(
    "terms",
    [
        {"ruleset": {}},
        {"ruleset": {"preset": "chess", "deal": 7, "hands": 11}},
        {"ruleset": AZNIF_SHORT | {"deal": 8}},
        {"ruleset": AZNIF_SHORT | {"unknown": 1}},
        {"seats": 5},
        {"seats": 3, "partners": True},
        {"stake": 4},
        {"ruleset": {"preset": "kraloyun", "deal": 7, "hands": 1}, "stake": 10_001},
        {"move_seconds": 0},
        {"move_seconds": 3601},
        {"name": ""},
    ],
)
def test_terms_that_cannot_be_played_are_refused(terms: dict[str, object]) -> None:
    given = {"name": "T", "ruleset": AZNIF_SHORT, "seats": 4} | terms
    season = build_season()
    with pytest.raises(DomainError) as refused:
        tournament_create(season=season, **given)  # type: ignore[arg-type]
    assert refused.value.code
    assert refused.value.text
    assert not season.tournaments.exists()


def test_a_season_has_one_tournament_of_a_name() -> None:
    season = build_season()
    tournament_create(season=season, name="Kış", ruleset=AZNIF_SHORT, seats=4)
    with pytest.raises(DomainError) as refused:
        tournament_create(season=season, name=" Kış ", ruleset=AZNIF_SHORT, seats=4)
    assert refused.value.code == "tournament_exists"


def test_clubs_and_seasons_get_slugs_from_their_names() -> None:
    clubs = [club_create(name=name) for name in ("Ordu Domino Kulübü", "Ordu Domino Kulubu")]
    assert [club.slug for club in clubs] == ["ordu-domino-kulubu", "ordu-domino-kulubu-2"]
    season = season_create(
        club=clubs[0], name="Əli Kış", starts_on=date(2026, 1, 1), ends_on=date(2026, 1, 1)
    )
    assert season.slug == "eli-kis"
    with pytest.raises(DomainError) as refused:
        season_create(club=clubs[0], name="x", starts_on=date(2026, 1, 2), ends_on=date(2026, 1, 1))
    assert refused.value.code == "season_dates"
    with pytest.raises(DomainError) as refused:
        club_create(name="Ordu Domino Kulübü")
    assert refused.value.code == "club_exists"


def test_a_player_belongs_to_a_club_and_enters_a_tournament_once() -> None:
    club, player = build_club(), build_player()
    membership_create(club=club, player=player)
    with pytest.raises(DomainError) as refused:
        membership_create(club=club, player=player)
    assert refused.value.code == "member_already"
    tournament = build_tournament()
    entry_create(tournament=tournament, player=player)
    with pytest.raises(DomainError) as refused:
        entry_create(tournament=tournament, player=player)
    assert refused.value.code == "entered_already"


@pytest.mark.parametrize("slug", ["a b", "ş", "../x", "x" * 81])
def test_a_slug_that_cannot_stand_in_an_address_is_refused(slug: str) -> None:
    for make in (
        lambda: club_create(name="Kulüp", slug=slug),
        lambda: season_create(
            club=build_club(),
            name="Kış",
            slug=slug,
            starts_on=date(2026, 1, 1),
            ends_on=date(2026, 1, 1),
        ),
    ):
        with pytest.raises(DomainError) as refused:
            make()
        assert refused.value.code == "slug"


def test_a_round_seats_its_players_in_order() -> None:
    players = build_players(8)
    made = build_round(tables=[players[:4], players[4:]])
    seats = FixtureSeat.objects.filter(round=made).order_by("fixture__number", "seat")
    assert [(seat.seat, seat.player) for seat in seats] == [
        (place % 4, player) for place, player in enumerate(players)
    ]
    assert made.number == 1


def test_rounds_are_numbered_within_their_stage() -> None:
    tournament = build_tournament()
    rounds = [build_round(tournament) for _ in range(2)]
    players = [seat.player for seat in FixtureSeat.objects.filter(round=rounds[0])]
    final = round_create(
        tournament=tournament, starts_at=timezone.now(), tables=[players], stage_number=2
    )
    assert [made.number for made in (*rounds, final)] == [1, 2, 1]
    assert fixtures_of(tournament).count() == 3


def test_a_round_that_cannot_be_seated_leaves_nothing() -> None:
    tournament = build_tournament()
    players = build_players(8)
    for player in players[:7]:
        entry_create(tournament=tournament, player=player)
    for tables, code in (
        ([], "no_tables"),
        ([players[:3]], "wrong_seats"),
        ([players[:4], players[4:]], "not_entered"),
        ([players[:4], players[3:7]], "seated_twice"),
        ([[players[0]] * 4], "seated_twice"),
    ):
        with pytest.raises(DomainError) as refused:
            round_create(tournament=tournament, starts_at=timezone.now(), tables=tables)
        assert refused.value.code == code
    assert not Round.objects.exists()


def test_the_database_refuses_a_player_at_two_tables_of_a_round() -> None:
    players = build_players(8)
    build_round(tables=[players[:4], players[4:]])
    seat = FixtureSeat.objects.get(player=players[4])
    seat.player = players[0]
    with pytest.raises(IntegrityError), transaction.atomic():
        seat.save()


def test_a_seat_belongs_to_its_fixtures_round_whatever_is_given() -> None:
    tournament = build_tournament(seats=3)
    fixture, other = build_fixture(tournament), build_round(tournament)
    seat = FixtureSeat.objects.create(fixture=fixture, round=other, seat=3, player=build_player())
    assert seat.round == fixture.round


def test_a_fixture_is_due_from_its_time_until_its_table_stands() -> None:
    made = build_round(starts_at=moment("2026-11-30 19:00"))
    assert not fixtures_due(moment("2026-11-30 18:59"))
    assert [fixture.round for fixture in fixtures_due(moment("2026-11-30 19:00"))] == [made]
    match_open(fixture=made.fixtures.get())
    assert not fixtures_due(moment("2026-11-30 19:00"))


def test_a_player_sees_the_fixtures_ahead() -> None:
    players = build_players(4)
    tournament = build_tournament()
    later, sooner = (
        build_round(tournament, [players], timezone.now() + timedelta(hours=hours))
        for hours in (2, 1)
    )
    assert [fixture.round for fixture in fixtures_ahead(players[0])] == [sooner, later]


def test_a_seat_is_given_away_until_the_table_opens() -> None:
    """The table copies who sits there."""
    fixture = build_fixture()
    tournament = fixture.round.stage.tournament
    newcomer, stranger = build_players(2)
    entry_create(tournament=tournament, player=newcomer)
    for seat, player, code in (
        (0, stranger, "not_entered"),
        (7, newcomer, "no_such_seat"),
        (0, fixture.seats.get(seat=1).player, "seated_twice"),
    ):
        with pytest.raises(DomainError) as refused:
            fixture_seat_assign(fixture=fixture, seat=seat, player=player)
        assert refused.value.code == code
    fixture_seat_assign(fixture=fixture, seat=0, player=newcomer)
    assert fixture.seats.get(seat=0).player == newcomer
    for status in set(FixtureStatus) - {FixtureStatus.SCHEDULED}:
        Fixture.objects.filter(pk=fixture.pk).update(status=status)
        with pytest.raises(DomainError) as refused:
            fixture_seat_assign(fixture=fixture, seat=0, player=newcomer)
        assert refused.value.code == "fixture_closed"


def test_a_fixture_does_not_skip_its_states() -> None:
    fixture = build_fixture()
    for mark in (fixture_mark_playing, fixture_mark_finished):
        with pytest.raises(DomainError) as refused:
            mark(fixture=fixture)
        assert refused.value.code == "fixture_state"


def test_a_match_is_opened_under_the_tournaments_terms_once() -> None:
    fixture = build_fixture(build_tournament(partners=True))
    match = match_open(fixture=fixture)
    assert match_open(fixture=fixture) == match
    ruleset = AZNIF_SHORT | {"version": 1}
    assert (match.ruleset, match.seats, match.partners, match.stake) == (ruleset, 4, True, 3)
    assert fixture.status == FixtureStatus.OPEN


def test_a_match_begins_with_one_player_a_seat() -> None:
    match = match_open(fixture=build_fixture())
    players = build_players(4)
    for seated, code in ((players[:3], "wrong_seats"), ([players[0]] * 4, "seated_twice")):
        with pytest.raises(DomainError) as refused:
            match_start(match=match, players=seated)
        assert refused.value.code == code
    match_start(match=match, players=players)
    assert match.status == MatchStatus.PLAYING
    assert [stint.player for stint in match.stints.order_by("seat")] == players
    with pytest.raises(DomainError) as refused:
        match_start(match=match, players=players)
    assert refused.value.code == "match_state"


@pytest.mark.django_db(transaction=True)
def test_two_workers_open_one_match() -> None:
    fixture = build_fixture()
    outcomes = together(*(lambda: match_open(fixture=fixture) for _ in range(4)))
    assert set(outcomes) == {fixture.matches.get()}


@pytest.mark.django_db(transaction=True)
def test_two_rounds_made_at_once_get_two_numbers() -> None:
    tournament = build_tournament()
    first = build_round(tournament)
    players = [seat.player for seat in FixtureSeat.objects.filter(round=first)]
    together(
        *(
            lambda: round_create(tournament=tournament, starts_at=timezone.now(), tables=[players])
            for _ in range(3)
        )
    )
    assert sorted(Round.objects.values_list("number", flat=True)) == [1, 2, 3, 4]


def test_a_played_fixture_is_closed() -> None:
    match = build_match()
    assert match.fixture is not None
    match.status = MatchStatus.FINISHED
    match.save()
    fixture_mark_finished(fixture=match.fixture)
    with pytest.raises(DomainError) as refused:
        match_open(fixture=match.fixture)
    assert refused.value.code == "fixture_closed"
