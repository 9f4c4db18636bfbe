"""The only writer of users and players: making them one by one or from a file.

May not know clubs, tournaments or points.
"""

from typing import TextIO

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league.accounts import importing
from league.accounts.models import Player, User
from league.shared.errors import DomainError
from league.shared.names import clean_name


@transaction.atomic
def player_create(*, name: str, user: User | None = None) -> Player:
    """Make a player, of `user` when one is given. Raises DomainError name, player_exists."""
    if user is not None and Player.objects.filter(user=user).exists():
        raise DomainError("player_exists", _("This user has a player already."))
    return Player.objects.create(name=clean_name(name), user=user)


@transaction.atomic
def user_create(
    *, username: str, password: str | None = None, language: str = "", name: str | None = None
) -> User:
    """Make a user who logs in by `username`, and the player of that user.

    Without a password nobody can log in as the user until one is set. `name` is the player's,
    the user name by default. Raises DomainError username, username_taken, password, language, name.
    """
    user = User(username=username, language=language)
    _check_fields(user)
    if User.objects.filter(username__iexact=username).exists():
        raise _username_taken(username)
    if password is not None:
        _check_password(password, user)
    user.set_password(password)  # None: an unusable one
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise _username_taken(username) from error
    player_create(name=username if name is None else name, user=user)
    return user


@transaction.atomic
def players_import(*, file: bytes | TextIO) -> list[Player]:
    """Make the players of a CSV file (league.accounts.importing), all or none.

    A row with a user name also makes a user, who cannot log in until a password is set. Raises
    `ImportRefused`: its `rows` name each row that cannot be taken, and why.
    """
    people = importing.read_people(file)
    made: list[Player] = []
    errors: list[importing.RowError] = []
    for person in people:
        try:
            made.append(_person_create(person))
        except DomainError as error:
            errors.append(importing.RowError(person.row, error.text))
    if errors:
        raise importing.ImportRefused(errors)
    return made


def _person_create(person: importing.Person) -> Player:
    if not person.username:
        return player_create(name=person.name)
    return user_create(username=person.username, name=person.name).player


def _check_fields(user: User) -> None:
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as error:
        field = next(iter(error.message_dict))
        raise DomainError(field, " ".join(error.message_dict[field])) from error


def _check_password(password: str, user: User) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise DomainError("password", " ".join(error.messages)) from error


def _username_taken(username: str) -> DomainError:
    return DomainError(
        "username_taken", _("The user name “%(username)s” is taken.") % {"username": username}
    )


def user_language_set(*, user: User, language: str) -> None:
    """Keep the language in which a user reads. Empty: what the browser asks for."""
    user.language = language
    _check_fields(user)
    user.save(update_fields=["language"])
