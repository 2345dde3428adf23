"""Serving pages until somebody stops it, and saying where to look."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

import click

from companion.adapters.addresses import EVERYWHERE, own_addresses
from companion.adapters.allocator import keep_little
from companion.adapters.announcing import Announcement
from companion.adapters.certificates.kept import Certificates
from companion.adapters.certificates.renewal import Renewal
from companion.cli.saying import Saying
from companion.service.backups import Keeper
from companion.service.services import Services
from companion.service.sight.watch import Watch
from companion.web import create_app
from companion.web.pages.warming import Warming
from companion.web.server import Server, ended_by_signals


@dataclass(frozen=True, slots=True)
class Place:
    """Where to serve: a host and a port, and with certificates a second port for secure pages."""

    host: str
    port: int
    certificates: Certificates | None = None
    secure_port: int = 0


class _Helper(Protocol):
    def start(self) -> None: ...
    def stop(self) -> None: ...


def serve_until_stopped(
    services: Services, place: Place, pin: str, saying: Saying, when_ready: Callable[[], None] | None = None
) -> Place:
    """Look at the table and serve until SIGTERM, Ctrl-C or a wish to go back; give the place with its ports.

    What people need to know goes to stderr.
    """
    keep_little()
    app = create_app(services)
    tls = None if place.certificates is None else place.certificates.context
    try:
        server = Server(app, place.host, place.port, tls=tls, secure_port=place.secure_port)
    except OSError as error:
        ports = f"port {place.port}" if tls is None else f"port {place.port} or {place.secure_port}"
        message = f"{place.host} {ports} cannot be had ({error.strerror}); choose another with --host or --port"
        raise click.ClickException(message) from error
    if services.backups is not None:
        services.backups.when_wished(server.stop)
    with ended_by_signals(server), _helped(_helpers(services, place, server.port), Warming(app)):
        _say_where(services, place.host, server, pin, saying)
        if when_ready is not None:
            when_ready()
        server.run()
    return replace(place, port=server.port, secure_port=server.secure_port)


def _helpers(services: Services, place: Place, port: int) -> Iterator[_Helper]:
    yield Watch(services.scanner)
    if services.backups is not None:
        yield Keeper(services.backups)
    if place.host in EVERYWHERE:
        yield Announcement(port)
    if place.certificates is not None:
        yield Renewal(place.certificates)


@contextmanager
def _helped(helpers: Iterator[_Helper], *others: _Helper) -> Iterator[None]:
    """Let threads run beside the server, and end the last first."""
    with ExitStack() as running:
        for helper in (*helpers, *others):
            helper.start()
            running.callback(helper.stop)
        yield


def _say_where(services: Services, host: str, server: Server, pin: str, saying: Saying) -> None:
    addresses = own_addresses(server.port, host)
    saying.way_in(addresses, pin, f"{addresses[0]}join/{services.logins.banker_join_token()}")
    if server.secure_port:
        saying.line(f"HTTPS  {own_addresses(server.secure_port, host, scheme='https')[0]}")
    if services.certificates is not None and services.certificates.authority is not None:
        saying.line(f"       devices have to trust it once: {addresses[0]}trust tells how")
    saying.line(f"Camera {services.scanner.camera.name}")
    saying.line("Stop with Ctrl-C.")
