"""The points ledger: one account a player, append-only postings chained by hash.

UPDATE and DELETE of postings are refused by triggers, TRUNCATE by the application's role
(league.ledger.roles).
"""

import pgtrigger
from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import Player
from league.clubs.models import Club
from league.ledger import chain, policy
from league.results.models import Match, Result, Stint
from league.seasons.models import Season
from league.tournaments.models import Tournament

REASON_LENGTH = 200
_STANDS = [
    *("player", "season", "tournament", "club", "points", "reason", "ends_on", "author", "made_at")
]


class Kind(models.TextChoices):
    """Why points were posted (design.md, The ledger)."""

    PLACEMENT = policy.Kind.PLACEMENT.value, _("placement")
    SUBSTITUTE = policy.Kind.SUBSTITUTE.value, _("substitute")
    LEAVER = policy.Kind.LEAVER.value, _("left a match")
    DROPPED = policy.Kind.DROPPED.value, _("dropped")
    WALKOVER = policy.Kind.WALKOVER.value, _("walkover")
    AWARD = policy.Kind.AWARD.value, _("award")
    ADJUSTMENT = policy.Kind.ADJUSTMENT.value, _("adjustment")
    REVERSAL = policy.Kind.REVERSAL.value, _("reversal")


class Account(models.Model):
    """A player's account. `balance` is the sum of its postings, `head` the hash of the newest,
    `count` their number; all three change only together with a new posting, under a row lock.
    """

    player = models.OneToOneField(Player, on_delete=models.PROTECT, related_name="account")
    balance = models.BigIntegerField(default=0)
    count = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64, default=chain.START)

    def __str__(self) -> str:
        return f"{self.player}: {self.balance}"


class Posting(models.Model):
    """One change of an account, for one cause, for ever.

    `key` is the cause (unique); `number` counts within the account from 1; `career_before` is the
    balance read under the lock; `balance_read` what a substitute's account was read at when the
    match was settled; `club` the one the player represented; `actor` who caused it by hand, empty
    where the rules did; `hash` covers the facts and the previous posting's hash in the way of
    `format` (league.ledger.chain); `reason` is free text and stands outside it, so that it can be
    blanked by law.
    """

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="postings")
    number = models.PositiveIntegerField()
    season = models.ForeignKey(
        Season, null=True, blank=True, on_delete=models.PROTECT, related_name="postings"
    )
    tournament = models.ForeignKey(
        Tournament, null=True, blank=True, on_delete=models.PROTECT, related_name="postings"
    )
    match = models.ForeignKey(
        Match, null=True, blank=True, on_delete=models.PROTECT, related_name="postings"
    )
    result = models.ForeignKey(
        Result, null=True, blank=True, on_delete=models.PROTECT, related_name="postings"
    )
    stint = models.ForeignKey(
        Stint, null=True, blank=True, on_delete=models.PROTECT, related_name="postings"
    )
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    club = models.ForeignKey(
        Club, null=True, blank=True, on_delete=models.PROTECT, related_name="postings"
    )
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    points = models.IntegerField()
    key = models.CharField(max_length=120, unique=True)
    career_before = models.BigIntegerField()
    balance_read = models.BigIntegerField(null=True, blank=True)
    format = models.PositiveSmallIntegerField(default=chain.FORMATS[-1])
    posted_at = models.DateTimeField()
    previous = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)
    reason = models.CharField(max_length=REASON_LENGTH, blank=True, default="")

    class Meta:
        ordering = ["account", "number"]
        constraints = [
            models.UniqueConstraint(fields=["account", "number"], name="posting_number_once"),
            models.CheckConstraint(
                condition=models.Q(kind__in=Kind.values), name="posting_kind_is_known"
            ),
        ]
        indexes = [models.Index(fields=["season", "account"], name="posting_by_season")]
        triggers = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.account.player} {self.points:+d} {self.kind}"

    @property
    def balance(self) -> int:
        """The account's balance after it; the one before is kept, so no sum is made."""
        return self.career_before + self.points

    def facts(self) -> chain.Facts:
        """Return what the hash covers. Reads account and result: select them along."""
        return chain.Facts(
            player=self.account.player_id,
            number=self.number,
            kind=self.kind,
            points=self.points,
            key=self.key,
            career_before=self.career_before,
            posted_at=self.posted_at,
            season=self.season_id,
            result=self.result_id,
            stint=self.stint_id,
            tournament=self.tournament_id,
            match=self.match_id,
            seat=self.seat,
            club=self.club_id,
            actor=self.actor_id,
            digest=self.result.digest if self.result else None,
            balance_read=self.balance_read,
            format=self.format,
        )


