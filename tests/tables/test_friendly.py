"""Tables of one's own: who opens them, who comes by which link, and the rematch."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.accounts.models import Player, User
from league.clubs.services import membership_create
from league.ledger.models import Posting
from league.shared.errors import DomainError
from league.tournaments.services import house_ruleset_create
from tables.clock import Clock
from tables.models import Bot, Table, TableKind, TableStatus
from tables.opening import MOST_TABLES, FriendlyTerms, friendly_open, rematch_open
from tables.selectors import table_view
from tables.services import command_execute
from tables.tickets import Ticket
from tests.at_once import together
from tests.factories import AZNIF_SHORT, build_club, build_round, build_user
from tests.reading import page_of
from tests.tables.acting import ask, time_is_up
from tests.tables.builders import (
    build_table,
    command,
    fixture_of,
    play_out,
    player_at,
    send,
    start,
)

pytestmark = pytest.mark.django_db

FILLED: dict[str, Any] = {
    "rules": "aznif",
    "seats": "2",
    "length_kind": "hands",
    "length_number": "3",
    "clock": "none",
    "shown": "public",
    "chat": "on",
}


def open_table(owner: Player, **more: Any) -> Table:
    """A friendly table for two of three short hands."""
    terms: dict[str, Any] = {"ruleset": AZNIF_SHORT, "seats": 2} | more
    return friendly_open(owner=owner, terms=FriendlyTerms(**terms))


def sit_down(table: Table, user: User) -> None:
    """Let somebody take a seat as a client does."""
    taken(table, user, "sit")


def taken(table: Table, user: User, do: str, **fields: Any) -> None:
    """Let somebody's command be carried out."""
    answer = ask(table, user.player, do, **fields)
    assert answer.version is not None, answer


def press_start(table: Table) -> None:
    """Let who made the table press *Start*."""
    assert send(table, 0, command("start")).version is not None
    table.refresh_from_db()


def opened_by(client: Client, user: User, **filled: str) -> Table:
    """Fill in the form as `user`, and return the table that came of it."""
    client.force_login(user)
    response = client.post("/tables/new/", FILLED | filled)
    assert response.status_code == 302, response.content.decode()
    table = Table.objects.get(owner=user.player)
    assert response.headers["Location"] == f"/t/{table.code}/"
    return table


def played_out() -> tuple[Table, User, User]:
    """A friendly match of two that is over."""
    one, two = build_user(), build_user()
    table = open_table(one.player)
    sit_down(table, two)
    press_start(table)
    play_out(table)
    table.refresh_from_db()
    assert table.status == TableStatus.FINISHED
    return table, one, two


# --- the form


def test_the_form_opens_a_table_and_leads_to_its_link(client: Client) -> None:
    user = build_user()
    table = opened_by(client, user, clock="bank", move_seconds="20", bank_seconds="90")
    assert (table.kind, table.is_public, table.chat) == (TableKind.FRIENDLY, True, True)
    assert (table.move_seconds, table.bank_seconds) == (20, 90)
    assert table.match.ruleset["hands"] == 3
    assert table.seats.get(player=user.player).seat == 0


@pytest.mark.parametrize(("filled", "clockwise"), [({}, False), ({"clockwise": "on"}, True)])
def test_play_goes_the_way_its_maker_chose(
    client: Client, filled: dict[str, str], clockwise: bool
) -> None:
    table = opened_by(client, build_user(), **filled)
    assert table_view(table, None)[0]["table"]["clockwise"] is clockwise


def test_bots_fill_a_practice_table(client: Client) -> None:
    table = opened_by(client, build_user(), seats="4", against="best")
    assert table.kind == TableKind.PRACTICE
    assert list(table.seats.values_list("bot", flat=True)) == ["", *["best"] * 3]


@pytest.mark.parametrize(
    "filled",
    [
        {"seats": "3", "partners": "on"},
        {"rules": "domino101", "seats": "4"},
        {"length_number": ""},
        {"length_kind": ""},
        {"length_kind": "target", "length_number": "50"},
        {"clock": "move"},
        {"clock": "bank", "move_seconds": "10"},
        {"clock": "move", "move_seconds": "3601"},
        {"rules": "chess"},
        {"against": "stockfish"},
    ],
    ids=str,
)
def test_terms_that_cannot_be_played_are_refused(client: Client, filled: dict[str, str]) -> None:
    client.force_login(build_user())
    response = client.post("/tables/new/", FILLED | filled)
    assert response.status_code == 400
    assert 'class="errorlist' in response.content.decode()
    assert not Table.objects.exists()


def test_only_house_rule_sets_of_ones_own_clubs_are_offered(client: Client) -> None:
    user, mine, foreign = build_user(), build_club(), build_club()
    membership_create(club=mine, player=user.player)
    rules = {"preset": "aznif", "hands": 5, "locker_pays": False}
    house = house_ruleset_create(club=mine, name="Bizim", ruleset=rules)
    other = house_ruleset_create(club=foreign, name="Onların", ruleset=rules)
    client.force_login(user)
    assert client.post("/tables/new/", FILLED | {"rules": str(other.pk)}).status_code == 400
    table = opened_by(client, user, rules=str(house.pk), length_kind="", length_number="")
    assert table.match.ruleset["locker_pays"] is False
    assert table.match.ruleset["hands"] == 5


