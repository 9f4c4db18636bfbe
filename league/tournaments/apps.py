from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "league.tournaments"
    label = "tournaments"

    def ready(self) -> None:
        from league.tournaments import permissions  # noqa: F401 (fills the set of permissions)
