"""Who sits where: sitting down, changing seats, leaving, coming back, taking over.

A room of the writer: it changes the scene it is given and never commits.
"""

from league.accounts.models import Player
from league.settlement.services import seat_take_over, stint_leave
from league.shared.errors import DomainError
from tables import bans, selectors, stillness
from tables.models import Bot, TableKind, TableSeat, TableStatus
from tables.position import price_of
from tables.refusals import Refused
from tables.scene import Scene, require, require_waiting, set_deadline


def sit(scene: Scene) -> None:
    """Sit down before the match; during it come back, or take over an empty seat."""
    require(not scene.table.is_over, "match_over")
    if scene.table.status == TableStatus.WAITING:
        _sit_down(scene)
    elif scene.seat is not None:
        _come_back(scene, scene.own_seat)
    else:
        _take_over(scene)


def _sit_down(scene: Scene) -> None:
    seat = scene.own_seat if scene.scheduled or scene.seat is not None else _chosen(scene)
    require(seat.sat_at is None, "already_sat")
    if seat.player is not None:
        _require_come_back(scene, seat.player)
    bans.require_may_sit(scene.player, bans.place_of(scene.table))
    if not scene.scheduled:
        _require_free(scene, scene.player)
        seat.player = scene.player
        scene.seat = seat.seat
    seat.sat_at = scene.now
    seat.save(update_fields=["player", "sat_at"])
    start_when_all_sat(scene)


def start_when_all_sat(scene: Scene) -> None:
    """*Start* is due once every seat is held, and not before."""
    table = scene.table
    ready = all(each.is_there for each in scene.seats)
    if not ready:
        table.press_due_at = None
    elif table.press_due_at is None:
        table.press_due_at = scene.now
    set_deadline(scene)


def _chosen(scene: Scene) -> TableSeat:
    """Return the empty seat that the command names, or the only one, or the lowest before play."""
    require(scene.table.kind != TableKind.PRACTICE, "bots_only")
    empty = [each for each in scene.seats if each.is_empty]
    number = None if scene.command is None else scene.command.seat
    if number is None:
        require(bool(empty), "no_empty_seat")
        require(len(empty) == 1 or scene.table.status == TableStatus.WAITING, "name_a_seat")
        before = selectors.seat_before(scene.table, scene.player)
        return next((each for each in empty if each.seat == before), empty[0])
    require(number < len(scene.seats), "no_such_seat")
    require(scene.seats[number] in empty, "seat_taken")
    return scene.seats[number]


def _require_free(scene: Scene, player: Player) -> None:
    """Refuse who plays elsewhere, or must come back there first (rules.md).

    The player's row is locked: nobody takes seats over at two tables at the same moment.
    """
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    elsewhere = selectors.held_elsewhere(scene.table, player)
    if elsewhere is not None:
        raise Refused("must_come_back" if elsewhere.dropped_at is not None else "plays_elsewhere")


def _require_come_back(scene: Scene, player: Player) -> None:
    """Refuse who dropped from another table: its seat is theirs until somebody sits down in it."""
    elsewhere = selectors.held_elsewhere(scene.table, player)
    require(elsewhere is None or elsewhere.dropped_at is None, "must_come_back")


def _come_back(scene: Scene, seat: TableSeat) -> None:
    require(seat.dropped_at is not None, "already_sat")
    seat.dropped_at = seat.gone_at = None
    seat.save(update_fields=["dropped_at", "gone_at"])
    scene.told["came_back"] = seat.seat
    stillness.seat_filled(scene, came_back=True)


def _take_over(scene: Scene) -> None:
    player, seat = scene.player, _chosen(scene)
    bans.require_may_sit(player, bans.place_of(scene.table))
    _require_free(scene, player)
    _replace(scene, seat, player)
    seat.player, seat.bot, seat.sat_at = player, Bot.NONE, scene.now
    scene.seat = seat.seat
    _seated_anew(scene, seat)


