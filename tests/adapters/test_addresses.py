"""The addresses to type into a browser."""

import socket
from typing import Any, Self

import ifaddr
import pytest

from companion.adapters.network import list_addresses, list_ip_addresses


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000/"),
        ("table.local", "http://table.local:8000/"),
        ("::1", "http://[::1]:8000/"),
    ],
)
def test_a_host_that_was_named_is_the_address(host: str, address: str) -> None:
    assert list_addresses(8000, host) == [address]


class Network:
    """A socket on a network where this machine has a name, or none."""

    def __init__(self, name: str | None) -> None:
        self._name = name

    def __call__(self, *_kind: object) -> "Network":
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        return None

    def connect(self, _address: tuple[str, int]) -> None:
        if self._name is None:
            raise OSError("network is unreachable")

    def getsockname(self) -> tuple[Any, int]:
        return self._name, 0


@pytest.mark.parametrize(
    ("name", "addresses"),
    [
        ("192.0.2.7", ["http://192.0.2.7:80/", "http://localhost:80/"]),
        (None, ["http://localhost:80/"]),
        ("127.0.0.1", ["http://localhost:80/"]),
    ],
)
def test_everywhere_means_the_network_first(
    monkeypatch: pytest.MonkeyPatch, name: str | None, addresses: list[str]
) -> None:
    monkeypatch.setattr(socket, "socket", Network(name))
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: [adapter("127.0.0.1")])

    assert list_addresses(80, "") == addresses


def adapter(*numbers: str) -> ifaddr.Adapter:
    return ifaddr.Adapter("name", "name", [ifaddr.IP(number, 24, "name") for number in numbers])


def test_where_there_are_several_networks_each_has_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    # given a cable and a hotspot of its own, and what is no network
    monkeypatch.setattr(socket, "socket", Network("192.0.2.7"))
    every = [adapter("127.0.0.1"), adapter("10.42.0.1", "169.254.3.4"), adapter("192.0.2.7")]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: every)

    # then the one that leads elsewhere comes first
    assert list_ip_addresses() == ["192.0.2.7", "10.42.0.1"]
    assert list_addresses(80, "")[1] == "http://10.42.0.1:80/"


def test_a_system_that_does_not_list_its_networks_is_reached_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def unsaid() -> list[ifaddr.Adapter]:
        raise OSError("Address family not supported")

    monkeypatch.setattr(socket, "socket", Network("192.0.2.7"))
    monkeypatch.setattr(ifaddr, "get_adapters", unsaid)

    assert list_ip_addresses() == ["192.0.2.7"]


def test_on_this_machine_localhost_is_always_there() -> None:
    assert list_addresses(8000)[-1] == "http://localhost:8000/"
