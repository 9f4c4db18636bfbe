"""What `manage.py ledger verify` says."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command


def verify() -> str:
    """What the command says when it ends with 0; raises when it ends with 1."""
    out = StringIO()
    call_command("ledger", "verify", stdout=out)
    return out.getvalue().strip()


def faults() -> list[str]:
    """The sentences the command says, a line each, when it ends with 1."""
    said = StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("ledger", "verify", stdout=StringIO(), stderr=said)
    assert refused.value.returncode == 1
    sentences = said.getvalue().splitlines()
    assert str(refused.value) == f"The ledger does not hold. Faults: {len(sentences)}."
    return sentences
