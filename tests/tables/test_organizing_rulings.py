"""What an organizer sees and decides: referee calls, matches given up, conduct records."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from league.accounts.models import User
from league.clubs.models import Role
from league.clubs.services import membership_create
from league.ledger.models import Kind, Posting
from league.ledger.selectors import balance
from league.results.models import MatchStatus
from league.tournaments.models import Fixture, FixtureStatus
from tables.models import Table, TableStatus
from tables.selectors import record_of_table
from tables.services import table_timeout
from tests.factories import build_user
from tests.reading import page_of
from tests.tables.builders import build_table, command, fixture_of, play_one, player_at, send, start

pytestmark = pytest.mark.django_db

STAKE = 3


def give_up(table: Table) -> None:
    """Let the player of seat 1 leave, and nobody sit down in time."""
    start(table)
    play_one(table)
    assert send(table, 1, command("leave", price=2 * STAKE)).version is not None
    Table.objects.filter(pk=table.pk).update(deadline_at=timezone.now())
    table.refresh_from_db()
    assert table_timeout(table_id=table.pk, version=table.version)
    table.refresh_from_db()
    assert table.status == TableStatus.ABANDONED


@pytest.fixture
def table() -> Table:
    """A table of four whose match was given up."""
    made = build_table()
    give_up(made)
    return made


def organizer_of(table: Table) -> User:
    """Somebody who runs the table's tournament."""
    user = build_user()
    club = fixture_of(table).round.stage.tournament.season.club
    membership_create(club=club, player=user.player, role=Role.ORGANIZER)
    return user


@pytest.fixture
def organizer(client: Client, table: Table) -> User:
    """The table's organizer, logged in."""
    user = organizer_of(table)
    client.force_login(user)
    return user


def address(table: Table) -> str:
    return f"/tournaments/{fixture_of(table).round.stage.tournament_id}/"


def status_of(table: Table) -> str:
    """The fixture's status as stored."""
    return Fixture.objects.get(pk=fixture_of(table).pk).status


def decide(client: Client, table: Table, after: str, **more: str) -> str:
    """Ask for a decision, look at what it posts, and confirm it; return the preview."""
    given = {"do": "rule", "table": str(table.pk), "after": after} | more
    shown = client.post(address(table), given)
    assert shown.status_code == 200
    done = client.post(address(table), given | {"confirmed": "yes"})
    assert done.status_code == 302
    return shown.content.decode()


PLACES = {"place-0": "1", "place-1": "4", "place-2": "2", "place-3": "3", "reason": "Seat 1 left."}


def previewed(page: str) -> list[tuple[str, str]]:
    """Return who would be posted what."""
    part = page.split("This will be posted")[1].split("</table>")[0]
    return re.findall(r'<th scope="row">([^<]+)<.*?<td class="number strong">([^<]+)<', part, re.S)


# --- calls


def test_tables_that_call_the_referee_come_first(client: Client) -> None:
    table = build_table()
    start(table)
    assert send(table, 2, command("referee")).version is not None
    client.force_login(organizer_of(table))
    page = page_of(client, address(table))
    call = page.index("The referee is called")
    assert call < page.index("Organize</h2>") < page.index('id="rounds"')
    assert f'href="/tables/{table.pk}/"' in page[call : call + 600]


def test_an_open_page_is_told_of_a_call_with_its_rounds(client: Client) -> None:
    """The part that renews itself brings the calls along, and takes them away again."""
    table = build_table()
    start(table)
    client.force_login(organizer_of(table))
    assert '<div id="calls" hx-swap-oob="true">' in renewed(client, table)
    assert send(table, 2, command("referee")).version is not None
    calls = renewed(client, table).partition('<div id="calls" hx-swap-oob="true">')[2]
    assert "The referee is called" in calls
    assert f'href="/tables/{table.pk}/"' in calls
    client.logout()
    assert 'id="calls"' not in renewed(client, table)


def renewed(client: Client, table: Table) -> str:
    """The part of the tournament's page that htmx asks for."""
    response = client.get(address(table), headers={"HX-Request": "true"})
    return response.content.decode()


def test_nobody_else_is_told_of_calls(client: Client) -> None:
    table = build_table()
    start(table)
    send(table, 2, command("referee"))
    assert "The referee is called" not in page_of(client, address(table))


# --- matches given up


@pytest.mark.usefixtures("organizer")
def test_a_match_given_up_waits_on_the_organizers_page(client: Client, table: Table) -> None:
    page = page_of(client, address(table))
    assert f'id="given-up-{table.pk}"' in page
    client.logout()
    assert f'id="given-up-{table.pk}"' not in page_of(client, address(table))


