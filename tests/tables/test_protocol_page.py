"""The page of the protocol names every frame, field and code that the server goes by."""

import ast
import json
import re
from pathlib import Path

import pytest
from django.test import Client

from tables import consumers, protocol, protocol_page
from tables.protocol import FIELDS, MOVES, Do, parse
from tables.refusals import TEXTS
from tests.reading import page_of

TABLES = Path(protocol.__file__).parent


def _calls(module: str, names: set[str]) -> list[ast.Call]:
    tree = ast.parse((TABLES / f"{module}.py").read_text(encoding="utf-8"))
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in names]


def _texts(nodes: list[ast.expr]) -> set[str]:
    values = (node.value for node in nodes if isinstance(node, ast.Constant))
    return {value for value in values if isinstance(value, str)}


def _codes_raised() -> set[str]:
    """The codes with which frames are refused, as the source has them: written, or by field."""
    modules = ("protocol", "consumers")
    raised = [call.args[0] for module in modules for call in _calls(module, {"FrameError"})]
    fields = [call.args[1] for call in _calls("protocol", {"_number", "_words"})]
    said = {"text", "phrase"}  # `_saying` names its field by a variable
    return _texts(raised) | {f"bad_{name}" for name in _texts(fields) | said}


def test_every_code_of_an_unreadable_frame_is_on_the_page() -> None:
    assert {line.code for line in protocol_page.frame_errors()} == _codes_raised()


def test_every_command_is_on_the_page_with_an_example_that_can_be_read() -> None:
    lines = protocol_page.command_lines()
    assert [line.do for line in lines] == list(Do)
    for line in lines:
        assert parse(line.example).do == line.do
        assert set(line.fields) == FIELDS.get(line.do, frozenset())
        assert line.needs_version == (line.do in MOVES)


def test_examples_show_no_field_that_is_not_listed() -> None:
    for line in protocol_page.command_lines():
        assert set(json.loads(line.example)) - {"id", "v", "do"} <= set(line.fields)


def test_each_frame_of_the_page_is_written_where_frames_are_sent() -> None:
    """A frame is told by its first key."""
    sources = "".join(
        (TABLES / f"{name}.py").read_text(encoding="utf-8")
        for name in ("answers", "consumers", "services", "broadcast", "chat", "protocol")
    )
    sent = set(re.findall(r'\{\s*"([a-z]+)"', sources))
    keys = [next(iter(line.code.split('"')[1:])) for line in protocol_page.context()["answers"]]
    assert keys == ["ack", "error", "snapshot", "event", "beat", "presence", "say"]
    assert set(keys) <= sent


def test_every_close_code_is_on_the_page() -> None:
    used = {consumers.NOT_FOUND, consumers.POLICY, consumers.TRY_LATER, consumers.NOT_WELCOME}
    assert {int(line.code) for line in protocol_page.context()["closes"]} == used


@pytest.mark.django_db
def test_the_page_lists_every_refusal(client: Client) -> None:
    page = page_of(client, "/api/protocol/")
    shown = set(re.findall(r'<th scope="row"><code>(\w+)</code>', page))
    assert set(TEXTS) <= shown
    assert set(Do) <= shown
