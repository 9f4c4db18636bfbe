"""The only writer of bans: placing and lifting them, each in one transaction.

Both hold the player's row locked, as does whoever lets the player sit down: a ban is either there
before the seat is asked for, or comes after it.
"""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.accounts.models import Player, User
from league.conduct.models import Ban, Scope
from league.conduct.policy import EVERYWHERE, Reach
from league.conduct.signals import ban_placed
from league.shared.errors import DomainError

REASON_LENGTH, EVIDENCE_LENGTH = 500, 5000


@transaction.atomic
def ban_place(
    *,
    player: Player,
    scope: Scope | Reach,
    scope_id: int | None = None,
    reason: str,
    evidence: str = "",
    starts_at: datetime | None = None,
    ends_at: datetime | None = None,
    placed_by: User | None,
) -> Ban:
    """Ban a player from now or `starts_at` on, until `ends_at` or until the ban is lifted.

    Once it is committed `ban_placed` is sent. Raises DomainError scope_id, reason, evidence,
    ends_at.
    """
    now = timezone.now()
    ban = Ban(
        player=_locked(player.pk),
        scope=scope.value,
        scope_id=scope_id,
        reason=reason.strip(),
        evidence=evidence,
        starts_at=starts_at or now,
        ends_at=ends_at,
        placed_by=placed_by,
        placed_at=now,
    )
    ban_check(ban)
    ban.save(force_insert=True)
    transaction.on_commit(lambda: ban_placed.send_robust(sender=Ban, ban=ban))
    return ban


def ban_check(ban: Ban) -> None:
    """Refuse a ban that cannot be. Raises DomainError with the field's name as its code."""
    if (ban.scope in EVERYWHERE) != (ban.scope_id is None):
        raise DomainError("scope_id", _("Name the club, season or tournament, and only that."))
    _check_reason(ban.reason)
    if len(ban.evidence) > EVIDENCE_LENGTH or "\0" in ban.evidence:
        raise DomainError("evidence", _("The evidence has at most 5000 letters."))
    if ban.ends_at is not None and ban.ends_at <= ban.starts_at:
        raise DomainError("ends_at", _("A ban ends after it starts."))


@transaction.atomic
def ban_lift(*, ban: Ban, reason: str, lifted_by: User) -> Ban:
    """Lift a ban now; whether it has ended by itself does not matter.

    Raises DomainError reason, ban_lifted.
    """
    reason = reason.strip()
    _check_reason(reason)
    _locked(ban.player_id)
    locked = Ban.objects.select_for_update(no_key=True).get(pk=ban.pk)
    if locked.lifted_at is not None:
        raise DomainError("ban_lifted", _("This ban was lifted already."))
    locked.lifted_at, locked.lifted_by, locked.lift_reason = timezone.now(), lifted_by, reason
    locked.save(update_fields=["lifted_at", "lifted_by", "lift_reason"])
    return locked


def _check_reason(reason: str) -> None:
    if not reason.strip() or len(reason) > REASON_LENGTH or "\0" in reason:
        raise DomainError("reason", _("Give a reason of at most 500 letters."))


def _locked(player_id: int) -> Player:
    return Player.objects.select_for_update(no_key=True).get(pk=player_id)
