"""`manage.py import_players FILE.csv`: makes the players of a file, all of them or none."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.accounts.importing import MOST_BYTES, ImportRefused
from league.accounts.services import players_import
from league.clubs.models import Club
from league.clubs.services import members_import


class Command(BaseCommand):
    help = "Import players from a CSV file (columns: name, user name), all or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--club", metavar="SLUG", help="make them members of this club")

    def handle(self, *args: Any, file: Path, club: str | None, **options: Any) -> None:
        data = _read(file)
        try:
            if club is None:
                players = players_import(file=data)
            else:
                players = members_import(club=_club(club), file=data)
        except ImportRefused as refused:
            raise CommandError("\n".join([refused.text, *map(str, refused.rows)])) from refused
        count = len(players)
        text = ngettext("%(count)d player imported.", "%(count)d players imported.", count)
        self.stdout.write(text % {"count": count})


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as source:
            return source.read(MOST_BYTES + 1)
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}") from error


def _club(slug: str) -> Club:
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise CommandError(_("There is no club “%(slug)s”.") % {"slug": slug})
    return club
