"""What the application's database role may do: everything but rewrite the ledger or the schema.

The owner migrates; the application connects as a role granted by these statements. They hold SQL
only, are run by the owner after each `migrate`, and may be run again. Pure: no Django.
"""

_NAME_LENGTH = 63  # PostgreSQL cuts longer identifiers


def grants_for(role: str) -> list[str]:
    """Return the statements that make `role` the application's, to be run by the owner in order.

    The role reads and writes rows, but holds TRUNCATE on no table, neither UPDATE nor DELETE on
    `ledger_posting`, of a stored house rule set may only say that it is retired or forget who made
    it, of a ban only that it is lifted, has no right to write `django_migrations` and none to make
    or change tables.
    Raises `ValueError` for a name that cannot be one.
    """
    name = _quoted(role)
    return [
        f"GRANT USAGE ON SCHEMA public TO {name}",
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        f"REVOKE CREATE ON SCHEMA public FROM {name}",
        f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {name}",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {name}",
        f"REVOKE UPDATE, DELETE ON ledger_posting FROM {name}",
        f"REVOKE UPDATE, DELETE ON tournaments_houseruleset FROM {name}",
        f"GRANT UPDATE (retired_at, created_by_id) ON tournaments_houseruleset TO {name}",
        f"REVOKE UPDATE, DELETE ON conduct_ban FROM {name}",
        f"GRANT UPDATE (lifted_at, lifted_by_id, lift_reason) ON conduct_ban TO {name}",
        f"REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {name}",
        f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {name}",
    ]


def _quoted(role: str) -> str:
    if not role or "\0" in role or len(role.encode()) > _NAME_LENGTH:
        raise ValueError("a role's name has 1 to 63 bytes and no NUL")
    return '"' + role.replace('"', '""') + '"'
