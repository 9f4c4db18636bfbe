"""Daphne on a socket that the supervisor holds, or one of its own, with limits and with a drain.

Daphne alone drops its WebSockets at SIGTERM without a close frame. Here SIGTERM first stops
accepting, tells each WebSocket that the service restarts, and lets running work end.
"""

import asyncio
import signal
import socket
import time
from collections.abc import Callable, Iterable
from typing import Any

from daphne import server as daphne
from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.server import Server
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from django.conf import settings
from twisted.internet import reactor as _reactor

from tables.limits import Bucket

reactor: Any = _reactor  # its interface is typed for a call that Daphne's reactor has not
FRAME_BYTES = 16 * 1024  # the largest frame a table's client may send
FRAMES, FRAMES_A_SECOND = 120, 60  # of one socket, as they arrive; a table's own limit is lower
WAITING_FRAMES = 100  # that arrived on one socket and were not handled yet
BODY_BYTES = 3 * 1024 * 1024  # the largest body of a request; Django takes 2.5 MB of it
TOO_LARGE = b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
HANDSHAKE_SECONDS = 20  # a whole hall comes back at once when a server restarts
DRAIN_SECONDS = 5.0
POLICY_VIOLATION = 1008
SERVICE_RESTART = 1012  # RFC 6455's registry of close codes
STANDARD_CODES = frozenset({POLICY_VIOLATION, 1011, SERVICE_RESTART, 1013})


class Socket(WebSocketProtocol):  # type: ignore[misc]
    """A WebSocket that bounds what waits, and that may be closed with the standard's codes as well.

    What somebody does not read waits in the kernel's buffer, which is kept small, and then here:
    who lets too much of it pile up is cut off, and comes back to a snapshot.
    An application that is busy counts late: what arrives meanwhile would fill the memory.
    Autobahn's `sendClose` takes 1000 and private codes only, and ends the connection with 1011.
    """

    refused = False

    def onOpen(self) -> None:
        self.transport.getHandle().setsockopt(
            socket.SOL_SOCKET, socket.SO_SNDBUF, settings.AYAZ_UNREAD_BYTES // 4
        )
        super().onOpen()

    def serverSend(self, content: bytes | str, binary: bool = False) -> None:
        super().serverSend(content, binary)
        if self._unread() > settings.AYAZ_UNREAD_BYTES:
            self.transport.abortConnection()

    def _unread(self) -> int:
        """Return how many bytes wait for the kernel to take them (Twisted tells nobody else)."""
        return len(self.transport.dataBuffer) + int(self.transport._tempDataLen)

    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        if self.refused:
            return
        if self._has_room():
            super().onMessage(payload, isBinary)
            return
        self.refused = True
        self._forget_waiting()
        self.serverClose(POLICY_VIOLATION)

    def _has_room(self) -> bool:
        if not hasattr(self, "arriving"):
            self.arriving = Bucket(FRAMES, FRAMES_A_SECOND)
        waiting: int = self.application_queue.qsize()
        return self.arriving.take(time.monotonic()) and waiting < WAITING_FRAMES

    def _forget_waiting(self) -> None:
        """Drop the frames that wait, so that the application learns next that the client went."""
        queue = self.application_queue
        waiting = [queue.get_nowait() for _ in range(queue.qsize())]
        for message in waiting:
            if message["type"] != "websocket.receive":
                queue.put_nowait(message)

    def serverClose(self, code: int | None = None) -> None:
        if code in STANDARD_CODES:
            self.sendCloseFrame(code=code, isReply=False)
        else:
            super().serverClose(code)


class Request(WebRequest):  # type: ignore[misc]
    """A request whose body is bounded before it is written anywhere, announced or in chunks."""

    received = 0
    refused = False

    def gotLength(self, length: int | None) -> None:
        super().gotLength(length)
        if length is not None and length > BODY_BYTES:
            self._refuse()

    def handleContentChunk(self, data: bytes) -> None:
        self.received += len(data)
        if self.received > BODY_BYTES:
            self._refuse()
        if not self.refused:
            super().handleContentChunk(data)

    def _refuse(self) -> None:
        if not self.refused:
            self.refused = True
            head = (
                b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
            self.channel.transport.write(head)
            self.channel.loseConnection()


class RequestFactory(HTTPFactory):  # type: ignore[misc]
    """Makes bounded requests."""

    def buildProtocol(self, addr: Any) -> Any:
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = Request
        return protocol


class DrainingServer(Server):  # type: ignore[misc]
    """Serves `application` on a Twisted endpoint until SIGTERM or SIGINT, then drains.

    `idle` tells whether the application has nothing under way beside what it was asked for.
    """

    def __init__(
        self, application: Any, *, endpoint: str, idle: Callable[[], bool] = lambda: True
    ) -> None:
        super().__init__(
            application,
            endpoints=[endpoint],
            signal_handlers=False,
            websocket_max_message_size=FRAME_BYTES,
            websocket_max_frame_size=FRAME_BYTES,
            websocket_handshake_timeout=HANDSHAKE_SECONDS,
            ready_callable=self._catch_signals,
        )
        WebSocketFactory.protocol = Socket
        daphne.HTTPFactory = RequestFactory  # Daphne asks for it by this name
        self.idle = idle
        self.ports: list[Any] = []
        self.draining = False

    def listen_success(self, port: Any) -> None:
        super().listen_success(port)
        self.ports.append(port)

    def _catch_signals(self) -> None:
        loop = asyncio.get_event_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.drain)

    def drain(self) -> None:
        """Stop accepting, close WebSockets with a reason, stop when the rest is done."""
        if self.draining:
            return
        self.draining = True
        for port in self.ports:
            port.stopListening()
        for protocol in self._websockets():
            protocol.sendCloseFrame(code=SERVICE_RESTART)
        self._stop_when_idle(time.monotonic() + DRAIN_SECONDS)

    def _websockets(self) -> Iterable[Any]:
        sockets = (each for each in self.connections if isinstance(each, WebSocketProtocol))
        return [each for each in sockets if each.state == WebSocketProtocol.STATE_OPEN]

    def _stop_when_idle(self, deadline: float) -> None:
        running = (each.get("application_instance") for each in self.connections.values())
        busy = any(future is not None and not future.done() for future in running)
        if (busy or not self.idle()) and time.monotonic() < deadline:
            reactor.callLater(0.05, self._stop_when_idle, deadline)
        else:
            self.stop()
