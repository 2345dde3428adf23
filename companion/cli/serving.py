"""Serving until somebody stops it: the console, the background tasks and the server."""

import io
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
import segno

from companion.adapters.logs import is_kept_by_system, log_as_json
from companion.adapters.network import ANY_HOST, MdnsAnnouncement, list_addresses
from companion.adapters.system import limit_allocator, os_error_reason
from companion.config import DataFolder
from companion.service.access.logins import Caller
from companion.service.backups import BackupScheduler
from companion.service.camera.camera import shown_name
from companion.service.camera.scanner import CameraLoop
from companion.service.runtime import BackgroundTask
from companion.service.services import Services
from companion.service.table.upkeep import IdleRelease
from companion.web import create_app
from companion.web.pages.templates import TemplatePrecompiler
from companion.web.server.server import Server, ended_by_signals

if TYPE_CHECKING:
    from companion.adapters.certificates.store import ServedCertificate
    from companion.bootstrap.games import InstalledGames
    from companion.service.camera.camera import Camera
    from companion.service.demonstration import CardTable


DEFAULT_CAMERA = "usb"


def restore_requested_backup(backup: Path, folder: DataFolder, console: "Console") -> None:
    """Restore a backup while the server is stopped; a failure leaves the data folder unchanged."""
    from companion.adapters.backup.archive import ArchiveError, restore_backup

    try:
        restore_backup(backup, folder)
        console.print_line(f"{backup.name} is in place; what was there is kept beside, in before-restore-N.")
    except (ArchiveError, OSError) as error:
        console.print_line(f"{backup.name} is not in place: {error}; going on as before")


def choose_camera(
    spec: str | None, console: "Console", games: "InstalledGames", mats: Path
) -> "tuple[Camera, CardTable | None]":
    """Open the chosen camera; without a choice the first USB camera, or the simulated one.

    ``mats``: the folder of mats that the simulated table takes, beside those of games.
    """
    from companion.bootstrap import cameras
    from companion.service.camera.camera import CameraAbsentError, CameraError

    if spec is not None:
        try:
            return cameras.connect_camera(spec, games, mats=mats)
        except CameraAbsentError as error:
            console.print_line(f"{error}; trying on")
            return cameras.connect_camera(spec, games, patient=True)
        except CameraError as error:
            raise click.ClickException(str(error)) from error
    try:
        return cameras.connect_camera(DEFAULT_CAMERA, games)
    except CameraError as error:
        console.print_line(f"{error}; the simulated camera plays instead")
        return cameras.connect_camera("sim", games, mats=mats)


log = logging.getLogger("companion.serve")


class Console:
    """Prints messages to stderr; with ``as_json`` they go to the log.

    Logs are passed on, so they and the system's journal must hold no PIN and no login code.
    """

    def __init__(self, *, as_json: bool = False) -> None:
        """Write for people, or from now on JSON lines for programs."""
        self._as_json = as_json
        if as_json:
            log_as_json()

    def print_line(self, text: str) -> None:
        """Print one line."""
        if self._as_json:
            log.info("%s", " ".join(text.split()))
        else:
            click.echo(text, err=True)

    def print_access(self, addresses: list[str], pin: str, joining: str) -> None:
        """Print addresses and PIN, and ``joining``, the URL that logs the banker in, as a QR code if possible."""
        opening = f"Open   {'  or  '.join(addresses)}"
        if self._as_json or is_kept_by_system():
            self.print_line(opening)
            self.print_line("to see the PIN: companion pin")
            return
        drawn = io.StringIO()
        segno.make(joining, error="l").terminal(drawn, compact=True, border=2)
        shown = _can_be_shown(drawn.getvalue())
        if shown:
            click.echo(drawn.getvalue(), err=True)
        click.echo(opening, err=True)
        hint = "   (the code above signs the banker's tablet in without it)" if shown else ""
        click.echo(f"PIN    {pin}{hint}", err=True)


def _can_be_shown(text: str) -> bool:
    """Return whether the terminal can show a text: without UTF-8 it has no blocks to draw a code."""
    try:
        text.encode(getattr(sys.stderr, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where to serve: a host and a port, and with certificates a second port for HTTPS.

    ``behind``: the path of a socket on which the program's own proxy brings what comes in, in place of all that.
    """

    host: str
    port: int
    certificates: "ServedCertificate | None" = None
    secure_port: int = 0
    behind: Path | None = None


def serve_until_stopped(
    services: Services, place: ServerAddress, pin: str, console: Console, when_ready: Callable[[], None] | None = None
) -> ServerAddress:
    """Serve until SIGTERM, Ctrl-C or a request to restore a backup; return the address with the ports in use.

    ``when_ready`` is called when the server accepts connections.
    """
    limit_allocator()
    announcement: MdnsAnnouncement | None = None
    services = replace(services, network_name=lambda: None if announcement is None else announcement.name)
    app = create_app(services)
    tls = None if place.certificates is None else place.certificates.context
    try:
        server = Server(app, place.host, place.port, tls=tls, secure_port=place.secure_port, behind=place.behind)
    except OSError as error:
        ports = f"port {place.port}" if tls is None else f"port {place.port} or {place.secure_port}"
        message = (
            f"{place.host} {ports} cannot be used ({os_error_reason(error)}); choose another with --host or --port"
        )
        raise click.ClickException(message) from error
    if services.backups is not None:
        services.backups.on_restore_request(server.stop)
    if place.host in ANY_HOST and place.behind is None:
        announcement = MdnsAnnouncement(server.port)
    tasks = _create_tasks(services, place, announcement)
    with ended_by_signals(server, drains=place.behind is not None), _run_tasks(tasks, TemplatePrecompiler(app)):
        if place.behind is None:
            _print_addresses(services, place.host, server, pin, console)
        if when_ready is not None:
            when_ready()
        server.run()
    return replace(place, port=server.port, secure_port=server.secure_port)


def _create_tasks(
    services: Services, place: ServerAddress, announcement: MdnsAnnouncement | None
) -> Iterator[BackgroundTask]:
    yield CameraLoop(services.scanner)
    yield IdleRelease(services.tables)
    if services.backups is not None:
        yield BackupScheduler(services.backups)
    if announcement is not None:
        yield announcement
    if place.certificates is not None:
        from companion.adapters.certificates.store import CertificateRenewal  # 8 MB of libraries, with HTTPS only

        yield CertificateRenewal(place.certificates)


@contextmanager
def _run_tasks(tasks: Iterator[BackgroundTask], *others: BackgroundTask) -> Iterator[None]:
    """Run tasks beside the server for the block; they are stopped in reverse order."""
    with ExitStack() as running:
        for task in (*tasks, *others):
            task.start()
            running.callback(task.stop)
        yield


def _print_addresses(services: Services, host: str, server: Server, pin: str, console: Console) -> None:
    addresses = list_addresses(server.port, host)
    link = services.guests.link(Caller("banker"))
    token = services.logins.banker_join_token(link.generation, link.links)
    console.print_access(addresses, pin, f"{addresses[0]}join/{token}")
    if server.secure_port:
        console.print_line(f"HTTPS  {list_addresses(server.secure_port, host, scheme='https')[0]}")
    if services.certificates is not None and services.certificates.authority is not None:
        console.print_line(f"       devices have to trust it once: {addresses[0]}trust tells how")
    console.print_line(f"Camera {shown_name(services.scanner.camera.name)}")
    console.print_line("Stop with Ctrl-C.")
