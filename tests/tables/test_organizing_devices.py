"""Several accounts with one device at one table: told to the organizer, to nobody else."""

import pytest
from django.test import Client

from league.clubs.models import Role
from league.clubs.services import membership_create
from tables.devices import COOKIE, device_note, device_of, shared_devices
from tables.models import SeatDevice, Table
from tests.factories import build_user
from tests.reading import page_of
from tests.tables.builders import build_table, fixture_of, player_at
from tests.tables.test_friendly import open_table

pytestmark = pytest.mark.django_db

TITLE = "One device, several accounts"


def sat_with(table: Table, *devices: str) -> None:
    """Let the seats, in order, be held with these devices."""
    for seat, device in enumerate(devices):
        device_note(table_id=table.pk, player_id=player_at(table, seat).pk, device=device)


def address(table: Table) -> str:
    return f"/tournaments/{fixture_of(table).round.stage.tournament_id}/"


def organized_by(client: Client, table: Table) -> None:
    """Log somebody in who runs the table's tournament."""
    user = build_user()
    club = fixture_of(table).round.stage.tournament.season.club
    membership_create(club=club, player=user.player, role=Role.ORGANIZER)
    client.force_login(user)


def test_a_tables_page_names_the_device_once_and_for_long(client: Client) -> None:
    table = build_table()
    cookie = client.get(f"/tables/{table.pk}/").cookies[COOKIE]
    assert device_of({COOKIE: cookie.value})
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert int(cookie["max-age"]) > 30_000_000
    assert COOKIE not in client.get(f"/tables/{table.pk}/").cookies


@pytest.mark.parametrize("value", ["", "made-up", "a:b", "ə:"])
def test_a_name_that_was_not_signed_here_is_none(value: str) -> None:
    assert device_of({COOKIE: value}) == ""


def test_two_accounts_with_one_device_are_told_to_the_organizer(client: Client) -> None:
    table = build_table()
    sat_with(table, "a", "b", "a", "c")
    organized_by(client, table)
    page = page_of(client, address(table))
    told = page.split(TITLE)[1].split("</section>")[0]
    names = [player_at(table, seat).name for seat in range(4)]
    assert [name in told for name in names] == [True, False, True, False]
    assert f'href="/tables/{table.pk}/"' in told


def test_nobody_else_is_told(client: Client) -> None:
    table = build_table()
    sat_with(table, "a", "a")
    for user in (None, player_at(table, 1).user, build_user()):
        client.logout()
        if user is not None:
            client.force_login(user)
        for page in (address(table), f"/tables/{table.pk}/"):
            assert TITLE not in page_of(client, page)


def test_one_account_with_many_devices_is_nothing_to_tell(client: Client) -> None:
    table = build_table()
    for device in "abc":
        sat_with(table, device)
    sat_with(build_table(), "a")
    organized_by(client, table)
    assert TITLE not in page_of(client, address(table))


def test_the_same_is_written_once() -> None:
    table = build_table()
    sat_with(table, "a")
    sat_with(table, "a")
    sat_with(table, "")
    assert SeatDevice.objects.count() == 1
    assert shared_devices(fixture_of(table).round.stage.tournament) == []


def test_friendly_tables_keep_no_devices() -> None:
    table = open_table(build_user().player)
    sat_with(table, "a")
    assert not SeatDevice.objects.exists()
