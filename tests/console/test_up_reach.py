"""Who reaches an installation: phones in the network, browsers behind TLS, several processes."""

import http.client
import os
import re
import signal
from collections.abc import Iterator
from contextlib import closing
from urllib.parse import urlencode, urlsplit

import pytest

from league.console.network import local_addresses
from tests.stack import Stack, keep_statics

TLS = {"X-Forwarded-Proto": "https"}


@pytest.fixture(scope="module")
def open_to_all() -> Iterator[Stack]:
    """An installation on all addresses, served by two processes."""
    installation = Stack.start("--host", "0.0.0.0", "--processes", "2")
    keep_statics(installation)
    yield installation
    installation.remove()


@pytest.fixture(scope="module")
def behind_tls() -> Iterator[Stack]:
    """An installation that a proxy with TLS stands before."""
    installation = Stack.start(AYAZ_HTTPS="1")
    yield installation
    installation.remove()


def ask(
    url: str, path: str, body: str | None = None, **headers: str
) -> tuple[int, http.client.HTTPMessage, str]:
    """Return status, headers and body of one answer, redirects not followed."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)) as connection:
        connection.request("GET" if body is None else "POST", path, body, named)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()


def cookies_of(headers: http.client.HTTPMessage) -> dict[str, str]:
    """Return each cookie that was set, with its attributes in lower case, by name."""
    lines = headers.get_all("Set-Cookie") or []
    return {line.partition("=")[0]: line.partition(";")[2].lower() for line in lines}


def log_in(installation: Stack, url: str, **headers: str) -> tuple[int, http.client.HTTPMessage]:
    """Fill in the log-in page's form as a browser does, and return how it was answered."""
    line = next(line for line in installation.log if line.startswith("  admin"))
    _role, username, password = line.split()
    _status, given, page = ask(url, "/accounts/login/", **headers)
    token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[0]
    cookie = re.findall(r"csrftoken=\w+", str(given))[0]
    form = {"login": username, "password": password, "csrfmiddlewaretoken": token}
    kind = "application/x-www-form-urlencoded"
    status, answered, _page = ask(
        url, "/accounts/login/", urlencode(form), Cookie=cookie, Content_Type=kind, **headers
    )
    return status, answered


def test_phones_in_the_network_are_served_and_may_send_forms(open_to_all: Stack) -> None:
    port = urlsplit(open_to_all.url).port
    hosts = [host for host in local_addresses() if not host.startswith(("127.", "["))]
    told = [line.split()[-1] for line in open_to_all.log if "for phones in this network" in line]
    assert told == [f"http://{host}:{port}/" for host in hosts]
    for url in (open_to_all.url, *told):
        assert ask(url, "/healthz")[0] == 200
        origin = url.rstrip("/")
        assert log_in(open_to_all, url, Origin=origin)[0] == 302
    assert log_in(open_to_all, open_to_all.url, Origin="http://elsewhere.example")[0] == 403
    assert ask(open_to_all.url, "/", Host="elsewhere.example")[0] == 400


def test_each_of_two_processes_serves_alone(open_to_all: Stack) -> None:
    pids = open_to_all.pids()
    for name in ("daphne-1", "daphne-2"):
        os.kill(pids[name], signal.SIGSTOP)
        try:
            assert [ask(open_to_all.url, "/healthz")[0] for _ in range(3)] == [200] * 3
        finally:
            os.kill(pids[name], signal.SIGCONT)


def test_without_tls_a_browser_is_sent_to_it(behind_tls: Stack) -> None:
    status, headers, _body = ask(behind_tls.url, "/seasons/x/?a=1")
    assert status == 301
    host = urlsplit(behind_tls.url).netloc
    assert headers["Location"] == f"https://{host}/seasons/x/?a=1"
    assert ask(behind_tls.url, "/healthz")[0] == 200


def test_with_tls_cookies_are_secure_and_browsers_remember_it(behind_tls: Stack) -> None:
    status, headers, _body = ask(behind_tls.url, "/accounts/login/", **TLS)
    assert status == 200
    hsts = "max-age=31536000; includeSubDomains; preload"
    assert headers["Strict-Transport-Security"] == hsts
    assert "secure" in cookies_of(headers)["csrftoken"]
    origin = f"https://{urlsplit(behind_tls.url).netloc}"
    status, answered = log_in(
        behind_tls, behind_tls.url, Origin=origin, Referer=f"{origin}/accounts/login/", **TLS
    )
    assert status == 302
    session = cookies_of(answered)["sessionid"]
    assert all(word in session for word in ("secure", "httponly", "samesite=lax"))


def test_without_https_cookies_travel_in_the_local_network(open_to_all: Stack) -> None:
    _status, headers, _body = ask(open_to_all.url, "/accounts/login/")
    assert "secure" not in cookies_of(headers)["csrftoken"]
    assert headers["Strict-Transport-Security"] is None
