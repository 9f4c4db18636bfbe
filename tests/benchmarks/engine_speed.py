"""How fast the engine plays beside the PyPI package `dominoes`: moves a second by process time.

    python tests/benchmarks/engine_speed.py [--other PYTHON] [--seconds 3] [--rounds 5]

Fresh processes take turns and the medians count. `dominoes` (6.1.0 was measured, by the interpreter
PYTHON) plays random hands of four partners, all 28 tiles dealt and nothing drawn. *block of 7*
plays the same game: VIP Domino, block, with 7 tiles each, in matches of 100 hands. The presets
follow for information, with partners at four seats. The engine deals by its provable shuffle,
checks every action, scores and keeps events; `dominoes` shuffles by `random` and passes by itself.
A move is a placed tile for all of them.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]

PRESETS = ("aznif", "vip-draw", "vip-block", "domino101", "kraloyun")

Figures = dict[str, float]


def play_dominoes(seconds: float) -> Figures:
    """Play random games of `dominoes` and count; made to run in a process of its own."""
    import dominoes

    hands = moves = 0
    spent = 0.0
    while spent < seconds:
        began = time.process_time()
        game = dominoes.Game.new(starting_player=random.randrange(4))
        while game.result is None:
            game.make_move(*random.choice(game.valid_moves))
        spent += time.process_time() - began  # counting is not what is measured
        hands += 1
        moves += sum(move is not None for move in game.moves)
    return {"hands_per_s": hands / spent, "moves_per_s": moves / spent}


def run(command: list[str]) -> Figures:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    figures: Figures = json.loads(done.stdout)
    return figures


def measure(other: str, seconds: float, rounds: int) -> dict[str, list[Figures]]:
    """Run all in turn, each time in a fresh process."""
    bench = [sys.executable, "-m", "engine", "bench", "--seconds", str(seconds)]
    block = ["--option", "deal=7", "--option", "hands=100"]
    commands = {
        "block of 7": [*bench, "--partners", "--preset", "vip-block", *block],
        "dominoes": [other, str(Path(__file__)), "--play-dominoes", str(seconds)],
        **{name: [*bench, "--partners", "--preset", name] for name in PRESETS},
    }
    figures: dict[str, list[Figures]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            figures[name].append(run(command))
    return figures


def table(figures: dict[str, list[Figures]]) -> str:
    """Lay the medians out, and how they compare."""
    moves = {name: median(runs, "moves_per_s") for name, runs in figures.items()}
    lines = [f"{'':14}{'hands/s':>10}{'moves/s':>10}{'times':>8}"]
    for name, runs in figures.items():
        times = moves[name] / moves["dominoes"]
        hands = median(runs, "hands_per_s")
        lines.append(f"{name:14}{hands:10,.0f}{moves[name]:10,.0f}{times:8.2f}")
    return "\n".join(lines)


def median(runs: list[Figures], name: str) -> float:
    return statistics.median(run[name] for run in runs)


def main() -> None:
    parser = argparse.ArgumentParser(description="Placements a second beside `dominoes`.")
    parser.add_argument("--other", default=sys.executable, help="an interpreter with `dominoes`")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--play-dominoes", type=float, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.play_dominoes:
        print(json.dumps(play_dominoes(arguments.play_dominoes)))
    else:
        print(table(measure(arguments.other, arguments.seconds, arguments.rounds)))


if __name__ == "__main__":
    main()
