"""The section *Shuffle*: what the secret says about deals and lots.

Nothing of the play enters. The standard library alone.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator
from typing import Any

from tests.engine.second_checker_shapes import (
    ALL_TILES,
    Tile,
    has_fields,
    is_list,
    is_text,
    need,
    same,
)


def the_proof(record: dict[str, Any], seats: int) -> tuple[bytes | None, str]:
    """The secret and the joined contributions, or no secret for a record without proof."""
    if "proof" not in record:
        return None, ""
    proof = record["proof"]
    has_fields("proof", proof, must=("secret", "commitment", "contributions"))
    secret = is_text("proof", proof["secret"])
    need(re.fullmatch("[0-9a-f]{64}", secret) is not None, "proof", "the secret is not 64 hex")
    given = is_list("proof", proof["contributions"], seats)
    for text in given:
        fits = re.fullmatch("[0-9a-fA-F]{0,64}", is_text("proof", text)) is not None
        need(fits, "proof", "a contribution is not at most 64 hex digits")
    commitment = hashlib.sha256(bytes.fromhex(secret)).hexdigest()
    kept = same(proof["commitment"], commitment)
    need(kept, "proof", "the commitment is not the SHA-256 of the secret")
    return bytes.fromhex(secret), ",".join(given)


def stream(secret: bytes, purpose: str, contributions: str) -> Iterator[int]:
    """The endless row of 32-bit numbers that the secret gives for one purpose."""
    block = 0
    while True:
        message = f"ayaz/1|{purpose}|{contributions}|{block}".encode("ascii")
        digest = hmac.new(secret, message, hashlib.sha256).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def below(n: int, numbers: Iterator[int]) -> int:
    limit = 2**32 - 2**32 % n
    number = next(numbers)
    while number >= limit:
        number = next(numbers)
    return number % n


def shuffled(secret: bytes, purpose: str, contributions: str) -> list[Tile]:
    numbers = stream(secret, purpose, contributions)
    tiles = list(ALL_TILES)
    for i in range(27, 0, -1):
        j = below(i + 1, numbers)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    return tiles


def lot(secret: bytes, hand: int, seats: int, contributions: str) -> int:
    """The seat that starts the hand by lot."""
    return below(seats, stream(secret, f"starter:{hand}", contributions))
