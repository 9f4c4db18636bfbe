"""A process of its own that settles a match, step by step as its standard input says.

Started by tests: `settler.py MATCH_ID`. It prints `ready`, waits for a line, settles inside a
transaction, prints `settled <result>`, waits for a line, commits, and prints `committed`.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))
os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"

import django

django.setup()

from django.db import transaction  # noqa: E402

from league.settlement.services import match_settle  # noqa: E402


def say(text: str) -> None:
    print(text, flush=True)


def main() -> None:
    """Play the part above."""
    say("ready")
    sys.stdin.readline()
    with transaction.atomic():
        result = match_settle(
            match_id=int(sys.argv[1]),
            scores=[10, -33, -8, -21],
            places=[1, 4, 2, 3],
            points=[3, -3, 1, -1],
            record=None,
        )
        say(f"settled {result.pk}")
        sys.stdin.readline()
    say("committed")


if __name__ == "__main__":
    main()
