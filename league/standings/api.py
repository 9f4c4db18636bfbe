"""The table of a season over HTTP."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.api import PlayerBrief
from league.seasons.models import Season
from league.shared.api import Results
from league.standings.selectors import StandingRow, standings_of


class StandingSerializer(serializers.Serializer[StandingRow]):
    player = serializers.SerializerMethodField()
    rank = serializers.IntegerField()
    points = serializers.IntegerField()
    played = serializers.IntegerField(help_text="Settled matches.")

    @extend_schema_field(PlayerBrief)
    def get_player(self, row: StandingRow) -> dict[str, object]:
        return {"id": row.player_id, "name": row.name}


class StandingList(generics.GenericAPIView[Any]):
    """A season's table, best first. Equal points share a rank."""

    queryset = Season.objects.all()
    serializer_class = StandingSerializer
    pagination_class = Results

    @extend_schema(responses=StandingSerializer(many=True), operation_id="season_standings_list")
    def get(self, request: Request, slug: str) -> Response:
        season = get_object_or_404(Season, slug=slug)
        return self.get_paginated_response(
            self.get_serializer(standings_of(season), many=True).data
        )
