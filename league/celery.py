"""The Celery application: periodic and slow work, never the turns of a live table."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
app = Celery("ayaz")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