def test_a_visitor_logs_in_before_opening_a_table(client: Client) -> None:
    response = client.get("/tables/new/")
    assert response.status_code == 302
    assert response.headers["Location"] == "/accounts/login/?next=/tables/new/"


def test_the_form_says_that_nothing_counts(client: Client) -> None:
    client.force_login(build_user())
    assert "count for no points" in page_of(client, "/tables/new/")


def test_nobody_has_more_than_a_few_tables_open() -> None:
    player = build_user().player
    for _ in range(MOST_TABLES):
        open_table(player)
    with pytest.raises(DomainError) as refused:
        open_table(player)
    assert refused.value.code == "too_many_tables"


def test_who_plays_a_match_opens_no_table() -> None:
    one, two = build_user(), build_user()
    table = open_table(one.player)
    sit_down(table, two)
    press_start(table)
    with pytest.raises(DomainError) as refused:
        open_table(two.player)
    assert refused.value.code == "plays_elsewhere"


def test_a_match_forgotten_among_bots_keeps_nobody_from_a_seat() -> None:
    """Nobody waits at a practice table, whether one is away from it or dropped there."""
    one, two = build_user(), build_user()
    practice = open_table(two.player, bots=(Bot.RANDOM,))
    press_start(practice)
    assert practice.status == TableStatus.PLAYING
    practice.seats.filter(player=two.player).update(dropped_at=timezone.now())
    table = open_table(one.player)
    sit_down(table, two)
    assert table.seats.filter(player=two.player).exists()


def two_tables_with_one_guest() -> tuple[list[Table], User]:
    """Two tables that wait for *Start*, at both of which the same person sat down."""
    guest = build_user()
    tables = [open_table(build_user().player) for _ in range(2)]
    for table in tables:
        sit_down(table, guest)
    return tables, guest


def test_who_sat_down_at_two_tables_plays_at_the_first_to_start() -> None:
    """The other table says why it cannot start, and starts by itself once the match is over."""
    (first, second), guest = two_tables_with_one_guest()
    press_start(first)
    refused = send(second, 0, command("start"))
    assert refused.code == "somebody_plays_elsewhere"
    due = second.press_due_at
    time_is_up(second)
    assert second.status == TableStatus.WAITING
    assert second.press_due_at == due  # who may press for a silent manager still may
    assert second.deadline_at is not None
    assert second.deadline_at > timezone.now() + timedelta(seconds=60)
    taken(first, guest, "leave", price=0)
    Table.objects.filter(pk=first.pk).update(status=TableStatus.ABANDONED)
    time_is_up(second)
    assert second.status == TableStatus.PLAYING


@pytest.mark.django_db(transaction=True)
def test_of_two_starts_at_one_moment_one_is_refused() -> None:
    tables, _guest = two_tables_with_one_guest()
    starts = [partial(send, table, 0, command("start")) for table in tables]
    assert sorted(answer.code for answer in together(*starts)) == ["", "somebody_plays_elsewhere"]
    assert Table.objects.filter(status=TableStatus.PLAYING).count() == 1


def test_an_account_without_a_player_is_told_so_and_stays() -> None:
    admin = build_user(is_superuser=True)
    admin.player.delete()
    order = command("sit")
    answer = command_execute(
        table_id=open_table(build_user().player).pk, ticket=Ticket(admin.pk), command=order
    )
    assert answer.code == "no_player"


def test_the_page_knows_who_had_a_seat_of_the_match(client: Client) -> None:
    """Whoever left is not offered the empty seat, which would be refused."""
    one, two = build_user(), build_user()
    table = open_table(one.player)
    sit_down(table, two)
    client.force_login(two)
    assert "data-held" not in page_of(client, f"/tables/{table.pk}/")
    press_start(table)
    taken(table, two, "leave", price=0)
    assert 'data-held="yes"' in page_of(client, f"/tables/{table.pk}/")
    client.force_login(build_user())
    assert "data-held" not in page_of(client, f"/tables/{table.pk}/")


def test_an_offer_to_change_seats_ends_when_its_person_changes() -> None:
    """Who came to that seat since has been offered nothing, and moves nobody without a yes."""
    owner, offering, newcomer = build_user(), build_user(), build_user()
    table = open_table(owner.player, seats=4)
    taken(table, offering, "sit", seat=2)
    taken(table, offering, "swap", seat=0)
    taken(table, owner, "swap", seat=1)
    taken(table, newcomer, "sit", seat=0)
    taken(table, newcomer, "swap", seat=2)
    people = dict(table.seats.exclude(player=None).values_list("seat", "player"))
    assert people == {0: newcomer.player.pk, 1: owner.player.pk, 2: offering.player.pk}


# --- its page, its link, and the home page


