"""A reader of server-sent events over a real connection."""

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from companion.web.server.server import Server
from tests.waiting import PATIENCE_S


class Event(NamedTuple):
    """One event; a comment has the name ``comment``."""

    name: str
    id: str
    data: Any


class Reader:
    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.answer = answer

    def next(self) -> Event:
        """The next event or comment; ``EOFError`` at the end of the stream."""
        fields: dict[str, str] = {}
        while True:
            line = self.answer.readline()
            if not line:
                raise EOFError
            text = line.decode().rstrip("\n")
            if text.startswith(":"):
                fields["event"] = "comment"
            elif text:
                key, _, value = text.partition(": ")
                fields[key] = value
            elif fields.keys() - {"retry"}:
                return Event(fields.get("event", ""), fields.get("id", ""), json.loads(fields.get("data", "null")))

    def next_named(self, name: str) -> Event:
        while (event := self.next()).name != name:
            pass
        return event


@contextmanager
def reading(server: Server, path: str, token: str, **headers: str) -> Iterator[Reader]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}", **headers})
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        yield Reader(answer)
        answer.close()
    finally:
        connection.close()
