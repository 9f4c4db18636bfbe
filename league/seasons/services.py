"""The only writer of seasons."""

from datetime import date

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league.clubs.models import Club
from league.seasons.models import Season
from league.shared.errors import DomainError
from league.shared.names import clean_name, clean_slug, slug_of


def check_dates(starts_on: date, ends_on: date) -> None:
    """Refuse a season that ends before it starts. Raises DomainError season_dates."""
    if ends_on < starts_on:
        raise DomainError("season_dates", _("A season ends on or after the day it starts."))


@transaction.atomic
def season_create(
    *, club: Club, name: str, slug: str | None = None, starts_on: date, ends_on: date
) -> Season:
    """Make a club's season. Raises DomainError name, slug, season_dates, season_exists."""
    check_dates(starts_on, ends_on)
    taken = set(Season.objects.values_list("slug", flat=True))
    season = Season(
        club=club,
        name=clean_name(name),
        slug=clean_slug(slug) if slug else slug_of(name, taken),
        starts_on=starts_on,
        ends_on=ends_on,
    )
    try:
        with transaction.atomic():
            season.save()
    except IntegrityError as error:
        raise DomainError("season_exists", _("A season of this slug exists.")) from error
    return season
