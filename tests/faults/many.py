"""Many faults of each kind, in matches of five faults: `python -m tests.faults.many --each 50`.

Prints one line of JSON for each kind, and on standard error how far it has got. `--seed` repeats
a run, `--only` names kinds.
"""

import argparse
import asyncio
import json
import random
import secrets
import sys
import time
from collections import Counter
from typing import Any

from tests.faults.game import Game, Grounds
from tests.faults.kinds import BRING_ABOUT, Fault

A_MATCH = 5  # faults


async def bring_about(grounds: Grounds, fault: Fault, times: int, seed: int) -> dict[str, Any]:
    """Play matches with so many faults of a kind; return what came of them.

    Raises AssertionError or TimeoutError where something was lost, doubled, or did not converge.
    """
    began, rng = time.monotonic(), random.Random(f"{seed} {fault.name}")
    told: Counter[str] = Counter()
    outages = grounds.check_deadline()
    while told["faults"] < times:
        told.update(await _match(grounds, fault, min(A_MATCH, times - told["faults"]), rng))
        print(f"{fault.name.lower()}: {dict(told)}", file=sys.stderr, flush=True)
    grounds.stack.manage("ledger", "verify")
    return {
        "kind": fault.name.lower(),
        **told,
        "lost": 0,
        "doubled": 0,
        "outages": grounds.check_deadline() - outages,
        "seconds": round(time.monotonic() - began, 1),
        "seed": seed,
    }


async def _match(grounds: Grounds, fault: Fault, times: int, rng: random.Random) -> dict[str, int]:
    game = Game(grounds, rng)
    await game.play([BRING_ABOUT[fault]] * times)
    game.check()
    return {
        "faults": times,
        "acknowledged": game.acked,
        "resent": sum(client.resent for client in game.clients),
        "done_before": sum(client.done_already for client in game.clients),
        "converged": game.converged,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=50)
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    parser.add_argument("--only", nargs="+", choices=[each.name.lower() for each in Fault])
    given = parser.parse_args()
    with Grounds.running() as grounds:
        for fault in Fault:
            if given.only is None or fault.name.lower() in given.only:
                found = asyncio.run(bring_about(grounds, fault, given.each, given.seed))
                print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
