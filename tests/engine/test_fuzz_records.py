"""Records altered at random for some seconds: a typed refusal, or a record both checkers hold.

AYAZ_FUZZ_SECONDS says how long each test may take (2), AYAZ_FUZZ_SEED with what it begins (0). A
case hangs on the seed and its number alone; who fails prints both, and the record.
"""

from __future__ import annotations

import copy
import io
import json
import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import pytest

from engine.__main__ import HELD, REFUSED, UNREADABLE
from engine.__main__ import check as checked
from engine.errors import InvalidRecord, UnreadableRecord
from engine.record import check_record, parse_record
from tests.engine.altering import altered, paths, said
from tests.engine.second_checker import Refused, check
from tests.engine.second_checker_builders import GOOD, Record, with_players

SECONDS = float(os.environ.get("AYAZ_FUZZ_SECONDS", "2"))
SEED = os.environ.get("AYAZ_FUZZ_SEED", "0")
FEWEST = 1_000  # however slow the machine is
SLOWEST = 20.0  # seconds of process time for one record; a few milliseconds are usual


def without_proof(record: Record) -> Record:
    """Any deal may stand here, so that what is altered reaches the rules."""
    return {key: value for key, value in record.items() if key != "proof"}


RECORDS = [*GOOD, *map(without_proof, GOOD), *map(with_players, GOOD)]
WAYS = [[*paths(record)][1:] for record in RECORDS]


def one_altered(chance: Random) -> Record:
    which = chance.randrange(len(RECORDS))
    data: Record = altered(RECORDS[which], chance, WAYS[which])
    return data


def cases(name: str) -> Iterator[tuple[str, Random]]:
    """Give numbered cases with their own chance each, until the time is over."""
    end = time.monotonic() + SECONDS
    number = 0
    while number < FEWEST or time.monotonic() < end:
        case = f"{name} {SEED} {number}"
        yield case, Random(case)
        number += 1


def fail(case: str, why: str, data: object) -> None:
    try:
        shown = data if isinstance(data, bytes) else json.dumps(data)
    except (RecursionError, TypeError, ValueError):
        shown = "a record that no JSON text can show"
    pytest.fail(f"{case}: {why}\n{shown!r}")


def verdict(case: str, look: Callable[[Any], object], data: Any) -> type[InvalidRecord] | None:
    """Give the kind of refusal or None; anything else than a sentence in time fails."""
    began = time.process_time()
    kind = None
    try:
        look(data)
    except InvalidRecord as error:
        kind = type(error)
        try:
            said(error)
        except AssertionError:
            fail(case, f"the sentence is {str(error)!r}", data)
    except Exception as error:
        fail(case, f"{type(error).__name__} came out: {error!a}", data)
    if time.process_time() - began > SLOWEST:
        fail(case, "it took too long", data)
    return kind


def _check_text(text: str) -> object:
    return check_record(parse_record(text))


def second_opinion(case: str, data: Record, *, held: bool = True) -> None:
    """The second checker must come to the same: that the record holds, or not."""
    try:
        check(data)
    except Refused as error:
        said = str(error)
    else:
        said = ""
    if held is bool(said):
        fail(case, f"held: {held}, but the second checker says: {said or 'it holds'}", data)


def test_an_altered_record_is_refused_by_both_checkers_or_held_by_both() -> None:
    seen = set()
    for case, chance in cases("altered"):
        data = one_altered(chance)
        kind = verdict(case, check_record, data)
        second_opinion(case, data, held=kind is None)
        seen.add(kind)
    assert {None, InvalidRecord} <= seen


def test_what_holds_after_many_alterations_is_held_by_both_checkers() -> None:
    seen = set()
    for case, chance in cases("altered often"):
        data = one_altered(chance)
        for _ in range(chance.randint(1, 4)):
            data = altered(data, chance)
        kind = verdict(case, check_record, data)
        if kind is None:
            second_opinion(case, data)
        seen.add(kind)
    assert {None, InvalidRecord} <= seen


def test_the_text_of_an_altered_record_is_judged_as_its_values_are() -> None:
    """What no text can hold is unreadable; true for a number too, whether read or given."""
    seen = set()
    for case, chance in cases("written"):
        data = one_altered(chance)
        try:
            text = json.dumps(data)
        except RecursionError:
            continue
        as_text = verdict(case, _check_text, text)
        seen.add(as_text)
        if as_text is not UnreadableRecord and verdict(case, check_record, data) is not as_text:
            fail(case, f"read it is {as_text}", data)
    assert {None, InvalidRecord} <= seen


TOKENS = (
    b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"\\u", b"\\ud800", b"true", b"null", b"NaN",
    b"-", b"0", b"-0", b"1e9", b".5", b"9" * 400, b"\n", b"\r", b" ", b"\t", b"\x00", b"\x7f",
    b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xf0\x9f\x98\x80",
    b'"seat":', b'"6-6"', b"[" * 50, b'{"a":' * 50, b"/*", b"'",
)  # fmt: skip


def garbled(text: bytes, chance: Random) -> bytes:
    """Change a text in some places: a byte, a token, a piece cut out, doubled or moved."""
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        start, other = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
        end = min(other, start + chance.choice((1, 2, 10, 200, len(text))))
        piece = text[start:end]
        others = (b"", piece * 2, piece[::-1], chance.randbytes(2), chance.choice(TOKENS))
        put = chance.choice(others)
        text = text[:start] + put + text[end:]
    return text


def test_a_garbled_file_ends_in_one_line_and_an_exit_code() -> None:
    texts = [json.dumps(record).encode() for record in RECORDS]
    codes: list[int] = []
    for case, chance in cases("garbled"):
        data = garbled(chance.choice(texts), chance)
        verdict(case, partial(_look_at_file, case, codes), data)
    assert set(codes) == {HELD, REFUSED, UNREADABLE}


def _look_at_file(case: str, codes: list[int], data: bytes) -> None:
    code, text = checked(io.BytesIO(data))
    codes.append(code)
    if not (code in (HELD, REFUSED, UNREADABLE) and text.isascii() and text.isprintable()):
        fail(case, f"exit code {code} and {text!r}", data)
    if (code, text) == (HELD, "1 record holds"):
        second_opinion(case, json.loads(data.decode("utf-8-sig")))


def test_the_good_records_hold_as_they_are() -> None:
    """What is altered above would else be refused for what it was before."""
    for record in RECORDS:
        second_opinion("good", record)
        assert check_record(copy.deepcopy(record)).result is not None
