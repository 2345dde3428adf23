"""Under which addresses this machine is found on the table's network."""

import socket

ELSEWHERE = ("192.0.2.1", 9)
"""An address that is nobody's (RFC 5737).  Nothing is sent there: only the way to it is looked up."""


def own_addresses(port: int, host: str = "0.0.0.0") -> list[str]:  # noqa: S104 - compared, not bound
    """Give the addresses to type into a browser, the one for other devices first."""
    if host not in ("0.0.0.0", "::", ""):  # noqa: S104 - compared, not bound
        return [f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"]
    found = [f"http://{name}:{port}/" for name in (_on_network(), "localhost") if name]
    return list(dict.fromkeys(found))


def _on_network() -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return None  # no network: this machine is still to be had as localhost
        name = str(probe.getsockname()[0])
    return None if name.startswith("127.") or name == "0.0.0.0" else name  # noqa: S104 - compared, not bound
