"""Basic and digest authentication for cameras over HTTP (RFC 7617, RFC 7616).

The standard library knows digests by MD5 and SHA-1 only, and only the first of several challenges.
"""

import base64
import hashlib
import http.client
import re
import secrets
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from email.message import Message
from typing import IO
from urllib.parse import quote, urlsplit

_SCHEME = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:\s+(?=\S)(.*))?", re.DOTALL)
_PARAMETER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(.*)", re.DOTALL)
_ALGORITHMS: Mapping[str, str] = {"SHA-512-256": "sha512_256", "SHA-256": "sha256", "MD5": "md5"}
"""Algorithms of digests to their names in ``hashlib``, the best first."""
_USUAL_PORTS: Mapping[str, int] = {"http": 80, "https": 443}


@dataclass(slots=True)
class Challenge:
    """One way in which a server lets itself be answered; ``count``: how often its nonce was used."""

    scheme: str
    parameters: dict[str, str] = field(default_factory=dict)
    count: int = 0


def parse_challenges(headers: Sequence[str]) -> list[Challenge]:
    """Return the challenges of all ``WWW-Authenticate`` headers, in their order."""
    challenges: list[Challenge] = []
    for item in (item for header in headers for item in urllib.request.parse_http_list(header)):
        text = item.strip()
        parameter = _PARAMETER.fullmatch(text)
        if parameter is None and (scheme := _SCHEME.fullmatch(text)) is not None:
            challenges.append(Challenge(scheme[1].casefold()))
            parameter = _PARAMETER.fullmatch(scheme[2] or "")
        if parameter is not None and challenges:
            value = parameter[2].strip()
            if value[:1] == value[-1:] == '"' and len(value) > 1:
                value = re.sub(r"\\(.)", r"\1", value[1:-1])
            challenges[-1].parameters[parameter[1].casefold()] = value
    return challenges


def choose_challenge(challenges: Sequence[Challenge]) -> Challenge | None:
    """Return the safest challenge that can be answered: the best digest, else basic, else ``None``."""
    digests = [challenge for challenge in challenges if challenge.scheme == "digest" and _hasher(challenge)[1]]
    if digests:
        names = list(_ALGORITHMS)
        return min(digests, key=lambda challenge: names.index(_hasher(challenge)[1]))
    return next((challenge for challenge in challenges if challenge.scheme == "basic"), None)


def answer_challenge(challenge: Challenge, user: str, password: str, method: str, uri: str) -> str:
    """Return the ``Authorization`` header that answers a challenge, and count its use.

    Name and password are hashed in UTF-8, what came from the server as the bytes that came: headers are Latin-1.
    """
    if challenge.scheme == "basic":
        return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode("ascii")
    digest, _, per_session = _hasher(challenge)
    asked = challenge.parameters
    realm, nonce = (asked.get(name, "").encode("latin-1", "replace") for name in ("realm", "nonce"))
    challenge.count += 1
    count, client_nonce = f"{challenge.count:08x}", secrets.token_hex(8)
    offered = [kind.strip().casefold() for kind in asked.get("qop", "").split(",") if kind.strip()]
    protection = "auth" if "auth" in offered or not offered else offered[0]
    secret = digest(user, realm, password)
    if per_session:
        secret = digest(secret, nonce, client_nonce)
    request = digest(method, uri, *([digest("")] if protection == "auth-int" else []))
    shown = digest(user, realm) if asked.get("userhash", "").casefold() == "true" else user
    parts = [
        f"username={_quoted(shown)}" if shown.isascii() else f"username*=UTF-8''{quote(shown, safe='')}",
        f"realm={_quoted(asked.get('realm', ''))}",
        f"nonce={_quoted(asked.get('nonce', ''))}",
        f'uri="{uri}"',
    ]
    if offered:
        response = digest(secret, nonce, count, client_nonce, protection, request)
        parts += [f"qop={protection}", f"nc={count}", f'cnonce="{client_nonce}"']
    else:
        response = digest(secret, nonce, request)
        parts += [f'cnonce="{client_nonce}"'] if per_session else []
    parts.append(f'response="{response}"')
    parts += [f"algorithm={asked['algorithm']}"] if "algorithm" in asked else []
    parts += [f"opaque={_quoted(asked['opaque'])}"] if "opaque" in asked else []
    parts += ["userhash=true"] if shown != user else []
    return "Digest " + ", ".join(parts)


