"""Users and players."""

import pytest
from django.contrib.auth import authenticate

from league.accounts.models import Player, User
from league.accounts.services import player_create, user_create
from league.shared.errors import DomainError
from league.shared.folding import search_key

pytestmark = pytest.mark.django_db

NAMES = ("Əli Məmmədov", "Işıl İnci", "Çağrı Şahin", "Nigar Əliyeva")


def test_a_player_may_exist_without_a_user() -> None:
    player = player_create(name="  Çağrı \n Şahin ")
    assert (player.name, player.user) == ("Çağrı Şahin", None)


def test_a_user_comes_with_a_player() -> None:
    user = user_create(username="ayaz", password="kara-üzüm-27", language="az", name="Ayaz")
    assert (user.player.name, user.language) == ("Ayaz", "az")
    assert authenticate(username="ayaz", password="kara-üzüm-27") == user


def test_without_a_password_nobody_logs_in() -> None:
    user = user_create(username="ayaz")
    assert not user.has_usable_password()
    assert user.player.name == "ayaz"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"username": "AYAZ"}, "username_taken"),
        ({"username": "a b"}, "username"),
        ({"username": ""}, "username"),
        ({"username": "x" * 151}, "username"),
        ({"username": "new", "language": "xx"}, "language"),
        ({"username": "new", "password": "123"}, "password"),
        ({"username": "new", "name": " "}, "name"),
    ],
)
def test_a_user_that_cannot_be_made_leaves_nothing(given: dict[str, str], code: str) -> None:
    user_create(username="ayaz")
    with pytest.raises(DomainError) as refused:
        user_create(**given)
    assert refused.value.code == code
    assert refused.value.text
    assert (User.objects.count(), Player.objects.count()) == (1, 1)


@pytest.mark.parametrize(
    "name", ["", " \t ", "x" * 81, "a\0b", "a\u202eb", "a\ud800b", "a\x07b", "\ufe0f"]
)
def test_a_name_is_printable_and_bounded(name: str) -> None:
    with pytest.raises(DomainError) as refused:
        player_create(name=name)
    assert refused.value.code == "name"


@pytest.mark.parametrize(
    "name",
    [
        *("\u200b", "\u200d\u200c", "\ufeff", "\u2060 \u00ad", "\u3164", "\u2800", "\u115f"),
        *(
            "Əli\u200b",
            "Ə\u200eli",
            "\u200b=1+1",
            "Əli\U000e0041",
            "a\ue000b",
            "\u0301",
            "a\u034fb",
        ),
    ],
)
def test_a_name_is_what_one_sees(name: str) -> None:
    """Names that look the same are the same, and none looks like nothing."""
    with pytest.raises(DomainError) as refused:
        player_create(name=name)
    assert refused.value.code == "name"
    with pytest.raises(DomainError):
        user_create(username="ayaz", name=name)
    assert (User.objects.count(), Player.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    "name", ["O’Neil-Ünal", "Nguyễn Thị Ánh", "李小龍", "عبد الله", "Ş", "Q\u0301a", "***"]
)
def test_names_of_all_the_worlds_letters_are_taken(name: str) -> None:
    assert player_create(name=name).name == name


def test_a_name_is_stored_in_one_spelling() -> None:
    assert player_create(name="C\u0327ag\u0306rı").name == "Çağrı"


def test_a_user_has_one_player() -> None:
    user = user_create(username="ayaz")
    with pytest.raises(DomainError) as refused:
        player_create(name="Another", user=user)
    assert refused.value.code == "player_exists"


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("isil", {"Işıl İnci"}),
        ("ışıl", {"Işıl İnci"}),
        ("ISIL", {"Işıl İnci"}),
        ("ali", {"Əli Məmmədov", "Nigar Əliyeva"}),
        ("əli", {"Əli Məmmədov", "Nigar Əliyeva"}),
        ("sahin", {"Çağrı Şahin"}),
        ("%", set()),
    ],
)
def test_players_are_found_however_a_keyboard_writes_them(typed: str, found: set[str]) -> None:
    """Case E1."""
    for name in NAMES:
        player_create(name=name)
    assert {
        player.name for player in Player.objects.filter(search_key__contains=search_key(typed))
    } == found


def test_players_are_listed_by_the_common_alphabet() -> None:
    """Case E1: Ç after C, Ə after E, I before İ, Ş after S, wherever the server was set up."""
    names = [
        "Cem",
        "Çağrı",
        "Ece",
        "Əli",
        "Fuad",
        "Hikmət",
        "Xəyal",
        "Işıl",
        "İnci",
        "Sevda",
        "Şahin",
    ]
    for name in reversed(names):
        player_create(name=name)
    assert [player.name for player in Player.objects.all()] == names
