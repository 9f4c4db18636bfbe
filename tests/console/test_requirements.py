"""The pinned requirements: every dependency, with hashes, from wherever a machine installs."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.stack import CHECKOUT

PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
NEEDED = PROJECT["dependencies"]
PINNED = re.compile(r"^([a-z0-9.-]+)==(\S+) \\\n    --hash=sha256:[0-9a-f]{64}", re.MULTILINE)


@pytest.mark.parametrize(
    ("file", "needed"),
    [
        ("requirements.txt", NEEDED),
        ("requirements-dev.txt", [*NEEDED, *PROJECT["optional-dependencies"]["dev"]]),
    ],
)
def test_every_dependency_is_pinned_by_hash(file: str, needed: list[str]) -> None:
    text = (CHECKOUT / file).read_text()
    pins = dict(PINNED.findall(text))
    for requirement in map(Requirement, needed):
        assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)])
    assert text.count("==") == len(pins)
    assert "://" not in text
    assert not re.search("^--(extra-)?index|^--find-links", text, re.MULTILINE)


def test_the_ci_finds_the_readmes_test_line() -> None:
    lines = (CHECKOUT / "README.md").read_text().splitlines()
    matching = [line for line in lines if re.match("python3 -m venv .*-m pytest", line)]
    assert len(matching) == 1
