"""Phones on a real connection: they keep their cookies, and several of them can send at the same moment."""

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from companion.web.server.server import Server
from tests.waiting import PATIENCE_S


@dataclass
class Reply:
    """An answer: its status, where it leads to, and its body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def location(self) -> str:
        return self.headers.get("Location", "")

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Phone:
    """A browser with cookies; it follows no redirect by itself."""

    server: Server
    cookies: dict[str, str] = field(default_factory=dict[str, str])

    def get(self, path: str, **headers: str) -> Reply:
        return self.send("GET", path, **headers)

    def post(self, path: str, **fields: str) -> Reply:
        form = urlencode(fields)
        return self.send("POST", path, form, **{"Content-Type": "application/x-www-form-urlencoded"})

    def post_json(self, path: str, body: object, **headers: str) -> Reply:
        return self.send("POST", path, json.dumps(body), **{"Content-Type": "application/json", **headers})

    def send(self, method: str, path: str, body: str | None = None, **headers: str) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE_S)
        try:
            if self.cookies:
                headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            for line in answer.headers.get_all("Set-Cookie") or ():
                name, _, value = line.partition(";")[0].partition("=")
                self.cookies[name] = value
            return Reply(answer.status, dict(answer.headers), answer.read())
        finally:
            connection.close()

    def follow(self, path: str) -> Reply:
        """The page to which a path leads in the end."""
        reply = self.get(path)
        while reply.status in {301, 302, 303}:
            reply = self.get(reply.location)
        return reply

    def tap(self, code: str, player: str) -> Reply:
        """Scan the code of the evening, and tap a name, or ``watch``."""
        return self.post(self.get(code).location, player=player)

    def copy(self) -> "Phone":
        """Another browser with a copy of the cookies."""
        return Phone(self.server, dict(self.cookies))
