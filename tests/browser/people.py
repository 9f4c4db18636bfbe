"""People with phones: what a browser test does, by taps and keys on what is visible alone."""

import json
from dataclasses import dataclass

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.stack import Stack

PHONE = ViewportSize(width=390, height=844)
TURNED = ViewportSize(width=844, height=390)
PASSWORD = "kara-üzüm-27"
NAMES = ("Ayşe Yılmaz", "Əli Məmmədov", "Işıl İnci", "Nigar Əliyeva", "Çağrı Şahin")
USERS = ("ayse", "eli", "isil", "nigar", "cagri")
SUBSTITUTE = 4  # the number of who has no seat at first

PREPARE = """
import datetime, json
from django.utils import timezone
from league.accounts.models import Player
from league.accounts.services import user_create
from league.clubs.services import club_create
from league.seasons.services import season_create
from league.tournaments.services import (
    TableTerms, entry_create, round_create, tournament_create)
from tables.protocol import Command, Do
from tables.opening import table_open
from tables.services import command_execute
from tables.tickets import Ticket
from uuid import uuid4

given = json.loads('''{given}''')
for username, name in zip(given["users"], given["names"]):
    user_create(username=username, password=given["password"], name=name)
players = [Player.objects.get(user__username=username) for username in given["users"]]
club = club_create(name="Ordu Domino " + given["crowd"], city="Ordu")
today = timezone.localdate()
season = season_create(
    club=club, name="Sonbahar " + given["crowd"],
    starts_on=today, ends_on=today + datetime.timedelta(days=90))
players = players[:given["seats"]]
tournament = tournament_create(
    season=season, name="Fındık Kupası", ruleset=given["ruleset"], seats=len(players),
    partners=given["partners"], move_seconds=given["move_seconds"],
    tables=TableTerms(clock=given["move_seconds"] is not None, bank_seconds=given["bank_seconds"]))
for player in players:
    entry_create(tournament=tournament, player=player)
tables = []
# Ahead of their time, so that nobody else opens them with another secret.
later = timezone.now() + datetime.timedelta(days=1)
for hours in range(given["tables"]):
    round_ = round_create(
        tournament=tournament, starts_at=later + datetime.timedelta(hours=hours), tables=[players])
    table = table_open(fixture=round_.fixtures.get(), secret=bytes.fromhex(given["secret"]))
    tables.append(table.pk)
def send(table, player, do):
    answer = command_execute(
        table_id=table, ticket=Ticket(player.user_id), command=Command(uuid4(), Do(do), None))
    assert answer.version is not None, answer
for table in tables[:given["started"]]:
    for player in players:
        send(table, player, "sit")
    send(table, players[0], "start")
print(json.dumps({{"tables": tables, "season": season.slug, "tournament": tournament.pk,
    "club": club.slug, "player": players[0].pk}}))
"""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What was set up before anybody came: tables in the order they were opened, and addresses."""

    tables: list[int]
    season: str
    tournament: int
    club: str
    player: int


def user_names(crowd: str) -> list[str]:
    """Return the user names of a crowd: by seat, then who has none at first."""
    return [f"{user}-{crowd}" for user in USERS]


def prepare(
    stack: Stack,
    crowd: str,
    secret: bytes,
    ruleset: object,
    *,
    tables: int,
    started: int,
    seats: int = 4,
    partners: bool = False,
    move_seconds: int | None = 3600,
    bank_seconds: int = 0,
) -> Prepared:
    """Make people for each seat and one more, and tables whose matches follow from `secret`.

    So many of the tables, the first ones, are `started`; without `move_seconds` they have no clock.

    `crowd` tells the people, club and season of one test module from those of another.
    """
    given = {
        "crowd": crowd,
        "users": [user_names(crowd)[each] for each in (*range(seats), SUBSTITUTE)],
        "names": [NAMES[each] for each in (*range(seats), SUBSTITUTE)],
        "seats": seats,
        "partners": partners,
        "password": PASSWORD,
        "secret": secret.hex(),
        "ruleset": ruleset,
        "tables": tables,
        "started": started,
        "move_seconds": move_seconds,
        "bank_seconds": bank_seconds,
    }
    printed = stack.shell(PREPARE.format(given=json.dumps(given)))
    return Prepared(**json.loads(printed.strip().splitlines()[-1]))


def violations(page: Page) -> list[str]:
    """Return what hinders somebody on a page, by axe."""
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {node['html']}" for one in found for node in one["nodes"]]


@dataclass
class Person:
    """Somebody at a phone."""

    seat: int
    crowd: str
    page: Page

    @property
    def name(self) -> str:
        return NAMES[self.seat]

    @classmethod
    def arrive(cls, browser: Browser, seat: int, crowd: str) -> "Person":
        """Take a phone of their own."""
        context = browser.new_context(
            viewport=PHONE, has_touch=True, is_mobile=True, locale="en-GB", reduced_motion="reduce"
        )
        context.set_default_timeout(20_000)
        return cls(seat, crowd, context.new_page())

    def log_in(self, url: str) -> None:
        """From the home page by *Log in*, with name and password, back to the home page."""
        self.page.goto(url)
        self.page.get_by_role("link", name="Log in").tap()
        self.say_who()
        account = self.page.get_by_role("navigation", name="Account")
        expect(account.get_by_role("link", name=self.name)).to_be_visible()

    def say_who(self) -> None:
        """Give name and password on the log-in page."""
        self.type_in("User name", user_names(self.crowd)[self.seat])
        self.type_in("Password", PASSWORD)
        self.page.get_by_role("main").get_by_role("button", name="Log in").tap()

    def type_in(self, label: str, text: str) -> None:
        """Tap a field and type."""
        self.page.get_by_label(label).tap()
        self.page.keyboard.type(text)

    @property
    def board(self) -> Locator:
        return self.page.locator("#board")

    @property
    def version(self) -> int:
        """The version of the table that the page shows."""
        return int(self.board.get_attribute("data-version") or -1)

    def button(self, name: str) -> Locator:
        return self.board.get_by_role("button", name=name, exact=True)

    def sees(self, version: int) -> None:
        """Wait until the page shows this version and waits for no answer."""
        expect(self.board).to_have_attribute("data-version", str(version))
        expect(self.board.get_by_text("Sending…")).to_be_hidden()

    def is_hindered_by_nothing(self) -> None:
        """Look at the phone upright and turned."""
        for size in (TURNED, PHONE):
            self.page.set_viewport_size(size)
            assert violations(self.page) == []

    def choose(self, question: str, answer: str) -> None:
        """Open the table's menu, tap a question, and answer it."""
        self.button("Table menu").tap()
        self.page.get_by_role("dialog").get_by_role("button", name=question, exact=True).tap()
        self.page.get_by_role("dialog").get_by_role("button", name=answer, exact=True).tap()

    def is_on_turn(self) -> bool:
        return self.board.get_by_text("Your turn", exact=True).is_visible()
