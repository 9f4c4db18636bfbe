"""The only writer of tournaments, entries, rounds and fixtures.

May not know matches or tables: a fixture's state is set from above through `fixture_mark_…`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.rulesets import Ruleset
from league.accounts.models import Player, User
from league.clubs.models import Club
from league.clubs.selectors import clubs_represented
from league.conduct.selectors import banned_among
from league.conduct.wording import text_about
from league.seasons.models import Season
from league.shared.errors import DomainError
from league.shared.names import clean_name
from league.tournaments.models import (
    BANK_SECONDS,
    MOVE_SECONDS,
    WATCH_DELAY,
    Fixture,
    FixtureSeat,
    FixtureStatus,
    HouseRuleset,
    Round,
    Stage,
    Tournament,
    TournamentEntry,
)
from league.tournaments.planning import house_rules_planned, match_planned
from league.tournaments.selectors import (
    house_rules,
    house_ruleset_in_use,
    last_round,
    place_of,
    rules_kept,
)

BANK_NEEDS_A_CLOCK = gettext_lazy("A bank needs a time for each move beside it.")
_OPENABLE = {FixtureStatus.SCHEDULED, FixtureStatus.OPEN, FixtureStatus.ABANDONED}


Rules = Mapping[str, object] | Ruleset | HouseRuleset
"""What a tournament can be made from: the record's form, a preset, a house rule set."""


@transaction.atomic
def house_ruleset_create(
    *, club: Club, name: str, ruleset: Mapping[str, object], created_by: User | None = None
) -> HouseRuleset:
    """Make a club's own rule set. A retired name goes on with its next version.

    Raises DomainError name, house_ruleset_exists, the engine's codes.
    """
    name = clean_name(name)
    if house_ruleset_in_use(club, name) is not None:
        raise _house_ruleset_exists()
    versions = HouseRuleset.objects.filter(club=club, name=name)
    version = (versions.aggregate(last=Max("version"))["last"] or 0) + 1
    rules = house_rules_planned(ruleset=ruleset, version=version)
    return _house_saved(club, name, version, rules, created_by)


@transaction.atomic
def house_ruleset_revise(
    *, house: HouseRuleset, ruleset: Mapping[str, object], created_by: User | None = None
) -> HouseRuleset:
    """Make the next version of a house rule set and retire this one.

    Raises DomainError house_ruleset_retired if somebody did either before, nothing_changed, the
    engine's codes.
    """
    locked = _house_locked(house)
    version = locked.version + 1
    rules = house_rules_planned(ruleset=ruleset, version=version)
    if rules._replace(version=locked.version) == house_rules(locked):
        raise DomainError("nothing_changed", _("Nothing was changed."))
    _house_retire(locked)
    house.retired_at = locked.retired_at
    return _house_saved(locked.club, locked.name, version, rules, created_by)


@transaction.atomic
def house_ruleset_retire(*, house: HouseRuleset) -> HouseRuleset:
    """Take a house rule set out of use; one that is retired stays as it is. `house` follows."""
    locked = HouseRuleset.objects.select_for_update(no_key=True).get(pk=house.pk)
    if locked.retired_at is None:
        _house_retire(locked)
    house.retired_at = locked.retired_at
    return locked


def _house_locked(house: HouseRuleset) -> HouseRuleset:
    """Lock a version that is in use. Raises DomainError house_ruleset_retired."""
    locked = HouseRuleset.objects.select_for_update(no_key=True).get(pk=house.pk)
    if locked.retired_at is not None:
        raise DomainError(
            "house_ruleset_retired",
            _("This version of the house rule set is no longer in use: look at the newest one."),
        )
    return locked


def _house_retire(locked: HouseRuleset) -> None:
    locked.retired_at = timezone.now()
    locked.save(update_fields=["retired_at"])


def _house_saved(
    club: Club, name: str, version: int, rules: Ruleset, created_by: User | None
) -> HouseRuleset:
    house = HouseRuleset(
        club=club,
        name=name,
        version=version,
        ruleset=rules.to_json(),
        created_by=created_by,
    )
    try:
        with transaction.atomic():
            house.save()
    except IntegrityError as error:
        raise _house_ruleset_exists() from error
    return house


def _house_ruleset_exists() -> DomainError:
    return DomainError("house_ruleset_exists", _("The club has a house rule set of this name."))


def rules_chosen(*, season: Season, ruleset: Rules) -> tuple[object, HouseRuleset | None]:
    """Return what `match_planned` takes, and the house rule set it comes from; call it atomically.

    Raises DomainError house_ruleset_retired, house_ruleset_elsewhere.
    """
    if not isinstance(ruleset, HouseRuleset):
        return (ruleset if isinstance(ruleset, Ruleset) else dict(ruleset)), None
    house = _house_locked(ruleset)
    return rules_kept(season=season, house=house), house


@dataclass(frozen=True, slots=True)
class TableTerms:
    """How a tournament's tables are run: clock, bank of seconds for each seat, chat, which way play
    goes in their picture, the moves that spectators are behind, and whether a bot plays on in a
    seat that stays empty.
    """

    clock: bool = True
    bank_seconds: int = 0
    chat: bool = True
    clockwise: bool = False
    watch_delay: int = 0
    bots_may_substitute: bool = False


