"""Every address: the composition root of pages and API."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.templatetags.static import static
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView

from league.console.health import healthz

# One door for everybody: the log-in page, whose attempts are counted.
admin.site.site_header = admin.site.site_title = "Ayaz"
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

api_v1: list[URLPattern | URLResolver] = [
    path("", include("league.accounts.urls_api")),
    path("", include("league.seasons.urls_api")),
    path("", include("league.tournaments.urls_api")),
    path("", include("league.standings.urls_api")),
    path("", include("league.ledger.urls_api")),
    path("", include("tables.urls_api")),
    path("schema/", SpectacularAPIView.as_view(), name="api_schema"),
]


class Icon(RedirectView):
    """Where the icon is, found when asked for: its name is hashed after the start."""

    def get_redirect_url(self, *args: object, **kwargs: object) -> str:
        return static("pictures/icon.svg")


urlpatterns = [
    path("healthz", healthz, name="healthz"),
    # for browsers and readers that ask before they have read a page
    path("favicon.ico", Icon.as_view()),
    path("api/v1/", include(api_v1)),
    path("admin/", admin.site.urls),
    # pages
    path("", include("league.accounts.urls")),
    path("", include("league.seasons.urls")),
    path("", include("league.standings.urls")),
    path("", include("league.ledger.urls")),
    path("", include("tables.urls")),
]
