"""Reads of tournaments, house rule sets and fixtures."""

from collections import defaultdict
from collections.abc import Collection
from datetime import date, datetime

from django.db.models import Max, Prefetch, QuerySet
from django.utils.translation import gettext as _

from engine.rulesets import Ruleset, preset, ruleset_from_json
from league.accounts.models import Player, User
from league.clubs.models import Club, Role
from league.clubs.selectors import clubs_represented
from league.conduct.policy import Place
from league.seasons.models import Season
from league.shared.errors import DomainError
from league.tournaments.models import (
    Fixture,
    FixtureSeat,
    FixtureStatus,
    HouseRuleset,
    Round,
    Stage,
    Tournament,
    TournamentEntry,
)

_AHEAD = (FixtureStatus.SCHEDULED, FixtureStatus.OPEN, FixtureStatus.PLAYING)
_SEATS = Prefetch("seats", FixtureSeat.objects.select_related("player").order_by("seat"))


def fixtures_seated() -> QuerySet[Fixture]:
    """Return every fixture with its round, tournament and seated players at hand."""
    return (
        Fixture.objects.select_related("round__stage__tournament__season__club")
        .prefetch_related(_SEATS)
        .order_by("round__stage__number", "round__number", "number", "pk")
    )


def fixtures_of(tournament: Tournament) -> QuerySet[Fixture]:
    """Return a tournament's fixtures in the order of stages, rounds and tables."""
    return fixtures_seated().filter(round__stage__tournament=tournament)


def fixtures_due(now: datetime) -> QuerySet[Fixture]:
    """Return the fixtures whose time has come and whose table does not stand yet."""
    return fixtures_seated().filter(status=FixtureStatus.SCHEDULED, round__starts_at__lte=now)


def fixtures_ahead(player: Player) -> QuerySet[Fixture]:
    """Return the fixtures a player is seated at and has not finished, the next first."""
    return (
        fixtures_seated()
        .filter(seats__player=player)
        .filter(status__in=_AHEAD)
        .order_by("round__starts_at", "pk")
    )


def rounds_ahead(now: datetime) -> QuerySet[Round]:
    """Return the rounds that have not begun yet, the next first."""
    return (
        Round.objects.select_related("stage__tournament__season")
        .filter(starts_at__gt=now)
        .order_by("starts_at", "pk")
    )


def place_of(tournament: Tournament) -> Place:
    """Return what a tournament's tables belong to, as bans name it."""
    season = tournament.season
    return Place(club_id=season.club_id, season_id=season.pk, tournament_id=tournament.pk)


def clubs_of(tournament: Tournament, player_ids: Collection[int]) -> dict[int, int]:
    """Return by player the id of the club each plays for in a tournament, entered or not."""
    entries = TournamentEntry.objects.filter(tournament=tournament, player__in=player_ids)
    entered = dict(entries.values_list("player_id", "club_id"))
    strangers = [player for player in player_ids if player not in entered]
    own = clubs_represented(strangers, tournament.season.club) if strangers else {}
    return own | {player: club for player, club in entered.items() if club is not None}


def entered_players(tournament: Tournament) -> QuerySet[Player]:
    """Return the players entered in a tournament, by name."""
    return Player.objects.filter(entries__tournament=tournament).order_by("sort_key", "pk")


def members_outside(tournament: Tournament) -> QuerySet[Player]:
    """Return the members of the tournament's club who are not entered, by name."""
    entered = tournament.entries.values("player")
    members = Player.objects.filter(memberships__club=tournament.season.club_id)
    return members.exclude(pk__in=entered).order_by("sort_key", "pk")


def tables_seated(tournament: Tournament) -> list[tuple[int, ...]]:
    """Return the ids of the players of each fixture there is, in the order of fixtures."""
    seats = FixtureSeat.objects.filter(round__stage__tournament=tournament)
    tables: dict[int, list[int]] = defaultdict(list)
    for fixture, player in seats.order_by("fixture", "seat").values_list("fixture_id", "player_id"):
        tables[fixture].append(player)
    return [tuple(table) for table in tables.values()]


def next_round(tournament: Tournament) -> tuple[int, int]:
    """Return the number of the stage that the next round belongs to, and the round's own."""
    last = (
        Stage.objects.filter(tournament=tournament)
        .order_by("-number")
        .values_list("number", Max("rounds__number"))
        .first()
    )
    return (1, 1) if last is None else (last[0], (last[1] or 0) + 1)


def last_round(tournament: Tournament) -> Round | None:
    """Return the round drawn last, with its fixtures."""
    rounds = Round.objects.filter(stage__tournament=tournament).prefetch_related("fixtures")
    return rounds.order_by("-stage__number", "-number").first()


def tournaments_organized(player: Player, today: date) -> QuerySet[Tournament]:
    """Return the tournaments of seasons not over yet that a player organizes, the newest first."""
    mine = player.memberships.filter(role=Role.ORGANIZER).values("club")
    return Tournament.objects.select_related("season__club").filter(
        season__club__in=mine, season__ends_on__gte=today
    )


def house_rules(house: HouseRuleset) -> Ruleset:
    """Return a house rule set as the engine plays it; its deal may be left to the seats."""
    options = dict(house.ruleset)
    return preset(options.pop("preset"), **options)


def rules_kept(*, season: Season, house: HouseRuleset) -> Ruleset:
    """Return the rules of a house rule set, which may be retired, for a season of its own club.

    Raises DomainError house_ruleset_elsewhere.
    """
    if house.club_id != season.club_id:
        raise DomainError(
            "house_ruleset_elsewhere", _("This house rule set belongs to another club.")
        )
    return house_rules(house)


def house_rulesets_in_use() -> QuerySet[HouseRuleset]:
    """Return the versions that a new tournament may choose, by club and name."""
    in_use = HouseRuleset.objects.filter(retired_at__isnull=True)
    return in_use.select_related("club").order_by("club__name", "club", "name")


def house_ruleset_in_use(club: Club, name: str) -> HouseRuleset | None:
    """Return the version of a club's house rule set that is in use."""
    return HouseRuleset.objects.filter(club=club, name=name, retired_at__isnull=True).first()


def rules_of(tournament: Tournament) -> Ruleset:
    """Return the rule set of a tournament as the engine plays it."""
    return ruleset_from_json(tournament.ruleset)


def clubs_organized(user: User) -> QuerySet[Club]:
    """Return the clubs whose tournaments a user may run: all of them for who runs the site."""
    if user.is_superuser:
        return Club.objects.all()
    role = {"memberships__player__user": user, "memberships__role": Role.ORGANIZER}
    return Club.objects.filter(**role)
