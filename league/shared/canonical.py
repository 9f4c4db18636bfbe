"""Facts as bytes that everybody computes alike, and the hash of them. Pure: no Django.

The canonical form is one JSON object in UTF-8: keys sorted, no spaces, every character beyond ASCII
escaped. A moment is UTC with six digits of a second. The hash is the SHA-256 of these bytes in
lower-case hexadecimal digits.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any


def canonical(members: Mapping[str, Any]) -> bytes:
    """Return the canonical form of an object.

    >>> canonical({"b": [1, None], "a": "x"})
    b'{"a":"x","b":[1,null]}'
    """
    return json.dumps(members, sort_keys=True, separators=(",", ":")).encode()


def digest(members: Mapping[str, Any]) -> str:
    """Return the hash of an object's canonical form."""
    return hashlib.sha256(canonical(members)).hexdigest()


def utc_text(moment: datetime) -> str:
    """Return an aware moment as the canonical form writes it.

    >>> utc_text(datetime(2026, 11, 30, 19, 17, tzinfo=UTC))
    '2026-11-30T19:17:00.000000Z'
    """
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
