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

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.contrib.auth import HASH_SESSION_KEY
from django.http import HttpRequest
from django.utils import translation
from django.utils.crypto import constant_time_compare
from rest_framework.authtoken.models import Token

from league.accounts.models import Player, User
from tables import presence, protocol, selectors, services
from tables.broadcast import group_of, receivers_of
from tables.limits import Bucket
from tables.protocol import Command, Do, FrameError
from tables.refusals import TEXTS

logger = logging.getLogger(__name__)

NOT_FOUND = 4404
POLICY = 1008
TRY_LATER = 1013
BEAT_SECONDS = 10.0
FRAMES_AT_ONCE, FRAMES_A_SECOND = 60, 30
BAD_FRAMES, BAD_FRAMES_A_SECOND = 5, 1 / 30
NOT_WELCOME = 4401
WITHOUT_CLEANUP = frozenset({"table.event", "table.presence", "websocket.receive"})


class TableConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]
    """One connection. `version` and `hash` are those of the newest view that was sent here."""

    async def connect(self) -> None:
        """Join: subscribe, then the snapshot, then presence and the beat."""
        self.table_id: int = self.scope["url_route"]["kwargs"]["table_id"]
        self.frames = Bucket(FRAMES_AT_ONCE, FRAMES_A_SECOND)
        self.strikes = Bucket(BAD_FRAMES, BAD_FRAMES_A_SECOND)
        self.version, self.hash = -1, ""
        self.seat: int | None = None
        self.joined = False
        self.beating: asyncio.Task[None] | None = None
        self.shown: list[bool] = []
        self.language = _language_of(self.scope)
        await self.accept()
        try:
            await self._join()
        except Exception:  # database or broker are away: the client comes again
            logger.exception("table %s: cannot join now", self.table_id)
            await self.close(code=TRY_LATER)

    async def _join(self) -> None:
        self.player = await self._in_database(_player_of, self.scope["user"])
        player_id = None if self.player is None else self.player.pk
        place = await self._in_database(selectors.place_of, self.table_id, player_id)
        if place is None:
            await self.close(code=NOT_FOUND)
            return
        self.seat, self.seats = place.seat, place.seats
        self.joined = True
        await self.channel_layer.group_add(group_of(self.table_id, self.seat), self.channel_name)
        await self._send_snapshot()
        await self._presence_changed()
        self.beating = asyncio.create_task(self._beat())

    async def disconnect(self, code: int) -> None:
        """Leave the group and give the lease back; nothing here may fail for the broker's sake."""
        if not self.joined:
            return
        if self.beating is not None:
            self.beating.cancel()
        with contextlib.suppress(Exception):
            await self.channel_layer.group_discard(
                group_of(self.table_id, self.seat), self.channel_name
            )
            if self.seat is not None:
                await presence.release(self.table_id, self.seat, self.channel_name)
                await self._tell_presence()

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
            if command.do is Do.RESUME:
                await self._send_snapshot()
                return
            answer = await self._in_database(self._execute, command)
        except Exception:  # whatever it is, the sender may ask again with the same id
            logger.exception("table %s: %s failed", self.table_id, command.do)
            with translation.override(self.language):
                text = str(TEXTS["unavailable"])
            await self._send({"error": "unavailable", "id": str(command.id), "text": text})
            return
        for frame in answer.frames():
            await self._send(frame)
            self._note_snapshot(frame)

    def _execute(self, command: Command) -> services.Answer:
        user = self.scope["user"]
        with translation.override(self.language):
            return services.command_execute(
                table_id=self.table_id,
                player=self.player,
                command=command,
                user=user if user.is_authenticated else None,
            )

    # --- frames out

    async def _send_snapshot(self) -> None:
        frame = await self._in_database(_snapshot, self.table_id, self.seat)
        self._note_snapshot(frame)
        await self._send(frame)

    def _note_snapshot(self, frame: dict[str, Any]) -> None:
        if "snapshot" in frame:
            self.version = frame["v"]
            self.hash = protocol.digest(protocol.canonical(frame["snapshot"]))

    async def table_event(self, message: dict[str, Any]) -> None:
        """Pass a published event on, unless the receiver is beyond it already."""
        if message["v"] > self.version:
            self.version, self.hash = message["v"], message["hash"]
            await self.send(text_data=message["text"])

    async def table_presence(self, message: dict[str, Any]) -> None:
        """Pass on who is connected, where it has changed."""
        await self._show_presence(message["present"])

    async def _show_presence(self, present: list[bool]) -> None:
        if present != self.shown:
            self.shown = present
            await self._send({"presence": present})

    async def _send(self, frame: dict[str, Any]) -> None:
        await self.send(text_data=json.dumps(frame, ensure_ascii=False, separators=(",", ":")))

    # --- presence and beat

    async def _presence_changed(self) -> None:
        try:
            if self.seat is not None:
                await presence.renew(self.table_id, self.seat, self.channel_name)
                await self._tell_presence()
            await self._show_presence(await presence.present(self.table_id, self.seats))
        except Exception as error:
            logger.warning("table %s: presence unknown: %s", self.table_id, type(error).__name__)

    async def _tell_presence(self) -> None:
        present = await presence.present(self.table_id, self.seats)
        for receiver in receivers_of(self.seats):
            await self.channel_layer.group_send(
                group_of(self.table_id, receiver), {"type": "table.presence", "present": present}
            )

    async def _beat(self) -> None:
        """Say every few seconds which version is true, so that a client finds what it missed."""
        await asyncio.sleep(BEAT_SECONDS * random.random())
        while True:
            try:
                await self._beat_once()
            except Exception as error:
                logger.warning("table %s: no beat: %s", self.table_id, type(error).__name__)
            await asyncio.sleep(BEAT_SECONDS)

    async def _beat_once(self) -> None:
        if not await self._in_database(_still_welcome, self.scope):
            await self.close(code=NOT_WELCOME)
            return
        version = await self._in_database(selectors.version_of, self.table_id)
        if version == self.version:
            await self._send({"beat": version, "hash": self.hash})
        elif version is not None and version > self.version:
            frame = await self._in_database(_snapshot, self.table_id, self.seat)
            view = protocol.canonical(frame["snapshot"])
            await self._send({"beat": frame["v"], "hash": protocol.digest(view)})
        if self.seat is not None:
            await presence.renew(self.table_id, self.seat, self.channel_name)
        await self._show_presence(await presence.present(self.table_id, self.seats))

    @staticmethod
    async def _in_database(function: Any, *arguments: Any) -> Any:
        return await database_sync_to_async(function)(*arguments)


