"""`python -m engine simulate | check | bench`, run as people run it."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.rulesets import PRESETS

ROOT = Path(__file__).parents[2]
RECORDS = Path(__file__).parent / "records"
GOOD = (RECORDS / "good.jsonl").read_text("utf-8").splitlines()


def engine(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "engine", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def simulated(*arguments: str) -> list[dict[str, Any]]:
    done = engine("simulate", "aznif", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def checked(path: Path, text: str | bytes) -> subprocess.CompletedProcess[str]:
    """Check a file of this content; it must end in one printable line and no traceback."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    done = engine("check", str(path))
    said = done.stdout + done.stderr
    assert len(said.splitlines()) == 1, said
    said.encode("ascii")
    assert bool(done.stdout) == (done.returncode == 0)
    return done


def test_simulate_writes_the_same_bytes_for_the_same_arguments() -> None:
    arguments = ("simulate", "aznif", "--matches", "3", "--option", "hands=2")
    first = engine(*arguments, "--seed", "7", PYTHONHASHSEED="1")
    assert first.stdout == engine(*arguments, "--seed", "7", PYTHONHASHSEED="2").stdout
    assert first.stdout != engine(*arguments, "--seed", "8").stdout


def test_simulate_s_bytes_do_not_change_from_version_to_version() -> None:
    done = engine("simulate", "aznif", "--matches", "2", "--option", "hands=2")
    assert hashlib.sha256(done.stdout.encode()).hexdigest() == SIMULATED


SIMULATED = "abe584c193b4bb451fd31139b75b623f9e35abd5d328759df2fde979717feebc"


def test_simulate_makes_the_secrets_that_record_md_says() -> None:
    for seed, arguments in (("0", ()), ("7", ("--seed", "7"))):
        records = simulated("--matches", "2", "--option", "hands=1", *arguments)
        secrets = [record["proof"]["secret"] for record in records]
        texts = [f"ayaz/simulate|{seed}|{number}" for number in range(2)]
        assert secrets == [hashlib.sha256(text.encode()).hexdigest() for text in texts]


def test_simulate_takes_seats_partners_and_options() -> None:
    (record,) = simulated(
        "--matches", "1", "--seats", "4", "--partners", "--option", "deal=5", "--option", "hands=2",
        "--option", "locker_pays=false",
    )  # fmt: skip
    assert record["ruleset"] == {"preset": "aznif", "deal": 5, "hands": 2, "locker_pays": False}
    assert (record["seats"], record["partners"], len(record["hands"])) == (4, True, 2)


@pytest.mark.parametrize(
    "arguments",
    [
        "aznif --seats 3 --option next_starter=rotate",
        "vip-draw --seats 2",
        "vip-draw --partners --option target=50",
        "vip-block --option hands=3",
        "domino101 --seats 2 --option drafts_on_opening=drop",
        "domino101 --seats 3 --option target=50 --option bank_opens_account=false",
        "domino101",
        "domino101 --partners --option wins=2",
        "kraloyun --seats 3 --option wins=3",
        "kraloyun --partners --option fives=true --option deal=5",
    ],
)
def test_what_is_simulated_holds_and_is_as_it_was_asked_for(arguments: str, tmp_path: Path) -> None:
    done = engine("simulate", *arguments.split(), "--matches", "5")
    assert (done.returncode, done.stderr) == (0, "")
    assert checked(tmp_path / "records", done.stdout).stdout == "5 records hold\n"
    ruleset = json.loads(done.stdout.splitlines()[0])["ruleset"]
    words = arguments.split()
    for option in (word for word in words if "=" in word):
        name, value = option.split("=")
        assert str(ruleset[name]).lower() == value
    assert len({"hands", "target", "wins"} & set(ruleset)) == 1


def test_partners_need_not_be_asked_for_where_there_is_no_choice() -> None:
    arguments = ("simulate", "domino101", "--seats", "4", "--matches", "1")
    done = engine(*arguments)
    assert done.stdout == engine(*arguments, "--partners").stdout
    assert json.loads(done.stdout)["partners"] is True
    (vip,) = engine("simulate", "vip-draw", "--matches", "1").stdout.splitlines()
    assert json.loads(vip)["partners"] is False


def test_a_match_has_one_length() -> None:
    for arguments in (("vip-draw", "hands=3", "target=50"), ("kraloyun", "wins=1", "hands=1")):
        name, one, other = arguments
        done = engine("simulate", name, "--option", one, "--option", other)
        assert (done.returncode, done.stdout) == (2, "")
        assert "one length" in done.stderr


def test_simulate_writes_100_matches_unless_told_otherwise() -> None:
    assert len(simulated("--option", "hands=1", "--seats", "2")) == 100


