"""Whether static files must be collected again: a fingerprint of their sources."""

import hashlib
from importlib.metadata import version
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders


def fingerprint() -> str:
    """Return a hash that changes when a static file, its storage or the place of it changes."""
    digest = hashlib.sha256(f"{settings.STORAGES} {version('servestatic')}\n".encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            digest.update(f"{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
