"""The page of a club: its seasons and its people."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from league.clubs.models import Club


def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club."""
    shown = get_object_or_404(Club, slug=slug)
    memberships = shown.memberships.select_related("player").order_by(
        "player__sort_key", "player_id"
    )
    context = {"club": shown, "seasons": shown.seasons.all(), "memberships": memberships}
    return render(request, "clubs/club.html", context)
