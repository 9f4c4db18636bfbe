"""The socket of one person at one table: reads frames, hands commands to the writer, sends frames.

Decides nothing about the game. On joining it subscribes first and reads the snapshot after that;
what is published meanwhile waits in the channel's queue, and of it only what lies above the
snapshot's version is passed on.
"""

import asyncio
import contextlib
import json
import logging
import random
import time
from typing import Any

from autobahn.exception import Disconnected
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.http import HttpRequest
from django.utils import translation

from tables import (
    bans,
    broadcast,
    links,
    moves,
    presence,
    protocol,
    rounds,
    selectors,
    services,
)
from tables.answers import Answer, snapshot_frame
from tables.broadcast import table_group
from tables.devices import device_note, device_of
from tables.failures import log_failure
from tables.limits import Bucket
from tables.presence import Lease
from tables.protocol import Command, Do, FrameError
from tables.refusals import TEXTS
from tables.tickets import Ticket

logger = logging.getLogger(__name__)

NOT_FOUND = 4404
POLICY = 1008
TRY_LATER = 1013
SEAT_FRAMES, SEAT_FRAMES_A_SECOND = 60, 30
WATCHER_FRAMES, WATCHER_FRAMES_A_SECOND = 20, 4  # who has no seat has little to say
RESUMES, RESUMES_A_SECOND = 10, 2  # each is a whole snapshot
BAD_FRAMES, BAD_FRAMES_A_SECOND = 5, 1 / 30
NOT_WELCOME = 4401
BANNED = 4403
WITHOUT_CLEANUP = frozenset({"table.event", "table.said", "table.presence", "websocket.receive"})


class TableConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """One connection. `version` and `hash` are those of the newest view that was sent here."""

    async def connect(self) -> None:
        """Join: subscribe, then the snapshot, then presence and the beat."""
        self.table_id: int = self.scope["url_route"]["kwargs"]["table_id"]
        self.ticket = Ticket.of_scope(self.scope)
        self.frames = Bucket(WATCHER_FRAMES, WATCHER_FRAMES_A_SECOND)
        self.resumes = Bucket(RESUMES, RESUMES_A_SECOND)
        self.strikes = Bucket(BAD_FRAMES, BAD_FRAMES_A_SECOND)
        self.version, self.hash = -1, ""
        self.seat: int | None = None
        self.player_id: int | None = None
        self.holders: list[int | None] = []
        self.joined = False
        self.beating: asyncio.Task[None] | None = None
        self.shown: list[bool] = []
        self.language = _language_of(self.scope)
        broadcast.serve()
        await self.accept()
        try:
            await self._join()
        except Exception as error:  # database or broker are away: the client comes again
            log_failure(logger, error, "table %s: cannot join now", self.table_id)
            await self.close(code=TRY_LATER)

    async def _join(self) -> None:
        user_id = None if self.ticket is None else self.ticket.user_id
        place = await self._in_database(selectors.place_of, self.table_id, user_id)
        if place is None or not await self._in_database(self._may_look, place.player_id):
            await self.close(code=NOT_FOUND)
            return
        if self.ticket is not None:
            own = bans.user_group(self.ticket.user_id)
            await self.channel_layer.group_add(own, self.channel_name)
        if await self._in_database(bans.shut_out, self.table_id, place.player_id):
            await self.close(code=BANNED)
            return
        self.player_id, self.holders = place.player_id, list(place.holders)
        self.joined = True
        await self.channel_layer.group_add(table_group(self.table_id), self.channel_name)
        if place.seat is not None:
            self.seat, self.frames = place.seat, Bucket(SEAT_FRAMES, SEAT_FRAMES_A_SECOND)
        await self._send_snapshot()
        if self.seat is not None:
            await self._note_device()
        await self._presence_changed()
        self.beating = asyncio.create_task(self._beat())

    async def disconnect(self, code: int) -> None:
        """Leave the group and give the lease back; nothing here may fail for the broker's sake."""
        if self.ticket is not None:
            with contextlib.suppress(Exception):
                own = bans.user_group(self.ticket.user_id)
                await self.channel_layer.group_discard(own, self.channel_name)
        if not self.joined:
            return
        if self.beating is not None:
            self.beating.cancel()
        with contextlib.suppress(Exception):
            await self.channel_layer.group_discard(table_group(self.table_id), self.channel_name)
            if self.player_id is not None:
                await presence.release(self.table_id, self.player_id, self.channel_name)
            if self.seat is not None:
                await self._tell_presence()

    def _may_look(self, player_id: int | None) -> bool:
        """Tell whether the table shows itself to who comes here by their own link, or by none."""
        return links.may_look(self.table_id, player_id, self.scope.get("session"))

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Handle the frequent messages without Channels' clean-up of database connections.

        What is pushed needs no database, and `database_sync_to_async` cleans up by itself.
        """
        if message["type"] in WITHOUT_CLEANUP:
            await getattr(self, message["type"].replace(".", "_"))(message)
        else:
            await super().dispatch(message)

    # --- frames in

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Read a frame and carry it out; a connection that keeps sending rubbish is closed."""
        try:
            if not self.frames.take(time.monotonic()):
                raise FrameError("too_fast", "Too many frames; slow down.")
            command = protocol.parse(text_data)
            if command.do is Do.RESUME and not self.resumes.take(time.monotonic()):
                raise FrameError("too_fast", "Too many snapshots; slow down.", str(command.id))
        except FrameError as error:
            await self._bad_frame(error)
            return
        await self._carry_out(command)

    async def _bad_frame(self, error: FrameError) -> None:
        await self._send(error.frame())
        if not self.strikes.take(time.monotonic()):
            await self.close(code=POLICY)

    async def _carry_out(self, command: Command) -> None:
        try:
            frames = await self._moved(command)
            if frames is None:
                frames = await self._in_database(self._frames_for, command)
        except Exception as error:  # whatever it is, the sender may ask again with the same id
            log_failure(logger, error, "table %s: %s failed", self.table_id, command.do)
            frames = self._refusal(command, "unavailable")
        for frame in frames:
            await self._send(frame)
            await self._note_snapshot(frame)
        if frames[0].get("error") == "not_allowed":
            await self.close(code=NOT_WELCOME)

    async def _moved(self, command: Command) -> list[dict[str, Any]] | None:
        """Carry out a move by the writer's short way, to its end even if the socket goes."""
        if command.do not in protocol.MOVES or self.seat is None or self.ticket is None:
            return None
        answer = await moves.move_through(
            table_id=self.table_id, ticket=self.ticket, command=command
        )
        return None if answer is None else answer.frames()

    def _frames_for(self, command: Command) -> list[dict[str, Any]]:
        if command.do is not Do.RESUME:
            with translation.override(self.language):
                return services.command_execute(
                    table_id=self.table_id, ticket=self.ticket, command=command
                ).frames()
        if not _still_welcome(self.ticket):
            return self._refusal(command, "not_allowed")
        return [_snapshot(self.table_id, self.player_id)]

    def _refusal(self, command: Command, code: str) -> list[dict[str, Any]]:
        with translation.override(self.language):
            return Answer(command.id, code=code, text=str(TEXTS[code])).frames()

    # --- frames out

    async def _send_snapshot(self) -> None:
        frame = await self._in_database(_snapshot, self.table_id, self.player_id)
        await self._send(frame)
        await self._note_snapshot(frame)

    async def _note_snapshot(self, frame: dict[str, Any]) -> None:
        """Remember what a snapshot showed, and sit where it says."""
        if "snapshot" not in frame:
            return
        self.version = frame["v"]
        self.hash = protocol.digest(protocol.canonical(frame["snapshot"]))
        seats = frame["snapshot"]["table"]["seats"]
        self.holders = [seat["player"] and seat["player"]["id"] for seat in seats]
        if frame["snapshot"]["table"]["you"] != self.seat:
            await self._change_seat(frame["snapshot"]["table"]["you"])

    async def table_event(self, message: dict[str, Any]) -> None:
        """Pass on the frame that is this receiver's, unless the receiver is beyond it already."""
        if message["v"] <= self.version:
            return
        seat = self._seat_among(message["holders"])
        frame = message["watched"] if seat is None else message["frames"][seat]
        self.version, self.hash = message["v"], frame["hash"]
        self.holders = message["holders"]
        await self._send_text(frame["text"])
        if seat != self.seat:
            await self._change_seat(seat)

    def _seat_among(self, holders: list[int | None]) -> int | None:
        known = self.player_id is not None and self.player_id in holders
        return holders.index(self.player_id) if known else None

    async def _change_seat(self, seat: int | None) -> None:
        """Sit where the frame says; who has no seat has little to say."""
        watched, self.seat = self.seat is None, seat
        if seat is None:
            self.frames = Bucket(WATCHER_FRAMES, WATCHER_FRAMES_A_SECOND)
        elif watched:
            self.frames = Bucket(SEAT_FRAMES, SEAT_FRAMES_A_SECOND)
            await self._note_device()
        await self._presence_changed()

    async def _note_device(self) -> None:
        """Write down with which device a seat is held; nothing here may keep anybody from it."""
        device = device_of(self.scope.get("cookies", {}))
        if device and self.player_id is not None:
            try:
                await self._in_database(self._write_device, self.player_id, device)
            except Exception as error:
                log_failure(logger, error, "table %s: device unknown", self.table_id)

    def _write_device(self, player_id: int, device: str) -> None:
        device_note(table_id=self.table_id, player_id=player_id, device=device)

    async def table_said(self, message: dict[str, Any]) -> None:
        """Pass on what somebody said."""
        await self._send_text(message["text"])

    async def user_close(self, message: dict[str, Any]) -> None:
        """Close if the session that opened this has ended, or a ban keeps the person from here."""
        session = "" if self.ticket is None else self.ticket.session
        if session and bans.session_mark(session) == message["session"]:
            await self.close(code=NOT_WELCOME)
        elif await self._in_database(bans.shut_out, self.table_id, self.player_id):
            await self.close(code=BANNED)

    async def table_presence(self, message: dict[str, Any]) -> None:
        """Pass on who is connected, where it has changed."""
        await self._show_presence(message["present"])

    async def _show_presence(self, present: list[bool]) -> None:
        if present != self.shown:
            self.shown = present
            await self._send({"presence": present})

    async def _send(self, frame: dict[str, Any]) -> None:
        await self._send_text(json.dumps(frame, ensure_ascii=False, separators=(",", ":")))

    async def _send_text(self, text: str) -> None:
        """Send, unless the client has left meanwhile: then Daphne's `disconnect` is on its way."""
        with contextlib.suppress(Disconnected):
            await self.send(text_data=text)

    # --- presence and beat

    async def _presence_changed(self) -> None:
        try:
            if self.seat is not None and self.player_id is not None:
                await presence.renew(self.table_id, self.player_id, self.channel_name)
                await self._tell_presence()
            await self._show_presence(await presence.present(self.table_id, self.holders))
        except Exception as error:
            logger.warning("table %s: presence unknown: %s", self.table_id, type(error).__name__)

    async def _tell_presence(self) -> None:
        present = await presence.present(self.table_id, self.holders)
        message = {"type": "table.presence", "present": present}
        await self.channel_layer.group_send(table_group(self.table_id), message)

    async def _beat(self) -> None:
        """Say every few seconds which version is true, so that a client finds what it missed."""
        await asyncio.sleep(settings.AYAZ_BEAT_SECONDS * random.random())
        while True:
            try:
                await self._beat_once()
            except Exception as error:
                logger.warning("table %s: no beat: %s", self.table_id, type(error).__name__)
            await asyncio.sleep(settings.AYAZ_BEAT_SECONDS)

    async def _beat_once(self) -> None:
        found = await rounds.ask(self._due())
        if not found.welcome:
            await self.close(code=NOT_WELCOME)
            return
        if found.version == self.version:
            await self._send({"beat": self.version, "hash": self.hash})
        elif found.version is not None and found.version > self.version:
            frame = await self._in_database(_snapshot, self.table_id, self.player_id)
            view = protocol.canonical(frame["snapshot"])
            await self._send({"beat": frame["v"], "hash": protocol.digest(view)})
        if found.present is not None:
            await self._show_presence(found.present)

    def _due(self) -> rounds.Due:
        seated = self.seat is not None and self.player_id is not None
        lease = Lease(self.table_id, self.player_id or 0, self.channel_name) if seated else None
        return rounds.Due(self.table_id, self.ticket, tuple(self.holders), lease)

    @staticmethod
    async def _in_database(function: Any, *arguments: Any) -> Any:
        return await database_sync_to_async(function)(*arguments)


def _snapshot(table_id: int, player_id: int | None) -> dict[str, Any]:
    """Return the frame that shows a table as it is to a player, by the seat that is theirs now."""
    table = selectors.table_get(table_id)
    if table is None:
        raise LookupError(table_id)
    position = selectors.position_now(table)
    return snapshot_frame(table, position, position.seat_of(player_id))


def _still_welcome(ticket: Ticket | None) -> bool:
    """Tell whether what the socket was opened with still holds; anybody may look on."""
    return ticket is None or ticket.user() is not None


def _language_of(scope: dict[str, Any]) -> str:
    """Return the person's language, else what the handshake's cookie or header asks for."""
    request = HttpRequest()
    request.COOKIES = scope.get("cookies", {})
    for name, value in scope["headers"]:
        if name == b"accept-language":
            request.META["HTTP_ACCEPT_LANGUAGE"] = value.decode("latin-1")
    chosen: str = getattr(scope["user"], "language", "")
    return chosen or translation.get_language_from_request(request)
