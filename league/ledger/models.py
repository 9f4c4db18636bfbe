"""The points ledger: one account a player, append-only postings chained by hash.

UPDATE and DELETE of postings are refused by triggers; TRUNCATE by the application's role.
"""

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.accounts.models import Player
from league.results.models import Result, Stint
from league.seasons.models import Season


class Kind(models.TextChoices):
    """Why points were posted (design.md, The ledger)."""

    PLACEMENT = "placement", _("placement")
    SUBSTITUTE = "substitute", _("substitute")
    LEAVER = "leaver", _("left a match")
    DROPPED = "dropped", _("dropped")
    WALKOVER = "walkover", _("walkover")
    AWARD = "award", _("award")
    ADJUSTMENT = "adjustment", _("adjustment")
    REVERSAL = "reversal", _("reversal")


class Account(models.Model):
    """A player's account. `balance` is the sum of its postings, `head` the hash of the newest,
    `count` their number; all three change only together with a new posting, under a row lock.
    """

    player = models.OneToOneField(Player, on_delete=models.PROTECT, related_name="account")
    balance = models.IntegerField(default=0)
    count = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64, default="0" * 64)

    def __str__(self) -> str:
        return f"{self.player}: {self.balance}"


class Posting(models.Model):
    """One change of an account, for one cause, for ever.

    `key` is the cause (unique); `number` counts within the account from 1; `career_before` is the
    balance read under the lock; `hash` covers the facts and the previous posting's hash; `reason`
    is free text and stands outside it, so that it can be blanked by law.
    """

    account = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="postings")
    number = models.PositiveIntegerField()
    season = models.ForeignKey(
        Season, null=True, blank=True, on_delete=models.PROTECT, related_name="postings"
    )
    result = models.ForeignKey(
        Result, null=True, blank=True, on_delete=models.PROTECT, related_name="postings"
    )
    stint = models.ForeignKey(
        Stint, null=True, blank=True, on_delete=models.PROTECT, related_name="postings"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    points = models.IntegerField()
    key = models.CharField(max_length=120, unique=True)
    career_before = models.IntegerField()
    posted_at = models.DateTimeField()
    previous = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)
    reason = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        ordering = ["account", "number"]
        constraints = [
            models.UniqueConstraint(fields=["account", "number"], name="posting_number_once"),
            models.CheckConstraint(
                condition=models.Q(kind__in=Kind.values), name="posting_kind_is_known"
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.account.player} {self.points:+d} {self.kind}"
