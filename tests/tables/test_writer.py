"""The gates of the one writer, in their order; and what happens when two come at once."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client, TestCase
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.authtoken.models import Token

from engine.actions import Draw, Pass, Play
from engine.match import Phase, apply, legal_actions
from league.accounts.models import User
from league.clubs.models import Role
from league.clubs.services import membership_create
from league.ledger.models import Posting
from league.results.models import Result
from league.shared.errors import DomainError
from league.tournaments.models import FixtureStatus
from tables import broadcast, opening, services
from tables.answers import Answer
from tables.models import Table, TableEvent, TableStatus
from tables.opening import table_open
from tables.protocol import Do
from tables.scene import Scene
from tables.selectors import events_of_table, record_of_table
from tables.services import command_execute, table_timeout
from tables.tickets import Ticket
from tests import at_once
from tests.factories import build_fixture, build_user
from tests.tables.builders import (
    build_table,
    come,
    command,
    fixture_of,
    move,
    other_action,
    play_one,
    play_out,
    play_until,
    player_at,
    send,
    sit_all,
    start,
    state_of,
    ticket_of,
    view_at,
)

pytestmark = pytest.mark.django_db
together = pytest.mark.django_db(transaction=True)


def events(table: Table) -> int:
    return TableEvent.objects.filter(table=table).count()


# --- opening


def test_opening_twice_returns_the_standing_table() -> None:
    fixture = build_fixture()
    table = table_open(fixture=fixture)
    assert table_open(fixture=fixture) == table
    assert len(bytes(table.secret)) == 32
    fixture.refresh_from_db()
    assert fixture.status == FixtureStatus.OPEN


@together
def test_two_workers_open_one_table() -> None:
    fixture = build_fixture()
    first, second = at_once.together(*[lambda: table_open(fixture=fixture)] * 2)
    assert first == second
    assert Table.objects.count() == 1


def test_only_due_fixtures_are_opened() -> None:
    due = build_fixture()
    later = build_fixture()
    later.round.starts_at = timezone.now() + timedelta(minutes=5)
    later.round.save()
    opened = opening.tables_open_due(timezone.now())
    assert [fixture_of(table) for table in opened] == [due]


# --- known command ids


def test_same_command_twice_has_one_effect_and_the_same_answer() -> None:
    table = build_table()
    start(table)
    state = state_of(table)
    order = move(legal_actions(state)[0], table.version)
    assert state.turn is not None
    first = send(table, state.turn, order)
    again = send(table, state.turn, order)
    assert first == again
    assert first.version == table.version + 1
    assert events(table) == first.version


@together
def test_same_command_at_the_same_moment_has_one_effect() -> None:
    table = build_table()
    start(table)
    state = state_of(table)
    assert state.turn is not None
    seat, order = state.turn, move(legal_actions(state)[0], table.version)
    first, second = at_once.together(*[lambda: send(table, seat, order)] * 2)
    assert first == second
    assert first.version == table.version + 1
    assert events(table) == first.version


def test_another_seat_gets_no_answer_to_a_foreign_id() -> None:
    table = build_table()
    order = command("sit")
    send(table, 0, order)
    assert send(table, 1, order).code == "duplicate_id"
    assert events(table) == 1


def test_refused_command_may_be_sent_again_with_its_id() -> None:
    table = build_table()
    early = command("start")
    assert send(table, 0, early).code == "not_all_seated"
    sit_all(table)
    assert send(table, 0, early).version == 5


# --- stale versions


def test_stale_move_changes_nothing_and_brings_a_snapshot() -> None:
    table = build_table()
    start(table)
    state = state_of(table)
    assert state.turn is not None
    answer = send(table, state.turn, move(legal_actions(state)[0], table.version - 1))
    assert answer.code == "stale"
    assert answer.snapshot is not None
    assert answer.snapshot["v"] == table.version
    assert answer.snapshot["snapshot"] == view_at(table, state.turn)
    assert events(table) == table.version


def test_case_b2_second_move_from_the_same_position_is_stale() -> None:
    """cases.md B2: the page takes back a pending move and sends another."""
    table = build_table()
    start(table)
    state = state_of(table)
    assert state.turn is not None
    first, second = legal_actions(state)[:2]
    assert send(table, state.turn, move(first, table.version)).version is not None
    assert send(table, state.turn, move(second, table.version)).code == "stale"


@together
def test_two_moves_at_once_from_one_position_only_one_wins() -> None:
    table = build_table()
    start(table)
    state = state_of(table)
    assert state.turn is not None
    seat, orders = state.turn, [move(each, table.version) for each in legal_actions(state)[:2]]
    answers = at_once.together(*[lambda order=order: send(table, seat, order) for order in orders])
    assert sorted(answer.code for answer in answers) == ["", "stale"]


# --- who may act


def test_stranger_has_no_seat() -> None:
    table = build_table()
    for ticket in (None, Ticket(build_user().pk)):
        answer = command_execute(table_id=table.pk, ticket=ticket, command=command("sit"))
        assert answer.code == "not_seated"


def test_not_your_turn() -> None:
    table = build_table()
    start(table)
    state = state_of(table)
    assert state.turn is not None
    other = (state.turn + 1) % 4
    assert send(table, other, move(Draw(), table.version)).code == "not_your_turn"


def close_account(ticket: Ticket) -> None:
    User.objects.filter(pk=ticket.user_id).update(is_active=False)


def test_closed_account_gets_neither_a_stored_answer_nor_a_snapshot() -> None:
    table = build_table()
    start(table)
    ticket, sat = ticket_of(player_at(table, 0)), TableEvent.objects.get(table=table, seq=1)
    known = command("sit", id=sat.command_id)
    stale = move(Draw(), table.version - 1)
    wanted = {known: "", stale: "stale", command("ready"): "not_between_hands"}
    for order, code in wanted.items():
        assert command_execute(table_id=table.pk, ticket=ticket, command=order).code == code
    close_account(ticket)
    for order in wanted:
        answer = command_execute(table_id=table.pk, ticket=ticket, command=order)
        assert (answer.code, answer.snapshot) == ("not_allowed", None)


def test_organizer_whose_account_or_right_is_gone_may_not_start() -> None:
    table = build_table()
    sit_all(table)
    closed, demoted = (Ticket(build_user(is_superuser=True).pk) for _ in range(2))
    close_account(closed)
    User.objects.filter(pk=demoted.user_id).update(is_superuser=False)
    for ticket, code in ((closed, "not_allowed"), (demoted, "not_seated")):
        answer = command_execute(table_id=table.pk, ticket=ticket, command=command("start"))
        assert answer.code == code


def test_revoked_token_may_not_act_any_more() -> None:
    table = build_table()
    ticket = ticket_of(player_at(table, 0))
    token = Token.objects.create(user_id=ticket.user_id)
    ticket = replace(ticket, token=token.key)
    answer = command_execute(table_id=table.pk, ticket=ticket, command=command("sit"))
    assert answer.version == 1
    token.delete()
    order = command("contribute", contribution="ab")
    answer = command_execute(table_id=table.pk, ticket=ticket, command=order)
    assert answer.code == "not_allowed"


@pytest.mark.parametrize("ending", ["log_out", "new_password"])
def test_ended_session_may_not_act_any_more(client: Client, ending: str) -> None:
    table = build_table()
    user = player_at(table, 0).user
    assert user is not None
    client.force_login(user)
    ticket = Ticket(user.pk, session=client.session.session_key or "")
    answer = command_execute(table_id=table.pk, ticket=ticket, command=command("sit"))
    assert answer.version == 1
    if ending == "log_out":
        client.logout()
    else:
        user.set_password("another-üzüm-28")
        user.save()
    order = command("contribute", contribution="ab")
    answer = command_execute(table_id=table.pk, ticket=ticket, command=order)
    assert answer.code == "not_allowed"


def test_another_account_s_token_opens_nothing() -> None:
    table = build_table()
    token = Token.objects.create(user_id=ticket_of(player_at(table, 1)).user_id)
    ticket = replace(ticket_of(player_at(table, 0)), token=token.key)
    answer = command_execute(table_id=table.pk, ticket=ticket, command=command("sit"))
    assert answer.code == "not_allowed"


def test_only_the_manager_starts() -> None:
    table = build_table()
    sit_all(table)
    assert send(table, 1, command("start")).code == "not_manager"
    assert send(table, 0, command("start")).version == 5


def test_organizer_may_start_without_a_seat() -> None:
    table = build_table()
    sit_all(table)
    organizer = build_user()
    club = fixture_of(table).round.stage.tournament.season.club
    membership_create(club=club, player=organizer.player, role=Role.ORGANIZER)
    order = command("start")
    ticket = Ticket(organizer.pk)
    answer = command_execute(table_id=table.pk, ticket=ticket, command=order)
    assert answer.version == 5
    assert command_execute(table_id=table.pk, ticket=ticket, command=order) == answer


def test_superuser_without_a_player_may_start() -> None:
    table = build_table()
    sit_all(table)
    admin = build_user(is_superuser=True)
    order = command("start")
    answer = command_execute(table_id=table.pk, ticket=Ticket(admin.pk), command=order)
    assert answer.version == 5


# --- what is refused when


def test_order_of_the_table_s_life() -> None:
    table = build_table()
    assert send(table, 0, command("contribute", contribution="ab")).code == "not_sat"
    assert send(table, 0, command("ready")).code == "not_started"
    assert send(table, 0, command("sit")).version == 1
    assert send(table, 0, command("sit")).code == "already_sat"
    assert send(table, 0, command("start")).code == "not_all_seated"
    assert send(table, 0, command("contribute", contribution="ab")).version == 2
    for seat in (1, 2, 3):
        send(table, seat, command("sit"))
    assert send(table, 0, command("start")).version == 6
    assert send(table, 0, command("start")).code == "already_started"
    assert send(table, 0, command("contribute", contribution="cd")).code == "already_started"
    assert send(table, 0, command("ready")).code == "not_between_hands"


def test_unknown_table() -> None:
    answer = command_execute(table_id=2**62, ticket=Ticket(build_user().pk), command=command("sit"))
    assert answer.code == "no_such_table"


def test_engine_s_refusals_keep_their_codes() -> None:
    table = build_table()
    start(table)
    state = state_of(table)
    assert state.turn is not None
    for action, code in (
        (Pass(), "must_play"),
        (Draw(), "must_play"),
        (other_action(state), "tile_not_in_rack"),
    ):
        assert send(table, state.turn, move(action, table.version)).code == code
    assert events(table) == table.version


def test_nothing_is_taken_after_the_end() -> None:
    table = build_table()
    start(table)
    play_out(table)
    table.refresh_from_db()
    for order in (command("sit"), command("start"), command("ready"), move(Pass(), table.version)):
        assert send(table, 0, order).code == "match_over"


def test_contributions_enter_the_shuffle() -> None:
    table = build_table()
    for seat in range(4):
        send(table, seat, command("sit"))
    send(table, 2, command("contribute", contribution="beef"))
    send(table, 0, command("start"))
    play_out(table)
    table.refresh_from_db()
    record = record_of_table(table)
    assert record["proof"]["contributions"] == ["", "", "beef", ""]


def test_everybody_ready_deals_the_next_hand() -> None:
    table = build_table()
    start(table)
    play_until(table, lambda state: state.phase == Phase.DEAL)
    for seat in (2, 0, 3):
        assert send(table, seat, command("ready")).version is not None
        assert state_of(table).phase == Phase.DEAL
    assert send(table, 2, command("ready")).code == "already_ready"
    assert send(table, 1, command("ready")).version is not None
    state = state_of(table)
    assert (state.phase, state.hand_number) == (Phase.PLAY, 1)
    assert not table.seats.filter(ready=True).exists()


def test_can_names_exactly_what_the_writer_takes() -> None:
    table = build_table()
    orders = {
        "sit": command("sit"),
        "contribute": command("contribute", contribution="0a"),
        "start": command("start"),
        "ready": command("ready"),
    }
    seen = set()
    for step in range(400):
        table.refresh_from_db()
        if table.status == TableStatus.FINISHED:
            break
        for seat in range(4):
            can = set(view_at(table, seat)["table"]["can"])
            seen |= can
            _check_refusals(table, seat, can, orders)
        _step(table, step)
    assert seen >= {"sit", "contribute", "start", "ready", "play", "draw", "pass"}


def _check_refusals(table: Table, seat: int, can: set[str], orders: dict[str, Any]) -> None:
    for do in set(orders) - can:
        order = command(do, contribution=orders[do].contribution)
        assert send(table, seat, order).code, (seat, do)


def _step(table: Table, step: int) -> None:
    """The next thing that somebody can do, in seat order."""
    if table.status == TableStatus.PLAYING:
        assert play_one(table).version is not None
        return
    for seat in range(4):
        can = view_at(table, seat)["table"]["can"]
        for do in ("sit", "start"):
            if do in can:
                assert send(table, seat, command(do)).version is not None
                return
    raise AssertionError(f"nobody can do anything at step {step}")


# --- the end of the match


def _last_move(table: Table) -> tuple[int, Any]:
    """Play until one move is left, and return whose and which."""
    for _step_number in range(1000):
        state = state_of(table)
        if state.phase == Phase.PLAY and state.hand_number == 2 and state.turn is not None:
            for action in legal_actions(state):
                if apply(state, action).state.phase == Phase.OVER:
                    return state.turn, action
        play_one(table)
    raise AssertionError("the match has no last move")


@together
def test_failure_in_the_settlement_takes_the_last_move_back() -> None:
    table = build_table()
    start(table)
    seat, action = _last_move(table)
    table.refresh_from_db()
    before = table.version
    order = move(action, before)
    # stints that are gone: a state that the settlement refuses
    stint = table.match.stints.get(seat=3)
    stint.delete()
    with pytest.raises(DomainError):
        send(table, seat, order)
    table.refresh_from_db()
    assert table.version == before
    assert events(table) == before
    assert not Result.objects.exists()
    assert not Posting.objects.exists()
    stint.save(force_insert=True)
    assert send(table, seat, order).version == before + 1
    assert Result.objects.count() == 1


@together
def test_last_move_sent_twice_at_once_is_posted_once() -> None:
    table = build_table()
    start(table)
    seat, action = _last_move(table)
    table.refresh_from_db()
    order = move(action, table.version)
    answers = at_once.together(*[lambda: send(table, seat, order)] * 2)
    assert answers[0] == answers[1]
    assert Posting.objects.count() == 4


@together
def test_late_move_against_the_time_out_only_one_wins() -> None:
    """cases.md B10 too: after either the turn has gone on, in one transaction."""
    for _round in range(5):
        _race_with_the_clock()


def _race_with_the_clock() -> None:
    table = build_table()
    start(table)
    come(table)
    Table.objects.filter(pk=table.pk).update(deadline_at=timezone.now())
    state, version = state_of(table), table.version
    assert state.turn is not None
    seat, order = state.turn, move(legal_actions(state)[-1], version)
    answer, timed = at_once.together(
        lambda: send(table, seat, order),
        lambda: table_timeout(table_id=table.pk, version=version),
    )
    assert isinstance(answer, Answer)
    assert (answer.code == "") is not timed
    assert events(table) == version + 1
    assert state_of(table).turn != seat


def test_time_out_of_another_version_does_nothing() -> None:
    table = build_table()
    start(table)
    Table.objects.filter(pk=table.pk).update(deadline_at=timezone.now())
    assert not table_timeout(table_id=table.pk, version=table.version - 1)
    assert table_timeout(table_id=table.pk, version=table.version)
    assert not table_timeout(table_id=table.pk, version=table.version + 1)


def test_time_out_plays_the_heaviest_tile_that_fits() -> None:
    table = build_table()
    start(table)
    come(table)
    state = state_of(table)
    plays = [each for each in legal_actions(state) if isinstance(each, Play)]
    expected = apply(state, max(plays, key=lambda play: play.tile.pips))
    Table.objects.filter(pk=table.pk).update(deadline_at=timezone.now())
    assert table_timeout(table_id=table.pk, version=table.version)
    assert state_of(table) == expected.state
    payload = TableEvent.objects.get(table=table, seq=table.version).payload
    assert payload["auto"] is True


def test_secret_is_not_in_events_or_snapshots() -> None:
    table = build_table(secret=bytes(range(100, 132)))
    start(table)
    play_out(table)
    table.refresh_from_db()
    secret = bytes(table.secret).hex()
    assert secret not in str(table.snapshot)
    for payload in TableEvent.objects.filter(table=table).values_list("payload", flat=True):
        assert secret not in str(payload)


def test_what_is_passed_around_shows_no_tile_in_its_repr(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A repr may reach a log: of the change, of the scene, of the command and of its answer."""
    table = build_table()
    start(table)
    shown: list[object] = []
    monkeypatch.setattr(broadcast, "publish", shown.append)
    monkeypatch.setitem(services.HANDLERS, Do.PLAY, _keeping(shown, services.HANDLERS[Do.PLAY]))
    state = state_of(table)
    assert state.turn is not None
    order = move(legal_actions(state)[0], table.version)
    stale = send(table, state.turn, replace(order, id=uuid4(), v=order.v and order.v - 1))
    with TestCase.captureOnCommitCallbacks(execute=True):
        assert send(table, state.turn, order).version is not None
    assert [type(each).__name__ for each in shown] == ["Scene", "Change"]
    assert stale.snapshot is not None
    for each in (*shown, order, stale):
        assert not re.search(r"(?<![\w-])[0-6]-[0-6](?![\w-])|Tile|Dealt|rack", repr(each)), repr(
            each
        )


