"""The only writer of tallies: adds to them what was posted, in the transaction that posts."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Q

from league.ledger.models import Kind, Posting
from league.standings.models import PairTally, Tally

Pair = tuple[int, int]
"""Two players by id, the lower first."""
_Key = tuple[int | None, ...]


@dataclass(slots=True)
class _Change:
    """What postings add to a tally: points, and the results counted or taken back."""

    points: int = 0
    results: set[tuple[int, int]] = field(default_factory=set)

    def add(self, posting: Posting) -> None:
        """Count a posting in."""
        self.points += posting.points
        if posting.result_id is not None:
            sign = -1 if posting.kind == Kind.REVERSAL else 1
            self.results.add((posting.result_id, sign))

    def move(self, tally: Tally | PairTally) -> None:
        """Change a tally by it."""
        tally.points += self.points
        tally.played += sum(sign for _result, sign in self.results)


@transaction.atomic
def tallies_post(*, postings: Iterable[Posting], pairs: Mapping[int, Pair]) -> None:
    """Add postings just made to their season's tallies. `pairs` by stint, of who began as partners.

    The accounts of all players named must be locked, as `postings_create` leaves them.
    """
    alone: dict[_Key, _Change] = defaultdict(_Change)
    paired: dict[_Key, _Change] = defaultdict(_Change)
    for posting in (posting for posting in postings if posting.season_id is not None):
        season, player = posting.season_id, posting.account.player_id
        alone[season, player, posting.club_id].add(posting)
        pair = pairs.get(posting.stint_id or 0)
        if pair is not None:
            paired[season, *pair].add(posting)
    _write(Tally, ("season_id", "player_id", "club_id"), alone)
    _write(PairTally, ("season_id", "low_id", "high_id"), paired)


def _write(
    model: type[Tally] | type[PairTally], names: Sequence[str], changes: Mapping[_Key, _Change]
) -> None:
    """Move the tallies of the keys, whose parts are the columns `names`, making new ones."""
    known = _standing(model, names, changes)
    made = {key: _new(model, names, key) for key in changes if key not in known}
    for key, change in changes.items():
        change.move((known | made)[key])
    manager: Any = model.objects
    manager.bulk_create(made.values())
    manager.bulk_update(known.values(), ["points", "played"])


def _standing(
    model: type[Tally] | type[PairTally], names: Sequence[str], keys: Iterable[_Key]
) -> dict[_Key, Any]:
    named = Q(pk__in=[])
    for key in keys:
        named |= Q(**dict(zip(names, key, strict=True)))
    found: Any = model.objects.filter(named)
    return {tuple(getattr(tally, name) for name in names): tally for tally in found}


def _new(model: type[Tally] | type[PairTally], names: Sequence[str], key: _Key) -> Any:
    return model(**dict(zip(names, key, strict=True)))
