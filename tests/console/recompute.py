"""A season's standings from the public records alone: `recompute.py ADDRESS SEASON TOURNAMENT...`

Standard library only; nothing of the project is imported. Goes over HTTP from moves to hand scores,
from these by rules.md's tables to places, points and standings, and says where the league's page
says otherwise: exit 1. Knows Aznif with four alone at a table, and no substitutes.
"""

import json
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

Json = Any
Line = tuple[int, int, int, int]  # rank, player, points, matches played
FIVES = 5


def get(address: str, path: str) -> Json:
    url = f"{address.rstrip('/')}/api/v1/{path}"
    with urllib.request.urlopen(url, timeout=60) as answer:
        return json.load(answer)


def halves(tile: str) -> tuple[int, int]:
    high, low = tile.split("-")
    return int(high), int(low)


def pips(rack: Iterable[str]) -> int:
    return sum(sum(halves(tile)) for tile in rack)


class Ends:
    """The open ends of a line: the number at each, and what it counts (a double twice)."""

    def __init__(self) -> None:
        self.open: dict[str, tuple[int, int]] = {}

    def play(self, tile: str, end: str | None) -> int:
        """Place a tile and return what both ends count; the first tile counts its pips once."""
        high, low = halves(tile)
        twice = 1 + (high == low)
        if not self.open:
            self.open = {"L": (high, high * twice), "R": (low, low * twice)}
            return high + low
        assert end is not None
        joined = self.open[end][0]
        assert joined in (high, low), f"{tile} does not join {joined}"
        outer = high + low - joined
        self.open[end] = outer, outer * twice
        return sum(count for _number, count in self.open.values())


def hand_scores(hand: Json) -> list[int]:
    """Return what a hand gave each seat: the fives while playing, less the pips left at its end."""
    racks = [set(rack) for rack in hand["racks"]]
    scores = [0] * len(racks)
    ends = Ends()
    for move in hand["moves"]:
        rack = racks[move["seat"]]
        rack |= set(move.get("draw", ()))
        if "play" in move:
            rack.remove(move["play"])
            total = ends.play(move["play"], move.get("end"))
            fives = total if total % FIVES == 0 else 0
            assert move.get("scored", 0) == fives, move
            scores[move["seat"]] += fives
    return [score - pips(rack) for score, rack in zip(scores, racks, strict=True)]


def points_of(totals: Sequence[int], stake: int) -> list[int]:
    """Return the points of four alone: by place, ties share equally, truncated toward zero."""
    table = [stake, stake // 2, -(stake // 2), -stake]
    points = []
    for own in totals:
        above = sum(other > own for other in totals)
        tied = totals.count(own)
        points.append(int(sum(table[above : above + tied]) / tied))
    return points


def record_points(record: Json) -> Iterator[tuple[int, int]]:
    """Yield each player's points of one match; every step the record tells of is checked."""
    totals = [0] * record["seats"]
    for hand in record["hands"]:
        scores = hand_scores(hand)
        totals = [total + score for total, score in zip(totals, scores, strict=True)]
        told = hand["outcome"]
        assert (scores, totals) == (told["scores"], told["totals"]), told
    points = points_of(totals, record["stake"])
    assert points == record["result"]["points"], record["result"]
    for stints, seat_points in zip(record["players"], points, strict=True):
        assert len(stints) == 1, "only matches without substitutes"
        yield stints[0]["id"], seat_points


def recompute(address: str, tournaments: Iterable[str]) -> list[Line]:
    """Return the line of everybody who played."""
    sums: Counter[int] = Counter()
    played: Counter[int] = Counter()
    for tournament in tournaments:
        for fixture in get(address, f"tournaments/{tournament}/fixtures/")["results"]:
            if fixture["status"] == "finished":
                record = get(address, f"tables/{fixture['table']}/record/")
                for player, points in record_points(record):
                    sums[player] += points
                    played[player] += 1
    return sorted(
        (1 + sum(other > own for other in sums.values()), player, own, played[player])
        for player, own in sums.items()
    )


def told_by(address: str, season: str) -> list[Line]:
    rows = get(address, f"seasons/{season}/standings/")["results"]
    return sorted((row["rank"], row["player"]["id"], row["points"], row["played"]) for row in rows)


def main(address: str, season: str, *tournaments: str) -> int:
    own, told = recompute(address, tournaments), told_by(address, season)
    for line in sorted(set(own) ^ set(told)):
        print("recomputed" if line in own else "told", *line)
    print(len(own), "players recomputed,", sum(line[3] for line in own) // 4, "matches")
    return int(own != told)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
