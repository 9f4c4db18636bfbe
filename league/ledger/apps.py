from django.apps import AppConfig


class LedgerConfig(AppConfig):
    name = "league.ledger"
    label = "ledger"
