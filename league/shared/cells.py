"""Text as a cell of a table that somebody opens with a spreadsheet. Pure: no Django."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def plain_cell(text: str) -> str:
    """Return `text` so that no spreadsheet takes it for a formula.

    >>> plain_cell("=1+1"), plain_cell("Aynur")
    ("'=1+1", 'Aynur')
    """
    return f"'{text}" if text.startswith(_FORMULA) else text
