"""Pages of people's accounts that allauth does not bring: the choice of the language."""

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from league.accounts.models import User
from league.accounts.services import user_language_set


@require_POST
def language_set(request: HttpRequest) -> HttpResponseBase:
    """Set the language of this browser and, for somebody logged in, of the account."""
    language = request.POST.get("language", "")
    if isinstance(request.user, User) and language in dict(settings.LANGUAGES):
        user_language_set(user=request.user, language=language)
    return set_language(request)
