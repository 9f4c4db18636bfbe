"""The WebSocket application: who is asking, from which page, and for which table.

A cookie is sent by any page a browser shows, so without a token the Origin must be our own. A
program sends `Authorization: Token …` and no browser does that by itself, so there Origin is not
looked at. Mounted by `league.asgi`.
"""

from typing import Any, cast
from urllib.parse import urlsplit

from channels.auth import AuthMiddlewareStack
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import URLRouter
from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http.request import split_domain_port, validate_host
from django.urls import path, re_path
from rest_framework.authtoken.models import Token

from league.accounts.models import User
from tables.consumers import NOT_FOUND, NOT_WELCOME, TableConsumer
from tables.limits import Places


class NobodyThere(AsyncWebsocketConsumer):  # type: ignore[misc]
    """Answers for addresses that are none."""

    async def connect(self) -> None:
        await self.accept()
        await self.close(code=NOT_FOUND)


class BadToken(AsyncWebsocketConsumer):  # type: ignore[misc]
    """Answers a token that is not known, or whose user may not log in any more."""

    async def connect(self) -> None:
        await self.accept()
        await self.close(code=NOT_WELCOME)


def headers_of(scope: dict[str, Any], name: bytes) -> list[str]:
    """Return a header of the handshake, as often as it was sent."""
    return [bytes(value).decode("latin-1") for key, value in scope["headers"] if key == name]


def header_of(scope: dict[str, Any], name: bytes) -> str:
    """Return a header of the handshake, or an empty text."""
    return next(iter(headers_of(scope, name)), "")


def origin_is_ours(scope: dict[str, Any]) -> bool:
    """Tell whether the page that opens the socket was served by us, or is trusted by settings.

    A request without Origin comes from no browser page; it may pass only without a cookie.
    """
    origin = header_of(scope, b"origin")
    if not origin:
        return settings.SESSION_COOKIE_NAME not in header_of(scope, b"cookie")
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    host = header_of(scope, b"host").lower()
    name, _port = split_domain_port(host)
    if not name or not validate_host(name, settings.ALLOWED_HOSTS):
        return False
    try:
        page = urlsplit(origin)
    except ValueError:
        return False
    schemes = {"https"} if settings.HTTPS else {"http", "https"}
    return page.scheme in schemes and page.netloc.lower() == host


def _user_of(key: str) -> User | None:
    token = Token.objects.select_related("user").filter(key=key, user__is_active=True).first()
    return None if token is None else token.user


class TokenOrCookie:
    """Finds out who is asking; refuses foreign pages and unknown tokens."""

    def __init__(self, inner: Any) -> None:
        self.by_token = inner
        self.by_cookie = AuthMiddlewareStack(inner)
        self.denied = WebsocketDenier.as_asgi()
        self.bad_token = BadToken.as_asgi()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        kind, _space, key = header_of(scope, b"authorization").partition(" ")
        if kind.lower() == "token":
            return await self._with_token(key.strip(), scope, receive, send)
        if not origin_is_ours(scope):
            return await self.denied(scope, receive, send)
        return await self.by_cookie(scope, receive, send)

    async def _with_token(self, key: str, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        user = None if "\0" in key else await database_sync_to_async(_user_of)(key)
        if user is None:
            return await self.bad_token({**scope, "user": AnonymousUser()}, receive, send)
        return await self.by_token({**scope, "user": user, "token": key}, receive, send)


def address_of(scope: dict[str, Any]) -> str:
    """Return the address a handshake came from, by as many trusted proxies as settings name."""
    proxies = cast(int, settings.REST_FRAMEWORK["NUM_PROXIES"])
    told = ",".join(headers_of(scope, b"x-forwarded-for")).split(",")
    if proxies and told != [""]:
        return told[-min(proxies, len(told))].strip()
    return str((scope.get("client") or ["unknown"])[0])


class PlacesByAddress:
    """Lets so many sockets of one address in as settings say, before anything is looked up.

    A club sits behind one router, so there are many; a page that is refused comes again.
    """

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.places = Places()
        self.denied = WebsocketDenier.as_asgi()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        with self.places.taken(address_of(scope), settings.AYAZ_SOCKETS_AN_ADDRESS) as taken:
            return await (self.inner if taken else self.denied)(scope, receive, send)


websocket_application = PlacesByAddress(
    TokenOrCookie(
        URLRouter(
            [
                path("ws/tables/<int:table_id>/", TableConsumer.as_asgi()),
                re_path(r"", NobodyThere.as_asgi()),
            ]
        )
    )
)
