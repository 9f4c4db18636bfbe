"""What tests do inside a running installation: run there by `manage.py shell`, prints JSON."""

import json
from typing import Any

from rest_framework.authtoken.models import Token

from league.accounts.models import User
from league.accounts.services import user_create
from league.ledger.models import Posting
from tables.models import Table, TableEvent
from tests.factories import PASSWORD, build_club, build_season
from tests.tables.builders import build_table


def tables_json(count: int, *, first: int = 0, **terms: Any) -> str:
    """Open tables and return, for each, its id, and by seat its players' tokens and user names.

    `first` numbers the people: an installation that has tables already needs others.
    """
    return json.dumps([_table_json(first + number, **terms) for number in range(count)])


def _table_json(number: int, **terms: Any) -> dict[str, Any]:
    users = [_user(number, seat) for seat in range(terms.get("seats", 4))]
    season = build_season(build_club(f"Ordu Domino {number}"))
    table = build_table([user.player for user in users], season=season, **terms)
    tokens = [Token.objects.create(user=user).key for user in users]
    return {"id": table.pk, "tokens": tokens, "names": [user.username for user in users]}


def _user(table: int, seat: int) -> User:
    """Only the very first person can log in with a password: hashing one is meant to be slow."""
    password = PASSWORD if table == seat == 0 else None
    return user_create(username=f"oyuncu-{table}-{seat}", password=password)


def outcome_json(tables: list[int]) -> str:
    """Return what the database holds of tables: events by command, states and postings."""
    events = TableEvent.objects.filter(table__in=tables)
    postings = Posting.objects.filter(result__match__table__in=tables)
    return json.dumps(
        {
            "events": {str(event.command_id): [event.table_id, event.seq] for event in events},
            "count": events.count(),
            "status": list(Table.objects.filter(pk__in=tables).values_list("status", flat=True)),
            "postings": list(postings.values_list("result__match__table", "stint__seat")),
        }
    )
