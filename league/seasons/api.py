"""Seasons over HTTP."""

from rest_framework import generics, serializers

from league.seasons.models import Season
from league.seasons.selectors import seasons_all
from league.shared.api import Results


class SeasonSerializer(serializers.ModelSerializer[Season]):
    class Meta:
        model = Season
        fields = ["slug", "name"]


class SeasonList(generics.ListAPIView[Season]):
    """Every season, the newest first."""

    serializer_class = SeasonSerializer
    pagination_class = Results
    queryset = seasons_all()
