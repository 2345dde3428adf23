"""``companion serve --workers N``: the processes of a hall, their sockets and commands, and what runs in each."""

import gc
import logging
import os
import socket
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from companion.adapters.backup.archive import finish_restore, lock_folder, make_private_folder
from companion.adapters.logs import is_kept_by_system, log_as_json, name_process
from companion.adapters.network import list_addresses
from companion.adapters.proxy import ProxyPlan, find_haproxy, write_configuration
from companion.adapters.stores import load_settings, remove_unfinished
from companion.adapters.system import allow_many_files, os_error_reason
from companion.cli.options import catalog_option, data_option, database_option
from companion.cli.output import DebugFlag, run_command_line
from companion.cli.supervisor import HealthCheck, Part, Supervisor
from companion.config import DataFolder, resolve_data_folder

log = logging.getLogger("companion.workers")

GATEWAY = "gateway"
BACKLOG = 4_096
STREAMS_OF_A_WORKER = 16
"""Event streams with whole positions, for programs: each takes a thread of the app."""
GARBAGE_THRESHOLDS = (50_000, 50, 100)
"""Of Python's collector of cycles: looking through the positions of hundreds of tables stops a worker for 0.3 s."""


@dataclass(frozen=True, slots=True)
class PublicAddress:
    """Where people connect.

    ``certificate``: files of a certificate with its chain and of its key, for secure pages on ``secure_port``.
    """

    host: str
    port: int
    certificate: tuple[Path, Path] | None
    secure_port: int

    def certificate_names(self) -> list[str]:
        """Return the names in the certificate, for which browsers ask, without its patterns."""
        if self.certificate is None:
            return []
        from cryptography import x509  # 8 MB, with a certificate of one's own only

        try:
            read = x509.load_pem_x509_certificate(self.certificate[0].read_bytes())
            names = read.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        except (OSError, ValueError, x509.ExtensionNotFound):
            return []  # whoever serves with it says what is wrong with it
        return [name for name in names.get_values_for_type(x509.DNSName) if "*" not in name]

    def listen(self, port: int) -> socket.socket:
        """Return a listening socket.  It is kept here, so that nobody is turned away while the proxy starts again."""
        try:
            wish = socket.getaddrinfo(self.host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
            family, *_, address = wish[0]
            is_any = self.host == "::" and socket.has_dualstack_ipv6()  # of IPv4 too, as at home
            return socket.create_server(address, family=family, backlog=BACKLOG, dualstack_ipv6=is_any)
        except OSError as error:
            message = f"{self.host} port {port} cannot be used ({os_error_reason(error)}); choose another with --port"
            raise click.ClickException(message) from error

    def write_certificate(self, pem: Path) -> Path:
        """Write certificate and key into one file, as haproxy wants them."""
        with os.fdopen(os.open(pem, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            for part in self.certificate or ():
                file.write(part.read_bytes().rstrip() + b"\n")
        return pem


@dataclass(frozen=True, slots=True)
class Hall:
    """A hall to be served: its data folder and database, where people connect, and what each process is told."""

    folder: DataFolder
    database: str | None
    place: PublicAddress
    catalog: str | None
    known_as: Sequence[str]
    as_json: bool

    def serve(self, workers: int, pin: str | None, *, is_unfit: bool) -> None:
        """Serve with several processes until stopped.

        Raises:
            click.UsageError: without a database, or where other options ask for what a hall has not (``is_unfit``).
            click.ClickException: when haproxy is not installed, or a port cannot be used.

        """
        if self.database is None or is_unfit:
            message = (
                "--workers needs --database, and a certificate of your own for --https; it goes without a camera, "
                "--record, --captive, --backups and --new-journal"
            )
            raise click.UsageError(message)
        program = find_haproxy()
        if program is None:
            message = "--workers needs haproxy in front: apt install haproxy"
            raise click.ClickException(message)
        with lock_folder(self.folder.lock), ExitStack() as stack:
            finish_restore(self.folder.path)
            remove_unfinished(self.folder)
            settings = load_settings(self.folder.settings, pin)
            make_private_folder(self.folder.path)
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-")))
            plain = stack.enter_context(self.place.listen(self.place.port))
            secure, pem = None, None
            if self.place.certificate is not None:
                secure = stack.enter_context(self.place.listen(self.place.secure_port))
                pem = secure.fileno(), self.place.write_certificate(folder / "certificate.pem")
            streams = stack.enter_context(socket.socket(socket.AF_UNIX))
            streams.bind(str(folder / GATEWAY))
            streams.listen(BACKLOG)
            sockets = [(f"worker-{number}", folder / f"worker-{number}") for number in range(1, workers + 1)]
            configuration = folder / "haproxy.cfg"
            health = folder / "haproxy"
            plan = ProxyPlan(sockets, folder / GATEWAY, health, plain.fileno(), plain.getsockname()[1], pem)
            configuration.write_text(write_configuration(plan), encoding="utf-8")
            bound = (plain.fileno(), *(() if secure is None else (secure.fileno(),)))
            parts = [
                Part(name, self._command(name, "--socket", str(path)), health=HealthCheck(path))
                for name, path in sockets
            ]
            command = self._command(GATEWAY, "--socket-fd", str(streams.fileno()), "--processes", str(workers + 1))
            gateway = Part(GATEWAY, command, (streams.fileno(),), health=HealthCheck(folder / GATEWAY))
            proxy = Part(
                "haproxy",
                (program, "-q", "-db", "-f", str(configuration)),
                bound,
                tells_ready=False,
                health=HealthCheck(health),
            )
            environment = {**os.environ, "COMPANION_DATABASE": self.database}
            Supervisor(parts, gateway, proxy, environment).run(partial(self._tell, plain, secure, settings.pin))

    def _command(self, name: str, *more: str) -> Sequence[str]:
        """Return the command of one process.  The address of the database is no part of it: others see commands."""
        known_as = [word for other in self.known_as for word in ("--known-as", other)]
        catalog = [] if self.catalog is None else ["--catalog", self.catalog]
        as_json = ["--json"] if self.as_json else []
        safe_path = ("-P",) if sys.flags.safe_path else ()
        program = (sys.executable, *safe_path, "-m", "companion.cli.workers", name, "--data", str(self.folder.path))
        return (*program, *more, *known_as, *catalog, *as_json)

    def _tell(self, plain: socket.socket, secure: socket.socket | None, pin: str) -> None:
        addresses = list_addresses(plain.getsockname()[1], self.place.host)
        lines = [f"Open   {'  or  '.join(addresses)}"]
        if secure is not None:
            lines.append(f"HTTPS  {list_addresses(secure.getsockname()[1], self.place.host, scheme='https')[0]}")
        is_logged = self.as_json or is_kept_by_system()
        lines.append("to see the PIN: companion pin" if is_logged else f"PIN    {pin}")
        lines.append("Stop with Ctrl-C; SIGHUP replaces all processes, one after the other.")
        for line in lines:
            if self.as_json:
                log.info("%s", line)
            else:
                click.echo(line, err=True)


# What runs in each process: python -m companion.cli.workers NAME.


@click.command()
@click.argument("name")
@click.option("--socket", "path", type=click.Path(path_type=Path))
@click.option("--socket-fd", type=int, default=0)
@click.option("--processes", type=int, default=1)
@click.option("--ready-fd", type=int, required=True)
@click.option("--known-as", multiple=True)
@click.option("--json", "as_json", is_flag=True)
@catalog_option
@database_option
@data_option
def run_part(  # noqa: PLR0913 - one an option
    *,
    name: str,
    path: Path | None,
    socket_fd: int,
    processes: int,
    ready_fd: int,
    known_as: tuple[str, ...],
    as_json: bool,
    catalog: str | None,
    database: str,
    data: str,
) -> None:
    """Serve as one of the processes of a hall, until stopped."""
    name_process(name)
    if as_json:
        log_as_json()

    def tell_ready() -> None:
        os.write(ready_fd, b"!")
        os.close(ready_fd)

    folder = resolve_data_folder(data)
    if path is None:
        _run_gateway(folder, database, socket.socket(fileno=socket_fd), tell_ready, processes)
    else:
        _run_worker(folder, database, path, tell_ready, catalog=catalog, known_as=known_as, as_json=as_json)


def _run_gateway(
    folder: DataFolder, database: str, listening: socket.socket, tell_ready: Callable[[], None], processes: int
) -> None:
    import asyncio

    import uvloop

    from companion.bootstrap.hall import open_gateway

    allow_many_files()
    opened = open_gateway(folder, database, processes)
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(opened.gateway.run(listening, tell_ready))
    finally:
        opened.close()


def _run_worker(
    folder: DataFolder, database: str, path: Path, tell_ready: Callable[[], None], *, as_json: bool, **wishes: Any
) -> None:
    from companion.bootstrap import find_games, installation
    from companion.cli.serving import Console, ServerAddress, choose_camera, serve_until_stopped

    gc.set_threshold(*GARBAGE_THRESHOLDS)
    console, games = Console(as_json=as_json), find_games()
    source, simulated_table = choose_camera("none", console, games, folder.mats)
    running = installation.open_installation(folder, source, simulated_table, games=games, database=database, **wishes)
    running.services.tables.start_at(partial(agree_on_start, path.parent))
    services = replace(running.services, screens=STREAMS_OF_A_WORKER)
    try:
        serve_until_stopped(services, ServerAddress("", 0, behind=path), running.pin, console, tell_ready)
    finally:
        running.close()


def agree_on_start(folder: Path, change: int) -> int:
    """Return the last change before the start of a hall: that of whichever process came first, which keeps it there.

    A worker that is started later would call tables interrupted at which people play.
    """
    kept, own = folder / "started-at", folder / f"started-at-{os.getpid()}"
    own.write_text(str(change), encoding="ascii")
    try:
        with suppress(FileExistsError):
            kept.hardlink_to(own)
    finally:
        own.unlink()
    return int(kept.read_text(encoding="ascii"))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    sys.exit(run_command_line(run_part, DebugFlag()))
