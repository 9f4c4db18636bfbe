"""How bodies of requests to the API are read. Whatever cannot be read is the sender's mistake."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework import parsers
from rest_framework.exceptions import ParseError

_UTF8 = {"encoding": "utf-8"}


class _Utf8Parser(parsers.BaseParser):
    """Reads UTF-8, whatever the request calls it: Python's codecs hold more than charsets."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            return super().parse(stream, media_type, {**(parser_context or {}), **_UTF8})
        except RecursionError as error:
            raise ParseError("The body is nested too deeply.") from error


class JSONParser(_Utf8Parser, parsers.JSONParser):
    """JSON."""


class FormParser(_Utf8Parser, parsers.FormParser):
    """A form as browsers send it."""


class MultiPartParser(_Utf8Parser, parsers.MultiPartParser):
    """A form in parts."""
