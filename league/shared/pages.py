"""Pages whose part renews itself: htmx asks for the part at the page's own address."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request as HtmxMiddleware leaves it."""

    htmx: HtmxDetails


def page_or_part(
    request: HtmxRequest, page: str, part: str, context: dict[str, Any]
) -> HttpResponse:
    """Render a page, or for htmx its part that renews itself; caches keep the two apart."""
    response = render(request, part if request.htmx else page, context)
    patch_vary_headers(response, ["HX-Request"])
    return response
