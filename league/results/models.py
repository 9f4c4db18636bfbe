"""Matches, who sat where in them (stints), and their results with the finished record."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import Player
from league.clubs.models import Club
from league.tournaments.models import Fixture


class MatchStatus(models.TextChoices):
    """A match's life. WAITING: nothing dealt yet. ABANDONED: nobody sat down in an empty seat, the
    organizer decides; VOID: nobody gets anything. FINISHED: a current result stands.
    """

    WAITING = "waiting", _("waiting")
    PLAYING = "playing", _("playing")
    FINISHED = "finished", _("finished")
    ABANDONED = "abandoned", _("abandoned")
    VOID = "void", _("void")


class Match(models.Model):
    """The hands played at one table: a fixture's leg, board or replay. No fixture: friendly.

    Keeps the rule set it is played under, whatever happens to the tournament's.
    """

    fixture = models.ForeignKey(
        Fixture, null=True, blank=True, on_delete=models.PROTECT, related_name="matches"
    )
    number = models.PositiveSmallIntegerField(default=1)
    ruleset = models.JSONField(_("rule set"))
    seats = models.PositiveSmallIntegerField()
    partners = models.BooleanField(default=False)
    stake = models.PositiveSmallIntegerField()
    status = models.CharField(
        max_length=10, choices=MatchStatus.choices, default=MatchStatus.WAITING
    )
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = _("matches")
        constraints = [
            models.UniqueConstraint(fields=["fixture", "number"], name="match_number_once"),
            models.CheckConstraint(
                condition=models.Q(status__in=MatchStatus.values), name="match_status_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(seats__range=(2, 4)), name="match_has_2_to_4_seats"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.fixture or _('friendly match')} · {self.number}"


class How(models.TextChoices):
    """How a stint began (record.md, `players`)."""

    START = "start", _("from the start")
    SUBSTITUTE = "substitute", _("substitute")
    BOT = "bot", _("bot")


class Left(models.TextChoices):
    """How a stint ended before the match did."""

    VOLUNTARY = "voluntary", _("left")
    DROPPED = "dropped", _("dropped")


class Stint(models.Model):
    """Who sat in a seat from which hand on, and how it ended. `number` counts within the seat.

    `club` is the one the player represents here, whichever they join later. `given_up`: the player
    had dropped when the match was given up.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="stints")
    seat = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField(default=0)
    player = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.PROTECT, related_name="stints"
    )
    how = models.CharField(max_length=10, choices=How.choices, default=How.START)
    from_hand = models.PositiveSmallIntegerField(default=0)
    club = models.ForeignKey(
        Club, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    left = models.CharField(max_length=10, choices=Left.choices, null=True, blank=True)
    left_at = models.DateTimeField(null=True, blank=True)
    given_up = models.BooleanField(default=False)

    class Meta:
        ordering = ["match", "seat", "number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "seat", "number"], name="stint_number_once"),
            models.UniqueConstraint(fields=["match", "player"], name="one_stint_a_player"),
            models.UniqueConstraint(
                fields=["match", "seat"],
                condition=models.Q(left__isnull=True),
                name="one_open_stint_a_seat",
            ),
            models.CheckConstraint(
                condition=models.Q(left__isnull=True) | models.Q(left__in=Left.values),
                name="stint_left_is_known",
            ),
            models.CheckConstraint(condition=models.Q(seat__lt=4), name="stint_seat_in_range"),
            models.CheckConstraint(
                condition=models.Q(how=How.BOT) | models.Q(player__isnull=False),
                name="stint_of_a_person_or_a_bot",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match} · {self.seat}: {self.player or self.how}"


class Result(models.Model):
    """What a match came to. One current result a match; older versions are kept.

    `scores` by side, `places` and `points` by seat (record.md, `result`); `record` is the whole
    `domino-match/1` record, or null where a result was entered without one. `by_decision`: an
    organizer named the places, so there are no scores. `absent`: the seats of who did not come,
    where it is a walkover. `digest` is the hash of all that the result says (league.results.facts);
    results of before there were digests have none.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="results")
    version = models.PositiveSmallIntegerField(default=1)
    is_current = models.BooleanField(default=True)
    by_decision = models.BooleanField(default=False)
    absent = models.JSONField(null=True, blank=True)
    scores = models.JSONField()
    places = models.JSONField()
    points = models.JSONField()
    record = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    digest = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        ordering = ["match", "version"]
        constraints = [
            models.UniqueConstraint(fields=["match", "version"], name="result_version_once"),
            models.UniqueConstraint(
                fields=["match"],
                condition=models.Q(is_current=True),
                name="one_current_result_a_match",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match} v{self.version}"
