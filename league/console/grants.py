"""Giving the application's database role its rights after the owner migrated. Pure: no Django."""

from urllib.parse import urlsplit

import psycopg

from league.ledger.roles import grants_for


def grant(*, owner_url: str, url: str) -> bool:
    """Grant to the role of `url` what the application needs; return whether it is another role.

    Nothing is done where one role both owns and serves, or the owner's address is not known.
    """
    owner, role = urlsplit(owner_url).username, urlsplit(url).username
    if not owner or not role or owner == role:
        return False
    with psycopg.connect(owner_url) as connection:
        for statement in grants_for(role):
            connection.execute(statement.encode())
    return True
