"""What all endpoints share: the envelope of lists and the form of refusals.

A list is `{"results": […]}`. A refusal is drf-standardized-errors' form; a `DomainError` becomes
one with its own code, 409 where the wish is fine but not now, 400 otherwise.
"""

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from drf_standardized_errors.handler import ExceptionHandler as StandardHandler
from rest_framework import status
from rest_framework.exceptions import APIException, ParseError
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.shared.errors import DomainError

NOT_NOW = frozenset({"match_not_finished"})


class Refusal(APIException):
    """A DomainError on its way out."""

    status_code: int = status.HTTP_400_BAD_REQUEST
    default_code = "refused"

    def __init__(self, error: DomainError) -> None:
        super().__init__(detail=error.text, code=error.code)
        if error.code in NOT_NOW:
            self.status_code = status.HTTP_409_CONFLICT


class TooLarge(APIException):
    """A body larger than Django reads."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = "The body is too large."
    default_code = "too_large"


class ExceptionHandler(StandardHandler):
    """Knows the house's own errors besides DRF's, and those of bodies that Django refuses."""

    def convert_known_exceptions(self, exc: Exception) -> Exception:
        if isinstance(exc, DomainError):
            return Refusal(exc)
        if isinstance(exc, RequestDataTooBig):
            return TooLarge()
        if isinstance(exc, SuspiciousOperation | BadRequest):
            return ParseError()
        return super().convert_known_exceptions(exc)


class Results(BasePagination):
    """A whole list in one answer."""

    def paginate_queryset(
        self, queryset: Iterable[Any], request: Request, view: APIView | None = None
    ) -> list[Any]:
        return list(queryset)

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"results": data})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": "object",
            "required": ["results"],
            "properties": {"results": schema},
        }
