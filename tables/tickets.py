"""What somebody was let in with: an account, and the token or the session that named it.

A socket stays open for hours, so what was true when it was opened is asked again with each command
and each beat. Reads only; what the person may do at a table stands in `permissions`.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from rest_framework.authtoken.models import Token

from league.accounts.models import User


@dataclass(frozen=True, slots=True)
class Ticket:
    """An account's id, with the key of a token or of a session; programs of the house have none.

    Neither enters a log: both open the account.
    """

    user_id: int
    token: str = field(default="", repr=False)
    session: str = field(default="", repr=False)

    @classmethod
    def of_scope(cls, scope: dict[str, Any]) -> "Ticket | None":
        """Return the ticket of a connection; None for somebody who did not log in."""
        if not scope["user"].is_authenticated:
            return None
        if "token" in scope:
            return cls(scope["user"].pk, token=scope["token"])
        return cls(scope["user"].pk, session=scope["session"].session_key)

    def user(self) -> User | None:
        """Return the account as it is now; None if it is closed, or token or session are gone."""
        user = User.objects.filter(pk=self.user_id).first()
        return user if user is not None and self.admits(user) else None

    def admits(self, user: User) -> bool:
        """Tell whether the ticket still opens `user`, who was read just now."""
        if not user.is_active or user.pk != self.user_id:
            return False
        if self.token:
            return Token.objects.filter(key=self.token, user=user).exists()
        return not self.session or _session_holds(self.session, user)

    def holds(self, user: User, *, token: bool, session: str | None) -> bool:
        """Tell the same as `admits` by what was read with the user: whether the token stands, and
        the session's data (None: there is no such session).
        """
        if not user.is_active or user.pk != self.user_id:
            return False
        if self.token:
            return token
        return not self.session or (
            session is not None and _opens(session, user.get_session_auth_hash())
        )


def welcome(tickets: Collection[Ticket]) -> set[Ticket]:
    """Return those that still open their account, by three queries for all of them."""
    users = User.objects.in_bulk([ticket.user_id for ticket in tickets])
    keys = Token.objects.filter(key__in=[ticket.token for ticket in tickets if ticket.token])
    tokens = set(keys.values_list("key", "user_id"))
    named = [ticket.session for ticket in tickets if ticket.session]
    live = Session.objects.filter(session_key__in=named, expire_date__gt=timezone.now())
    sessions = dict(live.values_list("session_key", "session_data"))

    def holds(ticket: Ticket) -> bool:
        user, token = users.get(ticket.user_id), (ticket.token, ticket.user_id) in tokens
        session = sessions.get(ticket.session)
        return user is not None and ticket.holds(user, token=token, session=session)

    return set(filter(holds, tickets))


@lru_cache(maxsize=4096)
def _opens(session: str, key: str) -> bool:
    """Tell whether a session's data, which are signed, were written for this key of a password."""
    store: SessionBase = import_module(settings.SESSION_ENGINE).SessionStore()
    return constant_time_compare(store.decode(session).get(HASH_SESSION_KEY, ""), key)


def _session_holds(key: str, user: User) -> bool:
    """Read the session anew: a log-out ends it, and a new password ends all of them."""
    session: SessionBase = import_module(settings.SESSION_ENGINE).SessionStore(key)
    return constant_time_compare(session.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())
