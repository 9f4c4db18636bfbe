"""A player's statement over HTTP, with everything needed to recompute its chain of hashes."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_field, inline_serializer
from rest_framework import generics, serializers

from league.accounts.models import Player
from league.ledger.chain import members
from league.ledger.models import Kind, Posting
from league.ledger.selectors import statement_of
from league.seasons.api import SeasonSerializer
from league.shared.api import Results

_Tournament = inline_serializer(
    "TournamentBrief", {"id": serializers.IntegerField(), "name": serializers.CharField()}
)
_Facts = inline_serializer(
    "PostingFacts",
    {
        "format": serializers.CharField(),
        "player": serializers.IntegerField(),
        "number": serializers.IntegerField(),
        "kind": serializers.CharField(),
        "points": serializers.IntegerField(),
        "key": serializers.CharField(),
        "career_before": serializers.IntegerField(),
        "posted_at": serializers.CharField(),
        "previous": serializers.CharField(),
        "season": serializers.IntegerField(allow_null=True),
        "result": serializers.IntegerField(allow_null=True),
        "stint": serializers.IntegerField(allow_null=True),
        "tournament": serializers.IntegerField(allow_null=True, required=False),
        "match": serializers.IntegerField(allow_null=True, required=False),
        "seat": serializers.IntegerField(allow_null=True, required=False),
        "club": serializers.IntegerField(allow_null=True, required=False),
        "actor": serializers.IntegerField(allow_null=True, required=False),
        "digest": serializers.CharField(allow_null=True, required=False),
        "balance_read": serializers.IntegerField(allow_null=True, required=False),
    },
)


class PostingSerializer(serializers.Serializer[Posting]):
    """A line of a statement. `hash` is the SHA-256 of `facts` as canonical JSON."""

    number = serializers.IntegerField()
    posted_at = serializers.DateTimeField()
    kind = serializers.ChoiceField(choices=Kind.choices)
    points = serializers.IntegerField()
    balance = serializers.IntegerField()
    season = SeasonSerializer(allow_null=True)
    tournament = serializers.SerializerMethodField()
    fixture = serializers.SerializerMethodField()
    facts = serializers.SerializerMethodField()
    hash = serializers.CharField()

    @extend_schema_field(_Tournament)
    def get_tournament(self, posting: Posting) -> dict[str, object] | None:
        tournament = posting.tournament
        return {"id": tournament.pk, "name": tournament.name} if tournament else None

    def get_fixture(self, posting: Posting) -> int | None:
        return posting.match.fixture_id if posting.match else None

    @extend_schema_field(_Facts)
    def get_facts(self, posting: Posting) -> dict[str, Any]:
        return members(posting.facts(), posting.previous)


class Statement(generics.ListAPIView[Posting]):
    """All of a player's postings, oldest first."""

    serializer_class = PostingSerializer
    pagination_class = Results
    queryset = Posting.objects.none()

    def get_queryset(self) -> QuerySet[Posting]:
        return statement_of(get_object_or_404(Player, pk=self.kwargs["pk"]))