def _snapshot(table_id: int, seat: int | None) -> dict[str, Any]:
    table = selectors.table_get(table_id)
    if table is None:
        raise LookupError(table_id)
    view, version, clock = selectors.table_view(table, seat)
    return {"snapshot": view, "v": version, "clock": clock}


def _player_of(user: Any) -> Player | None:
    if not user.is_authenticated:
        return None
    return Player.objects.select_related("user").filter(user_id=user.pk).first()


def _still_welcome(scope: dict[str, Any]) -> bool:
    """Tell whether what the socket was opened with still holds: account, and token or session."""
    if not scope["user"].is_authenticated:
        return True
    user = User.objects.filter(pk=scope["user"].pk, is_active=True).first()
    if user is None:
        return False
    if "token" in scope:
        return Token.objects.filter(key=scope["token"], user=user).exists()
    session = scope["session"]
    stored = session.__class__(session.session_key).get(HASH_SESSION_KEY, "")
    return constant_time_compare(stored, user.get_session_auth_hash())


def _language_of(scope: dict[str, Any]) -> str:
    """Return the person's language, else what the handshake's cookie or header asks for."""
    request = HttpRequest()
    request.COOKIES = scope.get("cookies", {})
    for name, value in scope["headers"]:
        if name == b"accept-language":
            request.META["HTTP_ACCEPT_LANGUAGE"] = value.decode("latin-1")
    chosen: str = getattr(scope["user"], "language", "")
    return chosen or translation.get_language_from_request(request)
