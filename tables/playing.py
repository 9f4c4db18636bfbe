"""The match itself: start, deals, moves, and what the clock does for a seat.

A room of the writer: it changes the scene it is given and never commits.
"""

from datetime import timedelta

from django.conf import settings

from engine.bots import choose
from engine.match import MatchState, Phase, Step, apply, deal_hand, new_match
from league.accounts.models import Player
from league.results.services import match_start
from tables import presence, selectors, timing
from tables.models import Bot, TableSeat, TableStatus
from tables.position import do_of
from tables.protocol import Do
from tables.scene import (
    Scene,
    require,
    require_going_on,
    require_playing,
    require_press,
    require_waiting,
    set_deadline,
)

MOST_AUTO_MOVES = 3
"""So many moves in a row by the clock, and the player has dropped (rules.md)."""


def contribute(scene: Scene) -> None:
    """Add to the shuffle, before the first deal."""
    seat = scene.own_seat
    require_waiting(scene)
    require(seat.sat_at is not None, "not_sat")
    assert scene.command is not None
    scene.table.contributions[seat.seat] = scene.command.contribution


def press_start(scene: Scene) -> None:
    """*Start*, once everybody sits."""
    require_waiting(scene)
    require(all(each.is_there for each in scene.seats), "not_all_seated")
    require_press(scene)
    require(not _somebody_plays_elsewhere(scene), "somebody_plays_elsewhere")
    begin(scene)


def _somebody_plays_elsewhere(scene: Scene) -> bool:
    """Tell whether somebody who sat down at several friendly tables plays at another by now.

    Their rows are locked in the order of their ids: of two tables that start at one moment the
    second one sees the match of the first.
    """
    if scene.scheduled:
        return False
    held = [seat.player_id for seat in scene.seats if seat.player_id is not None]
    players = Player.objects.select_for_update(no_key=True).filter(pk__in=held).order_by("pk")
    return any(selectors.held_elsewhere(scene.table, player) for player in players)


def begin(scene: Scene) -> None:
    """Begin the match: everybody's stint, everybody's bank, the first deal."""
    match, table = scene.table.match, scene.table
    match_start(match=match, players=[seat.player for seat in scene.seats])
    table.status, table.press_due_at = TableStatus.PLAYING, None
    for seat in scene.seats:
        seat.bank_ms, seat.ready = table.bank_seconds * 1000, bool(seat.bot)
        scene.keep(seat)
    scene.state = new_match(
        selectors.ruleset_of(match), seats=match.seats, partners=match.partners, stake=match.stake
    )
    deal(scene, scene.state)


def deal(scene: Scene, state: MatchState) -> None:
    """Deal the next hand."""
    _take(scene, deal_hand(state, selectors.shuffle_of(scene.table)))


def _take(scene: Scene, step: Step) -> None:
    """Go on from the engine's step: new state, new deadline."""
    scene.state = step.state
    scene.events.extend(step.events)
    set_deadline(scene)


def ready(scene: Scene) -> None:
    """A seat has seen the hand's result; with all ready the next hand is dealt."""
    seat = scene.own_seat
    state = require_playing(scene)
    require(state.phase is Phase.DEAL, "not_between_hands")
    require_going_on(scene)
    require(not seat.ready, "already_ready")
    seat.ready = True
    if all(each.ready for each in scene.seats):
        next_hand(scene, state)
    else:
        scene.keep(seat)


def next_hand(scene: Scene, state: MatchState) -> None:
    """Deal, and let everybody look at the next result anew; bots never need to."""
    for seat in scene.seats:
        seat.ready = bool(seat.bot)
        scene.keep(seat)
    deal(scene, state)


def move(scene: Scene) -> None:
    """A move of the seat on turn; what it took beyond the move's time goes from the bank."""
    seat = scene.own_seat
    state = require_going_on(scene)
    require(state.phase is Phase.PLAY, "no_hand_in_play")
    require(state.turn == seat.seat, "not_your_turn")
    assert scene.action is not None
    step = apply(state, scene.action)
    _spend(scene, seat)
    _take(scene, step)


def _spend(scene: Scene, seat: TableSeat) -> None:
    left, before = seat.bank_ms, (seat.bank_ms, seat.auto_moves)
    if scene.table.move_seconds is not None and scene.table.deadline_at is not None:
        left = timing.bank_after(left, timing.left_ms(scene.table.deadline_at, scene.now))
    if (left, 0) != before:
        seat.bank_ms, seat.auto_moves = left, 0
        scene.keep(seat)


def full_turn_ms(scene: Scene) -> int | None:
    """Return what the seat on turn may take for a whole move; None at a table without a clock."""
    if scene.state is None or scene.table.move_seconds is None:
        return None
    return timing.turn_ms(scene.table.move_seconds, scene.seats[scene.state.turn or 0].bank_ms)


# --- for a seat whose time is spent, and for bots


def is_gone(scene: Scene, seat: TableSeat) -> bool:
    """Tell whether the seat's player has no connection."""
    return not presence.here(scene.table.pk, [seat.player_id])[0]


def move_for(scene: Scene, state: MatchState, seat: TableSeat) -> None:
    """Move for a seat: a bot as it plays, a person's the only or the heaviest tile.

    The heaviest leaves the least to pay for, so it is the safe move; the table's page says so.
    """
    bot = Bot(seat.bot) if seat.bot else Bot.HEAVIEST
    scene.action = choose(bot.value, state, selectors.chance_of(scene.table))
    scene.seat, scene.do = state.turn, do_of(scene.action)
    _take(scene, apply(state, scene.action))


def count_auto_move(scene: Scene, seat: TableSeat) -> bool:
    """Note that the clock moved for a person; tell whether that was once too often."""
    seat.bank_ms, seat.auto_moves = 0, seat.auto_moves + 1
    scene.keep(seat)
    return seat.auto_moves >= MOST_AUTO_MOVES


def start_by_itself(scene: Scene) -> None:
    """*Start* comes by itself when nobody pressed it; it waits anew for who plays elsewhere."""
    scene.do = Do.START
    if _somebody_plays_elsewhere(scene):
        scene.table.deadline_at = scene.now + timedelta(seconds=settings.AYAZ_START_SECONDS)
    else:
        begin(scene)
