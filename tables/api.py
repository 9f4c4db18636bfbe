"""The public API of tables, fixtures with their tables, and finished records. Reads only."""

from collections.abc import Callable
from typing import Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.accounts.api import PlayerBrief
from league.accounts.selectors import player_of
from league.results.models import Match, Result
from league.shared.errors import DomainError
from league.tournaments.models import Fixture, Tournament
from league.tournaments.selectors import fixtures_of
from tables.links import may_look
from tables.models import Table
from tables.replay import record_of_match
from tables.selectors import record_of_table, table_get, table_view


class FixtureSeatSerializer(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    player = PlayerBrief()


class ResultSerializer(serializers.Serializer[Any]):
    """Scores by side, places and points by seat (record.md, `result`)."""

    scores = serializers.ListField(child=serializers.IntegerField())
    places = serializers.ListField(child=serializers.IntegerField())
    points = serializers.ListField(child=serializers.IntegerField())


class FixtureSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    round = serializers.IntegerField(help_text="The round's number in its stage.")
    number = serializers.IntegerField()
    status = serializers.CharField()
    starts_at = serializers.DateTimeField()
    table = serializers.IntegerField(allow_null=True)
    seats = FixtureSeatSerializer(many=True)
    result = ResultSerializer(allow_null=True)


class FixtureListSerializer(serializers.Serializer[Any]):
    results = FixtureSerializer(many=True)


class TableSerializer(serializers.Serializer[Any]):
    """A table as its reader may see it; `clock` in epoch milliseconds."""

    id = serializers.IntegerField()
    status = serializers.CharField()
    version = serializers.IntegerField()
    view = serializers.DictField()
    clock = serializers.DictField()


class FixtureListView(APIView):
    """A tournament's fixtures in the order of rounds and tables."""

    @extend_schema(responses=FixtureListSerializer)
    def get(self, request: Request, tournament_id: int) -> Response:
        tournament = Tournament.objects.filter(pk=tournament_id).first()
        if tournament is None:
            raise Http404
        fixtures = list(fixtures_of(tournament))
        tables, results = _tables_by_fixture(fixtures), _results_by_fixture(fixtures)
        rows = [_row(each, tables.get(each.pk), results.get(each.pk)) for each in fixtures]
        return Response(FixtureListSerializer({"results": rows}).data)


def _tables_by_fixture(fixtures: list[Fixture]) -> dict[int, int]:
    tables = Table.objects.filter(match__fixture__in=fixtures).order_by("match__number")
    return dict(tables.values_list("match__fixture_id", "pk"))


def _results_by_fixture(fixtures: list[Fixture]) -> dict[int, Result]:
    results = (
        Result.objects.filter(match__fixture__in=fixtures, is_current=True)
        .select_related("match")
        .defer("record")
        .order_by("match__number")
    )
    return {result.match.fixture_id: result for result in results if result.match.fixture_id}


def _row(fixture: Fixture, table: int | None, result: Result | None) -> dict[str, Any]:
    return {
        "id": fixture.pk,
        "round": fixture.round.number,
        "number": fixture.number,
        "status": fixture.status,
        "starts_at": fixture.round.starts_at,
        "table": table,
        "seats": fixture.seats.all(),
        "result": result,
    }


def _table_or_404(table_id: int) -> Table:
    table = table_get(table_id)
    if table is None:
        raise Http404
    return table


def _shown_or_404(request: Request, table_id: int) -> tuple[Table, int | None]:
    """Return a table that shows itself to who asks, and that player's id."""
    player = player_of(request)
    own = None if player is None else player.pk
    if not may_look(table_id, own, request.session):
        raise Http404
    return _table_or_404(table_id), own


class TableView(APIView):
    """A table as it is now: to who holds a seat from that seat, to everybody else from outside."""

    @extend_schema(responses=TableSerializer)
    def get(self, request: Request, table_id: int) -> Response:
        table, own = _shown_or_404(request, table_id)
        view, version, clock = table_view(table, own)
        status = view["table"]["status"]
        told = {"id": table_id, "status": status, "version": version}
        return Response({**told, "view": view, "clock": clock})


class TableRecordView(APIView):
    """The `domino-match/1` record of a finished table.

    It holds the secret, so before the end there is none: 409, `match_not_finished`.
    """

    @extend_schema(
        responses={
            200: OpenApiTypes.OBJECT,
            409: OpenApiResponse(description="The match is not finished yet."),
        }
    )
    def get(self, request: Request, table_id: int) -> Response:
        table, _own = _shown_or_404(request, table_id)
        return _record_or_404(lambda: record_of_table(table))


class MatchRecordView(APIView):
    """The `domino-match/1` record of a finished match, played at a table here or not.

    It holds the secret, so before the end there is none: 409, `match_not_finished`.
    """

    @extend_schema(
        responses={
            200: OpenApiTypes.OBJECT,
            409: OpenApiResponse(description="The match is not finished yet."),
        }
    )
    def get(self, request: Request, match_id: int) -> Response:
        match = Match.objects.filter(pk=match_id).first()
        if match is None:
            raise Http404
        return _record_or_404(lambda: record_of_match(match))


def _record_or_404(read: Callable[[], dict[str, Any]]) -> Response:
    try:
        return Response(read())
    except DomainError as error:
        if error.code == "no_record":
            raise NotFound(error.text, error.code) from error
        raise
