"""The robots' patience: a server that is away, refuses, or asks to come again ends no robot."""

import asyncio
import json
import random
from http import HTTPStatus

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from league.console import robots
from league.console.robots import Crowd, Json, League, Robot


def league_at(port: int) -> League:
    return League(f"http://127.0.0.1:{port}/", "localhost", tournament=1, move_seconds=0)


def snapshot(status: str) -> str:
    table = {"status": status, "you": 0, "can": ["sit"], "seats": [{"sat": False}]}
    return json.dumps({"snapshot": {"table": table}, "v": 1})


class Moody:
    """A server whose first handshake fails and which answers the first `sit` by `unavailable`."""

    def __init__(self) -> None:
        self.handshakes = 0
        self.commands: list[Json] = []

    def refuse_once(self, connection: ServerConnection, _request: Request) -> Response | None:
        self.handshakes += 1
        if self.handshakes == 1:
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "starting\n")
        return None

    async def answer(self, connection: ServerConnection) -> None:
        await connection.send(snapshot("waiting"))
        async for text in connection:
            self.commands.append(json.loads(text))
            if len(self.commands) == 1:
                refusal = {"error": "unavailable", "id": self.commands[0]["id"], "text": "Later."}
                await connection.send(json.dumps(refusal))
            else:
                await connection.send(snapshot("finished"))


async def test_a_robot_outlives_a_refused_handshake_and_repeats_what_was_unavailable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(robots, "RETRY_SECONDS", 0.01)
    moody = Moody()
    async with serve(moody.answer, "127.0.0.1", 0, process_request=moody.refuse_once) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        robot = Robot(league_at(port), 1, "token", random.Random(1))
        await asyncio.wait_for(robot.play(), 20)
    assert robot.finished
    assert moody.handshakes == 2
    assert [command["do"] for command in moody.commands] == ["sit", "sit"]


async def test_a_robot_whose_task_ended_is_sent_again() -> None:
    row = {"table": 7, "round": 1, "status": "open", "seats": [{"player": {"id": 3}}]}
    crowd = Crowd(league_at(1), {3: "token"}, own=0, own_round=2)
    crowd._sit_down([row])
    first = crowd.playing[7, 3]
    crowd._sit_down([row])
    assert crowd.playing[7, 3] is first
    first.cancel()
    await asyncio.wait([first])
    crowd._sit_down([row])
    second = crowd.playing[7, 3]
    assert second is not first
    second.cancel()
