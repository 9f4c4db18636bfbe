"""People: who logs in (`User`) and who sits at tables (`Player`)."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _

from league.shared.folding import search_key, sort_key


class User(AbstractUser):
    """An account that logs in by user name. `language` empty: what the browser asks for."""

    language = models.CharField(
        _("language"), max_length=7, blank=True, default="", choices=settings.LANGUAGES
    )


class Player(models.Model):
    """A person who plays. Exists without a user until somebody claims it.

    `search_key` and `sort_key` follow `name` (league.shared.folding), written on each save.
    """

    user = models.OneToOneField(
        User, null=True, blank=True, on_delete=models.SET_NULL, related_name="player"
    )
    name = models.CharField(_("name"), max_length=80)
    search_key = models.CharField(max_length=200, editable=False, db_index=True)
    sort_key = models.CharField(max_length=200, editable=False, db_index=True, db_collation="C")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["sort_key", "pk"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="player_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.search_key = search_key(self.name)[:200]
        self.sort_key = sort_key(self.name)[:200]
        super().save(*args, **kwargs)
