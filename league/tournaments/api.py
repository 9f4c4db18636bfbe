"""The tournaments of a season over HTTP."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.seasons.models import Season
from league.shared.api import Results
from league.tournaments.models import Tournament


class TournamentSerializer(serializers.ModelSerializer[Tournament]):
    class Meta:
        model = Tournament
        fields = ["id", "name"]


class TournamentList(generics.GenericAPIView[Any]):
    """A season's tournaments, the newest first."""

    queryset = Season.objects.all()
    serializer_class = TournamentSerializer
    pagination_class = Results

    @extend_schema(
        responses=TournamentSerializer(many=True), operation_id="season_tournaments_list"
    )
    def get(self, request: Request, slug: str) -> Response:
        season = get_object_or_404(Season, slug=slug)
        rows = self.get_serializer(season.tournaments.all(), many=True).data
        return self.get_paginated_response(rows)
