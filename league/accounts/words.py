"""Sentences of Django about passwords that our catalogs put into other words.

Django's Turkish says "parola" and allauth's "şifre", and both stand on one page. A catalog of the
project comes before theirs; these marks make `makemessages` keep the sentences in it. Nothing is
read from here, and only texts of others may enter.
"""

from django.utils.translation import gettext_noop, ngettext_lazy

PASSWORD_RULES = (
    gettext_noop("The password is too similar to the %(verbose_name)s."),
    gettext_noop("Your password can’t be too similar to your other personal information."),
    gettext_noop("This password is too common."),
    gettext_noop("Your password can’t be a commonly used password."),
    gettext_noop("This password is entirely numeric."),
    gettext_noop("Your password can’t be entirely numeric."),
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
    ),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
    ),
)
