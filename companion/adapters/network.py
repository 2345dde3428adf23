"""Under which addresses this machine is found on the table's network."""

import ipaddress
import logging
import socket
from collections.abc import Callable, Sequence

import ifaddr
from zeroconf import (  # type: ignore[attr-defined]  # AddressResolverIPv4 is not in its list
    AddressResolverIPv4,
    IPVersion,
    NonUniqueNameException,
    ServiceInfo,
    Zeroconf,
)
from zeroconf import Error as ZeroconfError

from companion.service.background import BackgroundTask

PROBE_ADDRESS = ("192.0.2.1", 9)
"""An address that is nobody's (RFC 5737).  Nothing is sent there: only the way to it is looked up."""
ANY_HOST = ("0.0.0.0", "::", "")  # noqa: S104 - compared, not bound
"""Hosts that mean every network of this machine."""


def list_addresses(port: int, host: str = "0.0.0.0", scheme: str = "http") -> list[str]:  # noqa: S104 - compared
    """Give the addresses to type into a browser, the one for other devices first."""
    if host not in ANY_HOST:
        return [f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"]
    return [f"{scheme}://{name}:{port}/" for name in (*list_ip_addresses(), "localhost")]


def list_ip_addresses() -> list[str]:
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
            probe.connect(PROBE_ADDRESS)
        except OSError:
            return None  # no network: this machine is still to be had as localhost
        name = str(probe.getsockname()[0])
    return None if name.startswith("127.") or name == "0.0.0.0" else name  # noqa: S104 - compared, not bound


# --- announcing
# The name under which this machine is found on the table's network: ``companion.local`` (RFC 6762).

log = logging.getLogger(__name__)

MDNS_NAME = "companion"
MAX_MDNS_NAMES = 9
"""So many companions find a name each on one network."""
SERVICE_TYPE = "_http._tcp.local."
CHECK_EVERY_S = 30.0
NAME_QUERY_MS = 1_000
"""How long somebody has who bears the name already."""


class MdnsAnnouncement(BackgroundTask):
    """Says on every network where this machine is, for as long as it runs; networks may come and go.

    ``numbers`` gives this machine's addresses on them; they are asked for every half minute.
    """

    def __init__(
        self,
        port: int,
        numbers: Callable[[], Sequence[str]] = list_ip_addresses,
        *,
        pause_s: float = CHECK_EVERY_S,
        preferred_name: str = MDNS_NAME,
    ) -> None:
        """Store the port at which this machine serves, and the name that it asks for first."""
        super().__init__("announcement")
        self._port = port
        self._wish = preferred_name
        self._numbers = numbers
        self._pause_s = pause_s
        self._said: tuple[str, ...] = ()
        self._zeroconf: Zeroconf | None = None
        self._logged = ""
        self.name: str | None = None

    def stop(self) -> None:
        """Stop, and withdraw the name."""
        super().stop()
        self._be_silent()

    def _run(self) -> None:
        while not self._stopping.is_set():
            self.update()
            self._stopping.wait(self._pause_s)

    def update(self) -> None:
        """Announce anew where the networks have changed; trouble is told once."""
        numbers = tuple(self._numbers())
        if numbers == self._said:
            return
        self._be_silent()
        self._said = numbers
        if not numbers:
            return
        try:
            self._speak(numbers)
        except (OSError, ZeroconfError, TimeoutError) as error:
            self._be_silent()
            self._said = ()
            if str(error) != self._logged:
                log.warning("no name on the network: %s", error)
            self._logged = str(error)

    def _speak(self, numbers: tuple[str, ...]) -> None:
        self._zeroconf = Zeroconf(interfaces=list(numbers), ip_version=IPVersion.V4Only)
        for name in (self._wish, *(f"{self._wish}-{number}" for number in range(2, MAX_MDNS_NAMES + 1))):
            server = f"{name}.local."
            if self._is_somebody_elses(server, numbers):
                continue
            packed = [socket.inet_aton(number) for number in numbers]
            info = ServiceInfo(SERVICE_TYPE, f"{name}.{SERVICE_TYPE}", port=self._port, addresses=packed, server=server)
            try:
                self._zeroconf.register_service(info)
            except NonUniqueNameException:
                continue
            self.name = f"{name}.local"
            log.info("found on this network as http://%s:%d/", self.name, self._port)
            return

    def _is_somebody_elses(self, server: str, numbers: tuple[str, ...]) -> bool:
        """Ask for the name itself: whoever bears it may serve no pages, or be no companion at all."""
        asked = AddressResolverIPv4(server)
        found = self._zeroconf is not None and asked.request(self._zeroconf, NAME_QUERY_MS)
        return found and not set(asked.parsed_addresses(IPVersion.V4Only)) <= set(numbers)

    def _be_silent(self) -> None:
        speaking, self._zeroconf, self.name = self._zeroconf, None, None
        if speaking is not None:
            speaking.unregister_all_services()
            speaking.close()
