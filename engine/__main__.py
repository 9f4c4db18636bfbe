"""The command line: `python -m engine simulate | check | bench` (record.md).

Reads arguments and files, writes lines; what a match is stands elsewhere.
"""

import argparse
import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, cycle
from typing import BinaryIO, NamedTuple, NoReturn

from engine.actions import Action
from engine.errors import EngineError, InvalidRecord, UnreadableRecord
from engine.events import TilePlayed
from engine.fairness import Shuffle, below
from engine.match import MatchState, Phase, apply, deal_hand, events_of, legal_actions, new_match
from engine.record import MOST_BYTES, check_record, parse_record, record_of
from engine.rulesets import PRESETS, preset
from engine.tiles import brief

HELD, REFUSED, UNREADABLE = 0, 1, 2

Chooser = Callable[[Sequence[Action]], Action]


# --- simulate -----------------------------------------------------------------------------------


def simulate(start: MatchState, seed: int, matches: int) -> Iterator[dict[str, object]]:
    """Play matches by random legal actions and give their records; the seed settles everything.

    >>> start = new_match(preset("kraloyun"), seats=2)
    >>> [record] = simulate(start, seed=7, matches=1)
    >>> check_record(record).phase.value, record["seats"]
    ('over', 2)
    """
    for number in range(matches):
        yield _simulated(start, hashlib.sha256(f"ayaz/simulate|{seed}|{number}".encode()).digest())


def _simulated(start: MatchState, secret: bytes) -> dict[str, object]:
    shuffle = Shuffle(secret, ("",) * start.seats)
    state = start
    while state.phase is not Phase.OVER:
        chance = shuffle.numbers(f"simulate:{state.hand_number}")
        state = _play_hand(state, shuffle, partial(_choose, chance))
    return record_of(
        events=events_of(state),
        ruleset=state.ruleset,
        seats=state.seats,
        partners=state.partners,
        stake=state.stake,
        shuffle=shuffle,
    )


def _choose(numbers: Iterator[int], actions: Sequence[Action]) -> Action:
    return actions[below(numbers, len(actions))]


def _play_hand(state: MatchState, shuffle: Shuffle, choose: Chooser) -> MatchState:
    state = deal_hand(state, shuffle).state
    while actions := legal_actions(state):
        state = apply(state, choose(actions)).state
    return state


# --- check --------------------------------------------------------------------------------------


class Verdict(NamedTuple):
    """A check's exit code and sentence.

    >>> Verdict(HELD, "1 record holds").code
    0
    """

    code: int
    text: str


def check(file: BinaryIO) -> Verdict:
    """Check every record of a file and stop at the first that does not hold.

    The verdict's code is 0, 1 for what does not hold and 2 for what cannot be read.

    >>> import io
    >>> check(io.BytesIO(b"[]"))
    Verdict(code=1, text='record 1: a record is an object, not a list')
    >>> check(io.BytesIO(b"no record")).code
    2
    """
    count = 0
    for record in _records(file):
        count += 1
        try:
            check_record(parse_record(_decoded(record)))
        except InvalidRecord as error:
            code = UNREADABLE if isinstance(error, UnreadableRecord) else REFUSED
            return Verdict(code, f"record {count}{', ' if error.hand else ': '}{error}")
    return Verdict(HELD, f"{count} {'record holds' if count == 1 else 'records hold'}")


def _records(file: BinaryIO) -> Iterator[bytes]:
    """Give a file's records: one a line, or the whole file if its first line only begins one."""
    lines = _lines(file)
    first = next(lines, b"").removeprefix(b"\xef\xbb\xbf")
    if _is_beginning(first):
        yield _joined(chain([first], lines))
        return
    if not _is_blank(first):
        yield first
    yield from lines


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Give the lines that are not blank; of one that is too long only as much as to refuse it."""
    while line := file.readline(MOST_BYTES + 2):
        if not _is_blank(line):
            yield line


def _is_blank(line: bytes) -> bool:
    return len(line) <= MOST_BYTES and not line.strip()


def _joined(lines: Iterator[bytes]) -> bytes:
    """Join lines, but no more of them than a record may have."""
    whole = bytearray()
    for line in lines:
        whole += line
        if len(whole) > MOST_BYTES + 2:
            break
    return bytes(whole)


def _decoded(record: bytes) -> str:
    if len(record.rstrip(b"\r\n")) > MOST_BYTES:
        raise UnreadableRecord("a record of more than 5 MB is not read")
    try:
        return record.decode()
    except UnicodeDecodeError:
        raise UnreadableRecord("this is no UTF-8 text") from None


def _is_beginning(line: bytes) -> bool:
    """Say whether a line is the first of a record that was written over several."""
    return line.rstrip().endswith((b",", b"{", b"["))


# --- bench --------------------------------------------------------------------------------------

_CHOICES = 4099  # a prime, so that the numbers fall differently on every hand


def bench(start: MatchState, seconds: float) -> dict[str, object]:
    """Play random matches for so many seconds of process time and count.

    >>> found = bench(new_match(preset("kraloyun"), seats=2), seconds=0.001)
    >>> found["preset"], found["seconds"] >= 0.001, found["moves_per_s"] > 0
    ('kraloyun', True, True)
    """
    stream = Shuffle(bytes(32), ()).numbers("bench")
    numbers = cycle([next(stream) for _ in range(_CHOICES)])
    hands = moves = matches = 0
    spent = 0.0
    while spent < seconds:
        began = time.process_time()
        state = _benched(start, matches, numbers)
        spent += time.process_time() - began  # counting is not what is measured
        matches += 1
        hands += state.hand_number + 1
        moves += [type(event) for event in events_of(state)].count(TilePlayed)
    return {
        "preset": start.ruleset.preset,
        "seats": start.seats,
        "partners": start.partners,
        "seconds": round(spent, 3),
        "matches": matches,
        "hands": hands,
        "moves": moves,
        "hands_per_s": round(hands / spent, 1),
        "moves_per_s": round(moves / spent, 1),
    }


def _benched(start: MatchState, number: int, numbers: Iterator[int]) -> MatchState:
    """Play a match; the numbers were made beforehand, for the choosing is not what is measured."""
    secret = hashlib.sha256(f"ayaz/bench|{number}".encode()).digest()
    shuffle = Shuffle(secret, ("",) * start.seats)
    state = start
    while state.phase is not Phase.OVER:
        state = deal_hand(state, shuffle).state
        while actions := legal_actions(state):
            state = apply(state, actions[next(numbers) % len(actions)]).state
    return state


# --- the command line ---------------------------------------------------------------------------

_NATURAL = re.compile("[0-9]{1,15}")
_INTEGER = re.compile("-?[0-9]{1,15}")
_SEED = re.compile("-?[0-9]{1,100}")
_LONGEST_LINE = 250


class _Parser(argparse.ArgumentParser):
    """A parser that says in one printable line what is wrong, whatever was typed."""

    def error(self, message: str) -> NoReturn:
        """End with exit code 2."""
        _say(f"{self.prog}: {message} (--help tells more)")
        sys.exit(UNREADABLE)


def _say(sentence: str) -> None:
    """Write a line to standard error, should there be one."""
    line = "".join(sign if " " <= sign <= "~" else ascii(sign)[1:-1] for sign in sentence)
    if len(line) > _LONGEST_LINE:
        line = f"{line[: _LONGEST_LINE - 3]}..."
    if sys.stderr is not None:
        print(line, file=sys.stderr)


def _option(text: str) -> tuple[str, object]:
    """Read NAME=VALUE; a number, true or false become what they are in JSON."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"an option is NAME=VALUE, not {brief(text)}")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if _INTEGER.fullmatch(value) else value


