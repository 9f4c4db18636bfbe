from django.apps import AppConfig


class ClubsConfig(AppConfig):
    name = "league.clubs"
    label = "clubs"
