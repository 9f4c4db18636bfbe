"""The app of live tables."""

from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "tables"

    def ready(self) -> None:
        from tables import listeners, permissions  # noqa: F401  (they register themselves)
