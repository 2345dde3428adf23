"""A screen without a browser: it follows a table's events and fetches its part of the page anew, as pages do."""

import asyncio
import json
import time
from dataclasses import dataclass, field

HOST = "127.0.0.1"


@dataclass
class Screen:
    """One page that follows a table.  ``heard`` and ``drawn``: when which version came, in seconds of one clock."""

    port: int
    table: str
    token: str
    part: str
    language: str
    heard: dict[int, float] = field(default_factory=dict)
    drawn: dict[int, float] = field(default_factory=dict)
    characters: int = 0

    async def follow(self) -> None:
        """Follow the table until cancelled."""
        stream, stream_writer = await asyncio.open_connection(HOST, self.port)
        stream_writer.write(self._request(f"/api/v1/tables/{self.table}/stream"))
        page, fetching = await asyncio.open_connection(HOST, self.port)
        try:
            _want_200(await stream.readline())
            while line := await stream.readline():
                if not line.startswith(b"id: "):
                    continue
                version = int(line[4:])
                await stream.readuntil(b"\n\n")
                self.heard[version] = time.monotonic()
                fetching.write(self._request(f"/tables/{self.table}/live?part={self.part}"))
                self.characters = await _body(page)
                self.drawn[version] = time.monotonic()
        finally:
            stream_writer.close()
            fetching.close()

    def _request(self, path: str) -> bytes:
        cookie = f"lang={self.language}"
        head = f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {self.token}\r\nCookie: {cookie}\r\n\r\n"
        return head.encode()


def _want_200(status: bytes) -> None:
    if b" 200 " not in status:
        message = f"a screen was answered {status.decode().strip()}"
        raise RuntimeError(message)


async def _body(answers: asyncio.StreamReader) -> int:
    """Read one answer; give the length of its body."""
    _want_200(await answers.readline())
    length = 0
    while (line := await answers.readline()).strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    await answers.readexactly(length)
    return length


async def ask(port: int, path: str, body: object = None, token: str = "", **headers: str) -> dict[str, object]:
    """GET, or POST where there is a body, on a connection of its own; give the JSON that is answered."""
    reader, writer = await asyncio.open_connection(HOST, port)
    content = b"" if body is None else json.dumps(body).encode()
    lines = [f"{'GET' if body is None else 'POST'} {path} HTTP/1.1", f"Host: {HOST}", "Connection: close"]
    lines += [f"Authorization: Bearer {token}"] * bool(token) + [f"{key}: {value}" for key, value in headers.items()]
    lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"] * (body is not None)
    writer.write("\r\n".join([*lines, "", ""]).encode() + content)
    answer = await reader.read()
    writer.close()
    head, _, text = answer.partition(b"\r\n\r\n")
    if not head.split(b" ", 2)[1].startswith(b"2"):
        message = f"{path}: {text.decode()}"
        raise RuntimeError(message)
    document: dict[str, object] = json.loads(text)
    return document
