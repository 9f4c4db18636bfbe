"""Who may look at a table that shows itself only to who was given its link.

A browser that came by the link keeps that in its session, so page, socket and API agree. Who holds
a seat, and everybody once the match is over, needs no link.
"""

from django.contrib.sessions.backends.base import SessionBase

from tables import selectors
from tables.models import Table

_KEY = "tables_by_link"
_MOST = 50


def came_by_link(session: SessionBase, table: Table) -> None:
    """Remember that this browser was given the table's link."""
    known = [pk for pk in session.get(_KEY, []) if pk != table.pk]
    session[_KEY] = [*known, table.pk][-_MOST:]


def may_look(table_id: int, player_id: int | None, session: SessionBase | None) -> bool:
    """Tell whether a table shows itself to a player, or to a browser."""
    if not selectors.is_by_link(table_id):
        return True
    if player_id is not None and player_id in selectors.holders_of(table_id):
        return True
    return session is not None and table_id in session.get(_KEY, [])
