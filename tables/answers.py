"""What the sender of a command is told, and the frame that shows how a table stands."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.utils import timezone

from tables import chat
from tables.models import Table
from tables.position import Position, clock_of, view_of


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command's sender is told: acknowledged at `version`, or refused with `code`.

    `snapshot` comes with a stale version: the frame that shows how the table stands.
    """

    command_id: UUID
    version: int | None = None
    code: str = ""
    text: str = ""
    snapshot: dict[str, Any] | None = field(default=None, repr=False)

    def frames(self) -> list[dict[str, Any]]:
        """Return the frames to send, in order."""
        if self.version is not None:
            return [{"ack": str(self.command_id), "v": self.version}]
        error = {"error": self.code, "id": str(self.command_id), "text": self.text}
        return [error] if self.snapshot is None else [error, self.snapshot]


def snapshot_frame(table: Table, position: Position, seat: int | None) -> dict[str, Any]:
    """Return the snapshot of a receiver: the view, the clock, and what was said last."""
    return {
        "snapshot": view_of(position, seat),
        "v": position.version,
        "clock": clock_of(position, seat, timezone.now()),
        "said": chat.latest(table),
    }
