"""How a match ended that was not played to its end: what was decided, and why. Reads only."""

from engine.match import MatchState, Phase
from league.ledger.models import Posting
from league.results.models import Result
from tables.models import OVER, Table, TableEvent
from tables.position import Decision
from tables.protocol import Do, Ruling


def decision_of(table: Table, state: MatchState | None) -> Decision | None:
    """Return the decision that stands for a match, or None where it was played to its end."""
    if table.status not in OVER or (state is not None and state.phase is Phase.OVER):
        return None
    result = Result.objects.filter(match=table.match_id, is_current=True, by_decision=True).first()
    if result is None:
        return None
    return Decision(tuple(result.places), tuple(result.points), _reason(table, result))


def _reason(table: Table, result: Result) -> str:
    """Return what was said at the table, else what was written with the postings."""
    ruled = TableEvent.objects.filter(
        table=table, payload__do=Do.REFEREE, payload__ruling=Ruling.END
    ).first()
    if ruled is not None:
        return str(ruled.payload["reason"])
    reasons = Posting.objects.filter(result=result).exclude(reason="")
    return reasons.values_list("reason", flat=True).first() or ""
