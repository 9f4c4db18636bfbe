"""Log-in by allauth's pages, as this league counts it."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal.ratelimit import get_ip
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Counts wrong passwords for a user name from one address.

    Counted by the name alone, anybody could lock any player out.
    """

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        return f"{get_ip(request)}:{super()._get_login_attempts_cache_key(request, **credentials)}"
