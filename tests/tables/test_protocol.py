"""Frames that can be read, and hostile ones that cannot."""

import json
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.actions import Draw, Pass, action_from_json
from tables import protocol
from tables.protocol import Do, FrameError, Ruling, parse

ID = "0d9f4c1e-7c1b-4b43-9d6a-2f6b1a3c5d7e"


def frame(**fields: Any) -> str:
    return json.dumps({"id": ID, **fields})


def code_of(text: str | None) -> str:
    with pytest.raises(FrameError) as caught:
        parse(text)
    assert caught.value.text
    return caught.value.code


def test_play_names_tile_and_end() -> None:
    command = parse(frame(v=41, do="play", tile="6-4", end="L"))
    assert command.id == UUID(ID)
    assert (command.do, command.v) == (Do.PLAY, 41)
    assert command.action == action_from_json({"play": "6-4", "end": "L"})


def test_first_tile_has_no_end() -> None:
    command = parse(frame(v=5, do="play", tile="6-4"))
    assert command.action == action_from_json({"play": "6-4"})


@pytest.mark.parametrize(("do", "action"), [("draw", Draw()), ("pass", Pass())])
def test_draw_and_pass(do: str, action: object) -> None:
    assert parse(frame(v=0, do=do)).action == action


@pytest.mark.parametrize("do", ["sit", "start", "ready", "resume"])
def test_version_is_free_elsewhere(do: str) -> None:
    assert parse(frame(do=do)).v is None
    assert parse(frame(do=do, v=3)).v == 3


def test_what_a_referee_rules() -> None:
    assert parse(frame(do="referee")).ruling is None
    ruled = parse(frame(do="referee", ruling="end", reason=" seen  by all ", places=[1, 2, 3, 4]))
    assert (ruled.ruling, ruled.reason, ruled.places) == (Ruling.END, "seen by all", (1, 2, 3, 4))


def test_a_seat_is_named_and_a_price_agreed_to() -> None:
    assert parse(frame(do="sit")).seat is None
    assert parse(frame(do="sit", seat=3)).seat == 3
    assert parse(frame(do="swap", seat=0)).seat == 0
    assert (parse(frame(do="leave")).price, parse(frame(do="leave", price=22)).price) == (0, 22)


