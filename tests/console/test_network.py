"""The address an installation is served at."""

import socket

import pytest

from league.console.network import Address, BusyPort, listen, local_addresses


@pytest.fixture
def everywhere() -> Address:
    return listen("0.0.0.0", 0)


def test_a_local_address_answers_to_local_names_only() -> None:
    address = listen("127.0.0.1", 0)
    assert address.allowed_hosts() == ["localhost", "127.0.0.1", "[::1]"]
    assert address.neighbours() == []
    assert address.url == f"http://127.0.0.1:{address.port}/"
    address.listener.close()


def test_phones_reach_every_address_of_this_machine(everywhere: Address) -> None:
    """Hosts and CSRF origins follow."""
    hosts = set(everywhere.allowed_hosts())
    assert {"localhost", "127.0.0.1", *local_addresses()} <= hosts
    assert socket.gethostname().lower() in hosts
    assert set(everywhere.trusted_origins()) == {
        f"http://{host}:{everywhere.port}" for host in hosts
    }
    assert all("127.0.0.1" not in url for url in everywhere.neighbours())
    assert everywhere.url.startswith("http://127.0.0.1:")
    everywhere.listener.close()


@pytest.mark.parametrize(("host", "port"), [("192.0.2.1", 0), ("no such host", 0), ("::1", 0),
                                            ("127.0.0.1", 70000)])  # fmt: skip
def test_an_address_that_is_not_ours_is_one_clear_error(host: str, port: int) -> None:
    with pytest.raises(BusyPort, match=r"^[^\n]+$"):
        listen(host, port)
