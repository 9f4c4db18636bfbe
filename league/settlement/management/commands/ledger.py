"""`manage.py ledger`: verify it and say what is wrong; export it; write today's checkpoint."""

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.ledger.models import Account, Posting
from league.ledger.services import checkpoint_create
from league.results.models import Result
from league.seasons.models import Season
from league.settlement.exports import EXPORTS, Format
from league.settlement.verification import ledger_faults


class Command(BaseCommand):
    help = "Verify the ledger, export it, or write the checkpoint of today."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        verify = actions.add_parser("verify", help="Recompute everything; 1 if anything differs.")
        verify.add_argument("--season", help="only what this season's table needs (its slug)")
        verify.add_argument("--replay", action="store_true", help="play the records through, too")
        export = actions.add_parser("export", help="Write all postings to standard output.")
        export.add_argument("--season", help="only this season's postings (its slug)")
        export.add_argument("--format", choices=[each.value for each in Format], default="csv")
        actions.add_parser("checkpoint", help="Write down all accounts' heads, once a day.")

    def handle(self, *args: Any, action: str, **options: Any) -> None:
        match action:
            case "verify":
                self._verify(options["season"], replay=options["replay"])
            case "export":
                self._export(options["season"], Format(options["format"]))
            case "checkpoint":
                self._checkpoint()

    @transaction.atomic
    def _verify(self, season: str | None, *, replay: bool) -> None:
        _see_one_moment()
        began, faults = time.monotonic(), 0
        for fault in ledger_faults(_season(season), replay=replay):
            self.stderr.write(fault)  # as it is found: there may be more than memory holds
            faults += 1
        if faults:
            text = _("The ledger does not hold. Faults: %(faults)d.")
            raise CommandError(text % {"faults": faults})
        counts = {"accounts": Account.objects.count(), "postings": Posting.objects.count()}
        text = _("The ledger holds: %(accounts)d accounts, %(postings)d postings.")
        self.stdout.write(text % counts)
        if replay:
            self._tell_rate(time.monotonic() - began)

    def _tell_rate(self, seconds: float) -> None:
        records = Result.objects.filter(version=1, record__isnull=False).count()
        told = {"records": records, "rate": records / max(seconds, 0.001)}
        self.stdout.write(_("Records replayed: %(records)d, %(rate).1f a second.") % told)

    @transaction.atomic
    def _export(self, season: str | None, format: Format) -> None:
        _see_one_moment()
        for line in EXPORTS[format](_season(season)):
            self.stdout.write(line, ending="")

    def _checkpoint(self) -> None:
        checkpoint = checkpoint_create(day=timezone.localdate())
        told = {"day": checkpoint.day, "digest": checkpoint.digest}
        self.stdout.write(_("Checkpoint %(day)s: %(digest)s") % told)


def _season(slug: str | None) -> Season | None:
    if slug is None:
        return None
    season = Season.objects.filter(slug=slug).first()
    if season is None:
        raise CommandError(_("There is no season “%(slug)s”.") % {"slug": slug})
    return season


def _see_one_moment() -> None:
    """Read everything as it was at one moment, whatever is settled meanwhile."""
    if not connection.in_atomic_block or connection.savepoint_ids:
        return
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
