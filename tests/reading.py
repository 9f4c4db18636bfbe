"""Reading pages as a browser without scripts does."""

from django.test import Client


def page_of(client: Client, address: str, **headers: str) -> str:
    """Return a page's text; the answer must be 200."""
    response = client.get(address, headers=headers)
    assert response.status_code == 200
    return response.content.decode()
