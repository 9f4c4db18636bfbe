"""A state machine of people, the clock and restarts against the one writer and its database.

Whatever the order: one holder a seat, open stints are those of the holders, banks never grow,
versions rise by one, the state is that of the events, the record holds and so does the ledger.
`AYAZ_EXAMPLES` tries more than the few that fit into every run.
"""

import os
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engine.match import Phase, legal_actions
from engine.record import check_record
from league.accounts.models import Player
from league.ledger.models import Posting
from league.results.models import Left, Match
from league.settlement.verification import ledger_faults
from league.tournaments.services import TableTerms
from tables.answers import Answer
from tables.models import OVER, Table, TableEvent, TableSeat, TableStatus
from tables.protocol import Command, Do, Ruling
from tables.selectors import record_of_table, seats_of, state_from_events, table_view
from tables.services import command_execute, table_timeout
from tests.tables.acting import newcomer, organizer
from tests.tables.builders import build_table, come, command, go, move, state_of, ticket_of

pytestmark = pytest.mark.django_db

SEATS = st.integers(0, 3)
NUMBERS = st.integers(0, 27)


class LiveTable(RuleBasedStateMachine):
    """One table, its four players, everybody who ever sat down, an organizer and the clock."""

    def teardown(self) -> None:
        """Play to the end what is still under way, and look at it and at the ledger."""
        if hasattr(self, "table"):
            self._end()

    @initialize(clock=st.booleans(), bank=st.sampled_from([0, 20]), bots=st.booleans())
    def open(self, clock: bool, bank: int, bots: bool) -> None:
        terms = TableTerms(clock=clock, bank_seconds=bank if clock else 0, bots_may_substitute=bots)
        ruleset = {"preset": "kraloyun", "deal": 7, "hands": 2}
        self.table = build_table(ruleset=ruleset, stake=11, tables=terms)
        self.people = [seat.player for seat in seats_of(self.table) if seat.player is not None]
        self.referee = organizer()
        self.version = 0
        self.banks: dict[int, int] = {}
        for player in self.people:
            self.ask(player, Do.SIT)
        come(self.table)

    # --- what they do

    def ask(self, player: Player, do: Do, **more: Any) -> Answer:
        """Let somebody send a command, twice: the second changes nothing."""
        return self.execute(player, command(do, **more))

    def execute(self, player: Player, order: Command) -> Answer:
        answers = [
            command_execute(table_id=self.table.pk, ticket=ticket_of(player), command=order)
            for _time in range(2)
        ]
        if answers[0].version is not None:
            assert answers[1] == answers[0]
        self.look(rises=answers[0].version is not None)
        return answers[0]

    def look(self, *, rises: bool) -> None:
        self.table = Table.objects.select_related("match").get(pk=self.table.pk)
        assert self.table.version == self.version + rises
        self.version = self.table.version

    def holder(self, seat: int) -> Player | None:
        return seats_of(self.table)[seat].player

    def is_playing(self) -> bool:
        return hasattr(self, "table") and self.table.status == TableStatus.PLAYING

    @rule()
    def start(self) -> None:
        manager = self.holder(0)
        if manager is not None:
            self.ask(manager, Do.START)

    @precondition(is_playing)
    @rule(numbers=st.lists(NUMBERS, min_size=1, max_size=12))
    def people_play(self, numbers: list[int]) -> None:
        for number in numbers:
            if not self.is_playing() or self.table.stands_still:
                return
            self.one_plays(number)

    def one_plays(self, number: int) -> None:
        state = state_of(self.table)
        if state.phase is Phase.DEAL:
            for seat in seats_of(self.table):
                if seat.player is not None:
                    self.ask(seat.player, Do.READY)
            return
        holder = self.holder(state.turn or 0)
        if holder is None:
            self.time_is_up()
            return
        actions = legal_actions(state)
        order = move(actions[number % len(actions)], self.version)
        assert self.execute(holder, order).version is not None

    @precondition(is_playing)
    @rule(seat=SEATS, agrees=st.sampled_from([True, True, False]))
    def leave(self, seat: int, agrees: bool) -> None:
        holder = self.holder(seat)
        if holder is None:
            return
        before = Posting.objects.filter(account__player=holder).count()
        answer = self.ask(holder, Do.LEAVE, price=22 if agrees else 21)
        assert answer.code == ("" if agrees else "price")
        after = Posting.objects.filter(account__player=holder).count()
        assert after == before + agrees

    @rule(seat=SEATS, fresh=st.booleans(), number=NUMBERS)
    def sit(self, seat: int, fresh: bool, number: int) -> None:
        """Somebody new, or anybody who was here before, wants the seat."""
        player = newcomer() if fresh else self.people[number % len(self.people)]
        sat_before = Match.objects.get(pk=self.table.match_id).stints.filter(player=player)
        over = sat_before.filter(left__isnull=False).exists()
        answer = self.ask(player, Do.SIT, seat=seat)
        assert not (over and answer.version is not None), "a second seat in the same match"
        if fresh and answer.version is not None:
            self.people.append(player)
            come(self.table, player)

    @rule(number=NUMBERS)
    def lose_the_connection(self, number: int) -> None:
        go(self.table, self.people[number % len(self.people)])

    @rule(number=NUMBERS)
    def connect(self, number: int) -> None:
        come(self.table, self.people[number % len(self.people)])

    @rule()
    def time_is_up(self) -> None:
        """The clock finds the table due."""
        if self.table.deadline_at is None:
            assert not table_timeout(table_id=self.table.pk, version=self.version)
            return
        assert not table_timeout(table_id=self.table.pk, version=self.version + 1)
        Table.objects.filter(pk=self.table.pk).update(deadline_at=timezone.now())
        assert table_timeout(table_id=self.table.pk, version=self.version)
        self.look(rises=True)

    @precondition(is_playing)
    @rule(seconds=st.integers(1, 29))
    def time_passes(self, seconds: int) -> None:
        """The turn takes a while."""
        if not self.table.stands_still and self.table.deadline_at is not None:
            sooner = self.table.deadline_at - timedelta(seconds=seconds)
            Table.objects.filter(pk=self.table.pk).update(
                deadline_at=max(sooner, timezone.now() + timedelta(seconds=1))
            )

    @rule(seat=SEATS, do=st.sampled_from([Do.CONTINUE, Do.PAUSE, Do.REFEREE, Do.READY]))
    def press(self, seat: int, do: Do) -> None:
        holder = self.holder(seat)
        if holder is not None:
            self.ask(holder, do)

    @rule(ruling=st.sampled_from([Ruling.CONTINUE, Ruling.UNDO]))
    def decide(self, ruling: Ruling) -> None:
        self.ask(self.referee, Do.REFEREE, ruling=ruling, reason="seen by all")

    @rule()
    def organizer_continues(self) -> None:
        self.ask(self.referee, Do.CONTINUE)

    # --- what holds

    @invariant()
    def one_holder_a_seat_and_stints_match(self) -> None:
        if not hasattr(self, "table") or self.table.status == TableStatus.WAITING:
            return
        seats = seats_of(self.table)
        held = [seat.player_id for seat in seats if seat.player_id is not None]
        assert len(held) == len(set(held))
        for seat in seats:
            stints = list(self.table.match.stints.filter(seat=seat.seat).order_by("number"))
            opened = [stint for stint in stints if stint.left is None]
            assert all(stint.left in Left.values for stint in stints[:-1])
            if seat.player_id is None and not seat.bot:
                assert opened == []
            else:
                assert [stint.player_id for stint in opened] == [seat.player_id]

    @invariant()
    def versions_have_no_holes(self) -> None:
        if hasattr(self, "table"):
            numbers = TableEvent.objects.filter(table=self.table).values_list("seq", flat=True)
            assert list(numbers) == list(range(1, self.version + 1))

    @invariant()
    def banks_never_grow(self) -> None:
        if not self.is_playing():
            return
        for seat in TableSeat.objects.filter(table=self.table):
            assert seat.bank_ms <= self.banks.get(seat.seat, seat.bank_ms)
            self.banks[seat.seat] = seat.bank_ms

    @invariant()
    def after_a_restart_the_state_is_that_of_the_events(self) -> None:
        if self.is_playing():
            assert state_of(self.table) == state_from_events(self.table)

    @invariant()
    def somebody_or_the_clock_can_always_go_on(self) -> None:
        """A match under way stands still with a deadline, or somebody is on turn."""
        if not self.is_playing():
            return
        empty = any(seat.is_empty for seat in seats_of(self.table))
        assert empty is (self.table.empty_at is not None)
        if self.table.stands_still:
            assert self.table.deadline_at is not None
        elif self.table.deadline_at is None:
            state = state_of(self.table)
            assert self.table.move_seconds is None
            assert state.turn is not None
            assert self.holder(state.turn) is not None

    @invariant()
    def views_show_racks_to_their_holders_alone(self) -> None:
        if not hasattr(self, "table"):
            return
        holders = {seat.player_id for seat in seats_of(self.table)}
        for player in self.people:
            view = table_view(self.table, player.pk)[0]
            seen = view["match"] is not None and view["match"]["rack"] is not None
            assert not seen or player.pk in holders

    def _end(self) -> None:
        """Come to the match's end: everybody who dropped comes back, bots and people play."""
        for _step in range(2000):
            if self.table.status in OVER:
                break
            self._step()
        assert list(ledger_faults()) == []
        assert self.table.status in OVER
        check_record(record_of_table(self.table))

    def _step(self) -> None:
        """Do the next thing that brings the match on."""
        if self.table.status == TableStatus.WAITING or self.table.empty_at is not None:
            dropped = [seat for seat in seats_of(self.table) if seat.dropped_at is not None]
            for seat in dropped:
                self.ask(self._known(seat.player), Do.SIT)
            if not dropped:
                self.time_is_up()
        elif self.table.stands_still:
            self.ask(self.referee, Do.CONTINUE)
        else:
            self.one_plays(0)

    @staticmethod
    def _known(player: Player | None) -> Player:
        assert player is not None
        return player


def test_whatever_people_do_at_a_table_holds() -> None:
    quick = settings(
        max_examples=int(os.environ.get("AYAZ_EXAMPLES", "6")),
        stateful_step_count=30,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(LiveTable, settings=quick)
