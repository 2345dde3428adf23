"""The name under which this machine is found on the table's network: ``companion.local`` (RFC 6762)."""

import logging
import socket
import threading
from collections.abc import Callable, Sequence

from zeroconf import (  # type: ignore[attr-defined]  # AddressResolverIPv4 is not in its list
    AddressResolverIPv4,
    IPVersion,
    NonUniqueNameException,
    ServiceInfo,
    Zeroconf,
)
from zeroconf import Error as ZeroconfError

from companion.adapters.addresses import own_numbers

log = logging.getLogger(__name__)

NAME = "companion"
MOST = 9
"""So many companions find a name each on one network."""
KIND = "_http._tcp.local."
PAUSE_S = 30.0
ANSWER_MS = 1_000
"""How long somebody has who bears the name already."""


class Announcement:
    """Says on every network where this machine is, for as long as it runs; networks may come and go.

    ``numbers`` gives this machine's addresses on them; they are asked for every half minute.
    """

    def __init__(
        self,
        port: int,
        numbers: Callable[[], Sequence[str]] = own_numbers,
        *,
        pause_s: float = PAUSE_S,
        wish: str = NAME,
    ) -> None:
        """Take the port at which it serves, and the name that it would have."""
        self._port = port
        self._wish = wish
        self._numbers = numbers
        self._pause_s = pause_s
        self._said: tuple[str, ...] = ()
        self._zeroconf: Zeroconf | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="announcing", daemon=True)
        self._told = ""
        self.name: str | None = None

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Take the name back."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout=10)
        self._be_silent()

    def _run(self) -> None:
        while not self._stopping.is_set():
            self.look()
            self._stopping.wait(self._pause_s)

    def look(self) -> None:
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
            if str(error) != self._told:
                log.warning("no name on the network: %s", error)
            self._told = str(error)

    def _speak(self, numbers: tuple[str, ...]) -> None:
        self._zeroconf = Zeroconf(interfaces=list(numbers), ip_version=IPVersion.V4Only)
        for name in (self._wish, *(f"{self._wish}-{number}" for number in range(2, MOST + 1))):
            server = f"{name}.local."
            if self._is_somebody_elses(server, numbers):
                continue
            packed = [socket.inet_aton(number) for number in numbers]
            info = ServiceInfo(KIND, f"{name}.{KIND}", port=self._port, addresses=packed, server=server)
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
        found = self._zeroconf is not None and asked.request(self._zeroconf, ANSWER_MS)
        return found and not set(asked.parsed_addresses(IPVersion.V4Only)) <= set(numbers)

    def _be_silent(self) -> None:
        speaking, self._zeroconf, self.name = self._zeroconf, None, None
        if speaking is not None:
            speaking.unregister_all_services()
            speaking.close()
