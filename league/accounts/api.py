"""Log-in over HTTP: a token for a user name and a password, and how people appear in answers."""

import hashlib

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.authtoken.serializers import AuthTokenSerializer
from rest_framework.authtoken.views import ObtainAuthToken
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import AnonRateThrottle
from rest_framework.views import APIView

from league.shared.parsers import FormParser, JSONParser, MultiPartParser


class PlayerBrief(serializers.Serializer[object]):
    """A player in a list."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class TokenSerializer(serializers.Serializer[object]):
    token = serializers.CharField()


class AddressThrottle(AnonRateThrottle):
    """Bounds the attempts from one address, a club's shared one included."""

    scope = "token_address"

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return f"throttle_{self.scope}_{self._subject(request)}"

    def _subject(self, request: Request) -> str:
        return str(self.get_ident(request))


class NameThrottle(AddressThrottle):
    """Bounds the attempts on one user name from one address."""

    scope = "token"

    def _subject(self, request: Request) -> str:
        data = request.data
        name = data.get("username") if hasattr(data, "get") else ""
        text = name.casefold() if isinstance(name, str) else ""
        digest = hashlib.sha256(text.encode(errors="replace")).hexdigest()
        return f"{super()._subject(request)}_{digest}"


class TokenCreate(ObtainAuthToken):
    """A token that logs in as the user: `Authorization: Token …`."""

    throttle_classes = (AddressThrottle, NameThrottle)
    authentication_classes = ()
    parser_classes = (JSONParser, FormParser, MultiPartParser)

    @extend_schema(
        request=AuthTokenSerializer, responses=TokenSerializer, auth=[], operation_id="token_create"
    )
    def post(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().post(request, *args, **kwargs)
