"""What spectators of a delayed table see: the match as it stood some moves ago, until it ends.

A room of the writer: it changes the table it is given and never commits. A move is a placement, a
drawing or a pass; what the latest moves led to, a hand's end or the next deal, is hidden with them.
"""

from django.db.models import QuerySet

from engine.match import MatchState, evolve
from engine.snapshot import dump
from tables import selectors
from tables.models import Table, TableEvent
from tables.position import Shown
from tables.protocol import MOVES, Do
from tables.scene import Scene

_HIDDEN = MOVES | {Do.READY}
NOTHING = Shown(None, None, False, ())
"""What a spectator hears of a move that is not shown yet."""


def let_watch(scene: Scene) -> Shown | None:
    """Move on what spectators see, after a command was written down; return what they hear of it.

    None where they hear what everybody hears: at tables without a delay, and when the match is
    over.
    """
    table = scene.table
    if not table.watch_delay or scene.state is None:
        return None
    if table.is_over:
        table.watched = None
        return None
    events = list(_shown_now(table))
    table.watched = dump(_state_after(table, events))
    table.watched_seq = max([table.watched_seq, *(event.seq for event in events)])
    heard = [event for event in events if event.payload["events"]]
    if heard:
        return _heard(heard)
    return NOTHING if scene.do in _HIDDEN or scene.events else None


def _shown_now(table: Table) -> QuerySet[TableEvent]:
    """Return the commands that are far enough back by now and were not before."""
    done = TableEvent.objects.filter(table=table, undone=False)
    moves = done.filter(payload__do__in=list(MOVES)).order_by("-seq")
    latest = list(moves.values_list("seq", flat=True)[: table.watch_delay])
    shown = done.filter(seq__gt=table.watched_seq).order_by("seq")
    return shown.filter(seq__lt=latest[-1]) if latest else shown


def _state_after(table: Table, events: list[TableEvent]) -> MatchState:
    state = selectors.watched_state(table)
    for event in selectors.events_in(events):
        state = evolve(state, event)
    return state


def _heard(events: list[TableEvent]) -> Shown:
    """Return the newest of the commands, with what the engine said of all of them."""
    newest, said = events[-1], tuple(selectors.events_in(events))
    return Shown(newest.payload["do"], newest.seat, newest.payload["auto"], said)
