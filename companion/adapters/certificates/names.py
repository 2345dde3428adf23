"""Under which names and numbers a secure page of this machine may be asked for."""

import socket
from collections.abc import Iterable

from companion.adapters.addresses import own_numbers
from companion.adapters.announcing import MOST, NAME
from companion.adapters.certificates.authority import DOMAINS

LOOPBACK = ("localhost", "127.0.0.1", "::1")


def names_here(known_as: Iterable[str] = ()) -> list[str]:
    """Give all of them, the machine's own name first; numbers as the networks are now."""
    mine = socket.gethostname().lower().partition(".")[0]
    announced = [f"{NAME}.local", *(f"{NAME}-{count}.local" for count in range(2, MOST + 1))]
    at_home = [f"{mine}.{home}" for home in DOMAINS]
    return list(dict.fromkeys([mine, *announced, *at_home, *known_as, *LOOPBACK, *own_numbers()]))
