"""What `manage.py ledger verify` says."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command


def verify() -> str:
    """What the command says when it ends with 0; raises when it ends with 1."""
    out = StringIO()
    call_command("ledger", "verify", "--replay", stdout=out)
    return out.getvalue().splitlines()[0]


def faults() -> list[str]:
    """The sentences the command says, a line each, when it ends with 1."""
    said = StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("ledger", "verify", "--replay", stdout=StringIO(), stderr=said)
    assert refused.value.returncode == 1
    sentences = said.getvalue().splitlines()
    assert str(refused.value) == f"The ledger does not hold. Faults: {len(sentences)}."
    return sentences


def faults_beside_seals() -> list[str]:
    """What is said beside the results' digests and the tallies: what the facts themselves say.

    Whatever changes a result, its match or a stint breaks a digest as well, and whatever changes
    what was posted a tally: tests/league/settlement/test_verifying_columns.py.
    """
    return [
        said
        for said in faults()
        if "its digest does not hold" not in said
        and "the chain breaks" not in said
        and not said.startswith("tally of season")
    ]
