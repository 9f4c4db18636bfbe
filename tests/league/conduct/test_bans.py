"""Bans: what the database holds to, placing and lifting, and where and when one is in force."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import Error, IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.conduct.models import Ban, Scope
from league.conduct.policy import Length, Place, Reach, end_of
from league.conduct.selectors import ban_on, banned_among, chat_ban_on
from league.conduct.services import ban_lift, ban_place
from league.pairings.services import round_draw
from league.shared.errors import DomainError
from league.tournaments.services import entry_create, fixture_seat_assign
from tests.at_once import together
from tests.factories import build_fixture, build_player, build_tournament, build_user

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def place(**terms: Any) -> Ban:
    """A ban of a new player from everywhere until it is lifted, unless told otherwise."""
    given: dict[str, Any] = {"scope": Scope.SITE, "reason": "abuse", "placed_by": None} | terms
    return ban_place(player=given.pop("player", None) or build_player(), **given)


def row(**terms: Any) -> dict[str, Any]:
    good = {"player": build_player(), "scope": "site", "reason": "abuse"}
    return good | {"starts_at": NOW, "placed_at": NOW} | terms


@pytest.mark.parametrize(
    ("wrong", "constraint"),
    [
        ({"scope": "moon", "scope_id": 1}, "ban_scope_is_known"),
        ({"scope_id": 1}, "ban_names_what_it_is_from"),
        ({"scope": "chat", "scope_id": 1}, "ban_names_what_it_is_from"),
        ({"scope": "club"}, "ban_names_what_it_is_from"),
        ({"reason": ""}, "ban_has_a_reason"),
        ({"ends_at": NOW}, "ban_ends_after_it_starts"),
        ({"lifted_at": NOW}, "ban_lifted_whole"),
        ({"lift_reason": "sorry"}, "ban_lifted_whole"),
    ],
)
def test_the_database_refuses(wrong: dict[str, Any], constraint: str) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        Ban.objects.create(**row(**wrong))
    Ban.objects.create(**row())


def test_a_ban_is_never_changed_removed_or_lifted_anew() -> None:
    ban = place()
    with pytest.raises(Error, match="ban_stands"), transaction.atomic():
        Ban.objects.filter(pk=ban.pk).update(reason="else")
    ban_lift(ban=ban, reason="sorry", lifted_by=build_user())
    with pytest.raises(Error, match="lifted_stays"), transaction.atomic():
        Ban.objects.filter(pk=ban.pk).update(lift_reason="else")
    with pytest.raises(Error, match="never_removed"), transaction.atomic():
        ban.delete()
    assert Ban.objects.get().lift_reason == "sorry"


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"reason": " "}, "reason"),
        ({"reason": "x" * 501}, "reason"),
        ({"scope_id": 3}, "scope_id"),
        ({"scope": Scope.CLUB}, "scope_id"),
        ({"evidence": "x" * 5001}, "evidence"),
        ({"starts_at": NOW, "ends_at": NOW}, "ends_at"),
        ({"starts_at": NOW, "ends_at": NOW - timedelta(seconds=1)}, "ends_at"),
    ],
)
def test_placing_refuses(wrong: dict[str, Any], code: str) -> None:
    with pytest.raises(DomainError) as refused:
        place(**wrong)
    assert refused.value.code == code
    assert not Ban.objects.exists()


def test_lifting_needs_a_reason() -> None:
    ban = place()
    with pytest.raises(DomainError) as refused:
        ban_lift(ban=ban, reason=" ", lifted_by=build_user())
    assert refused.value.code == "reason"
    assert ban_on(ban.player, Place(), timezone.now()) == ban


@pytest.mark.django_db(transaction=True)
def test_lifted_twice_at_once_is_lifted_once() -> None:
    ban, users = place(), [build_user(), build_user()]
    outcomes = together(
        *[lambda user=user: ban_lift(ban=ban, reason="sorry", lifted_by=user) for user in users]
    )
    refused = [each for each in outcomes if isinstance(each, DomainError)]
    (lifted,) = [each for each in outcomes if isinstance(each, Ban)]
    assert [error.code for error in refused] == ["ban_lifted"]
    assert Ban.objects.get().lifted_by == lifted.lifted_by


def test_in_force_from_its_start_on_and_free_at_its_end() -> None:
    ban = place(starts_at=NOW, ends_at=NOW + timedelta(hours=2))
    instant = timedelta(microseconds=1)
    moments = [ban.starts_at - instant, ban.starts_at, NOW + timedelta(hours=2) - instant]
    found = [ban_on(ban.player, Place(), moment) for moment in (*moments, NOW + timedelta(hours=2))]
    assert found == [None, ban, ban, None]


def test_a_lifted_ban_keeps_from_nothing() -> None:
    ban = place()
    ban_lift(ban=ban, reason="sorry", lifted_by=build_user())
    assert ban_on(ban.player, Place(), timezone.now()) is None


@pytest.mark.parametrize("reach", list(Reach))
def test_what_a_ban_covers(reach: Reach) -> None:
    here, elsewhere = Place(11, 12, 13), Place(21, 22, 23)
    ids = {Reach.CLUB: 11, Reach.SEASON: 12, Reach.TOURNAMENT: 13}
    ban = place(scope=reach, scope_id=ids.get(reach))
    who, now = ban.player, timezone.now()
    everywhere, chat = reach is Reach.SITE, reach is Reach.CHAT
    assert (ban_on(who, here, now) == ban) is not chat
    assert (ban_on(who, elsewhere, now) == ban) is everywhere
    assert (ban_on(who, Place(), now) == ban) is everywhere
    assert chat_ban_on(who, here, now) == ban
    assert (chat_ban_on(who, elsewhere, now) == ban) is (everywhere or chat)
    assert ban_on(build_player(), here, now) is None


def test_of_several_bans_the_longest_is_named() -> None:
    player = build_player()
    for days in (2, 9, 5):
        place(player=player, ends_at=timezone.now() + timedelta(days=days))
    longest = Ban.objects.order_by("ends_at").last()
    now = timezone.now()
    assert ban_on(player, Place(), now) == longest
    assert banned_among([player], Place(), now) == {player.pk: longest}
    standing = place(player=player)
    assert ban_on(player, Place(), now + timedelta(seconds=5)) == standing


def test_lengths() -> None:
    hours = [end_of(length, NOW) and end_of(length, NOW) - NOW for length in Length]  # type: ignore[operator]
    assert hours == [*[timedelta(hours=h) for h in (2, 24, 168, 720)], None]


# --- tournaments


def test_a_banned_player_is_neither_entered_nor_seated() -> None:
    tournament = build_tournament()
    ban = place(scope=Scope.SEASON, scope_id=tournament.season_id)
    with pytest.raises(DomainError) as refused:
        entry_create(tournament=tournament, player=ban.player)
    assert (refused.value.code, str(ban.player) in refused.value.text) == ("banned", True)
    assert entry_create(tournament=build_tournament(), player=ban.player).pk


def test_who_was_entered_before_gets_no_seat_by_hand_and_sits_out_by_lot() -> None:
    fixture = build_fixture()
    tournament = fixture.round.stage.tournament
    banned = build_player("Zeki")
    entry_create(tournament=tournament, player=banned)
    place(player=banned, scope=Scope.TOURNAMENT, scope_id=tournament.pk)
    with pytest.raises(DomainError) as refused:
        fixture_seat_assign(fixture=fixture, seat=0, player=banned)
    assert refused.value.code == "banned"
    drawn = round_draw(tournament=tournament, number=2, starts_at=timezone.now())
    assert (drawn.tables, drawn.sitting_out) == (1, (banned,))


# --- pages


def logged_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_an_admin_places_and_lifts_in_the_admin() -> None:
    player, admin = build_player(), build_user(is_superuser=True, is_staff=True)
    client, add = logged_in(admin), reverse("admin:conduct_ban_add")
    terms = {"player": player.pk, "scope": "site", "reason": "abuse", "length": "7d"}
    assert ">Length:</label>" in client.get(add).content.decode()
    bad = client.post(add, terms | {"scope": "club"})
    assert "Name the club" in bad.content.decode()
    assert not Ban.objects.exists()
    assert client.post(add, terms).status_code == 302
    ban = Ban.objects.get()
    assert (ban.placed_by, ban.ends_at) == (admin, ban.starts_at + timedelta(days=7))
    assert client.get(reverse("admin:conduct_ban_change", args=[ban.pk])).status_code == 200
    assert client.get(reverse("admin:conduct_ban_delete", args=[ban.pk])).status_code == 403
    listed = reverse("admin:conduct_ban_changelist")
    action = {"action": "lift", "_selected_action": [ban.pk]}
    assert "Give a reason" in client.post(listed, action, follow=True).content.decode()
    client.post(listed, action | {"reason": "sorry"})
    ban.refresh_from_db()
    assert (ban.lifted_by, ban.lift_reason) == (admin, "sorry")
    assert client.get(listed + "?in_force=1").context["cl"].result_count == 0


def test_staff_without_the_permission_neither_sees_nor_lifts() -> None:
    ban, client = place(), logged_in(build_user(is_staff=True))
    listed = reverse("admin:conduct_ban_changelist")
    lifting = {"action": "lift", "_selected_action": [ban.pk], "reason": "sorry"}
    assert client.get(listed).status_code == 403
    assert client.post(listed, lifting).status_code == 403
    ban.refresh_from_db()
    assert ban.lifted_at is None


def test_the_person_and_admins_see_the_ban_and_nobody_else() -> None:
    user = build_user()
    place(player=user.player, reason="threw the tiles")
    address = reverse("player", args=[user.player.pk])
    seen = [
        "threw the tiles" in client.get(address).content.decode()
        for client in (
            logged_in(user),
            logged_in(build_user(is_superuser=True)),
            logged_in(build_user()),
            Client(),
        )
    ]
    assert seen == [True, True, False, False]
