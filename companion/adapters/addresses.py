"""Under which addresses this machine is found on the table's network."""

import ipaddress
import socket

import ifaddr

ELSEWHERE = ("192.0.2.1", 9)
"""An address that is nobody's (RFC 5737).  Nothing is sent there: only the way to it is looked up."""
EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - compared, not bound
"""Hosts that mean every network of this machine."""


def own_addresses(port: int, host: str = "0.0.0.0", scheme: str = "http") -> list[str]:  # noqa: S104 - compared
    """Give the addresses to type into a browser, the one for other devices first."""
    if host not in EVERYWHERE:
        return [f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"]
    return [f"{scheme}://{name}:{port}/" for name in (*own_numbers(), "localhost")]


def own_numbers() -> list[str]:
    """Give this machine's addresses (IPv4) on all networks, the one that leads elsewhere first."""
    first = _on_network()
    there = [name for name in _on_interfaces() if not _is_of_nobody(name)]
    return list(dict.fromkeys([*([first] if first else []), *there]))


def _on_interfaces() -> list[str]:
    try:
        return [str(one.ip) for adapter in ifaddr.get_adapters() for one in adapter.ips if one.is_IPv4]
    except OSError:
        return []  # a system that does not say: the way elsewhere is known all the same


def _is_of_nobody(name: str) -> bool:
    """Say whether nobody else can come in by an address: of this machine alone, or of a cable without a network."""
    address = ipaddress.ip_address(name)
    return address.is_loopback or address.is_link_local or address.is_unspecified


def _on_network() -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return None  # no network: this machine is still to be had as localhost
        name = str(probe.getsockname()[0])
    return None if name.startswith("127.") or name == "0.0.0.0" else name  # noqa: S104 - compared, not bound
