"""Where a running installation keeps its state, and the `run.env` file in it. Pure: no Django.

The directory holds the embedded servers' data, the secrets and collected static files.
`manage.py up` writes `run.env`; settings read it, so every command works beside `up`.
"""

import hashlib
import os
import re
import sys
from functools import cache
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
RUN_ENV = "run.env"
_KEY = re.compile("[A-Za-z_][A-Za-z0-9_]*")
OWNERS_KEYS = frozenset({"MIGRATE_URL", "AYAZ_OWNER_PASSWORD"})  # what migrates may know, none else


def data_dir() -> Path:
    """Return `AYAZ_DATA`, or `var/` of the checkout, or for root a place other users may reach."""
    given = os.environ.get("AYAZ_DATA")
    return Path(given).expanduser().resolve() if given else usual_data_dir()


def usual_data_dir() -> Path:
    """Return the directory that is used where nobody names one."""
    if os.geteuid() == 0:
        return Path("/var/lib/ayaz") / hashlib.sha256(bytes(CHECKOUT)).hexdigest()[:12]
    return CHECKOUT / "var"


def read_run_env(directory: Path) -> dict[str, str]:
    """Return the `KEY=value` lines of `run.env`; an absent or unreadable file is an empty one.

    Lines that a crash or a hand damaged are left out, with a word on standard error.
    """
    try:
        lines = (directory / RUN_ENV).read_bytes().splitlines()
    except OSError:
        return {}
    pairs: dict[str, str] = {}
    damaged: list[str] = []
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith(b"#"):
            pair = _pair(line)
            pairs.update([pair] if pair else [])
            damaged += [] if pair else [str(number)]
    if damaged:
        _complain(f"{directory / RUN_ENV}: left out what is damaged, line {', '.join(damaged)}")
    return pairs


def _pair(line: bytes) -> tuple[str, str] | None:
    """Return a line's key and value, if an environment can hold them."""
    try:
        key, parted, value = line.decode("utf-8").partition("=")
    except UnicodeDecodeError:
        return None
    usable = parted and _KEY.fullmatch(key.strip()) and "\0" not in value
    return (key.strip(), value.strip()) if usable else None


@cache
def _complain(line: str) -> None:
    """Say a line once, however often the file is read."""
    print(line, file=sys.stderr)
