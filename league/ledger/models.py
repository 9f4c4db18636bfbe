"""The points ledger: one account a player, append-only postings chained by hash.

UPDATE and DELETE of postings are refused by triggers, TRUNCATE by the application's role
(league.ledger.roles).
"""

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.accounts.models import Player
from league.ledger import chain, policy
from league.results.models import Result, Stint
from league.seasons.models import Season
from league.tournaments.models import Tournament

REASON_LENGTH = 200


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
    balance = models.IntegerField(default=0)
    count = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64, default=chain.START)

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
    reason = models.CharField(max_length=REASON_LENGTH, blank=True, default="")

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

    @property
    def balance(self) -> int:
        """The account's balance after it; the one before is kept, so no sum is made."""
        return self.career_before + self.points

    def tournament(self) -> Tournament | None:
        """Return the tournament whose match this is for."""
        stint = self.stint
        match = self.result.match if self.result else stint.match if stint else None
        fixture = None if match is None else match.fixture
        return fixture.round.stage.tournament if fixture else None

    def facts(self) -> chain.Facts:
        """Return what the hash covers. Reads the account: select it along."""
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
        )
