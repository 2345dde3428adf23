"""Serving pages until somebody stops it, and saying where to look."""

import io
import sys
from collections.abc import Callable

import click
import segno

from companion.adapters.addresses import EVERYWHERE, own_addresses
from companion.adapters.allocator import keep_few_heaps
from companion.adapters.announcing import Announcement
from companion.service.backups import Keeper
from companion.service.services import Services
from companion.service.sight.watch import Watch
from companion.web import create_app
from companion.web.pages.warming import Warming
from companion.web.server import Server, ended_by_signals


def serve_until_stopped(
    services: Services, host: str, port: int, pin: str, when_ready: Callable[[], None] | None = None
) -> None:
    """Look at the table and serve until SIGTERM or Ctrl-C; addresses, PIN and QR code go to stderr."""
    keep_few_heaps()
    try:
        app = create_app(services)
        server = Server(app, host, port)
    except OSError as error:
        message = f"{host} port {port} cannot be had ({error.strerror}); choose another with --host or --port"
        raise click.ClickException(message) from error
    announcement = Announcement(server.port) if host in EVERYWHERE else None
    watch, warming = Watch(services.scanner), Warming(app)
    keeper = None if services.backups is None else Keeper(services.backups)
    with ended_by_signals(server):
        watch.start()
        warming.start()
        if keeper is not None:
            keeper.start()
        if announcement is not None:
            announcement.start()
        try:
            _say_where(services, host, server.port, pin)
            if when_ready is not None:
                when_ready()
            server.run()
        finally:
            warming.stop()
            if announcement is not None:
                announcement.stop()
            if keeper is not None:
                keeper.stop()
            watch.stop()


def _say_where(services: Services, host: str, port: int, pin: str) -> None:
    addresses = own_addresses(port, host)
    joining = f"{addresses[0]}join/{services.logins.banker_join_token()}"
    drawn = io.StringIO()
    segno.make(joining, error="l").terminal(drawn, compact=True, border=2)
    shown = _can_be_written(drawn.getvalue())
    if shown:
        click.echo(drawn.getvalue(), err=True)
    click.echo(f"Open   {'  or  '.join(addresses)}", err=True)
    click.echo(
        f"PIN    {pin}" + ("   (the code above signs the banker's tablet in without it)" if shown else ""), err=True
    )
    click.echo(f"Camera {services.scanner.camera.name}", err=True)
    click.echo("Stop with Ctrl-C.", err=True)


def _can_be_written(text: str) -> bool:
    """Say whether the terminal has the signs: one that is not set to UTF-8 has no blocks to draw a code with."""
    try:
        text.encode(getattr(sys.stderr, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
