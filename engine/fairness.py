"""The provable shuffle (rules.md, Shuffle): from a secret and contributions to deals and lots.

Whoever knows the secret can compute every deal of a match, so nothing here may log or show it. No
other source of chance exists in the engine.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from itertools import count
from operator import mod
from struct import Struct
from typing import TypeVar

from engine.errors import InvalidShuffle
from engine.tiles import TILES, Frozen, Tile, brief

T = TypeVar("T")

SECRET_BYTES = 32
_CONTRIBUTION = re.compile("[0-9a-fA-F]{0,64}")
_NUMBERS = Struct(">8I")
_SPAN = 1 << 32
_INNER_PAD, _OUTER_PAD = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
_DEAL_BLOCKS = (b"0", b"1", b"2", b"3")  # 32 numbers, of which a deal takes 27 for its swaps
_DEAL_NUMBERS = Struct(">27I20x")
_SWAPPED = range(len(TILES) - 1, 0, -1)
_SPANS = range(len(TILES), 1, -1)
_HIGHEST = b"\xff\xff\xff"  # every number that a `below` of a deal leaves out begins so


def commitment(secret: bytes) -> str:
    """Give the SHA-256 of a secret in hex, which binds a table to it before the first deal.

    >>> commitment(bytes(range(32)))[:16]
    '630dcd2966c43366'
    """
    return hashlib.sha256(secret).hexdigest()


class _Mac:
    """HMAC-SHA256 under one key, which is hashed once and not for every message (RFC 2104)."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes) -> None:
        """Take a key of at most 64 bytes."""
        padded = key.ljust(64, b"\0")
        self._inner = hashlib.sha256(padded.translate(_INNER_PAD))
        self._outer = hashlib.sha256(padded.translate(_OUTER_PAD))

    def code(self, message: bytes) -> bytes:
        """Give a message's code, 32 bytes."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(message)
        outer.update(inner.digest())
        return outer.digest()


def _prefix(contributions: Sequence[str], purpose: str) -> bytes:
    """Give a stream's messages but for the number of the block at their end."""
    return f"ayaz/1|{purpose}|{','.join(contributions)}|".encode("ascii")


def stream(secret: bytes, contributions: Sequence[str], purpose: str) -> Iterator[int]:
    """Give the endless 32-bit numbers of a purpose.

    >>> numbers = stream(bytes(32), ("", ""), "deal:0:0")
    >>> 0 <= next(numbers) < 2**32
    True
    """
    return _stream(_Mac(secret), _prefix(contributions, purpose))


def _stream(mac: _Mac, prefix: bytes) -> Iterator[int]:
    for block in count():
        yield from _NUMBERS.unpack(mac.code(b"%b%d" % (prefix, block)))


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
    """Give the items in a new order: for i from the last to 1, swap i with below(i + 1).

    >>> shuffled("abc", iter([0, 0]))
    ['b', 'c', 'a']
    """
    order = list(items)
    for i in range(len(order) - 1, 0, -1):
        j = below(numbers, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def dealing_order(blocks: bytes) -> tuple[Tile, ...] | None:
    r"""Give what `shuffled` makes of the 28 tiles by the first four blocks of a stream (128 bytes).

    None where a number may be so high that `below` leaves it out: once in 130,000 deals.

    >>> dealing_order(bytes(128))[:2], dealing_order(b"\xff" * 128)
    ((Tile(1, 0), Tile(1, 1)), None)
    """
    if _HIGHEST in blocks:
        return None
    order = list(TILES)
    for i, j in zip(_SWAPPED, map(mod, _DEAL_NUMBERS.unpack(blocks), _SPANS), strict=True):
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def lot(numbers: Iterator[int], seats: int) -> int:
    """Draw a seat: below(seats).

    >>> lot(iter([7]), 4)
    3
    """
    return below(numbers, seats)


class Shuffle(Frozen):
    """A match's secret (32 bytes) with each seat's contribution (up to 64 hex digits).

    Its `repr` never shows the secret. A wrong shape is an `InvalidShuffle`.

    >>> shuffle = Shuffle(bytes(range(32)), ("", "", "", ""))
    >>> [str(tile) for tile in shuffle.order(0, 0)[:3]], shuffle.starter(0, 4)
    (['6-0', '0-0', '4-2'], 3)
    """

    __slots__ = ("_mac", "contributions", "secret")
    secret: bytes
    contributions: tuple[str, ...]
    _mac: _Mac

    def __init__(self, secret: bytes, contributions: Sequence[str]) -> None:
        if not isinstance(secret, bytes) or len(secret) != SECRET_BYTES:
            raise InvalidShuffle(f"a secret has {SECRET_BYTES} bytes")
        for text in contributions:
            if not isinstance(text, str) or not _CONTRIBUTION.fullmatch(text):
                raise InvalidShuffle(f"a contribution has at most 64 hex digits, not {brief(text)}")
        object.__setattr__(self, "secret", secret)
        object.__setattr__(self, "contributions", tuple(contributions))
        object.__setattr__(self, "_mac", _Mac(secret))

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
        """The SHA-256 of the secret, in hex (64 digits).

        >>> Shuffle(bytes(range(32)), ("", "")).commitment == commitment(bytes(range(32)))
        True
        """
        return commitment(self.secret)

    def numbers(self, purpose: str) -> Iterator[int]:
        """Give the stream of a purpose: endless numbers of 32 bits.

        >>> shuffle = Shuffle(bytes(32), ("", ""))
        >>> next(shuffle.numbers("starter:0")) == next(stream(bytes(32), ("", ""), "starter:0"))
        True
        """
        return _stream(self._mac, _prefix(self.contributions, purpose))

    def order(self, hand: int, attempt: int) -> tuple[Tile, ...]:
        """Give all 28 tiles in the order of a hand's deal (both counted from 0).

        >>> [str(tile) for tile in Shuffle(bytes(range(32)), ("", "", "", "")).order(0, 0)[:3]]
        ['6-0', '0-0', '4-2']
        """
        purpose = f"deal:{hand}:{attempt}"
        prefix, code = _prefix(self.contributions, purpose), self._mac.code
        blocks = b"".join([code(prefix + number) for number in _DEAL_BLOCKS])
        return dealing_order(blocks) or tuple(shuffled(TILES, self.numbers(purpose)))

    def starter(self, hand: int, seats: int) -> int:
        """Draw the seat that starts a hand (counted from 0).

        >>> Shuffle(bytes(range(32)), ("", "", "", "")).starter(hand=0, seats=4)
        3
        """
        return lot(self.numbers(f"starter:{hand}"), seats)
