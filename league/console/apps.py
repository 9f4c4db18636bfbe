from django.apps import AppConfig


class ConsoleConfig(AppConfig):
    name = "league.console"
    label = "console"
