"""The statements of a move, written by hand: one that reads, one that writes. No connection here.

Moves are what tables live on, so they are spared what the ORM needs to build a query: the texts are
made once, of the models' own columns, and PostgreSQL prepares them. Rows become the same models
that every other command works on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.sessions.models import Session
from django.db.models import Field, JSONField, Model
from psycopg.types.json import Jsonb
from rest_framework.authtoken.models import Token

from league.accounts.models import Player, User
from league.results.models import Match
from tables.models import Table, TableEvent, TableSeat
from tables.scene import Scene

Row = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Part:
    """Some columns of a model's row in the model's order, all unless named, under an alias."""

    model: type[Model]
    alias: str
    names: tuple[str, ...]

    @classmethod
    def of(cls, model: type[Model], alias: str, *names: str) -> "Part":
        known = [field.attname for field in model._meta.concrete_fields]
        return cls(model, alias, tuple(name for name in known if not names or name in names))

    @property
    def columns(self) -> str:
        """The columns as a query names them."""
        return ", ".join(f'{self.alias}."{field.column}"' for field in self._fields())

    @property
    def first(self) -> str:
        """The same where a row is repeated for each seat: what is long comes with the first."""
        return ", ".join(map(self._once, self._fields()))

    def _fields(self) -> list["Field[Any, Any]"]:
        fields = self.model._meta.concrete_fields
        return [field for field in fields if field.attname in self.names]

    def _once(self, field: "Field[Any, Any]") -> str:
        column = f'{self.alias}."{field.column}"'
        long = isinstance(field, JSONField)
        return f"CASE WHEN s.seat = 0 THEN {column} END" if long else column

    def make(self, values: Row) -> Any:
        """Return the model of these values; what was not read is deferred."""
        return self.model.from_db("default", self.names, values)


_TABLE, _MATCH = Part.of(Table, "t"), Part.of(Match, "m")
_SEAT = Part.of(TableSeat, "s")
_PLAYER = Part.of(Player, "p", "id", "name", "user_id")
_USER = Part.of(User, "u", "id", "password", "is_active")


def _named(model: type[Model]) -> str:
    return f'"{model._meta.db_table}"'


READ_TABLE = f"""
SELECT {_SEAT.columns}, {_PLAYER.columns}, {_USER.columns}, {_TABLE.first}, {_MATCH.first},
    EXISTS (SELECT FROM {_named(TableEvent)} WHERE table_id = %(table)s AND command_id = %(id)s),
    EXISTS (SELECT FROM {_named(Token)} WHERE key = %(token)s AND user_id = %(user)s),
    (SELECT session_data FROM {_named(Session)}
     WHERE session_key = %(session)s AND expire_date > statement_timestamp())
FROM {_named(Table)} t
JOIN {_named(Match)} m ON m.id = t.match_id
JOIN {_named(TableSeat)} s ON s.table_id = t.id
LEFT JOIN {_named(Player)} p ON p.id = s.player_id
LEFT JOIN {_named(User)} u ON u.id = p.user_id
WHERE t.id = %(table)s ORDER BY s.seat
"""
"""A row for each seat, all of one instant. It locks nothing: what is written for a version is
written only while that version stands, and whatever changes what a move relies on raises it – but
for the deadline, which an outage moves alone, and which is compared as well."""

WRITE_MOVE = f"""
WITH moved AS (
    UPDATE {_named(Table)} SET version = %(version)s, snapshot = %(snapshot)s,
        deadline_at = %(deadline_at)s, turn_left_ms = %(turn_left_ms)s
    WHERE id = %(table)s AND version = %(version)s - 1
        AND deadline_at IS NOT DISTINCT FROM %(deadline_before)s
    RETURNING id
), spent AS (
    UPDATE {_named(TableSeat)} s SET bank_ms = %(bank_ms)s, auto_moves = %(auto_moves)s
    FROM moved WHERE s.table_id = moved.id AND s.seat = %(seat)s
        AND (bank_ms, auto_moves) IS DISTINCT FROM (%(bank_ms)s, %(auto_moves)s)
)
INSERT INTO {_named(TableEvent)} (table_id, seq, command_id, seat, payload, undone, created_at)
SELECT id, %(version)s, %(id)s, %(seat)s, %(payload)s, false, statement_timestamp() FROM moved
"""
"""All or nothing: it adds one row, or none where the table is not as it was read any more. An
outage moves deadlines without a new version, so the deadline has to be the same too."""


def table_of(row: Row) -> Table:
    """Return the table of the first row of `READ_TABLE`, with its match."""
    start = len(_SEAT.names) + len(_PLAYER.names) + len(_USER.names)
    middle = start + len(_TABLE.names)
    table: Table = _TABLE.make(row[start:middle])
    table.match = _MATCH.make(row[middle:-3])
    return table


@dataclass(frozen=True, slots=True)
class Asked:
    """What `READ_TABLE` says beside the table: whether the command is known, and of the login."""

    known: bool
    token: bool
    session: str | None


def seats_of(rows: Sequence[Row]) -> list[TableSeat]:
    """Return the seats of `READ_TABLE` in order, with their players and users."""
    return [_seat_of(row) for row in rows]


def asked_of(row: Row) -> Asked:
    """Return what any row of `READ_TABLE` says beside its table and seat."""
    return Asked(*row[-3:])


def _seat_of(row: Row) -> TableSeat:
    split, end = len(_SEAT.names), len(_SEAT.names) + len(_PLAYER.names)
    seat: TableSeat = _SEAT.make(row[:split])
    account = row[end : end + len(_USER.names)]
    seat.player = None if row[split] is None else _player_of(row[split:end], account)
    return seat


def _player_of(values: Row, account: Row) -> Player:
    player: Player = _PLAYER.make(values)
    player.user = None if account[0] is None else _USER.make(account)
    return player


def written(scene: Scene, before: datetime | None) -> dict[str, Any]:
    """Return the parameters of `WRITE_MOVE`; `before` is the deadline that was read."""
    table, seat = scene.table, scene.own_seat
    return {
        "table": table.pk,
        "version": table.version,
        "id": scene.command_id,
        "seat": seat.seat,
        "payload": Jsonb(scene.payload()),
        "bank_ms": seat.bank_ms,
        "auto_moves": seat.auto_moves,
        "snapshot": Jsonb(table.snapshot),
        "deadline_at": table.deadline_at,
        "deadline_before": before,
        "turn_left_ms": table.turn_left_ms,
    }