class Approval(models.TextChoices):
    """An adjustment's life. Only what is POSTED has moved points."""

    PROPOSED = "proposed", _("waits for a second admin")
    POSTED = "posted", _("posted")
    REFUSED = "refused", _("refused")


class Adjustment(models.Model):
    """Points that an admin gives or takes by hand, for a reason; never changed or removed.

    Counts in `season`, and in the table of `tournament` where one is named. Above the limit a
    second admin has to agree. With `ends_on` it is taken back, once, when that day has begun.
    `club` is the one that the player represents in the season.
    """

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="adjustments")
    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="adjustments")
    tournament = models.ForeignKey(
        Tournament, null=True, blank=True, on_delete=models.PROTECT, related_name="adjustments"
    )
    club = models.ForeignKey(
        Club, null=True, blank=True, on_delete=models.PROTECT, related_name="adjustments"
    )
    points = models.IntegerField(_("points"))
    reason = models.CharField(_("reason"), max_length=REASON_LENGTH)
    ends_on = models.DateField(_("until"), null=True, blank=True)
    status = models.CharField(
        _("status"), max_length=10, choices=Approval.choices, default=Approval.PROPOSED
    )
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(_("made at"), default=timezone.now)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)
    posting = models.OneToOneField(
        Posting, null=True, blank=True, on_delete=models.PROTECT, related_name="adjustment"
    )

    class Meta:
        verbose_name = _("adjustment")
        verbose_name_plural = _("adjustments")
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(points=0), name="adjustment_moves_points"),
            models.CheckConstraint(condition=~models.Q(reason=""), name="adjustment_has_a_reason"),
            models.CheckConstraint(
                condition=models.Q(status__in=Approval.values), name="adjustment_status_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(status=Approval.POSTED, posting__isnull=False)
                | (~models.Q(status=Approval.POSTED) & models.Q(posting__isnull=True)),
                name="adjustment_posted_or_not",
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(name="adjustment_stands", fields=_STANDS),
            pgtrigger.Protect(
                name="decided_stays",
                operation=pgtrigger.Update,
                condition=~pgtrigger.Q(old__status=Approval.PROPOSED),
            ),
            pgtrigger.Protect(name="never_removed", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.player} {self.points:+d}"


class Checkpoint(models.Model):
    """All accounts' heads as they stood on a day, published, so that nobody can rewrite the past.

    `digest` covers the one before and each account that moved since (`CheckpointHead`).
    """

    day = models.DateField(_("day"), unique=True)
    made_at = models.DateTimeField(_("made at"))
    accounts = models.PositiveIntegerField(_("accounts"))
    postings = models.PositiveBigIntegerField(_("postings"))
    previous = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("checkpoint")
        verbose_name_plural = _("checkpoints")
        ordering = ["day"]
        triggers = [
            pgtrigger.Protect(
                name="checkpoint_stands", operation=pgtrigger.Update | pgtrigger.Delete
            ),
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.digest[:12]}"


class CheckpointHead(models.Model):
    """An account's count and head at a checkpoint; only of accounts that moved since the last."""

    checkpoint = models.ForeignKey(Checkpoint, on_delete=models.PROTECT, related_name="heads")
    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="checkpoints")
    count = models.PositiveIntegerField()
    head = models.CharField(max_length=64)

    class Meta:
        ordering = ["checkpoint", "account"]
        constraints = [
            models.UniqueConstraint(
                fields=["checkpoint", "account"], name="one_head_a_checkpoint_and_account"
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="head_stands", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.account_id}: {self.count}"
