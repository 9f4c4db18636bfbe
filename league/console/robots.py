"""The players of the demonstration: each account plays over its own WebSocket, with its token.

Sees only what a person's client sees: the fixtures over HTTP, the views over the socket. Knows no
rules: it plays a random one of the actions that its view calls legal.
"""

import asyncio
import json
import logging
import random
import urllib.error
import urllib.request
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

Json = dict[str, Any]
logger = logging.getLogger(__name__)

LOOK_SECONDS = 2.0
RETRY_SECONDS = 3.0
UNAVAILABLE = "unavailable"  # the server's word for "ask again"


@dataclass(frozen=True)
class League:
    """Where the server is and which tournament is played. `host`: the name it answers to.

    `move_seconds`: how long a robot thinks before it acts.
    """

    url: str
    host: str
    tournament: int
    move_seconds: float

    def fixtures(self) -> list[Json]:
        """Return the tournament's fixtures as the API shows them to anybody."""
        address = f"{self.url}api/v1/tournaments/{self.tournament}/fixtures/"
        headers = {"Host": self.host, "X-Forwarded-Proto": "https"}
        request = urllib.request.Request(address, headers=headers)
        with urllib.request.urlopen(request, timeout=20) as answer:
            rows: list[Json] = json.load(answer)["results"]
        return rows

    def socket(self, table: int) -> str:
        """Return a table's WebSocket address."""
        return f"{self.url.replace('http', 'ws', 1)}ws/tables/{table}/"


@dataclass
class Robot:
    """One player at one table."""

    league: League
    table: int
    token: str
    rng: random.Random
    finished: bool = False
    seen: tuple[Json, int] | None = None
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def play(self) -> None:
        """Play until the table is finished, through lost connections."""
        while not self.finished:
            try:
                await self._play_connected()
            except (OSError, TimeoutError, WebSocketException, ValueError) as error:
                logger.info("table %s: %s; again soon", self.table, type(error).__name__)
            if not self.finished:
                await asyncio.sleep(RETRY_SECONDS)

    async def _play_connected(self) -> None:
        headers = {"Authorization": f"Token {self.token}"}
        address = self.league.socket(self.table)
        async with connect(address, additional_headers=headers, proxy=None) as socket:
            acting = asyncio.create_task(self._act_until_finished(socket))
            try:
                async for text in socket:
                    self._read(json.loads(text))
                    if self.finished:
                        return
            finally:
                acting.cancel()

    def _read(self, frame: Json) -> None:
        view = frame.get("snapshot") or frame.get("view")
        if view is not None:
            self.seen = (view, frame["v"])
            self.finished = view["table"]["status"] == "finished"
            self.news.set()
        elif frame.get("error") == UNAVAILABLE:
            self.news.set()  # nothing has changed: what was refused is wished again

    async def _act_until_finished(self, socket: ClientConnection) -> None:
        """Answer each new view with at most one command, after the time a move takes."""
        while True:
            await self.news.wait()
            self.news.clear()
            if self.seen is None or self._command() is None:
                continue
            await asyncio.sleep(self.league.move_seconds)
            command = self._command()  # of the newest view
            if command is not None:
                await socket.send(json.dumps(command))

    def _command(self) -> Json | None:
        assert self.seen is not None
        view, version = self.seen
        wish = next_wish(view, self.rng)
        return None if wish is None else {"id": str(uuid.uuid4()), "v": version, **wish}


def next_wish(view: Json, rng: random.Random) -> Json | None:
    """Return what a willing player would do now, as a command without id and version."""
    table = view["table"]
    me = table["you"]
    can = table["can"]
    if me is None:
        return None
    if "sit" in can and not table["seats"][me]["sat"]:
        return {"do": "sit"}
    if "start" in can and all(seat["sat"] for seat in table["seats"]):
        return {"do": "start"} if table["manager"] == me else None
    if "ready" in can and not table["seats"][me]["ready"]:
        return {"do": "ready"}
    legal = (view["match"] or {}).get("legal", [])
    return _as_command(rng.choice(legal)) if legal else None


def _as_command(action: Mapping[str, Any]) -> Json:
    if "play" not in action:
        return {"do": "draw" if "draw" in action else "pass"}
    end = {"end": action["end"]} if "end" in action else {}
    return {"do": "play", "tile": action["play"], **end}


@dataclass
class Crowd:
    """All robots of a tournament. From `own_round` on the player `own` is left to a person."""

    league: League
    tokens: Mapping[int, str]
    own: int
    own_round: int
    playing: dict[tuple[int, int], asyncio.Task[None]] = field(default_factory=dict)

    async def play(self) -> None:
        """Sit down wherever a table opens, until every fixture is finished."""
        while True:
            try:
                rows = await asyncio.to_thread(self.league.fixtures)
            except (OSError, ValueError, urllib.error.HTTPError) as error:
                logger.info("no fixtures now: %s", error)
            else:
                self._sit_down(rows)
                if all(row["status"] == "finished" for row in rows):
                    return
            await asyncio.sleep(LOOK_SECONDS)

    def _sit_down(self, rows: list[Json]) -> None:
        self.playing = {place: task for place, task in self.playing.items() if not task.done()}
        for row in rows:
            if row["table"] is None or row["status"] not in ("open", "playing"):
                continue
            for seat in row["seats"]:
                self._send(row, seat["player"]["id"])

    def _send(self, row: Json, player: int) -> None:
        place = row["table"], player
        left_to_a_person = player == self.own and row["round"] >= self.own_round
        if place in self.playing or left_to_a_person or player not in self.tokens:
            return
        robot = Robot(self.league, row["table"], self.tokens[player], random.Random())
        self.playing[place] = asyncio.create_task(robot.play())