@pytest.mark.usefixtures("organizer")
def test_a_preview_changes_nothing(client: Client, table: Table) -> None:
    before = list(Posting.objects.values_list("pk", "points"))
    client.post(address(table), {"do": "rule", "table": table.pk, "after": "decision"} | PLACES)
    client.post(address(table), {"do": "rule", "table": table.pk, "after": "void"})
    client.post(address(table), {"do": "rule", "table": table.pk, "after": "replay"})
    assert list(Posting.objects.values_list("pk", "points")) == before
    table.match.refresh_from_db()
    assert table.match.status == MatchStatus.ABANDONED
    assert Table.objects.count() == 1


@pytest.mark.usefixtures("organizer")
def test_a_decision_posts_what_its_preview_said(client: Client, table: Table) -> None:
    before = set(Posting.objects.values_list("pk", flat=True))
    lines = previewed(decide(client, table, "decision", **PLACES))
    posted = Posting.objects.exclude(pk__in=before).order_by("pk")
    assert [name for name, _points in lines] == [p.account.player.name for p in posted]
    points = [int(points.replace("−", "-")) for _name, points in lines]
    assert points == [posting.points for posting in posted] == [STAKE, 1, -1]
    assert {posting.reason for posting in posted} == {"Seat 1 left."}
    assert status_of(table) == FixtureStatus.FINISHED
    assert record_of_table(table)["ended"] == "decision"


@pytest.mark.usefixtures("organizer")
def test_the_leavers_2n_survives_every_decision(client: Client, table: Table) -> None:
    leaver = table.match.stints.get(left="voluntary").player
    assert leaver is not None
    assert "Nothing will be posted." in decide(client, table, "void")
    assert balance(leaver) == -2 * STAKE
    assert status_of(table) == FixtureStatus.VOID


@pytest.mark.usefixtures("organizer")
def test_a_replay_is_a_new_match_of_the_same_fixture(client: Client, table: Table) -> None:
    decide(client, table, "replay")
    again = Table.objects.exclude(pk=table.pk).get()
    assert again.match.number == 2
    assert fixture_of(again).status == FixtureStatus.OPEN
    start(again)
    assert f'id="given-up-{table.pk}"' not in page_of(client, address(table))
    assert player_at(again, 1).pk in table.match.stints.values_list("player", flat=True)


@pytest.mark.usefixtures("organizer")
@pytest.mark.parametrize(
    "given",
    [
        {"after": "decision"},
        {"after": "decision"} | PLACES | {"reason": " "},
        {"after": "decision"} | PLACES | {"reason": "a" * 201},
        {"after": "decision"} | PLACES | {"place-0": "9"},
        {"after": "decision"} | PLACES | {"place-1": "1"},
        {"after": "pardon"},
        {"after": "void", "table": "999999"},
        {"after": "void", "table": "x"},
        {},
    ],
    ids=str,
)
def test_what_cannot_be_decided_is_refused(
    client: Client, table: Table, given: dict[str, str]
) -> None:
    filled = {"do": "rule", "table": str(table.pk), "confirmed": "yes"} | given
    response = client.post(address(table), filled)
    assert response.status_code == 400
    assert 'role="alert"' in response.content.decode()
    table.match.refresh_from_db()
    assert table.match.status == MatchStatus.ABANDONED


def test_only_organizers_decide(client: Client, table: Table) -> None:
    given = {"do": "rule", "table": table.pk, "after": "void", "confirmed": "yes"}
    for user in (build_user(), player_at(table, 0).user):
        assert user is not None
        client.force_login(user)
        assert client.post(address(table), given).status_code == 403


@pytest.mark.usefixtures("organizer")
def test_what_is_decided_is_decided_once(client: Client, table: Table) -> None:
    decide(client, table, "void")
    given = {"do": "rule", "table": table.pk, "after": "decision", "confirmed": "yes"} | PLACES
    assert client.post(address(table), given).status_code == 400
    assert not Posting.objects.filter(kind=Kind.PLACEMENT).exists()


# --- the conduct record


def test_a_players_page_names_what_they_left(client: Client, table: Table) -> None:
    tournament = fixture_of(table).round.stage.tournament
    leaver = table.match.stints.get(left="voluntary").player
    assert leaver is not None
    page = page_of(client, f"/players/{leaver.pk}/")
    record = page.split("Conduct record")[1].split("</section>")[0]
    assert "left" in record
    assert tournament.name in record
    assert "<time" in record
    assert "Conduct record" not in page_of(client, f"/players/{player_at(table, 0).pk}/")
