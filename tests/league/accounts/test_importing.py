"""Players from a CSV file as spreadsheets write them: all of them or none."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from league.accounts.importing import MOST_BYTES, MOST_ROWS, ImportRefused
from league.accounts.models import Player, User
from league.accounts.services import players_import
from league.clubs.models import Membership
from tests.factories import build_club, build_user

pytestmark = pytest.mark.django_db

NAMES = ["Əli Məmmədov", "Işıl İnci", "Çağrı Şahin", "Nigar Əliyeva"]


def imported(data: bytes) -> list[str]:
    """The names a file brings."""
    return [player.name for player in players_import(file=data)]


def refused(data: bytes | str) -> dict[int, str]:
    """Why each row of a file is refused; nothing may have been made."""
    before = (Player.objects.count(), User.objects.count())
    with pytest.raises(ImportRefused) as error:
        players_import(file=data if isinstance(data, bytes) else data.encode())
    assert (Player.objects.count(), User.objects.count()) == before
    assert error.value.code == "import"
    return {row.row: row.text for row in error.value.rows}


def test_names_of_both_languages_come_through() -> None:
    """Case E1."""
    assert imported("\n".join(["name", *NAMES]).encode()) == NAMES


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_spreadsheets_of_any_make(delimiter: str, newline: str, encoding: str) -> None:
    """Case E2: a mark, `;`, CRLF, an empty line at the end."""
    rows = [delimiter.join(("ad soyad", "şehir")), *(delimiter.join((n, "Ordu")) for n in NAMES)]
    text = newline.join([*rows, "", delimiter, ""])
    assert imported(text.encode(encoding)) == NAMES


def test_the_turkish_code_page() -> None:
    """Case E2."""
    text = "Adı Soyadı;Kullanıcı Adı\r\nIşıl İnci;isil\r\nÇağrı Şahin;\r\n"
    assert imported(text.encode("cp1254")) == ["Işıl İnci", "Çağrı Şahin"]
    assert [user.username for user in User.objects.all()] == ["isil"]


def test_quotes_with_line_breaks_and_delimiters() -> None:
    """Case E2."""
    text = 'name;note\r\n"Işıl\r\nİnci";"a ""b""; c"\r\nƏli;\r\n'
    assert imported(text.encode()) == ["Işıl İnci", "Əli"]


def test_a_doubled_header_makes_no_player() -> None:
    """Case E2."""
    assert imported("name;username\nname;username\nƏli;ali\n".encode()) == ["Əli"]


def test_two_columns_of_one_heading_are_refused() -> None:
    """Case E2."""
    assert refused("name;name\nƏli;Veli\n") == {1: "Two columns have the same heading."}


@pytest.mark.parametrize(
    "cell",
    [
        '=HYPERLINK("http://x";"y")',
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        " =1",
        "\t=1",
        "＝1",
        "\u200b=1+1",
        "\u2060 =1",
    ],
)
@pytest.mark.parametrize("column", [0, 1])
def test_a_formula_cell_is_refused(cell: str, column: int) -> None:
    """Case E2, in columns that are not read too."""
    cells = ["Əli", "Ordu"]
    cells[column] = '"' + cell.replace('"', '""') + '"'
    assert list(refused(f"name;city\nVeli;Ordu\n{';'.join(cells)}\n")) == [3]


def test_names_that_show_nothing_are_refused_by_row() -> None:
    assert list(refused("name\nƏli\n\u200b\nVe\u200dli\n\u3164\n")) == [3, 4, 5]


def test_every_wrong_row_is_named_and_nothing_is_imported() -> None:
    build_user("taken")
    rows = refused("name;username\nƏli;ali\n;nobody\nVeli;ALI\n=1;x\n\nNigar;n;too many\n")
    assert list(rows) == [3, 4, 5, 7]
    assert rows[4] == "The user name stands in row 2 already."
    assert list(refused("name;username\nƏli;Taken\n" + "x" * 81 + ";\nVeli;a b\n")) == [2, 3, 4]


@pytest.mark.parametrize(
    ("data", "row"),
    [
        (b"", 1),
        (b"\r\n\r\n", 1),
        (b"name\n", 1),
        (b"city\nOrdu\n", 1),
        (b'name\n"Ali\n', 2),
        (b"name\nA\0li\n", 0),
        (b"name\n\x81\x8d\n", 0),
        (b"\xff\xfen\x00a", 0),
        (b"\xff\xfea", 0),
        (b"name\n" + b"x" * MOST_BYTES, 0),
        (b"name\n" + b"x\n" * (MOST_ROWS + 1), MOST_ROWS + 2),
        (b"name\n" + b"x" * 200_000, 2),
    ],
)
def test_what_is_no_list_of_players_is_refused(data: bytes, row: int) -> None:
    assert list(refused(data)) == [row]


def test_an_imported_user_cannot_log_in_until_a_password_is_set() -> None:
    (player,) = players_import(file=io.StringIO("name,username\nƏli,ali\n"))
    assert player.user is not None
    assert not player.user.has_usable_password()


def test_the_command_imports_into_a_club(tmp_path: Path) -> None:
    club = build_club()
    file = tmp_path / "players.csv"
    file.write_text("name\nƏli\nVeli\n", encoding="utf-8")
    out = io.StringIO()
    call_command("import_players", str(file), club=club.slug, stdout=out)
    assert out.getvalue() == "2 players imported.\n"
    assert Membership.objects.filter(club=club).count() == 2


def test_the_command_says_what_is_wrong_by_row(tmp_path: Path) -> None:
    file = tmp_path / "players.csv"
    file.write_text("name\nƏli\n=1\n", encoding="utf-8")
    with pytest.raises(CommandError, match=r"Nothing was imported.*\nRow 3: A cell begins like"):
        call_command("import_players", str(file))
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_players", str(tmp_path / "none.csv"))
    with pytest.raises(CommandError, match="There is no club “yok”"):
        call_command("import_players", str(file), club="yok")
    assert Player.objects.count() == 0
