"""Live tables: the row that is the truth of a table, who sits at it, and what happened there."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.accounts.models import Player
from league.results.models import Match
from league.tournaments.models import BANK_SECONDS, MOVE_SECONDS


class TableStatus(models.TextChoices):
    """WAITING: people sit down; PLAYING: from *Start* on; FINISHED: the match is settled;
    ABANDONED: nobody sat down in an empty seat.
    """

    WAITING = "waiting", _("waiting")
    PLAYING = "playing", _("playing")
    FINISHED = "finished", _("finished")
    ABANDONED = "abandoned", _("abandoned")


OVER = frozenset({TableStatus.FINISHED, TableStatus.ABANDONED})


class TableKind(models.TextChoices):
    """SCHEDULED: a fixture's, for its players; FRIENDLY: anybody's; PRACTICE: against bots."""

    SCHEDULED = "scheduled", _("scheduled")
    FRIENDLY = "friendly", _("friendly")
    PRACTICE = "practice", _("practice")


class Pause(models.TextChoices):
    """Why a table is paused: its manager asked for it, or a player called the referee."""

    NONE = "", _("not paused")
    MANAGER = "manager", _("by the manager")
    REFEREE = "referee", _("until the referee decides")


class Bot(models.TextChoices):
    """How a bot plays (engine.bots)."""

    NONE = "", _("nobody")
    RANDOM = "random", _("any tile")
    HEAVIEST = "heaviest", _("the heaviest tile")
    BEST = "best", _("the best score, doubles first")


class Table(models.Model):
    """A live table. PostgreSQL is the truth: no table lives only in a process's memory.

    `version` rises by one with each accepted command; `snapshot` is `engine.snapshot.dump` of the
    state at that version; `deadline_at` is when the clock acts. `secret` (32 bytes) and `snapshot`
    never reach admin pages, logs or another seat before the match's end.

    A match stands still while a seat is empty (since `empty_at`), while *Continue* is due (since
    `press_due_at`) or while it is paused; `turn_left_ms` is what the turn had left then. Without
    `move_seconds` the table has no clock; `bank_seconds` is what each seat has for the whole match
    beyond the time for each move.

    At a table with a `watch_delay` spectators see the match as `watched` (a snapshot), which holds
    the events up to `watched_seq`.
    """

    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="table")
    status = models.CharField(
        max_length=10, choices=TableStatus.choices, default=TableStatus.WAITING, db_index=True
    )
    version = models.PositiveIntegerField(default=0)
    snapshot = models.JSONField(null=True, blank=True, editable=False)
    secret = models.BinaryField(max_length=32, editable=False)
    contributions = models.JSONField(default=list, editable=False)
    kind = models.CharField(
        max_length=10, choices=TableKind.choices, default=TableKind.SCHEDULED, db_index=True
    )
    owner = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.PROTECT, related_name="tables_made"
    )
    code = models.CharField(max_length=22, null=True, blank=True, unique=True)
    is_public = models.BooleanField(default=True)
    move_seconds = models.PositiveSmallIntegerField(null=True, blank=True, default=30)
    bank_seconds = models.PositiveSmallIntegerField(default=0)
    chat = models.BooleanField(default=True)
    clockwise = models.BooleanField(default=False)
    bots_may_substitute = models.BooleanField(default=False)
    watch_delay = models.PositiveSmallIntegerField(default=0)
    pause = models.CharField(max_length=10, choices=Pause.choices, default=Pause.NONE, blank=True)
    empty_at = models.DateTimeField(null=True, blank=True)
    press_due_at = models.DateTimeField(null=True, blank=True)
    turn_left_ms = models.PositiveIntegerField(null=True, blank=True)
    deadline_at = models.DateTimeField(null=True, blank=True, db_index=True)
    opened_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    watched = models.JSONField(null=True, blank=True, editable=False)
    watched_seq = models.PositiveIntegerField(default=0, editable=False)
    rematch_of = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="rematch"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(status__in=TableStatus.values), name="table_status_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(kind__in=TableKind.values), name="table_kind_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(pause__in=Pause.values), name="table_pause_is_known"
            ),
            models.CheckConstraint(
                condition=models.Q(move_seconds__range=MOVE_SECONDS), name="table_clock_in_range"
            ),
            models.CheckConstraint(
                condition=models.Q(bank_seconds__range=BANK_SECONDS)
                & (models.Q(move_seconds__isnull=False) | models.Q(bank_seconds=0)),
                name="table_bank_in_range",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk} ({self.status})"

    @property
    def is_over(self) -> bool:
        return self.status in OVER

    @property
    def stands_still(self) -> bool:
        return bool(self.pause or self.empty_at or self.press_due_at)


class TableSeat(models.Model):
    """A seat of a table: whose it is, and whether its player sat down and is ready to go on.

    An empty seat has no `player`, or one who dropped (`dropped_at`) and may still come back.
    `bank_ms` is what is left of the seat's time bank, `auto_moves` how many moves in a row the
    clock made for it, `gone_at` since when its player has no connection (tables without a clock),
    `swap_with` the seat its player would like to change to.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.PROTECT, related_name="table_seats"
    )
    bot = models.CharField(max_length=10, choices=Bot.choices, default=Bot.NONE, blank=True)
    sat_at = models.DateTimeField(null=True, blank=True)
    ready = models.BooleanField(default=False)
    bank_ms = models.PositiveIntegerField(default=0)
    auto_moves = models.PositiveSmallIntegerField(default=0)
    dropped_at = models.DateTimeField(null=True, blank=True)
    gone_at = models.DateTimeField(null=True, blank=True)
    swap_with = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["table", "seat"]
        constraints = [
            models.UniqueConstraint(fields=["table", "seat"], name="table_seat_once"),
            models.UniqueConstraint(fields=["table", "player"], name="one_seat_a_player"),
            models.CheckConstraint(condition=models.Q(seat__lt=4), name="table_seat_in_range"),
            models.CheckConstraint(
                condition=models.Q(bot="") | models.Q(player__isnull=True),
                name="table_seat_of_a_person_or_a_bot",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}.{self.seat}: {self.player or self.bot}"

    @property
    def is_empty(self) -> bool:
        """Nobody holds it: left, dropped, or never taken."""
        return self.dropped_at is not None or (self.player_id is None and not self.bot)

    @property
    def is_there(self) -> bool:
        """Somebody sat down in it and holds it."""
        return not self.is_empty and (bool(self.bot) or self.sat_at is not None)


class TableEvent(models.Model):
    """One accepted command and what came of it. `seq` is the version it led to. A referee may take
    the latest automatic move back: it is `undone` then, and left out of the record.

    `payload` carries the number of its own format.
    """

    FORMAT = 1

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField()
    command_id = models.UUIDField()
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    payload = models.JSONField()
    undone = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["table", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["table", "seq"], name="table_event_seq_once"),
            models.UniqueConstraint(fields=["table", "command_id"], name="table_command_once"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}#{self.seq}"


class Phrase(models.TextChoices):
    """What can be said with one tap, in each reader's own language."""

    HELLO = "hello", _("Hello!")
    GOOD_LUCK = "good_luck", _("Good luck!")
    WELL_PLAYED = "well_played", _("Well played!")
    THANKS = "thanks", _("Thank you.")
    SORRY = "sorry", _("Sorry.")
    ONE_MOMENT = "one_moment", _("One moment, please.")
    YOUR_TURN = "your_turn", _("It is your turn.")
    GOOD_GAME = "good_game", _("Good game!")


class Saying(models.Model):
    """What somebody said at a table: a text or a phrase. It changes nothing of the match."""

    LONGEST = 200

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="sayings")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="sayings")
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    command_id = models.UUIDField()
    text = models.CharField(max_length=LONGEST, blank=True)
    phrase = models.CharField(max_length=20, choices=Phrase.choices, blank=True)
    said_at = models.DateTimeField()

    class Meta:
        ordering = ["table", "pk"]
        indexes = [models.Index(fields=["player", "said_at"], name="saying_by_player")]
        constraints = [
            models.UniqueConstraint(fields=["table", "command_id"], name="saying_once"),
            models.CheckConstraint(
                condition=models.Q(phrase="") ^ models.Q(text=""), name="saying_text_or_phrase"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}: {self.player}"


class SeatDevice(models.Model):
    """That a player sat at a table with a device: `device` is the random name in its cookie.

    Two players of one table with one device are told to the organizer, and to nobody else.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="devices")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    device = models.CharField(max_length=32)
    seen_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "device", "player"], name="seat_device_once"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}: {self.player_id}"


class Heartbeat(models.Model):
    """When a part was last known to live, a row each: deadlines are shifted by the clock's gap."""

    CLOCK, WEB = 1, 2  # `pk`; WEB is that of the web process that was heard last

    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.beat_at.isoformat()
