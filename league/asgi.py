"""The composition root of HTTP and WebSocket."""

import os
from typing import Any

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
django_application = get_asgi_application()

from channels.routing import ProtocolTypeRouter  # noqa: E402  (after Django is set up)

from tables.routing import websocket_application  # noqa: E402


async def lifespan(_scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Say yes to servers that announce start and end; Daphne does not, so nothing hangs on it."""
    while (message := await receive())["type"] != "lifespan.shutdown":
        await send({"type": f"{message['type']}.complete"})
    await send({"type": "lifespan.shutdown.complete"})


application = ProtocolTypeRouter(
    {"http": django_application, "websocket": websocket_application, "lifespan": lifespan}
)
