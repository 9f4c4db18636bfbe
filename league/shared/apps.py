"""Django's own apps where this project needs them otherwise."""

from django.contrib.staticfiles.apps import StaticFilesConfig


class StaticFiles(StaticFilesConfig):
    """Leaves out the copies of htmx that django-htmx ships: the vendored one is served, and theirs
    import files that they do not ship, which the manifest refuses.
    """

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "django_htmx"]