def test_the_link_shows_seats_address_and_code(client: Client) -> None:
    table = open_table(build_user(name="Əli <b>").player)
    page = page_of(client, f"/t/{table.code}/")
    assert "Əli &lt;b&gt;" in page
    assert f"http://testserver/t/{table.code}/" in page
    assert '<svg viewBox="' in page
    assert "no points" in page
    assert " style=" not in page


@pytest.mark.parametrize("code", ["nothing", "%00"])
def test_an_unknown_link_is_not_found(client: Client, code: str) -> None:
    assert client.get(f"/t/{code}/").status_code == 404


def test_home_lists_public_tables_and_no_others(client: Client) -> None:
    public = open_table(build_user().player)
    hidden = open_table(build_user().player, is_public=False)
    practice = open_table(build_user().player, bots=(Bot.BEST,))
    page = page_of(client, "/")
    assert f"/t/{public.code}/" in page
    for table in (hidden, practice):
        assert f"/t/{table.code}/" not in page
        assert f'href="/tables/{table.pk}/"' not in page


def test_a_table_by_link_shows_itself_to_who_has_the_link(client: Client) -> None:
    owner = build_user()
    table = open_table(owner.player, is_public=False)
    record = f"/api/v1/tables/{table.pk}/record/"
    addresses = [f"/tables/{table.pk}/", f"/api/v1/tables/{table.pk}/", record]
    assert [client.get(address).status_code for address in addresses] == [404, 404, 404]
    page_of(client, f"/t/{table.code}/")
    assert [client.get(address).status_code for address in addresses] == [200, 200, 409]
    other = Client()
    other.force_login(owner)
    assert [other.get(address).status_code for address in addresses] == [200, 200, 409]


def test_a_finished_match_needs_no_link(client: Client) -> None:
    table, _one, _two = played_out()
    Table.objects.filter(pk=table.pk).update(is_public=False)
    page_of(client, f"/tables/{table.pk}/")


def test_a_friendly_match_posts_nothing() -> None:
    played_out()
    assert not Posting.objects.exists()


def test_a_practice_match_is_played_to_its_end_by_bots_and_the_clock(settings: Any) -> None:
    settings.AYAZ_BOT_SECONDS = settings.AYAZ_HAND_PAUSE_SECONDS = 0
    settings.AYAZ_START_SECONDS = 0
    table = open_table(build_user().player, bots=(Bot.HEAVIEST,), move_seconds=1)
    Clock().tick()
    table.refresh_from_db()
    assert table.status == TableStatus.PLAYING


def test_nobody_else_sits_down_at_a_practice_table() -> None:
    owner, other = build_user(), build_user()
    table = open_table(owner.player, bots=(Bot.BEST,))
    press_start(table)
    assert send(table, 0, command("leave")).version is not None
    assert ask(table, other.player, "sit").code == "bots_only"
    table.refresh_from_db()
    assert table_view(table, other.player.pk)[0]["table"]["can"] == []


# --- the rematch


def test_a_rematch_keeps_the_terms_and_offers_the_same_seats() -> None:
    table, one, two = played_out()
    again = rematch_open(table=table, player=two.player)
    assert again.match.ruleset == table.match.ruleset
    assert again.seats.get(seat=1).player == two.player
    third = build_user()
    sit_down(again, one)
    assert again.seats.get(seat=0).player == one.player
    assert again.owner == two.player
    assert third.player is not None


def test_both_ask_and_there_is_one_rematch() -> None:
    table, one, two = played_out()
    first = rematch_open(table=table, player=two.player)
    assert rematch_open(table=table, player=one.player) == first


def test_the_link_of_a_finished_match_leads_to_its_rematch(client: Client) -> None:
    table, one, _two = played_out()
    client.force_login(one)
    assert ">Rematch<" in page_of(client, f"/t/{table.code}/")
    response = client.post(f"/t/{table.code}/")
    again = Table.objects.get(rematch_of=table)
    assert response.headers["Location"] == f"/t/{again.code}/"
    assert f'href="/t/{again.code}/"' in page_of(client, f"/t/{table.code}/")


def test_who_did_not_play_asks_for_no_rematch(client: Client) -> None:
    table, _one, _two = played_out()
    with pytest.raises(DomainError):
        rematch_open(table=table, player=build_user().player)
    client.force_login(build_user())
    assert ">Rematch<" not in page_of(client, f"/t/{table.code}/")
    client.logout()
    assert client.post(f"/t/{table.code}/").status_code == 403


def test_a_running_match_has_no_rematch() -> None:
    user = build_user()
    with pytest.raises(DomainError):
        rematch_open(table=open_table(user.player), player=user.player)


def test_a_scheduled_table_leads_to_the_next_fixture(client: Client) -> None:
    table = build_table()
    player = player_at(table, 0)
    tournament = fixture_of(table).round.stage.tournament
    seats = [player_at(table, seat) for seat in range(4)]
    build_round(tournament, [seats], starts_at=timezone.now() + timedelta(hours=1))
    start(table)
    play_out(table)
    assert player.user is not None
    client.force_login(player.user)
    page = page_of(client, f"/tables/{table.pk}/")
    assert f'data-next="/tournaments/{tournament.pk}/"' in page
