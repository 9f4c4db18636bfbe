"""Live tables: the row that is the truth of a table, who sits at it, and what happened there."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.accounts.models import Player
from league.results.models import Match


class TableStatus(models.TextChoices):
    """WAITING: people sit down; PLAYING: from *Start* on; FINISHED: the match is settled."""

    WAITING = "waiting", _("waiting")
    PLAYING = "playing", _("playing")
    FINISHED = "finished", _("finished")


class Table(models.Model):
    """A live table. PostgreSQL is the truth: no table lives only in a process's memory.

    `version` rises by one with each accepted command; `snapshot` is `engine.snapshot.dump` of the
    state at that version; `deadline_at` is when the clock acts. `secret` (32 bytes) and `snapshot`
    never reach admin pages, logs or another seat before the match's end.
    """

    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="table")
    status = models.CharField(
        max_length=10, choices=TableStatus.choices, default=TableStatus.WAITING, db_index=True
    )
    version = models.PositiveIntegerField(default=0)
    snapshot = models.JSONField(null=True, blank=True, editable=False)
    secret = models.BinaryField(max_length=32, editable=False)
    contributions = models.JSONField(default=list, editable=False)
    move_seconds = models.PositiveSmallIntegerField(default=30)
    deadline_at = models.DateTimeField(null=True, blank=True, db_index=True)
    opened_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(status__in=TableStatus.values), name="table_status_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk} ({self.status})"


class TableSeat(models.Model):
    """A seat of a table: whose it is, and whether its player sat down and is ready to go on."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="table_seats")
    sat_at = models.DateTimeField(null=True, blank=True)
    ready = models.BooleanField(default=False)

    class Meta:
        ordering = ["table", "seat"]
        constraints = [
            models.UniqueConstraint(fields=["table", "seat"], name="table_seat_once"),
            models.UniqueConstraint(fields=["table", "player"], name="one_seat_a_player"),
            models.CheckConstraint(condition=models.Q(seat__lt=4), name="table_seat_in_range"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}.{self.seat}: {self.player}"


class TableEvent(models.Model):
    """One accepted command and what came of it. `seq` is the version it led to.

    `payload` carries the number of its own format.
    """

    FORMAT = 1

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField()
    command_id = models.UUIDField()
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    payload = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["table", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["table", "seq"], name="table_event_seq_once"),
            models.UniqueConstraint(fields=["table", "command_id"], name="table_command_once"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}#{self.seq}"


class Heartbeat(models.Model):
    """When a writer was last known to live, one row (`pk` 1): deadlines are shifted by the gap."""

    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.beat_at.isoformat()
