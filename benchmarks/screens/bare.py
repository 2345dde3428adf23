"""The peer: Python's own threading HTTP server, which sends bytes of the same number and knows no game.

    python -m benchmarks.screens.bare EVENT_BYTES PART_BYTES

It answers what a screen asks (an event stream, a part of a page) and a command, which it commits to SQLite as the
journal does before it wakes the streams.  Its port is the only line on stdout.
"""

import sqlite3
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from benchmarks.arguments import create_parser
from companion.service.runtime import Counter


class Bare(BaseHTTPRequestHandler):
    """Answers one connection after the other requests on it."""

    protocol_version = "HTTP/1.1"
    event, part = "", b""
    signal = Counter()
    lock = threading.Lock()
    journal: sqlite3.Connection

    def do_GET(self) -> None:
        """Send the event stream, or a part of a page."""
        if "stream" not in self.path:
            self._answer(self.part)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        count = self.signal.count
        while True:
            version = self.signal.count
            self.wfile.write(f"event: version\nid: {version + 1}\ndata: {self.event}\n\n".encode())
            self.wfile.flush()
            while count <= version:
                count = self.signal.wait_beyond(version, 60)

    def do_POST(self) -> None:
        """Keep what was sent, then wake the streams."""
        line = self.rfile.read(int(self.headers["Content-Length"])).decode()
        with self.lock:
            self.journal.execute("INSERT INTO rows (line) VALUES (?)", (line,))
            self.signal.bump()
        self._answer(b"{}")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the library
        """Write no log."""

    def _answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main() -> None:
    """Serve until ended."""
    parser = create_parser(__doc__)
    parser.add_argument("event", metavar="EVENT_BYTES", type=int)
    parser.add_argument("part", metavar="PART_BYTES", type=int)
    options = parser.parse_args()
    event, part = options.event, options.part
    Bare.event, Bare.part = "x" * event, b"x" * part
    with tempfile.TemporaryDirectory() as folder:
        Bare.journal = sqlite3.connect(Path(folder) / "rows.sqlite", isolation_level=None, check_same_thread=False)
        Bare.journal.execute("PRAGMA journal_mode=WAL")
        Bare.journal.execute("PRAGMA synchronous=FULL")
        Bare.journal.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, line TEXT NOT NULL)")
        ThreadingHTTPServer.request_queue_size = 1_000
        server = ThreadingHTTPServer(("127.0.0.1", 0), Bare)
        server.daemon_threads = True
        print(server.server_port, flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
