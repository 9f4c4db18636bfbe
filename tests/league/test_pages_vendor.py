"""The vendored browser files are the packages' own, byte for byte."""

import hashlib
import re
from pathlib import Path

import pytest

VENDOR = Path(__file__).parents[2] / "league" / "static" / "vendor"
ROWS = re.findall(
    r"^\| `([^`]+)` .*`([0-9a-f]{64})` \|$", (VENDOR / "VENDORED.md").read_text(), re.M
)


@pytest.mark.parametrize(("name", "digest"), ROWS)
def test_vendored_file_is_unchanged(name: str, digest: str) -> None:
    assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest


def test_every_vendored_script_is_listed() -> None:
    scripts = {path.name for path in VENDOR.iterdir() if path.suffix in {".js", ".map", ".css"}}
    assert scripts == {name for name, _digest in ROWS}
