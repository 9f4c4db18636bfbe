"""Where a running installation keeps its state, and the `run.env` file in it. Pure: no Django.

The directory holds the embedded servers' data, the secrets and collected static files.
`manage.py up` writes `run.env`; settings read it, so every command works beside `up`.
"""

import hashlib
import os
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
RUN_ENV = "run.env"
OWNERS_KEYS = frozenset({"MIGRATE_URL", "AYAZ_OWNER_PASSWORD"})  # what migrates may know, none else


def data_dir() -> Path:
    """Return `AYAZ_DATA`, or `var/` of the checkout, or for root a place other users may reach."""
    given = os.environ.get("AYAZ_DATA")
    if given:
        return Path(given).expanduser().resolve()
    if os.geteuid() == 0:
        return Path("/var/lib/ayaz") / hashlib.sha256(bytes(CHECKOUT)).hexdigest()[:12]
    return CHECKOUT / "var"


def read_run_env(directory: Path) -> dict[str, str]:
    """Return the `KEY=value` lines of `run.env`; an absent or unreadable file is an empty one."""
    try:
        text = (directory / RUN_ENV).read_text(encoding="utf-8")
    except OSError:
        return {}
    pairs = (line.split("=", 1) for line in text.splitlines() if "=" in line)
    return {key.strip(): value.strip() for key, value in pairs if not key.startswith("#")}
