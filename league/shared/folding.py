"""Search and sort keys for names in Turkish and Azerbaijani, computed here and never by collation.

The embedded PostgreSQL has no ICU, and `unaccent` keeps the schwa, so keys are plain text columns.
Pure: no Django.
"""

import unicodedata

# The schwa is typed as a or e elsewhere (Əli, Ali, Eli), so the three share one letter.
_SEARCH = str.maketrans("ıİIəƏeE", "iiiaaaa")
_ALPHABET = "abcçdeəfgğhxıijkqlmnoöprsştuüvwyz"
_RANK = {letter: chr(0x21 + place) for place, letter in enumerate(_ALPHABET)}
_LOWER = str.maketrans({"I": "ı", "İ": "i"})


def search_key(text: str) -> str:
    """Return `text` without case and marks: `Işıl`, `ISIL` and `isil` share the key `isil`,
    `Əli`, `Ali` and `Eli` the key `ali`.

    >>> search_key("Əli Məmmədov")
    'ali mammadov'
    """
    decomposed = unicodedata.normalize(
        "NFKD", unicodedata.normalize("NFKC", text).translate(_SEARCH)
    )
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    return " ".join(plain.casefold().split())


def sort_key(text: str) -> str:
    """Return a key that sorts by the common Turkish and Azerbaijani alphabet (c < ç, ı < i).

    >>> sorted(["Şahin", "Sarı", "Tan"], key=sort_key)
    ['Sarı', 'Şahin', 'Tan']
    """
    lower = unicodedata.normalize("NFKC", text).translate(_LOWER).lower()
    return "".join(_RANK.get(char, " " if char.isspace() else char) for char in lower)