@pytest.mark.parametrize(
    "arguments",
    [
        ("simulate", "chess"),
        ("simulate", "aznif", "--seats", "5"),
        ("simulate", "aznif", "--seats", "3", "--partners"),
        ("simulate", "aznif", "--option", "hands"),
        ("simulate", "aznif", "--option", "hands=0"),
        ("simulate", "aznif", "--option", "hands=many"),
        ("simulate", "aznif", "--option", "colour=red"),
        ("simulate", "aznif", "--option", "lock_tie=seka"),
        ("simulate", "aznif", "--matches", "-1"),
        ("simulate", "aznif", "--seed", "x"),
        ("bench", "--seconds", "0"),
        ("bench", "--seconds", "nan"),
        ("bench", "--preset", "chess"),
        ("simulate", "aznif", "--option", "="),
        ("simulate", "aznif", "--option", "=5"),
        ("simulate", "aznif", "--option", "preset=x"),
        ("simulate", "aznif", "--option", "family=x"),
        ("simulate", "aznif", "--option", "hands=" + "9" * 20_000),
        ("simulate", "aznif", "--option", "hands=99999999999"),
        ("simulate", "aznif", "--option", "hands=-5"),
        ("simulate", "aznif", "--option", "hands=5.0"),
        ("simulate", "aznif", "--option", "hands=true"),
        ("simulate", "aznif", "--option", "hands=\u0665"),
        ("simulate", "aznif", "--option", "\udcff=\udcfe"),
        ("simulate", "aznif", "--seats", "99999999999"),
        ("simulate", "aznif", "--seats", "9" * 20_000),
        ("simulate", "aznif", "--seats", "-4"),
        ("simulate", "aznif", "--seats", "4.0"),
        ("simulate", "aznif", "--seats", "\u0664"),
        ("simulate", "aznif", "--matches", "9" * 20_000),
        ("simulate", "aznif", "--seed", "9" * 20_000),
        ("simulate", "aznif", "--seed", "1.5"),
        ("simulate", "\udcff\udc80"),
        ("simulate", "a\nb\x1b[31m"),
        ("simulate", ""),
        ("simulate", "aznif", "\udcff\n" * 1_000),
        ("simulate", "--\udcff"),
        ("simulate",),
        ("check",),
        ("check", "\udcff\n"),
        ("check", "one", "two"),
        ("bench", "--seconds", "1e999"),
        ("bench", "--seconds", "x" * 20_000),
        ("bench", "--seconds", "\udcff"),
        ("bench", "--preset", "\udcff"),
        ("dance\n",),
        ("\udcff",),
        ("dance",),
        (),
    ],
    ids=lambda arguments: ascii(" ".join(arguments))[1:60],
)
def test_wrong_arguments_end_in_a_line_and_exit_2(arguments: tuple[str, ...]) -> None:
    done = engine(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.isascii()
    assert line.isprintable()
    assert 20 < len(line) < 300


def test_a_house_rule_named_like_a_parameter_is_no_field() -> None:
    for name in ("name", "options", "self"):
        done = engine("simulate", "aznif", "--option", f"{name}=5")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"engine: a rule set has no field '{name}'\n"


def test_simulate_streams_however_many_matches_are_asked_for() -> None:
    """A record is there long before a million million are."""
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "engine", "simulate", "aznif", "--matches", "9" * 15],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            assert json.loads(process.stdout.readline())["seats"] == 4
        finally:
            process.kill()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a full device")
def test_a_full_disk_is_a_line_and_exit_2() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "engine", "simulate", "aznif", "--option", "hands=1"],
            cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "engine: what was found cannot be written: No space left on device\n"


