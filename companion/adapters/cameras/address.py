"""Addresses of cameras, in which a name and a password may be written as people write them."""

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://", re.ASCII)
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+(?:%[^\]/?#@]*)?\]|[^\s:/?#@\[\]]+)(?::([0-9]{1,5}))?(?=[/?#]|$)", re.ASCII)
_MAX_PORT = 65_535


@dataclass(frozen=True, slots=True)
class CameraAddress:
    """An address without credentials, and the credentials that were written in it (``None``: none)."""

    plain: str
    host: str
    user: str | None = None
    password: str = ""

    def with_credentials(self) -> str:
        """Return the address with the credentials encoded as RFC 3986 wants them."""
        if self.user is None:
            return self.plain
        scheme, _, rest = self.plain.partition("://")
        return f"{scheme}://{quote(self.user, safe='')}:{quote(self.password, safe='')}@{rest}"


def split_address(address: str) -> CameraAddress | None:
    """Return the parts of an address, or ``None`` where it names no host.

    A password may contain ``@ # / ? : %`` as they are, or encoded (``%40``).  Which ``@`` ends it is ambiguous then:
    an ``@`` followed by an IP address, ``localhost`` or a name in ``.local`` wins, then by a name with a dot, then by
    any name; among equals the reading of RFC 3986 wins, and without that the last.
    """
    scheme = _SCHEME.match(address)
    if scheme is None:
        return None
    rest = address[scheme.end() :]
    standard = rest.rfind("@", 0, _authority_end(rest))
    ends = [-1, *(at for at, letter in enumerate(rest) if letter == "@")]
    readings = [(_certainty(rest[at + 1 :]), at == standard, at) for at in ends]
    certainty, _, at = max(readings, key=lambda reading: _rank(*reading))
    host = _HOST.match(rest[at + 1 :])
    if not certainty or host is None:
        return None
    plain = scheme[0] + rest[at + 1 :]
    if at < 0:
        return CameraAddress(plain, host[1])
    user, _, password = rest[:at].partition(":")
    return CameraAddress(plain, host[1], unquote(user), unquote(password))


def strip_credentials(address: str) -> str:
    """Return an address without its name and password, also where it is no valid address."""
    parts = split_address(address)
    if parts is not None:
        return parts.plain
    scheme = _SCHEME.match(address)
    return (scheme[0] if scheme else "") + address[scheme.end() if scheme else 0 :].rpartition("@")[2]


def _authority_end(rest: str) -> int:
    return next((at for at, letter in enumerate(rest) if letter in "/?#"), len(rest))


def _rank(certainty: int, standard: bool, at: int) -> tuple[int, bool, int]:  # noqa: FBT001 - a part of a reading
    """Return by what one reading is preferred; two bare names: a password with ``@`` is likelier than such a path."""
    return certainty, standard and (certainty > 1 or at < 0), at


def _certainty(text: str) -> int:
    """Return how certainly a text begins with a host: 3 an IP address or local name, 2 with a dot, 1 any name, 0 no."""
    match = _HOST.match(text)
    if match is None or (match[2] is not None and not 0 < int(match[2]) <= _MAX_PORT):
        return 0
    host = match[1].casefold()
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        if host.startswith("["):
            return 0
        return 3 if host == "localhost" or host.endswith(".local") else 1 + ("." in host)
    return 3
