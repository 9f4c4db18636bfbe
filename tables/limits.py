"""How much one connection may ask for: a token bucket. Pure; the time is handed in."""

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