def test_closed_streams_are_no_traceback() -> None:
    for closed in (">&-", "2>&-", ">&- 2>&-"):
        for arguments, code in (("check tests/engine/records/good.jsonl", 0), ("check .", 2)):
            command = f"{sys.executable} -m engine {arguments} {closed}"
            done = subprocess.run(
                ["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False
            )
            assert "Traceback" not in done.stderr
            assert done.returncode == code


def test_simulate_into_a_closed_pipe_is_silent() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "engine", "simulate", "aznif", "--matches", "200"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""


def test_check_says_how_many_records_held(tmp_path: Path) -> None:
    done = engine("check", str(RECORDS / "good.jsonl"))
    assert (done.returncode, done.stdout) == (0, "32 records hold\n")
    assert checked(tmp_path / "one", GOOD[0]).stdout == "1 record holds\n"


def test_check_takes_blank_lines_a_bom_and_a_record_over_several_lines(tmp_path: Path) -> None:
    path = tmp_path / "records"
    assert checked(path, "\n\n".join(GOOD[:2]) + "\n\n").returncode == 0
    assert checked(path, b"\xef\xbb\xbf" + GOOD[0].encode()).returncode == 0
    for indent in (0, 1, 4):
        pretty = json.dumps(json.loads(GOOD[0]), indent=indent)
        assert checked(path, pretty).stdout == "1 record holds\n"
        assert checked(path, pretty.replace("\n", "\r\n")).returncode == 0
    assert checked(path, "").stdout == "0 records hold\n"


def test_check_names_record_hand_move_and_why(tmp_path: Path) -> None:
    wrong = json.loads((RECORDS / "broken.jsonl").read_text("utf-8").splitlines()[7])
    assert wrong["wrong"] == "end"
    done = checked(tmp_path / "x", "\n".join([*GOOD[:2], json.dumps(wrong["record"]), "{"]))
    assert done.returncode == 1
    assert done.stderr == ("record 3, hand 1, move 7: the tile 4-1 does not match the end L\n")


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "5",
        "null",
        '{"format": "domino-match/1"}',
        '{"format": true}',
        '{"format": "domino-match/2", "more": null}',
        GOOD[0].replace('"seats": 2', '"seats": "2"', 1),
        GOOD[0].replace('"seats": 2', '"seats": 3', 1),
        GOOD[0].replace('"seats": 2', '"Seats": 2', 1),
    ],
    ids=lambda text: text[:20],
)
def test_check_refuses_what_is_no_right_record_with_exit_1(tmp_path: Path, text: str) -> None:
    assert checked(tmp_path / "x", text).returncode == 1
    assert checked(tmp_path / "x", GOOD[0] + "\n" + text).stderr.startswith("record 2")


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "domino",
        '{"format": }',
        b"\xff\xfe{",
        b"\x80",
        "\x00",
        "{'a': 1}",
        "[ 1 ] ]",
        '{"format": 1.5}',
        '{"a": 1, "a": 1}',
        '{"\\ud800": "\\udfff"}',
        '{"seats": ' + "9" * 100_000 + "}",
        "[" * 200_000 + "]" * 200_000,
        '{"a":' * 200_000 + "1" + "}" * 200_000,
        '{"note": "' + "x" * 5_000_001 + '"}',
        '{"note": "' + "\u0259" * 3_000_000 + '"}',
        " " * 5_000_001,
        GOOD[0].replace('"seats": 2', '"seats": true', 1),
        GOOD[0].replace('"seats": 2', '"seats": 2.0', 1),
        GOOD[0].replace('"seat": 0', '"seat": false', 1),
        GOOD[0].replace('"deal": 5', '"deal": true', 1),
        GOOD[0].encode("utf-16"),
        GOOD[0].encode("utf-16-le"),
        GOOD[0].replace("seats", "s\x00eats", 1),
        GOOD[0][:-1],
        GOOD[0][:1000],
    ],
    ids=lambda text: ascii(text[:20]),
)
def test_check_cannot_read_what_breaks_the_format_and_exits_2(
    tmp_path: Path, text: str | bytes
) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    assert checked(tmp_path / "x", data).returncode == 2
    assert checked(tmp_path / "x", GOOD[0].encode() + b"\n" + data).stderr.startswith("record 2")


@pytest.mark.parametrize(
    "text", ["{\n'a': 1}", "[\n", '{\n"note": "' + "\u0259" * 3_000_000 + '",\n"more": 1}'],
    ids=lambda text: text[:14],
)  # fmt: skip
def test_check_cannot_read_what_is_no_json_over_several_lines(tmp_path: Path, text: str) -> None:
    assert checked(tmp_path / "x", text).returncode == 2


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_check_ends_where_a_file_does_not(device: str) -> None:
    if not os.path.exists(device):
        pytest.skip(f"there is no {device} here")
    done = engine("check", device)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_check_cannot_read_what_is_no_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing", Path("\x7f\n")):
        done = engine("check", str(path))
        assert done.returncode == 2
        assert "Traceback" not in done.stderr


def test_check_reads_a_file_of_many_records_that_is_larger_than_one_may_be(tmp_path: Path) -> None:
    """5 MB is the limit of a record, not of a file."""
    count = 5_100_000 // len(GOOD[4]) + 1
    path = tmp_path / "many"
    path.write_text((GOOD[4] + "\n") * count + "x", "utf-8")
    done = engine("check", str(path))
    assert done.returncode == 2
    assert done.stderr.startswith(f"record {count + 1}:")


@pytest.mark.parametrize("name", PRESETS)
def test_bench_plays_every_preset(name: str) -> None:
    done = engine("bench", "--preset", name, "--seats", "4", "--seconds", "0.1")
    data = json.loads(done.stdout)
    assert (data["preset"], data["seats"]) == (name, 4)
    assert data["moves"] > data["hands"] >= data["matches"] > 0


def test_bench_prints_one_json_line() -> None:
    done = engine("bench", "--preset", "aznif", "--seats", "4", "--partners", "--seconds", "0.2")
    assert done.returncode == 0
    (line,) = done.stdout.splitlines()
    data = json.loads(line)
    assert data["hands_per_s"] > 0
    assert data["moves_per_s"] > data["hands_per_s"]
    assert data["hands"] == data["matches"] * 11


def test_the_engine_needs_the_standard_library_alone() -> None:
    """No site packages at all: -S leaves them out, -I the environment."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import engine.__main__, engine.view"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
