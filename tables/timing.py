"""What a turn's time comes to: the time for each move, and a bank for the whole match. Pure.

Milliseconds throughout; a deadline already holds the move's time and the bank of the seat on turn.
"""

from datetime import datetime, timedelta

_MS = timedelta(milliseconds=1)


def left_ms(deadline: datetime, now: datetime) -> int:
    """Return what is left until a deadline, 0 once it has passed.

    >>> left_ms(datetime(2026, 1, 1, 0, 0, 5), datetime(2026, 1, 1))
    5000
    """
    return max(0, (deadline - now) // _MS)


def turn_ms(move_seconds: int, bank_ms: int) -> int:
    """Return how long a seat may take for a move.

    >>> turn_ms(30, 45_000)
    75000
    """
    return move_seconds * 1000 + bank_ms


def bank_after(bank_ms: int, turn_left_ms: int) -> int:
    """Return what a move leaves of the bank: it is touched once the move's own time is spent.

    >>> bank_after(45_000, turn_left_ms=50_000), bank_after(45_000, turn_left_ms=12_000)
    (45000, 12000)
    """
    return min(bank_ms, turn_left_ms)


def after_ms(now: datetime, milliseconds: int) -> datetime:
    """Return the moment so many milliseconds from now."""
    return now + timedelta(milliseconds=milliseconds)
