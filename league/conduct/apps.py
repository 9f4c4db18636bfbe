from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ConductConfig(AppConfig):
    name = "league.conduct"
    label = "conduct"
    verbose_name = _("Conduct")
