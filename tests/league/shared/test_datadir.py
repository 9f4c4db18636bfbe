"""Where an installation keeps its state, and which value counts when two are given."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from league.shared import datadir
from league.shared.datadir import CHECKOUT, data_dir, read_run_env
from tests.stack import CHECKOUT as ROOT


def test_a_given_directory_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AYAZ_DATA", str(tmp_path / "x" / ".." / "data"))
    assert data_dir() == tmp_path / "data"
    monkeypatch.setenv("AYAZ_DATA", "~/league")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert data_dir() == tmp_path / "league"


def test_an_ordinary_user_has_it_in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AYAZ_DATA")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert data_dir() == ROOT / "var"
    assert CHECKOUT == ROOT


def test_root_has_it_where_other_users_may_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AYAZ_DATA")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    name = hashlib.sha256(bytes(ROOT)).hexdigest()[:12]
    assert data_dir() == Path("/var/lib/ayaz") / name
    monkeypatch.setattr(datadir, "CHECKOUT", ROOT / "other")
    assert data_dir() != Path("/var/lib/ayaz") / name


def test_run_env_is_lines_of_keys_and_values(tmp_path: Path) -> None:
    text = "# written by up\nSECRET_KEY=a=b\n\n VALKEY_URL = redis://x \n"
    (tmp_path / "run.env").write_text(text)
    assert read_run_env(tmp_path) == {"SECRET_KEY": "a=b", "VALKEY_URL": "redis://x"}
    assert read_run_env(tmp_path / "nowhere") == {}


def test_damaged_lines_of_run_env_are_left_out_with_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = [b"=x", b"A=\xff", b"\xff=a", b"B=a\0b", b"C D=1", b"nonsense", b"\0\0\0", b"1E=2"]
    lines = [b"SECRET_KEY=a", *damaged, b"VALKEY_URL=redis://x"]
    (tmp_path / "run.env").write_bytes(b"\n".join(lines))
    for _ in range(2):
        assert read_run_env(tmp_path) == {"SECRET_KEY": "a", "VALKEY_URL": "redis://x"}
    said = f"{tmp_path}/run.env: left out what is damaged, line 2, 3, 4, 5, 6, 7, 8, 9\n"
    assert capsys.readouterr().err == said


def test_a_command_runs_beside_a_damaged_run_env(tmp_path: Path) -> None:
    (tmp_path / "run.env").write_bytes(b"SECRET_KEY=kept\n\xff\n=x\nA=\0\n")
    given = {"AYAZ_DATA": str(tmp_path), "PATH": os.environ["PATH"]}
    told = subprocess.run(
        [sys.executable, "-c", "from league import settings; print(settings.SECRET_KEY)"],
        cwd=ROOT, env=given, text=True, capture_output=True, check=True,
    )  # fmt: skip
    assert told.stdout == "kept\n"
    assert told.stderr == f"{tmp_path}/run.env: left out what is damaged, line 2, 3, 4\n"


def test_the_environment_counts_before_run_env(tmp_path: Path) -> None:
    lines = ["SECRET_KEY=from-file", "VALKEY_URL=redis://file", "MIGRATE_URL=postgres://owner@x/y"]
    (tmp_path / "run.env").write_text("\n".join(lines))
    code = (
        "import sys; sys.argv[1:] = [{command!r}]\n"
        "import os; from league import settings as s\n"
        "print(s.SECRET_KEY, s.VALKEY_URL, os.environ.get('MIGRATE_URL'),"
        " s.DATABASES['default']['USER'])"
    )
    given = {"AYAZ_DATA": str(tmp_path), "SECRET_KEY": "given", "PATH": os.environ["PATH"]}
    told = [
        subprocess.run(
            [sys.executable, "-c", code.format(command=command)],
            cwd=ROOT, env=given, text=True, capture_output=True, check=True,
        ).stdout.split()
        for command in ("serve", "migrate")
    ]  # fmt: skip
    assert told == [
        ["given", "redis://file", "None", "ayaz"],
        ["given", "redis://file", "postgres://owner@x/y", "owner"],
    ]
