"""The demonstration league of an empty installation: a club, its players, two rounds of a game.

Made through the services alone, as an organizer would, in one transaction: a start that was
killed leaves all of it or nothing.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from django.db import transaction
from rest_framework.authtoken.models import Token

from league.accounts.models import Player, User
from league.accounts.services import user_create
from league.clubs.models import Club, Role
from league.clubs.services import club_create, members_import, membership_create
from league.console.games import Game
from league.console.logins import new_password, password_renew
from league.console.news import Login
from league.seasons.models import Season
from league.seasons.services import season_create
from league.tournaments.models import FixtureStatus, Round, Tournament
from league.tournaments.selectors import fixtures_of
from league.tournaments.services import entry_create, round_create, tournament_create

PLAYERS = Path(__file__).parent / "data" / "players.csv"
CLUB, SEASON = "ordu-demo", "ordu-demo"  # slugs
TOURNAMENT = "Fındık Kupası"
ADMIN, ORGANIZER, PLAYER = "admin", "organizer", "elif"
OWN_ROUND = 2  # from here on the printed player's seat is left to whoever logs in


def demonstration_ensure(
    *, game: Game, now: datetime, between_rounds: timedelta
) -> tuple[Login, ...]:
    """Make the demonstration if the database is empty; return the logins that were made."""
    return _create(game, now, between_rounds) if _is_empty() else ()


def demonstration_tournament() -> Tournament | None:
    """Return the demonstration's tournament, if this installation has one."""
    return Tournament.objects.filter(season__slug=SEASON, name=TOURNAMENT).first()


def unfinished(tournament: Tournament) -> bool:
    """Return whether the tournament has anything left to play."""
    return fixtures_of(tournament).exclude(status=FixtureStatus.FINISHED).exists()


def round_starts_at(tournament: Tournament, number: int) -> datetime:
    """Return when the tournament's round of this number starts."""
    return Round.objects.get(stage__tournament=tournament, number=number).starts_at


def robot_tokens(tournament: Tournament) -> dict[int, str]:
    """Return the tokens of the entered players' accounts, by player."""
    tokens = Token.objects.filter(user__player__entries__tournament=tournament)
    return dict(tokens.values_list("user__player", "key"))


def _is_empty() -> bool:
    return not any(model.objects.exists() for model in (User, Player, Club))


@transaction.atomic
def _create(game: Game, now: datetime, between_rounds: timedelta) -> tuple[Login, ...]:
    club = club_create(name="Ordu Domino Kulübü", slug=CLUB, city="Ordu")
    players = members_import(club=club, file=PLAYERS.read_bytes())
    season = _season(club, now)
    tournament = tournament_create(
        season=season,
        name=TOURNAMENT,
        ruleset=game.ruleset,
        seats=game.seats,
        partners=game.partners,
    )
    for player in players:
        entry_create(tournament=tournament, player=player)
        assert player.user is not None  # the file names one for each
        Token.objects.create(user=player.user)
    first = _first_seating(players, game.seats)
    round_create(tournament=tournament, starts_at=now, tables=first)
    later = now + between_rounds
    round_create(tournament=tournament, starts_at=later, tables=_second_seating(first))
    return (_organizer(club), _renewed_one(PLAYER), _admin())


def _season(club: Club, now: datetime) -> Season:
    day = now.date()
    return season_create(
        club=club,
        name=f"Ordu {day.year}",
        slug=SEASON,
        starts_on=day,
        ends_on=day + timedelta(days=180),
    )


def _first_seating(players: Sequence[Player], seats: int) -> list[list[Player]]:
    """Return full tables in the order of players; who is left over sits out."""
    last = len(players) - seats
    return [list(players[start : start + seats]) for start in range(0, last + 1, seats)]


def _second_seating(first: Sequence[Sequence[Player]]) -> list[list[Player]]:
    """Return tables at which nobody meets an opponent of the first round."""
    count, seats = len(first), len(first[0])
    return [
        [first[(table + seat) % count][seat] for seat in range(seats)] for table in range(count)
    ]


def _organizer(club: Club) -> Login:
    password = new_password()
    user = user_create(username=ORGANIZER, password=password, name="Kemal Yaylalı")
    membership_create(club=club, player=user.player, role=Role.ORGANIZER)
    return Login(role="organizer", username=ORGANIZER, password=password)


def _admin() -> Login:
    password = new_password()
    User.objects.create_superuser(ADMIN, password=password)
    return Login(role="admin", username=ADMIN, password=password)


@transaction.atomic
def logins_renew() -> tuple[Login, ...]:
    """Give the demonstration's logins new passwords, because nobody saw the last ones."""
    return tuple(_renewed_one(name) for name in (ORGANIZER, PLAYER, ADMIN))


def _renewed_one(username: str) -> Login:
    role = "player" if username == PLAYER else username
    return password_renew(user=User.objects.get(username=username), role=role)
