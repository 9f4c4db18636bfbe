"""What the sender of a command is told."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID


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
