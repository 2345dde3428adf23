"""Addresses of this machine on its networks, and its name there: ``companion.local`` (multicast DNS, RFC 6762)."""

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

from companion.service.runtime import BackgroundTask

PROBE_ADDRESS = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737).  Nothing is sent there: only the route to it is looked up."""
ANY_HOST = ("0.0.0.0", "::", "")  # noqa: S104 - compared, not bound
"""Hosts that mean every network of this machine."""
MDNS_NAME = "companion"
MAX_MDNS_NAMES = 9
"""Maximum number of machines on one network that get a name each."""
SERVICE_TYPE = "_http._tcp.local."
CHECK_EVERY_S = 30.0
NAME_QUERY_MS = 1_000
"""How long another machine has to answer that the name is its own."""

log = logging.getLogger(__name__)


def list_addresses(port: int, host: str = "0.0.0.0", scheme: str = "http") -> list[str]:  # noqa: S104 - compared
    """Return the URLs of a port of this machine, those for other devices first."""
    if host not in ANY_HOST:
        return [f"{scheme}://[{host}]:{port}/" if ":" in host else f"{scheme}://{host}:{port}/"]
    return [f"{scheme}://{name}:{port}/" for name in (*list_ip_addresses(), "localhost")]


def list_ip_addresses() -> list[str]:
    """Return this machine's IPv4 addresses on all networks, the one of the default route first."""
    first = _default_route_address()
    others = [address for address in _interface_addresses() if not _is_unreachable(address)]
    return list(dict.fromkeys([*([first] if first else []), *others]))


def _interface_addresses() -> list[str]:
    try:
        return [str(address.ip) for adapter in ifaddr.get_adapters() for address in adapter.ips if address.is_IPv4]
    except OSError:
        return []  # not supported by this system; the default route is known all the same


def _is_unreachable(text: str) -> bool:
    """Return whether no other device can use an address: loopback, link-local or unspecified."""
    address = ipaddress.ip_address(text)
    return address.is_loopback or address.is_link_local or address.is_unspecified


def _default_route_address() -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(PROBE_ADDRESS)
        except OSError:
            return None  # no network; localhost still works
        name = str(probe.getsockname()[0])
    return None if name.startswith("127.") or name == "0.0.0.0" else name  # noqa: S104 - compared, not bound


class MdnsAnnouncement(BackgroundTask):
    """Announces this machine's name on every network while it runs; networks may come and go."""

    def __init__(
        self,
        port: int,
        ip_addresses: Callable[[], Sequence[str]] = list_ip_addresses,
        *,
        pause_s: float = CHECK_EVERY_S,
        preferred_name: str = MDNS_NAME,
    ) -> None:
        """Store what is announced.

        Args:
            port: where this machine serves pages.
            ip_addresses: returns its IP addresses; called every ``pause_s`` seconds.
            pause_s: seconds between two checks.
            preferred_name: the name to claim; ``NAME-2``, ``NAME-3`` ... where it is taken.

        """
        super().__init__("announcement")
        self._port = port
        self._preferred_name = preferred_name
        self._ip_addresses = ip_addresses
        self._pause_s = pause_s
        self._announced: tuple[str, ...] = ()
        self._zeroconf: Zeroconf | None = None
        self._logged = ""
        self.name: str | None = None

    def stop(self) -> None:
        """Stop, and withdraw the name."""
        super().stop()
        self._withdraw()

    def _run(self) -> None:
        while not self._stopping.is_set():
            self.update()
            self._stopping.wait(self._pause_s)

    def update(self) -> None:
        """Announce the name anew if the networks have changed; the same failure is logged once."""
        ip_addresses = tuple(self._ip_addresses())
        if ip_addresses == self._announced:
            return
        self._withdraw()
        self._announced = ip_addresses
        if not ip_addresses:
            return
        try:
            self._register(ip_addresses)
        except (OSError, ZeroconfError, TimeoutError) as error:
            self._withdraw()
            self._announced = ()
            if str(error) != self._logged:
                log.warning("no name on the network: %s", error)
            self._logged = str(error)

    def _register(self, ip_addresses: tuple[str, ...]) -> None:
        self._zeroconf = Zeroconf(interfaces=list(ip_addresses), ip_version=IPVersion.V4Only)
        for name in (
            self._preferred_name,
            *(f"{self._preferred_name}-{number}" for number in range(2, MAX_MDNS_NAMES + 1)),
        ):
            server = f"{name}.local."
            if self._is_taken(server, ip_addresses):
                continue
            packed = [socket.inet_aton(ip_address) for ip_address in ip_addresses]
            info = ServiceInfo(SERVICE_TYPE, f"{name}.{SERVICE_TYPE}", port=self._port, addresses=packed, server=server)
            try:
                self._zeroconf.register_service(info)
            except NonUniqueNameException:
                continue
            self.name = f"{name}.local"
            log.info("found on this network as http://%s:%d/", self.name, self._port)
            return

    def _is_taken(self, server: str, ip_addresses: tuple[str, ...]) -> bool:
        """Return whether another machine answers to a name: it may be no companion, so the host is queried."""
        query = AddressResolverIPv4(server)
        answered = self._zeroconf is not None and query.request(self._zeroconf, NAME_QUERY_MS)
        return answered and not set(query.parsed_addresses(IPVersion.V4Only)) <= set(ip_addresses)

    def _withdraw(self) -> None:
        zeroconf, self._zeroconf, self.name = self._zeroconf, None, None
        if zeroconf is not None:
            zeroconf.unregister_all_services()
            zeroconf.close()
