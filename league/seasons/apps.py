from django.apps import AppConfig


class SeasonsConfig(AppConfig):
    name = "league.seasons"
    label = "seasons"
