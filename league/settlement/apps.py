from django.apps import AppConfig


class SettlementConfig(AppConfig):
    name = "league.settlement"
    label = "settlement"
