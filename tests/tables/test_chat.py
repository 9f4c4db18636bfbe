"""What is said at a table: who may, how much, and that it stays text and changes no match."""

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import TestCase
from django.utils import timezone

from league.accounts.models import User
from league.clubs.models import Role
from league.clubs.services import membership_create
from tables import broadcast, chat
from tables.answers import Answer
from tables.models import Phrase, Saying, Table
from tables.protocol import Do, FrameError, parse
from tables.services import command_execute
from tables.tickets import Ticket
from tests.factories import build_user
from tests.tables.builders import build_table, command, fixture_of, player_at, send

pytestmark = pytest.mark.django_db


def say(table: Table, seat: int, text: str = "Salam", **more: Any) -> Answer:
    """Let a seat say something."""
    return send(table, seat, command(Do.SAY, text=text, **more))


def by(table: Table, user: User | None) -> Answer:
    """Let somebody without a seat speak."""
    ticket = None if user is None else Ticket(user.pk)
    return command_execute(table_id=table.pk, ticket=ticket, command=command(Do.SAY, text="Salam"))


def organizer_of(table: Table) -> User:
    """Somebody who runs the table's tournament."""
    user = build_user()
    club = fixture_of(table).round.stage.tournament.season.club
    membership_create(club=club, player=user.player, role=Role.ORGANIZER)
    return user


def test_a_saying_is_kept_and_raises_no_version() -> None:
    table = build_table()
    answer = say(table, 2)
    table.refresh_from_db()
    assert (answer.version, table.version, answer.code) == (0, 0, "")
    (said,) = chat.latest(table)
    assert (said["seat"], said["text"]) == (2, "Salam")
    assert said["player"]["id"] == table.seats.get(seat=2).player_id
    assert abs(said["at"] - timezone.now().timestamp() * 1000) < 60_000


def test_the_same_id_is_the_same_saying() -> None:
    table, id = build_table(), uuid4()
    assert say(table, 0, id=id) == say(table, 0, id=id)
    assert Saying.objects.count() == 1
    assert say(table, 1, id=id).code == "duplicate_id"


def test_players_and_organizers_speak_and_spectators_read() -> None:
    table = build_table()
    assert by(table, build_user()).code == "not_seated"
    assert by(table, None).code == "not_seated"
    assert by(table, organizer_of(table)).code == ""
    assert [said["seat"] for said in chat.latest(table)] == [None]


def test_who_has_no_player_has_no_name_to_speak_under() -> None:
    admin = build_user(is_superuser=True)
    admin.player.delete()
    assert by(build_table(), admin).code == "no_player"


def test_where_the_chat_is_off_nobody_speaks_and_nothing_is_shown() -> None:
    table = build_table()
    say(table, 0)
    Table.objects.filter(pk=table.pk).update(chat=False)
    table.refresh_from_db()
    assert say(table, 0).code == "chat_off"
    assert chat.latest(table) == []


def test_five_at_once_and_one_in_three_seconds_for_a_person_wherever() -> None:
    table = build_table()
    assert [say(table, 0).code for _ in range(6)] == [""] * 5 + ["too_much_said"]
    assert say(table, 1).code == ""
    earlier = timezone.now() - timedelta(seconds=3.1)
    Saying.objects.filter(player=table.seats.get(seat=0).player).update(said_at=earlier)
    assert [say(table, 0).code for _ in range(2)] == ["", "too_much_said"]


def test_phrases_are_those_there_are() -> None:
    table = build_table()
    assert send(table, 0, command(Do.SAY, phrase=Phrase.GOOD_LUCK.value)).code == ""
    assert send(table, 0, command(Do.SAY, phrase="you_are_a_cheat")).code == "no_such_phrase"
    assert [said.get("phrase") for said in chat.latest(table)] == ["good_luck"]
    assert list(chat.phrase_words()) == Phrase.values


@pytest.mark.parametrize(
    "given",
    ['"text":""', '"text":"  "', '"text":7', f'"text":"{"a" * 201}"', '"text":"a","phrase":"b"'],
)
def test_what_is_no_saying_is_no_command(given: str) -> None:
    with pytest.raises(FrameError):
        parse(f'{{"id":"{uuid4()}","do":"say",{given}}}')


def test_text_is_text() -> None:
    table = build_table()
    say(table, 0, "<script>alert(1)</script> & “əğı”")
    assert chat.latest(table)[0]["text"] == "<script>alert(1)</script> & “əğı”"


def test_the_latest_fifty_are_shown_in_order() -> None:
    table = build_table()
    player = table.seats.get(seat=0).player
    now = timezone.now()
    Saying.objects.bulk_create(
        Saying(table=table, player=player, seat=0, command_id=uuid4(), text=str(n), said_at=now)
        for n in range(chat.LATEST + 5)
    )
    assert [said["text"] for said in chat.latest(table)] == [str(n) for n in range(5, 55)]


def test_what_is_said_is_told_to_everybody_after_the_commit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    published: list[broadcast.Said] = []
    monkeypatch.setattr(broadcast, "publish", published.append)
    table = build_table()
    with TestCase.captureOnCommitCallbacks(execute=True):
        say(table, 3)
    message = broadcast.message_of(published[0])
    assert message["type"] == "table.said"
    assert json.loads(message["text"])["say"]["player"]["id"] == player_at(table, 3).pk
