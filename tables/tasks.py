"""What Celery does for tables: opening them at their time. Never the turns of a live table."""

from celery import shared_task
from django.utils import timezone

from tables.opening import tables_open_due


@shared_task
def open_due_tables() -> int:
    """Open the tables of all fixtures whose time has come; return how many."""
    return len(tables_open_due(timezone.now()))