def _natural(text: str) -> int:
    if not _NATURAL.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{brief(text)} is no number from 0 up")
    return int(text)


def _seed(text: str) -> int:
    if not _SEED.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{brief(text)} is no whole number of up to 100 digits")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{brief(text)} is no number") from None
    if not 0 < seconds <= 3600:
        raise argparse.ArgumentTypeError("seconds are above 0 and at most 3600")
    return seconds


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m engine", description="The rules of domino.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    sim = commands.add_parser("simulate", help="write random matches as JSON Lines")
    sim.add_argument("preset", metavar="PRESET", help=", ".join(PRESETS))
    sim.add_argument("--matches", type=_natural, default=100, help="how many (100)")
    sim.add_argument("--seed", type=_seed, default=0, help="settles every deal and move (0)")
    checker = commands.add_parser("check", help="replay the records of a file")
    checker.add_argument("file", metavar="FILE")
    speed = commands.add_parser("bench", help="measure hands and moves a second")
    speed.add_argument("--preset", default="aznif", help=", ".join(PRESETS))
    speed.add_argument("--seconds", type=_seconds, default=3.0, help="of process time (3)")
    for command in (sim, speed):
        command.add_argument("--seats", type=_natural, default=4, help="2, 3 or 4 (4)")
        command.add_argument("--partners", action="store_true", help="0 and 2 against 1 and 3")
        command.add_argument(
            "--option",
            type=_option,
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="a field played otherwise, as deal=5, target=50 or fives=true; may be repeated",
        )
    return parser


def _start(arguments: argparse.Namespace) -> MatchState:
    """Begin the match; where there is no choice, partners need not be asked for."""
    ruleset = preset(arguments.preset, **dict(arguments.option))
    always = ruleset.family.partners.get(arguments.seats) == (True,)
    return new_match(ruleset, seats=arguments.seats, partners=arguments.partners or always)


def _run_simulate(arguments: argparse.Namespace) -> int:
    for record in simulate(_start(arguments), arguments.seed, arguments.matches):
        print(json.dumps(record))
    return HELD


def _run_bench(arguments: argparse.Namespace) -> int:
    print(json.dumps(bench(_start(arguments), arguments.seconds)))
    return HELD


def _run_check(arguments: argparse.Namespace) -> int:
    try:
        with _opened(arguments.file) as file:
            verdict = check(file)
    except OSError as error:
        verdict = Verdict(UNREADABLE, f"the file cannot be read: {error.strerror}")
    if verdict.code == HELD:
        print(verdict.text)
    else:
        _say(verdict.text)
    return verdict.code


def _opened(name: str) -> BinaryIO:
    try:
        return open(name, "rb")
    except ValueError:  # a zero byte, or what no file system can spell
        raise OSError(0, "no file can have this name") from None


_COMMANDS = {"simulate": _run_simulate, "check": _run_check, "bench": _run_bench}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and give its exit code; what was typed wrong ends the process with code 2.

    >>> main(["check", os.devnull])
    0 records hold
    0
    """
    arguments = _parser().parse_args(argv)
    try:
        code = _COMMANDS[arguments.command](arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except EngineError as error:
        _say(f"engine: {error}")
        return UNREADABLE
    except OSError as error:
        return _unwritten(error)
    except KeyboardInterrupt:
        return 130


def _unwritten(error: OSError) -> int:
    """Give up standard output: whoever reads has gone (head), or there is no room left."""
    # no more output, also none from the interpreter's last flush
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return HELD
    _say(f"engine: what was found cannot be written: {error.strerror}")
    return UNREADABLE


if __name__ == "__main__":
    sys.exit(main())