def test_contribution() -> None:
    assert parse(frame(do="contribute", contribution="ab" * 32)).contribution == "ab" * 32
    assert parse(frame(do="contribute", contribution="")).contribution == ""


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (None, "not_text"),
        ("", "not_json"),
        ("{", "not_json"),
        ("[" * 4000, "not_json"),
        ('{"a":' * 800, "not_json"),
        ("NaN", "not_json"),
        ("[]", "not_an_object"),
        ("null", "not_an_object"),
        ("7", "not_an_object"),
        ('"sit"', "not_an_object"),
        ('{"id":1,"id":2}', "duplicate_key"),
        ('{"do":{"a":1,"a":1}}', "duplicate_key"),
        ("{}", "bad_id"),
        ("x" * 4097, "too_large"),
        ("ə" * 2049, "too_large"),
        (json.dumps({"id": ID.upper(), "do": "sit"}), "bad_id"),
        (json.dumps({"id": "{" + ID + "}", "do": "sit"}), "bad_id"),
        (json.dumps({"id": ID + "\n", "do": "sit"}), "bad_id"),
        (json.dumps({"id": 5, "do": "sit"}), "bad_id"),
        (json.dumps({"id": "\ud800", "do": "sit"}), "bad_id"),
        (frame(), "unknown_command"),
        (frame(do="Sit"), "unknown_command"),
        (frame(do="shout"), "unknown_command"),
        (frame(do=["sit"]), "unknown_command"),
        (frame(do=None), "unknown_command"),
        (frame(do="ready", seat=0), "unknown_field"),
        (frame(do="sit", price=22), "unknown_field"),
        (frame(do="sit", seat=4), "bad_seat"),
        (frame(do="sit", seat=None), "bad_seat"),
        (frame(do="sit", seat=True), "bad_seat"),
        (frame(do="swap"), "bad_seat"),
        (frame(do="swap", seat=-1), "bad_seat"),
        (frame(do="leave", price="22"), "bad_price"),
        (frame(do="leave", price=10**400), "bad_price"),
        (frame(do="referee", reason="why"), "bad_ruling"),
        (frame(do="referee", places=[1, 2]), "bad_ruling"),
        (frame(do="referee", ruling="mercy", reason="why"), "bad_ruling"),
        (frame(do="referee", ruling=["undo"], reason="why"), "bad_ruling"),
        (frame(do="referee", ruling=None, reason="why"), "bad_ruling"),
        (frame(do="referee", ruling="undo"), "bad_reason"),
        (frame(do="referee", ruling="undo", reason=" \n "), "bad_reason"),
        (frame(do="referee", ruling="undo", reason="x" * 201), "bad_reason"),
        (frame(do="referee", ruling="undo", reason="\u202e"), "bad_reason"),
        (frame(do="referee", ruling="undo", reason="why", places=[1, 2]), "bad_places"),
        (frame(do="referee", ruling="end", reason="why"), "bad_places"),
        (frame(do="referee", ruling="end", reason="why", places=[1.0]), "bad_places"),
        (frame(do="referee", ruling="end", reason="why", places=[1] * 5), "bad_places"),
        (frame(do="referee", ruling="end", reason="why", places={"0": 1}), "bad_places"),
        (frame(do="say"), "bad_saying"),
        (frame(do="say", text="a", phrase="b"), "bad_saying"),
        (frame(do="say", text=7), "bad_text"),
        (frame(do="say", text="\x00"), "bad_text"),
        (frame(do="say", text="\u3164 \u2800"), "bad_text"),
        (frame(do="say", text="\ufe0f \u0301"), "bad_text"),
        (frame(do="say", phrase=""), "bad_phrase"),
        (frame(do="draw", v=1, tile="6-4"), "unknown_field"),
        (frame(do="play", tile="6-4"), "bad_version"),
        (frame(do="draw"), "bad_version"),
        (frame(do="draw", v=None), "bad_version"),
        (frame(do="draw", v=True), "bad_version"),
        (frame(do="draw", v=1.0), "bad_version"),
        (frame(do="draw", v="1"), "bad_version"),
        (frame(do="draw", v=-1), "bad_version"),
        (frame(do="draw", v=2**31), "bad_version"),
        (frame(do="draw", v=10**400), "bad_version"),
        (frame(do="sit", v="1"), "bad_version"),
        (frame(do="play", v=1), "bad_action"),
        (frame(do="play", v=1, tile="4-6"), "bad_action"),
        (frame(do="play", v=1, tile="7-0"), "bad_action"),
        (frame(do="play", v=1, tile=[6, 4]), "bad_action"),
        (frame(do="play", v=1, tile="6-4", end="l"), "bad_action"),
        (frame(do="play", v=1, tile="6-4", end=None), "bad_action"),
        (frame(do="play", v=1, tile="6-4", end=["L"]), "bad_action"),
        (frame(do="play", v=1, tile={"play": "6-4"}), "bad_action"),
        (frame(do="contribute"), "bad_contribution"),
        (frame(do="contribute", contribution="a" * 65), "bad_contribution"),
        (frame(do="contribute", contribution="xyz"), "bad_contribution"),
        (frame(do="contribute", contribution="ab,cd"), "bad_contribution"),
        (frame(do="contribute", contribution=7), "bad_contribution"),
    ],
)
def test_hostile_frames_are_refused_with_a_code(text: str | None, code: str) -> None:
    assert code_of(text) == code


def test_error_names_the_command_once_its_id_is_known() -> None:
    with pytest.raises(FrameError) as caught:
        parse(frame(do="draw"))
    assert caught.value.frame() == {
        "error": "bad_version",
        "id": ID,
        "text": caught.value.text,
    }


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
    max_leaves=8,
)


@given(st.text() | json_values.map(json.dumps))
def test_anything_is_a_command_or_a_frame_error(text: str) -> None:
    with pytest.raises(FrameError):
        parse(text)


@given(
    st.fixed_dictionaries(
        {"id": st.just(ID), "do": st.sampled_from([*Do])},
        optional={
            "v": json_values,
            "tile": json_values,
            "end": json_values,
            "contribution": json_values,
            "seat": json_values,
            "price": json_values,
            "ruling": json_values,
            "reason": json_values,
            "places": json_values,
            "text": json_values,
            "phrase": json_values,
        },
    )
)
def test_wrong_types_never_get_through(fields: dict[str, Any]) -> None:
    try:
        command = parse(json.dumps(fields))
    except FrameError:
        return
    assert command.v is None or type(command.v) is int
    assert (command.action is not None) is (command.do in protocol.MOVES)
    assert command.seat is None or type(command.seat) is int
    assert type(command.price) is int
    assert all(type(place) is int for place in command.places)
    assert {type(words) for words in (command.reason, command.text, command.phrase)} == {str}


def test_canonical_json_is_what_browsers_write() -> None:
    view = {"b": [1, None, True], "a": {"ş": "İ/<"}}
    assert protocol.canonical(view) == '{"a":{"ş":"İ/<"},"b":[1,null,true]}'
