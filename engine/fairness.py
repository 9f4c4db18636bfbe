"""The provable shuffle (rules.md, Shuffle): from a secret and contributions to deals and lots.

Whoever knows the secret can compute every deal of a match, so nothing here may log or show it. No
other source of chance exists in the engine.
"""

import hashlib
import hmac
import re
from collections.abc import Iterator, Sequence
from itertools import count
from struct import Struct
from typing import TypeVar

from engine.errors import InvalidShuffle
from engine.tiles import TILES, Frozen, Tile, brief

T = TypeVar("T")

SECRET_BYTES = 32
_CONTRIBUTION = re.compile("[0-9a-fA-F]{0,64}")
_NUMBERS = Struct(">8I")
_SPAN = 1 << 32


def commitment(secret: bytes) -> str:
    """Give the SHA-256 of a secret in hex, which binds a table to it before the first deal.

    >>> commitment(bytes(range(32)))[:16]
    '630dcd2966c43366'
    """
    return hashlib.sha256(secret).hexdigest()


def stream(secret: bytes, contributions: Sequence[str], purpose: str) -> Iterator[int]:
    """Give the endless 32-bit numbers of a purpose.

    >>> numbers = stream(bytes(32), ("", ""), "deal:0:0")
    >>> 0 <= next(numbers) < 2**32
    True
    """
    prefix = f"ayaz/1|{purpose}|{','.join(contributions)}|"
    for block in count():
        message = f"{prefix}{block}".encode("ascii")
        yield from _NUMBERS.unpack(hmac.digest(secret, message, "sha256"))


def below(numbers: Iterator[int], n: int) -> int:
    """Take a number from 0 to n - 1; the incomplete last span is left out, so all are as likely.

    >>> below(iter([2**32 - 1, 7]), 3)
    1
    """
    limit = _SPAN - _SPAN % n
    number = next(numbers)
    while number >= limit:
        number = next(numbers)
    return number % n


def shuffled(items: Sequence[T], numbers: Iterator[int]) -> list[T]:
    """Give the items in a new order: for i from the last to 1, swap i with below(i + 1)."""
    order = list(items)
    for i in range(len(order) - 1, 0, -1):
        j = below(numbers, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def lot(numbers: Iterator[int], seats: int) -> int:
    """Draw a seat."""
    return below(numbers, seats)


class Shuffle(Frozen):
    """A match's secret (32 bytes) with each seat's contribution (up to 64 hex digits).

    Its `repr` never shows the secret. A wrong shape is an `InvalidShuffle`.

    >>> shuffle = Shuffle(bytes(range(32)), ("", "", "", ""))
    >>> [str(tile) for tile in shuffle.order(0, 0)[:3]], shuffle.starter(0, 4)
    (['6-0', '0-0', '4-2'], 3)
    """

    __slots__ = ("contributions", "secret")
    secret: bytes
    contributions: tuple[str, ...]

    def __init__(self, secret: bytes, contributions: Sequence[str]) -> None:
        if not isinstance(secret, bytes) or len(secret) != SECRET_BYTES:
            raise InvalidShuffle(f"a secret has {SECRET_BYTES} bytes")
        for text in contributions:
            if not isinstance(text, str) or not _CONTRIBUTION.fullmatch(text):
                raise InvalidShuffle(f"a contribution has at most 64 hex digits, not {brief(text)}")
        object.__setattr__(self, "secret", secret)
        object.__setattr__(self, "contributions", tuple(contributions))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shuffle) and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash(self._facts())

    def __repr__(self) -> str:
        return f"<Shuffle for {len(self.contributions)} seats>"

    def __reduce__(self) -> tuple[type["Shuffle"], tuple[bytes, tuple[str, ...]]]:
        return Shuffle, self._facts()

    def _facts(self) -> tuple[bytes, tuple[str, ...]]:
        return self.secret, self.contributions

    @property
    def commitment(self) -> str:
        """The SHA-256 of the secret, in hex."""
        return commitment(self.secret)

    def numbers(self, purpose: str) -> Iterator[int]:
        """Give the stream of a purpose."""
        return stream(self.secret, self.contributions, purpose)

    def order(self, hand: int, attempt: int) -> tuple[Tile, ...]:
        """Give all 28 tiles in the order of a hand's deal (both counted from 0)."""
        return tuple(shuffled(TILES, self.numbers(f"deal:{hand}:{attempt}")))

    def starter(self, hand: int, seats: int) -> int:
        """Draw the seat that starts a hand."""
        return lot(self.numbers(f"starter:{hand}"), seats)
