"""Who may run fixtures and keep house rule sets: a club's organizers, and superusers."""

import pytest
from django.contrib.auth.models import AnonymousUser

from league.clubs.models import Role
from league.clubs.services import membership_create
from league.tournaments.permissions import (
    is_organizer_of,
    keeps_house_ruleset,
    keeps_house_rulesets,
)
from league.tournaments.services import house_ruleset_create
from tests.factories import build_club, build_fixture, build_season, build_tournament, build_user

pytestmark = pytest.mark.django_db


def test_the_clubs_organizers_may() -> None:
    club = build_club()
    fixture = build_fixture(build_tournament(build_season(club)))
    organizer, member, other = (build_user() for _ in range(3))
    membership_create(club=club, player=organizer.player, role=Role.ORGANIZER)
    membership_create(club=club, player=member.player)
    membership_create(club=build_club(), player=other.player, role=Role.ORGANIZER)
    allowed = [is_organizer_of(user, fixture) for user in (organizer, member, other)]
    assert allowed == [True, False, False]
    tournament = fixture.round.stage.tournament
    for thing in (tournament, tournament.season, club):
        assert is_organizer_of(organizer, thing)
        assert not is_organizer_of(member, thing)


def test_superusers_may() -> None:
    assert is_organizer_of(build_user(is_superuser=True), build_fixture())


def test_nobody_and_who_was_shut_out_may_not() -> None:
    club = build_club()
    fixture = build_fixture(build_tournament(build_season(club)))
    gone = build_user(is_active=False, is_superuser=True)
    membership_create(club=club, player=gone.player, role=Role.ORGANIZER)
    assert not is_organizer_of(gone, fixture)
    assert not is_organizer_of(AnonymousUser(), fixture)


def test_without_a_fixture_organizing_one_club_is_not_enough() -> None:
    club = build_club()
    user = build_user()
    membership_create(club=club, player=user.player, role=Role.ORGANIZER)
    assert not is_organizer_of(user, None)


def test_house_rule_sets_are_kept_by_organizers_who_enter_the_admin_pages() -> None:
    club = build_club()
    house = house_ruleset_create(club=club, name="Cuma", ruleset={"preset": "aznif"})
    staff, other, outside = build_user(is_staff=True), build_user(is_staff=True), build_user()
    for user, of in ((staff, club), (other, build_club()), (outside, club)):
        membership_create(club=of, player=user.player, role=Role.ORGANIZER)
    users = (staff, other, outside, build_user(is_staff=True, is_superuser=True))
    assert [keeps_house_rulesets(user) for user in users] == [True, True, False, True]
    assert [keeps_house_ruleset(user, house) for user in users] == [True, False, False, True]


def test_who_was_shut_out_keeps_no_house_rule_sets() -> None:
    gone = build_user(is_active=False, is_staff=True, is_superuser=True)
    assert not keeps_house_rulesets(gone)
