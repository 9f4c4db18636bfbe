"""The address an installation is served at: its socket, and the names it answers to.

Pure: no Django.
"""

import contextlib
import socket
import struct
import sys
from dataclasses import dataclass

_WILDCARDS = ("", "0.0.0.0")
_LOCAL = ("localhost", "127.0.0.1", "[::1]")
_SIOCGIFADDR = 0x8915
# Addresses kept for documentation: a route to them is looked up, nothing is ever sent.
_ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


class BusyPort(Exception):
    """Something else listens there, or the address is not ours."""


@dataclass(frozen=True)
class Address:
    """What was asked for and what came of it: a listening socket that children share."""

    host: str
    listener: socket.socket

    @property
    def port(self) -> int:
        return int(self.listener.getsockname()[1])

    @property
    def url(self) -> str:
        """The address for a browser on this machine."""
        host = "127.0.0.1" if self.host in _WILDCARDS else self.host
        return f"http://{host}:{self.port}/"

    def neighbours(self) -> list[str]:
        """Return the addresses for phones in the same network; none for a local host."""
        if self.host not in _WILDCARDS:
            return []
        hosts = (host for host in local_addresses() if not host.startswith(("127.", "[")))
        return [f"http://{host}:{self.port}/" for host in hosts]

    def allowed_hosts(self) -> list[str]:
        """Return every name this address answers to."""
        if self.host in _WILDCARDS:
            name = socket.gethostname().lower()
            return _once([*_LOCAL, *local_addresses(), name, f"{name.split('.')[0]}.local"])
        return _once([*_LOCAL, self.host])

    def trusted_origins(self) -> list[str]:
        """Return the origins forms may come from."""
        return [f"http://{host}:{self.port}" for host in self.allowed_hosts()]


def listen(host: str, port: int) -> Address:
    """Take the address, so that nobody else can. Raises BusyPort."""
    try:
        address = socket.gethostbyname(host or "0.0.0.0")
    except (OSError, UnicodeError) as error:
        raise BusyPort(f"{host} is no IPv4 address") from error
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address, port))
        listener.listen(512)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = error.strerror if isinstance(error, OSError) else error
        raise BusyPort(f"port {port} of {host} cannot be used: {reason} (try --port 0)") from error
    return Address(host, listener)


def local_addresses() -> list[str]:
    """Return this machine's own addresses, IPv6 in brackets, as a browser writes them."""
    return _once([*_routed(), *_of_interfaces()])


def _routed() -> list[str]:
    found = []
    for family, elsewhere in _ELSEWHERE:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 9))
            found.append(_bracketed(probe.getsockname()[0]))
    return found


def _of_interfaces() -> list[str]:
    if sys.platform != "linux":
        return []
    import fcntl

    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _index, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            with contextlib.suppress(OSError):
                answer = fcntl.ioctl(probe.fileno(), _SIOCGIFADDR, request)
                found.append(socket.inet_ntoa(answer[20:24]))
    return found


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _once(names: list[str]) -> list[str]:
    return list(dict.fromkeys(names))
