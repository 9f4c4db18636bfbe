"""The catalogs: whole, fresh, and compiled as they are committed."""

import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[2]
LOCALE = ROOT / "league" / "locale"
LANGUAGES = ("az", "tr")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w+\}")


def _po(root: Path, language: str) -> Path:
    return root / language / "LC_MESSAGES" / "django.po"


def _catalog(root: Path, language: str) -> Catalog:
    with _po(root, language).open("rb") as file:
        return read_po(file, locale=language)


def _messages(root: Path, language: str) -> list[Message]:
    return [message for message in _catalog(root, language) if message.id]


def _texts(value: str | list[str] | tuple[str, ...] | None) -> list[str]:
    return [value] if isinstance(value, str) else list(value or ())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated(language: str) -> None:
    messages = _messages(LOCALE, language)
    assert messages
    assert [m.id for m in messages if m.fuzzy or not all(_texts(m.string))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_their_placeholders(language: str) -> None:
    for message in _messages(LOCALE, language):
        wanted = set(PLACEHOLDER.findall(_texts(message.id)[-1]))
        for text in _texts(message.string):
            assert set(PLACEHOLDER.findall(text)) == wanted, message.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_committed_catalog_is_the_compiled_one(language: str) -> None:
    compiled = io.BytesIO()
    write_mo(compiled, _catalog(LOCALE, language))
    compiled.seek(0)
    with _po(LOCALE, language).with_suffix(".mo").open("rb") as committed:
        assert _strings(read_mo(committed)) == _strings(read_mo(compiled))


def _strings(catalog: Catalog) -> dict[tuple[str | None, str], list[str]]:
    return {(m.context, _texts(m.id)[0]): _texts(m.string) for m in catalog if m.id}


@pytest.mark.skipif(
    shutil.which("xgettext") is None and os.environ.get("CI") != "true",
    reason="extracting messages needs GNU gettext (xgettext)",
)
def test_extraction_finds_nothing_new(tmp_path: Path) -> None:
    """`manage.py makemessages` on a copy of the tree gives the committed messages."""
    ignored = shutil.ignore_patterns("__pycache__", "static")
    for part in ("engine", "league", "tables", "templates"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=ignored)
    shutil.copy(ROOT / "manage.py", tmp_path)
    (tmp_path / "league" / "static").mkdir()
    arguments = ["makemessages", "-l", "az", "-l", "tr", "--no-location", "--no-obsolete"]
    subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=tmp_path, check=True, capture_output=True
    )
    for language in LANGUAGES:
        found = {
            (m.context, _texts(m.id)[0]) for m in _messages(tmp_path / "league/locale", language)
        }
        known = {(m.context, _texts(m.id)[0]) for m in _messages(LOCALE, language)}
        assert found == known
