"""`manage.py ledger verify`: recomputes chains, balances and postings, and says what is wrong."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction
from django.utils.translation import gettext as _

from league.ledger.models import Account, Posting
from league.settlement.verification import ledger_faults


class Command(BaseCommand):
    help = "Verify the ledger: chains of hashes, balances, and that results were posted as ruled."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["verify"])

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        _see_one_moment()
        faults = list(ledger_faults())
        if faults:
            raise CommandError("\n".join(faults))
        counts = {"accounts": Account.objects.count(), "postings": Posting.objects.count()}
        text = _("The ledger holds: %(accounts)d accounts, %(postings)d postings.")
        self.stdout.write(text % counts)


def _see_one_moment() -> None:
    """Read everything as it was at one moment, whatever is settled meanwhile."""
    if not connection.in_atomic_block or connection.savepoint_ids:
        return
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
