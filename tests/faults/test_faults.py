"""Whatever dies in the middle of play: nothing acknowledged is lost, nothing happens twice.

Five faults of each kind, each at its exact instant (`kinds`), at random moments of two matches
that are played to their end (`game`). AYAZ_FAULT_SEED repeats a run. cases.md B1, B4 and B5.
"""

import os
import secrets

import pytest

from tests.faults.game import Grounds
from tests.faults.kinds import Fault
from tests.faults.many import bring_about

pytestmark = pytest.mark.faults
EACH = 5
KILLED_IN_FLIGHT = (Fault.BEFORE_COMMIT, Fault.BEFORE_ACK)


@pytest.mark.parametrize("fault", list(Fault), ids=lambda fault: fault.name.lower())
async def test_nothing_is_lost_or_doubled_and_everybody_converges(
    grounds: Grounds, fault: Fault
) -> None:
    seed = int(os.environ.get("AYAZ_FAULT_SEED") or secrets.randbits(32))
    print(f"AYAZ_FAULT_SEED={seed}")
    found = await bring_about(grounds, fault, EACH, seed)
    print(found)
    assert found["converged"] == EACH
    if fault in KILLED_IN_FLIGHT:
        assert found["resent"] >= EACH
    if fault is Fault.BEFORE_ACK:
        assert found["done_before"] >= EACH
