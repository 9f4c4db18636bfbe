"""Who may act at a table beyond the people in its seats (django-rules predicates)."""

from typing import Any

from rules.permissions import add_perm
from rules.predicates import predicate

from league.tournaments.permissions import is_organizer_of
from tables.models import Table


@predicate
def organizes_fixture(user: Any, table: Table | None) -> bool:
    """Tell whether `user` runs the tournament that the table was opened for."""
    fixture = None if table is None else table.match.fixture
    return fixture is not None and bool(is_organizer_of.test(user, fixture))


add_perm("tables.start_table", organizes_fixture)
add_perm("tables.organize_tournament", is_organizer_of)
