"""Clubs and who belongs to them."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.accounts.models import Player


class Club(models.Model):
    """A club that runs seasons."""

    name = models.CharField(_("name"), max_length=80, unique=True)
    slug = models.SlugField(max_length=80, unique=True)
    city = models.CharField(_("city"), max_length=80, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    """What a membership allows."""

    MEMBER = "member", _("member")
    ORGANIZER = "organizer", _("organizer")


class Membership(models.Model):
    """A player's place in a club; one a club and player."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="memberships")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(_("role"), max_length=10, choices=Role.choices, default=Role.MEMBER)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "player"], name="one_membership_a_club"),
            models.CheckConstraint(
                condition=models.Q(role__in=Role.values), name="membership_role_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} @ {self.club}"