USUAL_TABLES = TableTerms()


@transaction.atomic
def tournament_create(
    *,
    season: Season,
    name: str,
    ruleset: Rules,
    seats: int,
    partners: bool = False,
    stake: int | None = None,
    move_seconds: int | None = None,
    tables: TableTerms = USUAL_TABLES,
) -> Tournament:
    """Make a tournament under its own copy of a rule set. Aznif's stake is its number of hands.

    `move_seconds` left out is the installation's; `tables` say how the tables are run, and whether
    there is a clock at all. Raises DomainError with the engine's code for terms that cannot be
    played, move_seconds, bank_seconds, watch_delay, tournament_exists, house_ruleset_retired,
    house_ruleset_elsewhere.
    """
    _check_tables_terms(tables)
    rules, house = rules_chosen(season=season, ruleset=ruleset)
    planned = match_planned(ruleset=rules, seats=seats, partners=partners, stake=stake)
    return _saved(
        Tournament(
            season=season,
            name=clean_name(name),
            ruleset=planned.ruleset.to_json(),
            house_ruleset=house,
            seats=planned.seats,
            partners=planned.partners,
            stake=planned.stake,
            move_seconds=_seconds(move_seconds) if tables.clock else None,
            bank_seconds=tables.bank_seconds,
            chat=tables.chat,
            clockwise=tables.clockwise,
            watch_delay=tables.watch_delay,
            bots_may_substitute=tables.bots_may_substitute,
        )
    )


def _saved(tournament: Tournament) -> Tournament:
    try:
        with transaction.atomic():
            tournament.save()
    except IntegrityError as error:
        raise DomainError(
            "tournament_exists", _("The season has a tournament of this name.")
        ) from error
    return tournament


def _seconds(given: int | None) -> int:
    seconds: int = settings.AYAZ_MOVE_SECONDS if given is None else given
    if not MOVE_SECONDS[0] <= seconds <= MOVE_SECONDS[1]:
        raise DomainError("move_seconds", _("A move takes from 1 second to an hour."))
    return seconds


def _check_tables_terms(tables: TableTerms) -> None:
    if not BANK_SECONDS[0] <= tables.bank_seconds <= BANK_SECONDS[1]:
        raise DomainError("bank_seconds", _("The bank holds at most an hour."))
    if tables.bank_seconds and not tables.clock:
        raise DomainError("bank_seconds", str(BANK_NEEDS_A_CLOCK))
    if not WATCH_DELAY[0] <= tables.watch_delay <= WATCH_DELAY[1]:
        raise DomainError("watch_delay", _("Spectators are at most 100 moves behind."))


@transaction.atomic
def entry_create(
    *, tournament: Tournament, player: Player, club: Club | None = None
) -> TournamentEntry:
    """Enter a player, who plays for `club`, or for the own one where none is named.

    Raises DomainError banned, entered_already, not_a_member.
    """
    _check_not_banned(tournament, [player])
    entry = TournamentEntry(tournament=tournament, player=player)
    entry.club_id = _club_represented(tournament, player, club)
    try:
        with transaction.atomic():
            entry.save()
    except IntegrityError as error:
        raise DomainError(
            "entered_already", _("%(player)s is entered already.") % {"player": player}
        ) from error
    return entry


def _club_represented(tournament: Tournament, player: Player, club: Club | None) -> int | None:
    if club is None:
        return clubs_represented([player.pk], tournament.season.club).get(player.pk)
    if not player.memberships.filter(club=club).exists():
        told = {"player": player, "club": club}
        raise DomainError("not_a_member", _("%(player)s is no member of %(club)s.") % told)
    return club.pk


@transaction.atomic
def entries_create(*, tournament: Tournament, players: Sequence[Player]) -> list[TournamentEntry]:
    """Enter several players, all of them or none. Raises DomainError nobody, banned,
    entered_already.
    """
    if not players:
        raise DomainError("nobody", _("Choose who shall play."))
    return [entry_create(tournament=tournament, player=player) for player in players]


@transaction.atomic
def round_create(
    *,
    tournament: Tournament,
    starts_at: datetime,
    tables: Sequence[Sequence[Player]],
    stage_number: int = 1,
) -> Round:
    """Make a stage's next round: a fixture a table, its players in the order of seats.

    Raises DomainError no_tables, wrong_seats, not_entered, banned, seated_twice.
    """
    locked = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    _check_tables(locked, tables)
    stage, _made = Stage.objects.get_or_create(tournament=locked, number=stage_number)
    last = stage.rounds.aggregate(last=Max("number"))["last"] or 0
    made = Round.objects.create(stage=stage, number=last + 1, starts_at=starts_at)
    for number, players in enumerate(tables, start=1):
        _fixture_create(made, number, players)
    return made


