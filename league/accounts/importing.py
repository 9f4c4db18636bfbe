"""Reading people from a CSV file as spreadsheets write them. Pure of the database: text to values.

The first row holds headings, in English, Turkish or Azerbaijani: a name, and a user name if wanted;
other columns are left alone. Bytes may be UTF-8 (with a mark or without), UTF-16 with a mark, or
the Turkish code page 1254; cells are parted by `;`, `,` or a tab.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.shared.errors import DomainError
from league.shared.folding import search_key
from league.shared.names import visible

MOST_BYTES = 1_000_000
MOST_ROWS = 2_000
_DELIMITERS = ";,\t"
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
_NAME_HEADINGS = (
    "name; player; full name; ad; adı; ad soyad; adı soyadı; isim; oyuncu; ad və soyad; soyad ad"
)
_USERNAME_HEADINGS = (
    "username; user name; user; kullanıcı; kullanıcı adı; istifadəçi; istifadəçi adı"
)
_NAME_KEYS = {search_key(heading) for heading in _NAME_HEADINGS.split(";")}
_USERNAME_KEYS = {search_key(heading) for heading in _USERNAME_HEADINGS.split(";")}


@dataclass(frozen=True, slots=True)
class Person:
    """One row's person. `row` counts as a spreadsheet does, the headings being row 1."""

    row: int
    name: str
    username: str = ""


@dataclass(frozen=True, slots=True)
class RowError:
    """Why a row cannot be taken. Row 0: the file as a whole."""

    row: int
    text: str

    def __str__(self) -> str:
        return _("Row %(row)d: %(text)s") % {"row": self.row, "text": self.text}


class ImportRefused(DomainError):
    """A file of which nothing was imported. `rows` are the errors in the order of the file."""

    def __init__(self, rows: Sequence[RowError]) -> None:
        count = len(rows)
        text = ngettext(
            "Nothing was imported: %(count)d row cannot be taken.",
            "Nothing was imported: %(count)d rows cannot be taken.",
            count,
        ) % {"count": count}
        super().__init__("import", text)
        self.rows = tuple(rows)


def read_people(file: bytes | TextIO) -> list[Person]:
    """Return the people of a file. Raises `ImportRefused` with everything found wrong in it."""
    rows = _cells(_text(file))
    columns = _columns(rows[0][1]) if rows else None
    if columns is None:
        raise _refused(1, _("The first row names the columns; one of them is “name”."))
    people = [_person(row, cells, columns) for row, cells in rows[1:] if cells != rows[0][1]]
    errors = [found for found in people if isinstance(found, RowError)]
    good = [found for found in people if isinstance(found, Person)]
    errors += _doubled_usernames(good)
    if not people:
        errors.append(RowError(1, _("No players follow the headings.")))
    if errors:
        raise ImportRefused(sorted(errors, key=lambda error: error.row))
    return good


@dataclass(frozen=True, slots=True)
class _Columns:
    width: int
    name: int
    username: int | None


def _refused(row: int, text: str) -> ImportRefused:
    return ImportRefused([RowError(row, text)])


def _text(file: bytes | TextIO) -> str:
    data = file if isinstance(file, bytes) else file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise _refused(0, _("The file is larger than 1 MB."))
    text = _decoded(data) if isinstance(data, bytes) else data
    if "\0" in text:
        raise _refused(0, _("The file is no text."))
    return text.removeprefix("\ufeff")


def _decoded(data: bytes) -> str:
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if marked else ("utf-8", "cp1254"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise _refused(0, _("The file is neither UTF-8 nor in the Turkish code page 1254."))


def _cells(text: str) -> list[tuple[int, list[str]]]:
    """Return (row, stripped cells) of every row that is not empty."""
    return [(row, cells) for row, cells in _numbered(text) if any(cells)]


def _numbered(text: str) -> Iterator[tuple[int, list[str]]]:
    row = 0
    try:
        for row, cells in enumerate(_reader(text), start=1):
            if row > MOST_ROWS + 1:
                raise _refused(row, _("A file holds at most %(most)d rows.") % {"most": MOST_ROWS})
            yield row, [" ".join(cell.split()) for cell in cells]
    except csv.Error as error:
        raise _refused(row + 1, _("The quotes do not close, or a cell is too long.")) from error


def _reader(text: str) -> Iterator[list[str]]:
    first = text.lstrip("\r\n").partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)


def _columns(headings: list[str]) -> _Columns | None:
    keys = [search_key(heading) for heading in headings]
    names = [place for place, key in enumerate(keys) if key in _NAME_KEYS]
    usernames = [place for place, key in enumerate(keys) if key in _USERNAME_KEYS]
    if len(names) > 1 or len(usernames) > 1:
        raise _refused(1, _("Two columns have the same heading."))
    if not names:
        return None
    return _Columns(len(headings), names[0], usernames[0] if usernames else None)


def _person(row: int, cells: list[str], columns: _Columns) -> Person | RowError:
    if any(cells[columns.width :]):
        return RowError(row, _("There are more cells than headings."))
    if any(visible(cell).lstrip().startswith(_FORMULA) for cell in cells):
        return RowError(row, _("A cell begins like a formula (= + - @)."))
    padded = cells + [""] * (columns.width - len(cells))
    name = padded[columns.name]
    if not name:
        return RowError(row, _("The name is missing."))
    return Person(row, name, "" if columns.username is None else padded[columns.username])


def _doubled_usernames(people: Sequence[Person]) -> list[RowError]:
    seen: dict[str, int] = {}
    errors = []
    for person in people:
        key = person.username.casefold()
        if key and key in seen:
            text = _("The user name stands in row %(row)d already.") % {"row": seen[key]}
            errors.append(RowError(person.row, text))
        seen.setdefault(key, person.row)
    return errors
