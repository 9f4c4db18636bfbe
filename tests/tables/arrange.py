"""Makes tables in a running installation and reads what came of them, from outside of it."""

import json
from typing import Any

from tests.stack import Stack


def arrange(stack: Stack, count: int = 1, **terms: Any) -> list[dict[str, Any]]:
    """Open tables in a running installation, once."""
    code = f"from tests.tables.inside import tables_json; print(tables_json({count}, **{terms!r}))"
    tables: list[dict[str, Any]] = json.loads(stack.shell(code).strip().splitlines()[-1])
    return tables


def outcome(stack: Stack, tables: list[int]) -> dict[str, Any]:
    """Return what a running installation's database holds of tables."""
    code = f"from tests.tables.inside import outcome_json; print(outcome_json({tables}))"
    found: dict[str, Any] = json.loads(stack.shell(code).strip().splitlines()[-1])
    return found
