"""What the league's tests share."""

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient


@pytest.fixture
def api() -> APIClient:
    """A program that calls the API, its throttles fresh."""
    cache.clear()
    return APIClient()
