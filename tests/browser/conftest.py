"""A running installation under the simulated camera, and a real Chromium before it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page

from companion.bootstrap.cameras import connect_camera
from companion.bootstrap.installation import open_certificate, open_installation
from companion.config import DataFolder
from companion.service.camera.scanner import CameraLoop
from companion.service.services import Services
from companion.service.table.table import Table
from companion.simulator.table import SimulatedTable
from companion.web import create_app
from companion.web.server.server import Server
from tests.chromium import CHROMIUM
from tests.fakes import readable_tables
from tests.waiting import PATIENCE_MS, PATIENCE_S, until

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
TABLET = {"width": 1280, "height": 800}
PIN = "2468"


@dataclass(frozen=True)
class Installation:
    """A running companion as browser tests need it."""

    address: str
    services: Services
    simulated: SimulatedTable | None
    secure: str

    @property
    def simulated_table(self) -> SimulatedTable:
        """The table under the simulated camera."""
        assert self.simulated is not None
        return self.simulated

    def looked_on(self, frames: int = 3) -> None:
        """Wait until the camera has looked at the table so many times more."""
        before = self._frame_number()
        until(lambda: self._frame_number() >= before + frames)

    def _frame_number(self) -> int:
        latest = self.services.scanner.latest
        return -1 if latest is None else latest.number

    @property
    def table(self) -> Table:
        """The one table there is."""
        (table,) = readable_tables(self.services.tables)
        return table


@contextmanager
def serving(
    folder: Path, spec: str = "sim:3", port: int = 0, pin: str = PIN, pause_s: float = 0.1
) -> Iterator[Installation]:
    """Serve a data folder as ``companion serve --camera SPEC`` does; port 0 is a free one.

    Served as with ``--https --captive``.  Invitations name this machine by its loopback address, where the
    tests' phones are.  ``pause_s``: from one frame to the next, quicker than for people.
    """
    source, simulated_table = connect_camera(spec)
    folder.mkdir(exist_ok=True)
    secured = open_certificate(DataFolder(folder))
    opened = open_installation(DataFolder(folder), source, simulated_table, pin=pin, certificates=secured)
    opened.services.preferences.choose(welcomed=True)
    services = replace(opened.services, reachable=lambda port: [f"http://127.0.0.1:{port}/"], captive=True)
    server = Server(create_app(services), "127.0.0.1", port, tls=secured.context)
    serving = threading.Thread(target=server.run, name="server")
    watch = CameraLoop(services.scanner, pause_s)
    serving.start()
    watch.start()
    try:
        assert simulated_table is None or isinstance(simulated_table, SimulatedTable)
        yield Installation(
            f"http://127.0.0.1:{server.port}", services, simulated_table, f"https://127.0.0.1:{server.secure_port}"
        )
    finally:
        server.stop()
        serving.join(timeout=PATIENCE_S)
        watch.stop()
        opened.close()


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    """Serve as ``companion serve --camera sim`` does, on a free port."""
    with serving(tmp_path / "data") as opened:
        yield opened


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Debian's Chromium, which does not look for anything outside this machine."""
    return {"executable_path": CHROMIUM, "args": list(QUIET)}


@pytest.fixture(scope="session")
def browser_context_args() -> dict[str, Any]:
    """A tablet in landscape."""
    return {"viewport": TABLET, "locale": "en-GB"}


@pytest.fixture(autouse=True)
def no_trouble_on_any_page(context: BrowserContext) -> Iterator[None]:
    """Any error that a page's code raises or logs fails the test."""
    context.set_default_timeout(PATIENCE_MS)
    troubles: list[str] = []

    def listen(page: Page) -> None:
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda message: troubles.append(message.text) if _is_error(message) else None)

    context.on("page", listen)
    yield
    assert troubles == []


def _is_error(message: ConsoleMessage) -> bool:
    return message.type == "error"
