"""What tables do when somebody is banned or logs out, as they hear it from below."""

import logging
from typing import Any
from uuid import uuid4

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.contrib.auth.signals import user_logged_out
from django.contrib.sessions.backends.base import SessionBase
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from league.accounts.models import Player, User
from league.conduct.models import Ban
from league.conduct.selectors import ban_on
from league.conduct.signals import ban_placed
from tables.bans import place_of, session_mark, user_group
from tables.failures import log_failure
from tables.models import Table, TableSeat, TableStatus
from tables.protocol import Command, Do
from tables.services import command_execute
from tables.tickets import Ticket

logger = logging.getLogger(__name__)


def _tell_sockets(user_id: int, session: str) -> None:
    """Have an account's sockets look whether they are closed; a failure is logged."""
    message = {"type": "user.close", "session": session}
    try:
        async_to_sync(get_channel_layer().group_send)(user_group(user_id), message)
    except Exception as error:  # commands and joins ask again anyway
        log_failure(logger, error, "user %s: sockets are not told", user_id)


@receiver(ban_placed)
def on_ban_placed(ban: Ban, **_more: Any) -> None:
    """Let the banned get up where no match is under way, and close their sockets there."""
    user_id = ban.player.user_id
    if user_id is None:
        return
    for table in _waiting_tables(ban.player):
        if ban_on(ban.player, place_of(table), timezone.now()) is not None:
            _try_to_get_up(table, user_id)
    _tell_sockets(user_id, "")


def _try_to_get_up(table: Table, user_id: int) -> None:
    try:
        _get_up(table, user_id)
    except Exception as error:  # the other tables and the sockets still have their turn
        log_failure(logger, error, "table %s: the banned is still there", table.pk)


def _waiting_tables(player: Player) -> list[Table]:
    sat = TableSeat.objects.filter(player=player, sat_at__isnull=False)
    waiting = Table.objects.filter(status=TableStatus.WAITING, pk__in=sat.values("table"))
    return list(waiting.select_related("match"))


def _get_up(table: Table, user_id: int) -> None:
    command = Command(uuid4(), Do.LEAVE, price=0)
    answer = command_execute(table_id=table.pk, ticket=Ticket(user_id), command=command)
    if answer.code:
        logger.warning("table %s: a banned player still sits there: %s", table.pk, answer.code)


@receiver(user_logged_out)
def on_logged_out(request: HttpRequest | None, user: User | None, **_more: Any) -> None:
    """Close the sockets that were opened with the session that ends now."""
    session: SessionBase | None = getattr(request, "session", None)
    if user is not None and session is not None and session.session_key:
        _tell_sockets(user.pk, session_mark(session.session_key))
