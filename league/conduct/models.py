"""Bans: who may not play where, from when until when, and why."""

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.accounts.models import Player, User
from league.conduct.policy import EVERYWHERE, Reach

_STANDS = [
    "player",
    "scope",
    "scope_id",
    "reason",
    "evidence",
    "starts_at",
    "ends_at",
    "placed_by",
    "placed_at",
]
_EVERYWHERE = sorted(EVERYWHERE)
_NOT_LIFTED = models.Q(lifted_at__isnull=True, lifted_by__isnull=True, lift_reason="")
_LIFTED = models.Q(lifted_at__isnull=False, lifted_by__isnull=False) & ~models.Q(lift_reason="")


class Scope(models.TextChoices):
    """`Reach` with its words."""

    SITE = Reach.SITE.value, _("everywhere")
    CLUB = Reach.CLUB.value, _("club")
    SEASON = Reach.SEASON.value, _("season")
    TOURNAMENT = Reach.TOURNAMENT.value, _("tournament")
    CHAT = Reach.CHAT.value, _("chat")


class Ban(models.Model):
    """A ban as it was placed; it is never changed or removed, only lifted, once.

    In force from `starts_at` on and before `ends_at`; without that until lifted. `scope_id` is the
    id of the club, season or tournament. `placed_by` empty: placed by the house's own rule.
    """

    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="bans", verbose_name=_("player")
    )
    scope = models.CharField(_("banned from"), max_length=10, choices=Scope.choices)
    scope_id = models.BigIntegerField(
        _("which one"),
        null=True,
        blank=True,
        help_text=_("The number of the club, season or tournament."),
    )
    reason = models.CharField(_("reason"), max_length=500)
    evidence = models.TextField(_("evidence"), blank=True, default="", max_length=5000)
    starts_at = models.DateTimeField(_("from"))
    ends_at = models.DateTimeField(_("until"), null=True, blank=True)
    placed_by = models.ForeignKey(
        User,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("placed by"),
    )
    placed_at = models.DateTimeField(_("placed at"))
    lifted_at = models.DateTimeField(_("lifted at"), null=True, blank=True)
    lifted_by = models.ForeignKey(
        User,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("lifted by"),
    )
    lift_reason = models.CharField(_("why lifted"), max_length=500, blank=True, default="")

    class Meta:
        verbose_name = _("ban")
        verbose_name_plural = _("bans")
        ordering = ["-placed_at", "-pk"]
        indexes = [models.Index(fields=["player", "scope"], name="ban_by_player")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(scope__in=Scope.values), name="ban_scope_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(scope__in=_EVERYWHERE, scope_id__isnull=True)
                | (~models.Q(scope__in=_EVERYWHERE) & models.Q(scope_id__isnull=False)),
                name="ban_names_what_it_is_from",
            ),
            models.CheckConstraint(condition=~models.Q(reason=""), name="ban_has_a_reason"),
            models.CheckConstraint(
                condition=models.Q(ends_at__isnull=True)
                | models.Q(ends_at__gt=models.F("starts_at")),
                name="ban_ends_after_it_starts",
            ),
            models.CheckConstraint(condition=_NOT_LIFTED | _LIFTED, name="ban_lifted_whole"),
        ]
        triggers = [
            pgtrigger.ReadOnly(name="ban_stands", fields=_STANDS),
            pgtrigger.Protect(
                name="lifted_stays",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__lifted_at__isnull=False),
            ),
            pgtrigger.Protect(name="never_removed", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.player} · {self.get_scope_display()}"
