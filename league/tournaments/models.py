"""Tournaments of a season, their rule sets, their rounds and their fixtures (scheduled tables)."""

from typing import Any

import pgtrigger
from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from engine.match import LARGEST_STAKE
from league.accounts.models import Player
from league.clubs.models import Club
from league.seasons.models import Season

MOVE_SECONDS = (1, 3600)
BANK_SECONDS = (0, 3600)
WATCH_DELAY = (0, 100)
"""From and to: a time for each move, a bank for the match, the moves that spectators are behind."""

_RULES_STAND = ["club", "name", "version", "ruleset", "created_at"]


class HouseRuleset(models.Model):
    """One version of a club's own rule set; what it says never changes (triggers).

    `ruleset` is the record's form and carries `version`, which counts the changes of this rule set
    (1 is also what a plain preset says). A change is a new version, and the one before it is
    retired: no new tournament may choose it, those that did keep their copy.
    """

    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, related_name="house_rulesets", verbose_name=_("club")
    )
    name = models.CharField(_("name"), max_length=80)
    version = models.PositiveIntegerField(_("version"))
    ruleset = models.JSONField(_("rule set"))
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name=_("made by"),
    )
    created_at = models.DateTimeField(_("made at"), auto_now_add=True)
    retired_at = models.DateTimeField(_("retired at"), null=True, blank=True)

    class Meta:
        verbose_name = _("house rule set")
        verbose_name_plural = _("house rule sets")
        ordering = ["club", "name", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "name", "version"], name="house_ruleset_version_once"
            ),
            models.UniqueConstraint(
                fields=["club", "name"],
                condition=models.Q(retired_at__isnull=True),
                name="one_house_ruleset_in_use_a_name",
            ),
            models.CheckConstraint(
                condition=models.Q(version__gte=1), name="house_ruleset_version_from_1"
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(name="rules_stand", fields=_RULES_STAND),
            pgtrigger.Protect(
                name="retired_stays",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(
                    old__retired_at__isnull=False,
                    old__retired_at__df=pgtrigger.F("new__retired_at"),
                ),
            ),
            pgtrigger.Protect(name="never_removed", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"{self.name} · {self.version}"


TABLE_TERMS = (
    "move_seconds",
    "bank_seconds",
    "chat",
    "clockwise",
    "watch_delay",
    "bots_may_substitute",
)
"""What a tournament says of how its tables are run; a table has the same fields."""


class Tournament(models.Model):
    """A contest under one rule set. `ruleset` is the record's form (record.md, `ruleset`), and a
    copy where the tournament was made from a house rule set.
    """

    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="tournaments")
    name = models.CharField(_("name"), max_length=80)
    ruleset = models.JSONField(_("rule set"))
    house_ruleset = models.ForeignKey(
        HouseRuleset,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="tournaments",
        verbose_name=_("house rule set"),
    )
    seats = models.PositiveSmallIntegerField(_("seats"), default=4)
    partners = models.BooleanField(_("partners"), default=False)
    stake = models.PositiveSmallIntegerField(_("stake"))
    move_seconds = models.PositiveSmallIntegerField(
        _("seconds a move"),
        null=True,
        blank=True,
        default=30,
        help_text=_("Left empty: no clock"),
    )
    bank_seconds = models.PositiveSmallIntegerField(
        _("seconds in the bank"),
        default=0,
        help_text=_("What each seat has for the whole match beyond the time for each move"),
    )
    chat = models.BooleanField(_("chat at its tables"), default=True)
    clockwise = models.BooleanField(
        _("play goes clockwise"),
        default=False,
        help_text=_("Who plays next then sits on the left in the picture of the table"),
    )
    watch_delay = models.PositiveSmallIntegerField(_("moves that spectators are behind"), default=0)
    bots_may_substitute = models.BooleanField(
        _("bots may substitute"),
        default=False,
        help_text=_("Where nobody sits down in an empty seat a bot plays on, for no points"),
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["season", "name"], name="one_tournament_a_name"),
            models.CheckConstraint(
                condition=models.Q(seats__range=(2, 4)), name="tournament_has_2_to_4_seats"
            ),
            models.CheckConstraint(
                condition=models.Q(stake__range=(1, LARGEST_STAKE)),
                name="tournament_stake_in_range",
            ),
            models.CheckConstraint(
                condition=models.Q(move_seconds__range=MOVE_SECONDS),
                name="tournament_clock_in_range",
            ),
            models.CheckConstraint(
                condition=models.Q(bank_seconds__range=BANK_SECONDS),
                name="tournament_bank_in_range",
            ),
            models.CheckConstraint(
                condition=models.Q(move_seconds__isnull=False) | models.Q(bank_seconds=0),
                name="tournament_bank_needs_a_clock",
            ),
            models.CheckConstraint(
                condition=models.Q(watch_delay__range=WATCH_DELAY),
                name="tournament_delay_in_range",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class TournamentEntry(models.Model):
    """A player's entry in a tournament, and the club the player represents in it."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    club = models.ForeignKey(
        Club,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("plays for"),
    )
    seed_rank = models.PositiveIntegerField(_("seed rank"), null=True, blank=True)

    class Meta:
        verbose_name_plural = _("tournament entries")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="one_entry_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player} · {self.tournament}"


class Stage(models.Model):
    """A part of a tournament with one format."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="stages")
    number = models.PositiveSmallIntegerField(default=1)
    name = models.CharField(_("name"), max_length=80, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="stage_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} · {self.name or self.number}"


class Round(models.Model):
    """Fixtures played at the same time; a player sits at one of them only."""

    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    starts_at = models.DateTimeField(_("starts at"))

    class Meta:
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="round_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.stage} · {self.number}"


class FixtureStatus(models.TextChoices):
    """A fixture's life. OPEN: its table stands; FINISHED: a current result stands; ABANDONED: its
    match was given up and the organizer decides; VOID: it counts for nothing.
    """

    SCHEDULED = "scheduled", _("scheduled")
    OPEN = "open", _("open")
    PLAYING = "playing", _("playing")
    FINISHED = "finished", _("finished")
    ABANDONED = "abandoned", _("abandoned")
    VOID = "void", _("void")


class Fixture(models.Model):
    """Who shall meet at which table of a round."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="fixtures")
    number = models.PositiveSmallIntegerField()
    status = models.CharField(
        max_length=10, choices=FixtureStatus.choices, default=FixtureStatus.SCHEDULED, db_index=True
    )

    class Meta:
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="fixture_number_once"),
            models.CheckConstraint(
                condition=models.Q(status__in=FixtureStatus.values), name="fixture_status_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round} · {self.number}"


class FixtureSeat(models.Model):
    """A player's seat at a fixture. `round` repeats the fixture's, so that the database can refuse
    a player at two tables of one round.
    """

    fixture = models.ForeignKey(Fixture, on_delete=models.PROTECT, related_name="seats")
    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="+")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="fixture_seats")

    class Meta:
        ordering = ["fixture", "seat"]
        constraints = [
            models.UniqueConstraint(fields=["fixture", "seat"], name="fixture_seat_once"),
            models.UniqueConstraint(fields=["round", "player"], name="one_table_a_round"),
            models.CheckConstraint(condition=models.Q(seat__lt=4), name="fixture_seat_in_range"),
        ]

    def __str__(self) -> str:
        return f"{self.fixture} · {self.seat}: {self.player}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.round_id = self.fixture.round_id
        super().save(*args, **kwargs)