def _keeping(shown: list[object], handler: Callable[[Scene], None]) -> Any:
    def handle(scene: Scene) -> None:
        handler(scene)
        shown.append(scene)

    return handle


def test_failure_to_publish_is_no_failure_of_the_command(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_change: object) -> None:
        raise RuntimeError("no thread can be started")

    monkeypatch.setattr(broadcast, "publish", fail)
    table = build_table()
    with TestCase.captureOnCommitCallbacks(execute=True):
        assert send(table, 0, command("sit")).version == 1
    assert "no thread can be started" in caplog.text


def test_events_of_an_unknown_format_are_refused() -> None:
    table = build_table()
    start(table)
    assert events_of_table(table)
    event = TableEvent.objects.get(table=table, seq=table.version)
    for number in (2, None):
        event.payload = {**event.payload, "format": number}
        event.save()
        with pytest.raises(DomainError) as refused:
            events_of_table(table)
        assert refused.value.code == "unknown_format"


def test_ids_are_kept_apart_by_table() -> None:
    shared = uuid4()
    first, second = build_table(), build_table()
    assert send(first, 0, command("sit", id=shared)).version == 1
    assert send(second, 0, command("sit", id=shared)).version == 1


@together
def test_a_move_is_five_queries() -> None:
    """The lock, the seats, the known id, the event and the table: nothing grows with the match.

    Over a socket one more: the token or the session.
    """
    table = build_table()
    start(table)
    state, player = state_of(table), player_at(table, state_of(table).turn or 0)
    ticket = ticket_of(player)
    order = move(legal_actions(state)[0], table.version)
    with CaptureQueriesContext(connection) as captured:
        answer = command_execute(table_id=table.pk, ticket=ticket, command=order)
    assert answer.version is not None
    statements = [query["sql"].split(" ", 1)[0] for query in captured]
    assert statements == ["BEGIN", "SELECT", "SELECT", "SELECT", "INSERT", "UPDATE", "COMMIT"]
