"""A ban in words, for the banned and for those who deal with them."""

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.conduct.models import Ban, Scope


def _until(ban: Ban) -> str:
    assert ban.ends_at is not None
    return date_format(timezone.localtime(ban.ends_at), "SHORT_DATETIME_FORMAT")


def own_text(ban: Ban) -> str:
    """Return what somebody banned is told."""
    if ban.ends_at is None:
        return _("You are banned here until the ban is lifted.")
    return _("You are banned here until %(until)s.") % {"until": _until(ban)}


def own_chat_text(ban: Ban) -> str:
    """Return what somebody is told who may not speak."""
    if ban.scope != Scope.CHAT:
        return own_text(ban)
    if ban.ends_at is None:
        return _("You are banned from the chat until the ban is lifted.")
    return _("You are banned from the chat until %(until)s.") % {"until": _until(ban)}


def text_about(ban: Ban) -> str:
    """Return what an organizer is told of a banned player."""
    if ban.ends_at is None:
        return _("%(player)s is banned here until the ban is lifted.") % {"player": ban.player}
    told = {"player": ban.player, "until": _until(ban)}
    return _("%(player)s is banned here until %(until)s.") % told