@transaction.atomic
def round_remove(*, tournament: Tournament, round_id: int) -> None:
    """Take back the round made last, as long as none of its tables stands.

    Raises DomainError no_such_round, round_begun.
    """
    locked = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
    last = last_round(locked)
    if last is None or last.pk != round_id:
        raise DomainError("no_such_round", _("This is not the last round any more."))
    fixtures = last.fixtures.select_for_update().order_by("pk")
    if any(fixture.status != FixtureStatus.SCHEDULED for fixture in fixtures):
        raise DomainError("round_begun", _("A table of this round stands already."))
    FixtureSeat.objects.filter(round=last).delete()
    fixtures.delete()
    last.delete()


def fixture_mark_open(*, fixture: Fixture) -> Fixture:
    """A table stands for the fixture. Nothing changes if one stood before."""
    return _mark(fixture, FixtureStatus.OPEN, _OPENABLE)


def fixture_mark_playing(*, fixture: Fixture) -> Fixture:
    """The fixture's match began."""
    return _mark(fixture, FixtureStatus.PLAYING, {FixtureStatus.OPEN, FixtureStatus.PLAYING})


def fixture_mark_finished(*, fixture: Fixture) -> Fixture:
    """The fixture's match has a result."""
    return _mark(fixture, FixtureStatus.FINISHED, set(FixtureStatus) - {FixtureStatus.SCHEDULED})


def fixture_mark_abandoned(*, fixture: Fixture) -> Fixture:
    """The fixture's match was given up: its organizer has it replayed, decides it or voids it."""
    return _mark(fixture, FixtureStatus.ABANDONED, {FixtureStatus.PLAYING, FixtureStatus.ABANDONED})


def fixture_mark_void(*, fixture: Fixture) -> Fixture:
    """The fixture counts for nothing."""
    return _mark(fixture, FixtureStatus.VOID, {FixtureStatus.ABANDONED, FixtureStatus.VOID})


@transaction.atomic
def fixture_seat_assign(*, fixture: Fixture, seat: int, player: Player) -> FixtureSeat:
    """Give a seat to another player before the fixture's table opens: it copies who sits there.

    Raises DomainError fixture_closed, no_such_seat, not_entered, banned, seated_twice.
    """
    locked = _locked(fixture)
    if locked.status != FixtureStatus.SCHEDULED:
        raise DomainError("fixture_closed", _("This fixture's table stands already."))
    place = FixtureSeat.objects.filter(fixture=locked, seat=seat).first()
    if place is None:
        raise DomainError("no_such_seat", _("This fixture has no such seat."))
    _check_entered(locked.round.stage.tournament, [player])
    place.player = player
    try:
        with transaction.atomic():
            place.save()
    except IntegrityError as error:
        raise _seated_twice(player) from error
    return place


def _check_tables(tournament: Tournament, tables: Sequence[Sequence[Player]]) -> None:
    if not tables:
        raise DomainError("no_tables", _("A round has at least one table."))
    if any(len(players) != tournament.seats for players in tables):
        raise DomainError(
            "wrong_seats",
            _("Each table of this tournament seats %(seats)d.") % {"seats": tournament.seats},
        )
    everybody = [player for players in tables for player in players]
    _check_entered(tournament, everybody)
    seen: set[int] = set()
    for player in everybody:
        if player.pk in seen:
            raise _seated_twice(player)
        seen.add(player.pk)


def _check_entered(tournament: Tournament, players: Sequence[Player]) -> None:
    entered = set(
        TournamentEntry.objects.filter(tournament=tournament, player__in=players).values_list(
            "player_id", flat=True
        )
    )
    for player in players:
        if player.pk not in entered:
            raise DomainError(
                "not_entered", _("%(player)s is not entered here.") % {"player": player}
            )
    _check_not_banned(tournament, players)


def _check_not_banned(tournament: Tournament, players: Sequence[Player]) -> None:
    """Refuse players who are banned, their rows locked: a ban is there before, or comes after."""
    ids = [player.pk for player in players]
    locked = Player.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    banned = banned_among(list(locked), place_of(tournament), timezone.now())
    for player in players:
        if player.pk in banned:
            raise DomainError("banned", text_about(banned[player.pk]))


def _seated_twice(player: Player) -> DomainError:
    return DomainError(
        "seated_twice", _("%(player)s would sit at two places of one round.") % {"player": player}
    )


def _fixture_create(made: Round, number: int, players: Sequence[Player]) -> None:
    fixture = Fixture.objects.create(round=made, number=number)
    FixtureSeat.objects.bulk_create(
        FixtureSeat(fixture=fixture, round=made, seat=seat, player=player)
        for seat, player in enumerate(players)
    )


def _locked(fixture: Fixture) -> Fixture:
    return Fixture.objects.select_for_update(no_key=True).get(pk=fixture.pk)


@transaction.atomic
def _mark(fixture: Fixture, status: FixtureStatus, allowed: set[FixtureStatus]) -> Fixture:
    """Move a fixture on from an allowed state; `fixture` itself follows."""
    locked = _locked(fixture)
    if locked.status not in allowed:
        raise DomainError(
            "fixture_state",
            _("A fixture that is %(status)s cannot become so.")
            % {"status": locked.get_status_display()},
        )
    if locked.status != status:
        locked.status = status
        locked.save(update_fields=["status"])
    fixture.status = status
    return locked
