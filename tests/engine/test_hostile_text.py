"""record.md: text that is no sound record is refused in a sentence, in bounded time and memory."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from engine.errors import InvalidRecord, UnreadableRecord
from engine.record import check_record, parse_record
from engine.shapes import MOST_BYTES, MOST_LEVELS
from tests.engine.altering import SOME_SECONDS, at, nested, paths, said, with_value
from tests.engine.second_checker_builders import GOOD, with_players

ROOT = Path(__file__).parents[2]
TEXT = json.dumps(GOOD[0])


def unreadable(text: str) -> str:
    with pytest.raises(UnreadableRecord) as caught:
        parse_record(text)
    return said(caught.value)


def with_seats(text: str) -> str:
    """A good record whose number of seats is written so."""
    return TEXT.replace('"seats": 2', f'"seats": {text}', 1)


@pytest.mark.parametrize(
    "number",
    [
        "2.0", "1e3", "1E400", "-1.5", "2.", ".2", "NaN", "Infinity", "-Infinity", "nan", "-0",
        "+2", "02", "0x2", "2_0", "1" * 16, "-" + "1" * 16, "9" * 5_000, "0." + "1" * 5_000,
        "\u0662",
    ],
    ids=lambda number: ascii(number[:12]),
)  # fmt: skip
def test_a_number_is_an_integer_of_at_most_15_digits(number: str) -> None:
    unreadable(with_seats(number))
    unreadable(f"[{number}]")
    unreadable(number)


def test_numbers_of_15_digits_are_read() -> None:
    assert parse_record(f"[{'9' * 15}, -{'9' * 15}, 0]") == [10**15 - 1, 1 - 10**15, 0]


@pytest.mark.parametrize("number", range(len(GOOD)))
def test_true_and_1_0_are_no_numbers_wherever_a_number_belongs(number: int) -> None:
    good = with_players(GOOD[number])
    check_record(good)
    places = [path for path in paths(good) if type(at(good, path)) is int]
    winners = [path for path in paths(good) if path and path[-1] == "winner"]
    for path in (*Random(number).sample(places, 25), *winners, ("ruleset", "deal"), ("stake",)):
        for wrong in (bool(at(good, path)), float(at(good, path) or 0)):
            with pytest.raises(UnreadableRecord) as caught:
                check_record(with_value(good, path, wrong))
            assert said(caught.value)
            assert (caught.value.hand is None) == (path[0] != "hands")


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 1}',
        '{"a": 1, "b": 2, "\\u0061": 3}',
        '{"": {}, "": {}}',
        '[[{"x": {"racks": [], "stock": [], "racks": []}}]]',
        TEXT.replace('"stake"', '"seats": 2, "stake"', 1),
    ],
    ids=lambda text: text[:30],
)
def test_a_key_stands_once_in_an_object(text: str) -> None:
    assert "twice" in unreadable(text)


@pytest.mark.parametrize("doubled", ["0", "100000", "199999"])
def test_a_doubled_key_among_200_000_is_found_in_no_time(doubled: str) -> None:
    keys = ",".join(f'"{number}":0' for number in range(200_000))
    began = time.process_time()
    assert f"'{doubled}'" in unreadable(f'{{{keys},"{doubled}":0}}')
    assert time.process_time() - began < SOME_SECONDS


HALVES = ["\\ud800", "\\udfff", "\\uD83D", "\\ude00\\ud83d", "\\ud83d\\ud83d\\ude00", "\\\\\\udc00"]


@pytest.mark.parametrize("half", [*HALVES, "\\ud83d\\\\\\ude00", "\ud800", "a\udfffb"], ids=ascii)
def test_half_a_surrogate_pair_is_no_text(half: str) -> None:
    for text in (f'"{half}"', f'[["{half}"]]', f'{{"{half}": 1}}', f'{{"a": {{"b": "x{half}y"}}}}'):
        assert "surrogate" in unreadable(text)


@pytest.mark.parametrize(
    "text",
    [
        "\\ud83d\\ude00", "\\uD83D\\uDE00", "\\\\ud800", "\\\\\\\\udfff", "\\ud7ff\\ue000",
        "\U0001f600",
    ],
)  # fmt: skip
def test_whole_pairs_and_backslashes_are_text(text: str) -> None:
    assert parse_record(f'"{text}"') == json.loads(f'"{text}"')


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "\x00", "{", "}", "[", "]", '"', "{]", "[1,]", '{"a": 1,}', '{"a" 1}', "{'a': 1}",
        "tru", "[1] [2]", "\ufeff[]", '"\x00"', '"\n"', '"\\x41"', '"\\u12"', '"\\', "// []",
        "domino",
        TEXT + "x", TEXT + TEXT, TEXT.replace(":", ":\x00", 1), TEXT.replace('"', "'"),
        TEXT.encode("utf-16-le").decode("latin-1"),
    ],
    ids=lambda text: ascii(text[:12]),
)  # fmt: skip
def test_what_is_no_json_is_unreadable(text: str) -> None:
    unreadable(text)


def test_a_record_cut_anywhere_is_unreadable() -> None:
    for end in range(0, len(TEXT), 7):
        unreadable(TEXT[:end])


# --- depth ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrap", [lambda text: text, lambda text: f'{{"]": "\\"]]]", "x": {text}}}']
)
def test_levels_are_counted_where_they_are(wrap: Callable[[str], str]) -> None:
    """Brackets in texts are no levels, and neither are many side by side."""
    room = MOST_LEVELS - wrap("").count("{")
    assert parse_record(wrap(json.dumps(nested(room)))) is not None
    assert "levels" in unreadable(wrap(json.dumps(nested(room + 1))))
    assert parse_record(wrap(json.dumps(["[[[[[{{{{\\" * 10] * 100))) is not None
    assert parse_record(wrap("[" + "[[]]," * 10_000 + "[]]")) is not None


def test_levels_are_counted_as_a_decoder_finds_them() -> None:
    chance = Random(5)
    for _ in range(2_000):
        data = _some_data(chance, chance.randint(MOST_LEVELS - 3, MOST_LEVELS + 3))
        text = json.dumps(data, ensure_ascii=chance.random() < 0.5)
        if _levels(data) <= MOST_LEVELS:
            assert parse_record(text) == data
        else:
            assert "levels" in unreadable(text)


def _some_text(chance: Random) -> str:
    return "".join(
        chance.choice('[]{}"\\ab\n\u00e9\U0001f600') for _ in range(chance.randint(0, 6))
    )


def _some_data(chance: Random, levels: int) -> object:
    if not levels:
        return _some_text(chance)
    inner = _some_data(chance, levels - 1)
    if chance.random() < 0.5:
        return [_some_text(chance), inner, []]
    return {_some_text(chance): {}, _some_text(chance) + "x": inner}


def _levels(data: object) -> int:
    if isinstance(data, dict | list):
        inner = data.values() if isinstance(data, dict) else data
        return 1 + max(map(_levels, inner), default=0)
    return 0


DEEP = [("[", "]"), ('{"a":', "}"), ('[{"a":[', "]}]")]


@pytest.mark.parametrize(("opening", "closing"), DEEP)
@pytest.mark.parametrize("times", [21, 1_000, 100_000, 700_000])
def test_deep_nesting_is_refused_however_deep(opening: str, closing: str, times: int) -> None:
    for text in (opening * times, f"{opening * times}1{closing * times}"):
        assert len(unreadable(text)) > 0


def test_deep_nesting_is_refused_whatever_the_recursion_limit_is() -> None:
    """With a limit of a million a recursive decoder would break the interpreter."""
    code = (
        "import sys; sys.setrecursionlimit(10**6)\n"
        "from engine.record import parse_record, InvalidRecord\n"
        "for text in ('[' * 5_000_000, '{\"a\":' * 900_000):\n"
        "    try: parse_record(text)\n"
        "    except InvalidRecord as error: print(error.code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["unreadable_record"] * 2


# --- size ----------------------------------------------------------------------------------------


def filled(unit: str, size: int = MOST_BYTES) -> str:
    """A list of as many units as go into a record."""
    return f"[{','.join([unit] * ((size - 2) // (len(unit.encode()) + 1)))}]"


def hands(unit: str, count: int) -> str:
    return json.dumps({**GOOD[0], "hands": 0}).replace(
        '"hands": 0', f'"hands": [{",".join([unit] * count)}]'
    )


def test_5_mb_are_read_and_not_a_byte_more() -> None:
    for sign in ("x", "\u0259"):
        text = f'"{sign * ((MOST_BYTES - 2) // len(sign.encode()))}"'
        assert parse_record(text) == text[1:-1]
        assert "5 MB" in unreadable(text + " " * (MOST_BYTES + 1 - len(text.encode())))


def test_10_000_hands_are_looked_at_and_not_one_more() -> None:
    with pytest.raises(InvalidRecord) as caught:
        check_record(parse_record(hands("{}", 10_000)))
    assert (type(caught.value), caught.value.hand) == (InvalidRecord, 1)
    for unit in ("{}", "[]", "0", "null"):
        with pytest.raises(UnreadableRecord) as caught:
            check_record(parse_record(hands(unit, 10_001)))
        assert "10000 hands" in said(caught.value)


def test_too_many_hands_are_seen_before_anything_else() -> None:
    with pytest.raises(UnreadableRecord):
        check_record({"hands": [{}] * 1_000_000})


LARGE = {
    "a million hands {}": hands("{}", 1_000_000),
    "a million hands []": hands("[]", 1_000_000),
    "objects": filled('{"":0}'),
    "objects in objects": filled('{"a":{"a":{"a":{"a":{"a":0}}}}}'),
    "lists in objects": filled('{"a":[]}'),
    "lists of 20 levels": f"{'[' * 19}{filled('[]', MOST_BYTES - 40)}{']' * 19}"[:MOST_BYTES],
    "short texts": filled('"\u0259"'),
    "quotes": '"' * MOST_BYTES,
    "escapes": f'"{chr(92) * (MOST_BYTES - 2)}"',
    "keys": "{" + ",".join(f'"{number}":0' for number in range(450_000)) + "}",
    "moves": TEXT.replace('"moves": [', '"moves": [' + '{"seat":0,"pass":true},' * 200_000, 1),
    "blanks": " " * MOST_BYTES,
}


@pytest.mark.parametrize("name", list(LARGE))
def test_the_worst_5_mb_are_refused_in_bounded_time_and_memory(name: str, tmp_path: Path) -> None:
    """At most 200 MB were measured, and under two seconds; 500 MB is all there is here."""
    path = tmp_path / "large"
    path.write_text(LARGE[name], "utf-8")
    assert path.stat().st_size <= MOST_BYTES
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (500_000_000,) * 2)\n"
        "from engine.__main__ import main; sys.exit(main(['check', sys.argv[1]]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode in ((0,) if name == "blanks" else (1, 2)), done.stderr
    assert len((done.stdout + done.stderr).splitlines()) == 1
