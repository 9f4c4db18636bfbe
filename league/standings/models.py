"""The sums of a season's postings, kept beside them and changed only together with them."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.accounts.models import Player
from league.clubs.models import Club
from league.seasons.models import Season


class Tally(models.Model):
    """What a player was posted in a season while representing a club, or none.

    `played` counts the matches with a current result that posted to the player, zeros too.
    Whoever writes a row holds the player's account locked.
    """

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="tallies")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="tallies")
    club = models.ForeignKey(
        Club, null=True, blank=True, on_delete=models.PROTECT, related_name="tallies"
    )
    points = models.BigIntegerField(default=0)
    played = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("tally")
        verbose_name_plural = _("tallies")
        constraints = [
            models.UniqueConstraint(
                fields=["season", "player", "club"],
                name="one_tally_a_season_player_and_club",
                nulls_distinct=False,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.points:+d}"


class PairTally(models.Model):
    """What two players were posted in a season for matches they began as partners, together.

    `low` is the one with the lower id. Whoever writes a row holds both accounts locked.
    """

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="pair_tallies")
    low = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    high = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    points = models.BigIntegerField(default=0)
    played = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("tally of a pair")
        verbose_name_plural = _("tallies of pairs")
        constraints = [
            models.UniqueConstraint(
                fields=["season", "low", "high"], name="one_tally_a_season_and_pair"
            ),
            models.CheckConstraint(
                condition=models.Q(low__lt=models.F("high")), name="pair_in_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.low_id}, {self.high_id}: {self.points:+d}"
