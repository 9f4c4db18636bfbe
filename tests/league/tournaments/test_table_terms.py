"""How a tournament's tables are run: clock, bank, chat, the spectators' delay, bots."""

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from engine.rulesets import PRESETS
from league.shared.errors import DomainError
from league.tournaments.models import Tournament
from league.tournaments.services import TableTerms
from tables.opening import table_open
from tests.factories import build_fixture, build_season, build_tournament, build_user
from tests.reading import page_of

pytestmark = pytest.mark.django_db


def test_tables_are_run_as_the_tournament_says() -> None:
    terms = TableTerms(
        bank_seconds=90, chat=False, clockwise=True, watch_delay=3, bots_may_substitute=True
    )
    tournament = build_tournament(move_seconds=15, tables=terms)
    table = table_open(fixture=build_fixture(tournament))
    assert (table.move_seconds, table.bank_seconds, table.watch_delay) == (15, 90, 3)
    assert (table.chat, table.clockwise, table.bots_may_substitute) == (False, True, True)


def test_a_tournament_may_have_no_clock() -> None:
    tournament = build_tournament(tables=TableTerms(clock=False))
    assert tournament.move_seconds is None
    assert table_open(fixture=build_fixture(tournament)).move_seconds is None


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        (TableTerms(bank_seconds=-1), "bank_seconds"),
        (TableTerms(bank_seconds=3601), "bank_seconds"),
        (TableTerms(clock=False, bank_seconds=1), "bank_seconds"),
        (TableTerms(watch_delay=-1), "watch_delay"),
        (TableTerms(watch_delay=101), "watch_delay"),
    ],
    ids=str,
)
def test_terms_out_of_bounds_are_refused(terms: TableTerms, code: str) -> None:
    with pytest.raises(DomainError) as refused:
        build_tournament(tables=terms)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "changed",
    [
        {"move_seconds": 0},
        {"move_seconds": 3601},
        {"bank_seconds": 3601},
        {"move_seconds": None, "bank_seconds": 1},
        {"watch_delay": 101},
    ],
    ids=str,
)
def test_the_database_refuses_them_too(changed: dict[str, int | None]) -> None:
    tournament = build_tournament()
    with pytest.raises(IntegrityError), transaction.atomic():
        Tournament.objects.filter(pk=tournament.pk).update(**changed)


@pytest.fixture
def admin(client: Client) -> Client:
    """A browser of who runs the site."""
    client.force_login(build_user(is_superuser=True, is_staff=True))
    return client


def filled(**given: object) -> dict[str, object]:
    """A tournament's form in the admin, filled in."""
    about = {"season": build_season().pk, "name": "Kış", "seats": 4, "rules": PRESETS[0]}
    return about | {"stake": ""} | given


def test_the_admin_form_asks_for_all_of_them(admin: Client) -> None:
    given = filled(
        move_seconds=20, bank_seconds=60, chat="on", watch_delay=4, bots_may_substitute="on"
    )
    assert admin.post("/admin/tournaments/tournament/add/", given).status_code == 302
    made = Tournament.objects.get()
    assert (made.move_seconds, made.bank_seconds, made.watch_delay) == (20, 60, 4)
    assert (made.chat, made.bots_may_substitute) == (True, True)
    assert "20 s a move · 60 s in the bank" in page_of(admin, f"/tournaments/{made.pk}/")


def test_in_the_admin_an_empty_time_is_no_clock(admin: Client) -> None:
    given = filled(move_seconds="")
    assert admin.post("/admin/tournaments/tournament/add/", given).status_code == 302
    made = Tournament.objects.get()
    assert (made.move_seconds, made.bank_seconds, made.chat) == (None, 0, False)
    assert "no clock" in page_of(admin, f"/tournaments/{made.pk}/")


@pytest.mark.parametrize(
    "given",
    [
        {"move_seconds": 0},
        {"move_seconds": 3601},
        {"move_seconds": 20, "bank_seconds": 3601},
        {"bank_seconds": 5},
        {"watch_delay": 101},
    ],
    ids=str,
)
def test_the_admin_form_refuses_what_is_out_of_bounds(admin: Client, given: dict[str, int]) -> None:
    answer = admin.post("/admin/tournaments/tournament/add/", filled(**given))
    assert answer.status_code == 200
    assert 'class="errorlist"' in answer.content.decode()
    assert not Tournament.objects.exists()
