"""How much one connection, and one address, may ask for. Pure; the time is handed in."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class Bucket:
    """Holds `size` tokens at first and gets `rate` a second back, up to `size`.

    >>> bucket = Bucket(size=1, rate=0.5)
    >>> bucket.take(now=0.0), bucket.take(now=1.0), bucket.take(now=3.0)
    (True, False, True)
    """

    size: float
    rate: float
    _tokens: float = field(init=False)
    _at: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._tokens = self.size

    def take(self, now: float) -> bool:
        """Take a token; False when none is left. `now` in seconds of any steady clock."""
        since = 0.0 if self._at is None else max(0.0, now - self._at)
        self._tokens = min(self.size, self._tokens + since * self.rate)
        self._at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


@dataclass(slots=True)
class Places:
    """Places for so many at once under each name; counted in this process alone.

    >>> places = Places()
    >>> with places.taken("a", most=1) as first, places.taken("a", most=1) as second:
    ...     first, second
    (True, False)
    """

    _used: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def taken(self, name: str, most: int) -> Iterator[bool]:
        """Take a place for as long as the context lasts; False where all `most` are taken."""
        if self._used[name] >= most:
            yield False
            return
        self._used[name] += 1
        try:
            yield True
        finally:
            self._used[name] -= 1
            if not self._used[name]:
                del self._used[name]
