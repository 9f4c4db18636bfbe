"""cases.md part B at the board: what becomes of a command that is lost with its connection."""

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.browser.people import Person, prepare
from tests.browser.rehearsal import RULESET, Rehearsal
from tests.stack import Stack

pytestmark = pytest.mark.browser

FIRST_TURN = """
from tables.models import Table
from tests.tables.builders import state_of
print(state_of(Table.objects.get(pk={table})).turn)
"""
ROUND_THE_TABLE = """
from tables.models import Table
from tests.browser.test_drag import one_end
from tests.tables.builders import play_one, play_until
table = Table.objects.get(pk={table})
play_one(table)
play_until(table, lambda state: state.turn == {seat} and one_end(state))
table.refresh_from_db()
print(table.version)
"""


@dataclass
class Line:
    """The connection between a page and the server; once `cut`, nothing gets through either way."""

    cut: bool = False
    moves: list[dict[str, Any]] = field(default_factory=list)  # that the page sent
    sockets: list[WebSocketRoute] = field(default_factory=list)

    def connect(self, page: WebSocketRoute) -> None:
        """Stand between a page's new connection and the server."""
        self.cut = False
        self.sockets.append(page)
        server = page.connect_to_server()
        page.on_message(lambda message: self._out(server, message))
        server.on_message(lambda message: None if self.cut else page.send(message))

    def _out(self, server: WebSocketRoute, message: str | bytes) -> None:
        frame = json.loads(message)
        if frame["do"] == "play":
            self.moves.append(frame)
            self.cut = self.cut or len(self.moves) == 1
        if not self.cut:
            server.send(message)


def test_case_b6_a_move_lost_with_its_connection_is_not_sent_at_another_position(
    browser: Browser, patient_stack: Stack, rehearsal: Rehearsal
) -> None:
    """cases.md B6: what waits is bound to a version, and the snapshot of a reconnect clears it."""
    url, line = patient_stack.url, Line()
    table = prepare(
        patient_stack, "cases", rehearsal.secret, RULESET, tables=1, started=1
    ).tables[0]  # fmt: skip
    seat = int(patient_stack.shell(FIRST_TURN.format(table=table)).split()[-1])
    person = Person.arrive(browser, seat, "cases")
    person.log_in(url)
    person.page.route_web_socket("**/ws/tables/**", line.connect)
    person.page.goto(f"{url}tables/{table}/")
    playable = person.page.locator("[data-tile][aria-disabled=false]")
    expect(playable).not_to_have_count(0)
    first = person.version
    playable.first.tap()
    expect(person.board.get_by_text("Sending…")).to_be_visible()

    code = ROUND_THE_TABLE.format(table=table, seat=seat)
    version = int(patient_stack.shell(code).split()[-1])
    line.sockets[-1].close(code=1012)
    person.sees(version)
    expect(person.board.get_by_text("Your turn", exact=True)).to_be_visible()
    assert [move["v"] for move in line.moves] == [first]

    playable.tap()
    person.sees(version + 1)
    assert [move["v"] for move in line.moves] == [first, version]
    assert len(line.sockets) == 2
    person.page.context.close()
