"""The app of live tables."""

from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"

    def ready(self) -> None:
        from tables import permissions  # noqa: F401  (registers the predicates)
