"""Seasons of a club: the frame in which points are counted."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.clubs.models import Club


class Season(models.Model):
    """A stretch of time whose postings make one table of standings."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="seasons")
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(max_length=80, unique=True)
    starts_on = models.DateField(_("starts on"))
    ends_on = models.DateField(_("ends on"))
    club_best = models.PositiveSmallIntegerField(
        _("best players of a club"),
        null=True,
        blank=True,
        help_text=_("So many of a club's players count in the table of clubs; left empty: all."),
    )

    class Meta:
        ordering = ["-starts_on", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_on__gte=models.F("starts_on")),
                name="season_ends_after_it_starts",
            ),
            models.CheckConstraint(
                condition=models.Q(club_best__gte=1), name="season_counts_somebody"
            ),
        ]

    def __str__(self) -> str:
        return self.name
