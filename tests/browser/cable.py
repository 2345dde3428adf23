"""A cable between a page and the companion: pulled, it carries nothing more and tells neither end."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Cable:
    """Carries bytes both ways until it is pulled."""

    def __init__(self, port: int) -> None:
        """Lead to a port of this machine; ``port`` is then the near end."""
        self._there = port
        self._pulled = threading.Event()
        self._closing = threading.Lock()
        self._ends: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def pull(self) -> None:
        """Carry nothing more; connections stay open, and new ones are taken and never answered."""
        self._pulled.set()

    def plug_in(self) -> None:
        """Carry what new connections bring; those that brought something meanwhile stay dead."""
        self._pulled.clear()

    def close(self) -> None:
        """Let go of both ends."""
        self._pulled.set()
        with self._closing:
            self._listening.close()
            for end in self._ends:
                with suppress(OSError):
                    end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                with self._closing:
                    if self._listening.fileno() < 0:  # closed meanwhile
                        near.close()
                        return
                    self._ends.append(near)
                if self._pulled.is_set():
                    continue
                far = socket.create_connection(("127.0.0.1", self._there))
                self._ends.append(far)
                for source, other in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(source, other), daemon=True).start()

    def _carry(self, source: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while (data := source.recv(65_536)) and not self._pulled.is_set():
                other.sendall(data)
            if not self._pulled.is_set():
                other.shutdown(socket.SHUT_WR)


@contextmanager
def laid(port: int) -> Iterator[Cable]:
    """Lay a cable to a port of this machine."""
    cable = Cable(port)
    try:
        yield cable
    finally:
        cable.close()