def bot_take_over(scene: Scene, seat: TableSeat, bot: Bot) -> None:
    """Let a bot play on in an empty seat, where the season allows it."""
    _replace(scene, seat, None)
    seat.player, seat.bot, seat.sat_at = None, bot, scene.now
    _seated_anew(scene, seat)


def _replace(scene: Scene, seat: TableSeat, player: Player | None) -> None:
    assert scene.state is not None
    try:
        seat_take_over(
            match_id=scene.table.match_id,
            seat=seat.seat,
            player=player,
            from_hand=scene.state.hand_number,
        )
    except DomainError as error:
        raise Refused(error.code) from error


def _seated_anew(scene: Scene, seat: TableSeat) -> None:
    seat.dropped_at = seat.gone_at = None
    seat.auto_moves, seat.ready = 0, bool(seat.bot)
    seat.save()
    scene.told["took_over"] = seat.seat
    stillness.seat_filled(scene, came_back=False)


# --- changing seats before *Start*


def swap(scene: Scene) -> None:
    """Change to an empty seat, or offer to change with somebody; two such offers are a change."""
    require_waiting(scene)
    own = scene.own_seat
    require(not scene.scheduled, "seats_fixed")
    number = None if scene.command is None else scene.command.seat
    require(number is not None and number < len(scene.seats), "no_such_seat")
    other = scene.seats[number or 0]
    require(other.seat != own.seat, "already_sat")
    if other.player_id is None or other.swap_with == own.seat:
        require(not other.bot, "seat_taken")
        _exchange(scene, own, other)
    else:
        own.swap_with = other.seat
        own.save(update_fields=["swap_with"])


def _exchange(scene: Scene, one: TableSeat, other: TableSeat) -> None:
    players, sat = (one.player, other.player), (one.sat_at, other.sat_at)
    one.player = other.player = None
    one.save(update_fields=["player"])  # nobody holds two seats of a table, not for a moment
    other.save(update_fields=["player"])
    other.player, one.player = players
    other.sat_at, one.sat_at = sat
    for seat in (one, other):
        seat.swap_with = None
        _forget_offers(scene, seat)
        seat.save(update_fields=["player", "sat_at", "swap_with"])
    told = scene.table.contributions
    told[one.seat], told[other.seat] = told[other.seat], told[one.seat]
    scene.seat = other.seat


# --- leaving


def leave(scene: Scene) -> None:
    """Leave: free before *Start*, at the price that was named during a scheduled match."""
    seat = scene.own_seat
    require(not scene.table.is_over, "match_over")
    price = 0 if scene.command is None else scene.command.price
    require(price == price_of(scene.position()), "price")
    if scene.table.status == TableStatus.WAITING:
        _get_up(scene, seat)
    else:
        _leave_match(scene, seat)


def _get_up(scene: Scene, seat: TableSeat) -> None:
    require(seat.sat_at is not None, "not_sat")
    seat.sat_at = seat.swap_with = None
    if not scene.scheduled:
        seat.player = None
        scene.table.contributions[seat.seat] = ""
        _forget_offers(scene, seat)
    seat.save(update_fields=["sat_at", "player", "swap_with"])
    start_when_all_sat(scene)


def _forget_offers(scene: Scene, seat: TableSeat) -> None:
    """Who wanted to change with somebody does not want it with whoever sits there next."""
    for other in scene.seats:
        if other.swap_with == seat.seat:
            other.swap_with = None
            other.save(update_fields=["swap_with"])


def _leave_match(scene: Scene, seat: TableSeat) -> None:
    stint_leave(match_id=scene.table.match_id, seat=seat.seat)
    scene.told["left"] = seat.seat
    seat.player = seat.sat_at = seat.dropped_at = seat.gone_at = None
    seat.ready, seat.auto_moves = False, 0
    seat.save()
    stillness.seat_emptied(scene, seat)
