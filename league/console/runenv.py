"""`run.env`: what an installation's processes must know, written by `up` for mode 600.

Keys made once (secret key, passwords) stay for good; addresses are written anew at each start.
Pure: no Django.
"""

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from league.shared.datadir import RUN_ENV, read_run_env

OWNER_PASSWORD = "AYAZ_OWNER_PASSWORD"
APPLICATION_PASSWORD = "AYAZ_APPLICATION_PASSWORD"
VALKEY_PASSWORD = "AYAZ_VALKEY_PASSWORD"
PASSWORDS = (OWNER_PASSWORD, APPLICATION_PASSWORD, VALKEY_PASSWORD)


def with_secrets(known: Mapping[str, str]) -> dict[str, str]:
    """Return `known` with every secret that is missing made."""
    made = {key: secrets.token_hex(24) for key in PASSWORDS}
    return {"SECRET_KEY": secrets.token_urlsafe(64), **made, **known}


def load(data: Path) -> dict[str, str]:
    """Return the secrets of an earlier start; nothing else of it is kept."""
    return {
        key: value
        for key, value in read_run_env(data).items()
        if key in ("SECRET_KEY", *PASSWORDS) and value
    }


def write(data: Path, values: Mapping[str, str]) -> None:
    """Write the file whole or not at all, readable by its owner alone."""
    text = "".join(f"{key}={value}\n" for key, value in sorted(values.items()))
    write_private(data / RUN_ENV, f"# Written by `manage.py up` at each start.\n{text}")


def write_private(path: Path, text: str) -> None:
    """Replace `path` by a file of mode 600 that holds `text`, in one step."""
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(descriptor)
    part.replace(path)
