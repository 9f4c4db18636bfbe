"""What a start has to tell the person who started it. Pure: no Django.

The command that fills the database prints it as one line of JSON, and `up` shows it.
"""

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Login:
    """What somebody needs to log in. `role` says who it is for."""

    role: str
    username: str
    password: str


@dataclass(frozen=True, slots=True)
class News:
    """Logins that were just made, sentences, and whether robots have something to play."""

    logins: tuple[Login, ...] = ()
    notes: tuple[str, ...] = ()
    robots: bool = False

    def to_json(self) -> str:
        """Return one line."""
        return json.dumps(asdict(self), ensure_ascii=False)


def news_from_json(text: str) -> News:
    """Return what `to_json` wrote."""
    told = json.loads(text)
    logins = tuple(Login(**login) for login in told["logins"])
    return News(logins, tuple(told["notes"]), told["robots"])
