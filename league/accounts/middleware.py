"""The language that a user chose comes before the browser's wish."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.utils import translation

from league.accounts.models import User

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class UserLanguageMiddleware:
    """Activate `User.language`; stands after the session, the locale and the authentication."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if isinstance(request.user, User) and request.user.language:
            translation.activate(request.user.language)
            request.LANGUAGE_CODE = translation.get_language()
        return self.get_response(request)
