"""Search and sort keys for names in Turkish and Azerbaijani, computed here and never by collation.

The embedded PostgreSQL has no ICU, and `unaccent` keeps the schwa, so keys are plain text columns.
Pure: no Django.
"""

import unicodedata

# The schwa is typed as a or e elsewhere (Əli, Ali, Eli), so the three share one letter.
_SEARCH = str.maketrans("ıİIəƏeE", "iiiaaaa")
_ALPHABET = "abcçdeəfgğhxıijkqlmnoöprsştuüvwyz"
_RANK = {letter: chr(ord("A") + place) for place, letter in enumerate(_ALPHABET)}
_LOWER = str.maketrans({"I": "ı", "İ": "i"})


def search_key(text: str) -> str:
    """Return `text` without case and marks: `Işıl`, `ISIL` and `isil` share the key `isil`,
    `Əli`, `Ali` and `Eli` the key `ali`.

    >>> search_key("Əli Məmmədov")
    'ali mammadov'
    """
    plain = _without_marks(text.translate(_SEARCH))
    return " ".join(plain.translate(_SEARCH).casefold().split())


def sort_key(text: str) -> str:
    """Return a key that sorts by the common Turkish and Azerbaijani alphabet (c < ç, ı < i).

    >>> sorted(["Şahin", "Sarı", "Tan"], key=sort_key)
    ['Sarı', 'Şahin', 'Tan']
    """
    lower = unicodedata.normalize("NFKC", text).translate(_LOWER).lower()
    return "".join(_rank(char) for char in lower)


def _rank(char: str) -> str:
    if char.isspace():
        return " "
    return _RANK.get(char) or _RANK.get(_without_marks(char)) or char


def _without_marks(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char))