def _origin_of(address: str) -> tuple[str, str | None, int | None]:
    """Return the scheme, host and port that an address leads to (RFC 6454)."""
    parts = urlsplit(address)
    return parts.scheme, parts.hostname, parts.port or _USUAL_PORTS.get(parts.scheme)


class _AnsweredRequest(urllib.request.Request):
    """A request that is made again with credentials; ``tries``: how often it was."""

    tries = 0


class CredentialsHandler(urllib.request.BaseHandler):
    """Answer the challenges of one server, the last one at once with each request.  For one thread."""

    def __init__(self, address: str, user: str, password: str) -> None:
        """Store the credentials; they go to the scheme, host and port of ``address`` only, whatever it redirects to."""
        self._origin = _origin_of(address)
        self._user = user
        self._password = password
        self._challenge: Challenge | None = None

    def http_request(self, request: urllib.request.Request) -> urllib.request.Request:
        """Answer the challenge of an earlier request."""
        if self._challenge is not None and self._may_send_to(request):
            self._answer(request, self._challenge)
        return request

    https_request = http_request

    def http_error_401(
        self, request: urllib.request.Request, answer: IO[bytes], _code: int, _message: str, headers: Message
    ) -> http.client.HTTPResponse | None:
        """Answer the challenge and ask again; ``None`` where it cannot be answered, or was answered in vain."""
        challenge = choose_challenge(parse_challenges(headers.get_all("WWW-Authenticate", [])))
        if challenge is None or not self._may_send_to(request):
            return None
        tries = request.tries if isinstance(request, _AnsweredRequest) else 0
        if request.has_header("Authorization"):
            # A nonce may have grown old, whether that is said or not: worth one more try, never a third.
            is_new = self._challenge is None or self._challenge.parameters != challenge.parameters
            stale = challenge.parameters.get("stale", "").casefold() == "true"
            if tries > 1 or not (stale or (is_new and tries == 0)):
                self._challenge = None
                return None
        answer.close()
        self._challenge = challenge
        again = _AnsweredRequest(request.full_url, headers=dict(request.headers), method=request.get_method())
        again.tries = tries + 1
        response: http.client.HTTPResponse = self.parent.open(again, timeout=request.timeout)
        return response

    def _answer(self, request: urllib.request.Request, challenge: Challenge) -> None:
        header = answer_challenge(challenge, self._user, self._password, request.get_method(), request.selector or "/")
        request.add_unredirected_header("Authorization", header)

    def _may_send_to(self, request: urllib.request.Request) -> bool:
        return _origin_of(request.full_url) == self._origin


def _hasher(challenge: Challenge) -> tuple[Callable[..., str], str, bool]:
    """Return the hash of a digest challenge, its name (empty: not supported), and whether it is ``-sess``.

    The hash is that of its arguments with colons between them, texts in UTF-8.
    """
    name = challenge.parameters.get("algorithm", "MD5").upper()
    per_session = name.endswith("-SESS")
    name = name.removesuffix("-SESS")
    if name not in _ALGORITHMS or _ALGORITHMS[name] not in hashlib.algorithms_available:
        name = ""

    def digest(*parts: str | bytes) -> str:
        joined = b":".join(part.encode() if isinstance(part, str) else part for part in parts)
        return hashlib.new(_ALGORITHMS[name], joined, usedforsecurity=False).hexdigest()

    return digest, name, per_session


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
