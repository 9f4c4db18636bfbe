"""`manage.py ledger verify`: recomputes chains, balances and postings, and says what is wrong."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction
from django.utils.translation import gettext as _

from league.ledger.models import Account, Posting
from league.settlement.verification import ledger_faults


class Command(BaseCommand):
    help = "Verify the ledger: chains, balances, and that a known cause explains every posting."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["verify"])

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        _see_one_moment()
        faults = 0
        for fault in ledger_faults():
            self.stderr.write(fault)  # as it is found: there may be more than memory holds
            faults += 1
        if faults:
            text = _("The ledger does not hold. Faults: %(faults)d.")
            raise CommandError(text % {"faults": faults})
        counts = {"accounts": Account.objects.count(), "postings": Posting.objects.count()}
        text = _("The ledger holds: %(accounts)d accounts, %(postings)d postings.")
        self.stdout.write(text % counts)


def _see_one_moment() -> None:
    """Read everything as it was at one moment, whatever is settled meanwhile."""
    if not connection.in_atomic_block or connection.savepoint_ids:
        return
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
