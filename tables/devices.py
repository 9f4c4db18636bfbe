"""Which players of a table sat with one device: told to its organizer, never held against anybody.

A device is a random name in a signed, long-lived cookie that table pages set; programs have none.
People share devices for good reasons, so nothing is refused here.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse

from league.tournaments.models import Tournament
from tables.models import SeatDevice, Table, TableKind
from tables.pages import table_place, table_title

COOKIE = "ayaz_device"
SECONDS = 400 * 24 * 3600
"""As long as browsers keep a cookie."""
_SALT = "tables.devices"


@dataclass(frozen=True, slots=True)
class Shared:
    """A table at which several players sat with one device."""

    table: Table
    title: str
    names: tuple[str, ...]


def device_of(cookies: Mapping[str, str]) -> str:
    """Return the device's name, or nothing where there is none or it was not signed here."""
    try:
        return str(Signer(salt=_SALT).unsign(cookies.get(COOKIE, "")))
    except BadSignature:
        return ""


def recognize(request: HttpRequest, response: HttpResponse) -> None:
    """Give a browser that has none the name of its device."""
    if device_of(request.COOKIES):
        return
    response.set_cookie(
        COOKIE,
        Signer(salt=_SALT).sign(secrets.token_urlsafe(16)),
        max_age=SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def device_note(*, table_id: int, player_id: int, device: str) -> None:
    """Write down that a player holds a seat of a scheduled table with a device, once."""
    scheduled = Table.objects.filter(pk=table_id, kind=TableKind.SCHEDULED)
    if device and scheduled.exists():
        seen = SeatDevice(table_id=table_id, player_id=player_id, device=device)
        SeatDevice.objects.bulk_create([seen], ignore_conflicts=True)


def shared_devices(tournament: Tournament) -> list[Shared]:
    """Return the tables where several players sat with one device, the newest first."""
    seen = SeatDevice.objects.filter(table__match__fixture__round__stage__tournament=tournament)
    rows = seen.select_related(
        "player", "table__match__fixture__round__stage__tournament"
    ).order_by("-table", "device", "player__sort_key", "player")
    groups = (list(group) for _key, group in groupby(rows, lambda row: (row.table_id, row.device)))
    return [_shared(group) for group in groups if len(group) > 1]


def _shared(group: list[SeatDevice]) -> Shared:
    table = group[0].table
    names = tuple(row.player.name for row in group)
    return Shared(table, f"{table_place(table)} · {table_title(table)}", names)
