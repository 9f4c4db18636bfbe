"""The table *Fields of a rule set* as rules.md has it, and what a house rule set may put there.

Written out here once for all tests of the engine (the second checker has its own, for it shares
nothing); no rule set of the engine is looked at.
"""

from __future__ import annotations

from typing import Any

TABLE = """
field                      | aznif          | vip-draw       | vip-block  | domino101                | kraloyun
draw                       | until_playable | until_playable | none       | pairs until_playable none | until_playable
reserve                    | 0              | 0              | 0          | 2 1 0                    | 0
first_starter              | lot            | lot            | lot        | first_double             | highest_double
next_starter               | went_out       | rotate         | rotate     | went_out                 | highest_double
starter_after_lock         | lot            | rotate         | rotate     | last_placer              | highest_double
forced_opening             | no             | no             | no         | first                    | always
no_double_redeals          | False          | False          | False      | True                     | False
lock_waits_for_empty_stock | False          | False          | False      | False                    | True
fives                      | True           | False          | False      | False                    | False
hand_scoring               | pip_loss       | difference     | difference | opponents_pips           | one_win
locker_pays                | True           | –              | –          | –                        | –
going_out_wins             | –              | True           | True       | True                     | True
blank_pips                 | 0              | 0              | 0          | 10                       | 0
lock_tie                   | –              | nobody         | nobody     | seka                     | nobody
opening_minimum            | 0              | 0              | 0          | 13                       | 0
bank_opens_account         | –              | –              | –          | True                     | –
drafts_on_opening          | –              | –              | –          | keep                     | –
"""  # noqa: E501
"""Three values: for two, three and four seats."""

NAMES, *ROWS = [[cell.strip() for cell in row.split("|")] for row in TABLE.strip().splitlines()]
CELLS = {
    (row[0], name): cell for row in ROWS for name, cell in zip(NAMES[1:], row[1:], strict=True)
}

DASH = "–"

OFFERED: dict[str, tuple[Any, ...]] = {
    "draw": ("until_playable", "pairs", "none"),
    "reserve": (0, 1, 2, 28),
    "first_starter": ("lot", "first_double", "highest_double"),
    "next_starter": ("went_out", "rotate", "lot", "first_double", "highest_double"),
    "starter_after_lock": ("last_placer", "rotate", "lot", "first_double", "highest_double"),
    "forced_opening": ("no", "first", "always"),
    "no_double_redeals": (False, True),
    "lock_waits_for_empty_stock": (False, True),
    "fives": (False, True),
    "hand_scoring": ("pip_loss", "difference", "opponents_pips", "one_win"),
    "locker_pays": (False, True),
    "going_out_wins": (False, True),
    "blank_pips": (0, 1, 10, 10_000),
    "lock_tie": ("nobody", "seka"),
    "opening_minimum": (0, 1, 13, 10_000),
    "bank_opens_account": (False, True),
    "drafts_on_opening": ("keep", "drop"),
}
"""Values that can stand in the field at all, in one family or another."""


def offered(name: str, field: str) -> tuple[Any, ...]:
    """Give the values of a field that a family is played with; none where the table has a dash."""
    values = OFFERED[field]
    if CELLS[field, name] == DASH:
        return ()
    if field == "hand_scoring":
        return tuple(value for value in values if (value == "pip_loss") == (name == "aznif"))
    if field == "opening_minimum" and name != "domino101":
        return (0,)
    if field == "going_out_wins" and not name.startswith("vip"):
        return (True,)
    return values
