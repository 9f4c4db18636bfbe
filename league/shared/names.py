"""Names that people type: one spelling, bounded, printable."""

import re
import unicodedata
from collections.abc import Container

from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.shared.errors import DomainError

NAME_LENGTH = 80
_SLUG = re.compile(rf"[-a-zA-Z0-9_]{{1,{NAME_LENGTH}}}")
_SLUG_LETTERS = str.maketrans("ıİəƏ", "iIeE")
# Controls, marks that show nothing or turn their line, halves of letters, letters of nobody's.
_UNPRINTABLE = {"Cc", "Cf", "Cs", "Co", "Cn"}
# What counts as a letter or a sign and yet shows nothing: fillers, the empty Braille cell.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def clean_name(text: str) -> str:
    """Return `text` composed (NFC), with single spaces. Raises DomainError name."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name:
        raise DomainError("name", _("A name is missing."))
    if len(name) > NAME_LENGTH:
        raise DomainError("name", _("A name has at most %(most)d letters.") % {"most": NAME_LENGTH})
    if not is_printable(name):
        raise DomainError("name", _("A name holds only printable letters."))
    return name


def is_printable(text: str) -> bool:
    """Tell whether each letter shows, and shows where it stands; spaces are for the caller.

    Marks (accents, variants of a sign) need a letter to stand on.
    """
    kinds = {unicodedata.category(char)[0] for char in text}
    return not any(_is_unseen(char) for char in text) and not (kinds and kinds <= {"M", "Z"})


def visible(text: str) -> str:
    """Return `text` without what shows nothing: how it looks, to compare by."""
    return "".join(char for char in text if not _is_unseen(char))


def _is_unseen(char: str) -> bool:
    return char in _BLANK or unicodedata.category(char) in _UNPRINTABLE


def clean_slug(text: str) -> str:
    """Return `text` if it can stand in an address. Raises DomainError slug."""
    if not _SLUG.fullmatch(text):
        raise DomainError(
            "slug", _("A slug is made of a to z, digits, - and _, and holds no space.")
        )
    return text


def slug_of(text: str, taken: Container[str] = ()) -> str:
    """Return a slug of `text` that is not `taken`, numbered where needed.

    >>> slug_of("Ordu Dömino Kulübü"), slug_of("Əli", taken={"eli"})
    ('ordu-domino-kulubu', 'eli-2')
    """
    stem = slugify(text.translate(_SLUG_LETTERS))[: NAME_LENGTH - 5] or "x"
    slug, number = stem, 1
    while slug in taken:
        number += 1
        slug = f"{stem}-{number}"
    return slug
