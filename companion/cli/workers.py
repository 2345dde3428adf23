"""``companion serve --workers N``: the processes of a hall, started, watched, replaced one by one, ended together."""

import ctypes
import logging
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from companion.adapters.backup.archive import lock_folder
from companion.adapters.logs import log_as_json, name_process
from companion.adapters.network import list_addresses
from companion.adapters.proxy import ProxyPlan, find_haproxy, write_configuration
from companion.adapters.stores import load_settings, remove_unfinished
from companion.adapters.system import allow_many_files, os_error_reason
from companion.cli.options import catalog_option, data_option, database_option
from companion.cli.output import DebugFlag, run_command_line
from companion.config import DataFolder, resolve_data_folder

log = logging.getLogger("companion.workers")

LOOK_S = 0.1
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0
"""Before a process that died is started again: longer each time, until it has lived ``SOUND_S``."""
SOUND_S = 60.0
PATIENCE_S = 60.0
"""How long pages wait at the start for those processes that are not ready yet."""
START_S = 120.0
"""A process that is not ready after so long is given up while others are replaced one by one."""
END_S = 20.0
GATEWAY = "gateway"
BACKLOG = 4_096
STREAMS_OF_A_WORKER = 16
"""Event streams with whole positions, for programs: each takes a thread of the app."""
UNUSABLE = 2
"""The exit code of a process that cannot be started as it is asked for: the database cannot be used, for example."""
DIE_WITH_PARENT = 1
"""``PR_SET_PDEATHSIG`` of ``prctl(2)``."""


@dataclass
class Part:
    """One process: how it is started, and how it fares.

    ``command`` is run with ``shared`` file descriptors open; one that tells when it is ready gets ``--ready-fd``.
    """

    name: str
    command: Sequence[str]
    shared: tuple[int, ...] = ()
    tells_ready: bool = True
    process: "subprocess.Popen[bytes] | None" = None
    is_ready: bool = False
    failures: int = 0
    is_unusable: bool = False
    """True once it has ended at its first start because its options cannot work; it has printed the reason."""
    began: float = 0.0
    due: float = 0.0
    _ready_end: int | None = field(default=None, repr=False)

    def start(self, environment: Mapping[str, str]) -> None:
        """Start the process; it ends when this one does, however this one ends."""
        shared, command = self.shared, list(self.command)
        telling: int | None = None
        if self.tells_ready:
            self._close()
            self._ready_end, telling = os.pipe()
            shared, command = (*shared, telling), [*command, "--ready-fd", str(telling)]
        self.is_ready, self.began = not self.tells_ready, time.monotonic()
        try:
            self.process = subprocess.Popen(  # noqa: S603 - our own program, and haproxy
                command,
                pass_fds=shared,
                env=dict(environment),
                process_group=0,  # Ctrl-C is for the supervisor, which then ends the others
                preexec_fn=_die_with_parent,  # noqa: PLW1509 - one thread
            )
        finally:
            if telling is not None:
                os.close(telling)

    def update(self) -> bool:
        """Return whether it is running; learn whether it is ready."""
        if self.process is None or self.process.poll() is not None:
            return False
        if not self.is_ready and self._ready_end is not None and select.select([self._ready_end], [], [], 0)[0]:
            self.is_ready = bool(os.read(self._ready_end, 1))
            self._close()
        return True

    def note_death(self) -> None:
        """Log how it ended, and decide when it is started again."""
        code = None if self.process is None else self.process.returncode
        self.is_unusable = code == UNUSABLE and not self.is_ready and not self.failures
        self.process, self.is_ready = None, False
        self.failures = 0 if time.monotonic() - self.began >= SOUND_S else self.failures + 1
        pause = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** (self.failures - 1)) if self.failures else 0.0
        self.due = time.monotonic() + pause
        log.error("%s has ended (%s); it is started again in %.1f s", self.name, _describe_end(code), pause)

    def go_back_to(self, earlier: "subprocess.Popen[bytes]") -> None:
        """Go on with an earlier process, which serves; the one that was started after it is killed."""
        if self.process is not None and self.process is not earlier:
            self.process.kill()
            self.process.wait()
        self._close()
        self.process, self.is_ready = earlier, True

    def send(self, number: signal.Signals) -> None:
        """Send it a signal if it is running."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)

    def _close(self) -> None:
        if self._ready_end is not None:
            os.close(self._ready_end)
            self._ready_end = None


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)


def _describe_end(code: int | None) -> str:
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"


class Supervisor:
    """Keeps all parts running until it is told to end; ``replace`` is asked for by SIGHUP."""

    def __init__(self, workers: Sequence[Part], gateway: Part, proxy: Part, environment: Mapping[str, str]) -> None:
        """Store the parts, none of which runs yet."""
        self._workers, self._gateway, self._proxy = tuple(workers), gateway, proxy
        self._environment = environment
        self._is_stopping = self._is_replacing = False

    @property
    def _parts(self) -> tuple[Part, ...]:
        return (*self._workers, self._gateway, self._proxy)

    def run(self, when_ready: Callable[[], None]) -> None:
        """Start all, and look after them until SIGTERM or Ctrl-C."""
        with self._listening_to_signals():
            for part in (*self._workers, self._gateway):
                part.start(self._environment)
            self._wait_for(self._is_settled, PATIENCE_S, but=self._proxy)
            if any(part.is_unusable for part in self._parts):
                self._end()
                raise click.exceptions.Exit(UNUSABLE)
            if self._wait_for(self._can_serve, but=self._proxy):  # one that cannot start keeps no other back
                self._proxy.start(self._environment)
                when_ready()
            while not self._is_stopping:
                self._look()
                if self._is_replacing:
                    self._is_replacing = False
                    self._replace_all()
        self._end()

    def _is_settled(self) -> bool:
        """Return whether all are ready, or one has said why it never will be."""
        parts = (*self._workers, self._gateway)
        return all(part.is_ready for part in parts) or any(part.is_unusable for part in parts)

    def _can_serve(self) -> bool:
        return self._gateway.is_ready and any(worker.is_ready for worker in self._workers)

    @contextmanager
    def _listening_to_signals(self) -> Iterator[None]:
        def stop(_number: int, _frame: object) -> None:
            self._is_stopping = True

        def replace(_number: int, _frame: object) -> None:
            self._is_replacing = True

        handlers = {signal.SIGTERM: stop, signal.SIGINT: stop, signal.SIGHUP: replace}
        before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _look(self, but: Part | None = None) -> None:
        """Start again what has died, and sleep a moment; ``but`` is being replaced."""
        for part in self._parts:
            if part is but or part.update():
                continue
            if part.process is not None:
                part.note_death()
            elif time.monotonic() >= part.due:
                part.start(self._environment)
        time.sleep(LOOK_S)

    def _wait_for(self, true: Callable[[], bool], limit_s: float = float("inf"), but: Part | None = None) -> bool:
        """Look after all until something is true; return whether it became so in time, and nobody said to stop."""
        give_up = time.monotonic() + limit_s
        while not true():
            if self._is_stopping or time.monotonic() >= give_up:
                return False
            self._look(but)
        return True

    def _replace_all(self) -> None:
        """Replace the workers one after the other, each when the one before is ready; then the gateway."""
        for worker in self._workers:
            worker.send(signal.SIGTERM)
            process = worker.process
            if process is None or not self._wait_for(lambda p=process: p.poll() is not None, END_S, but=worker):  # type: ignore[misc]
                worker.send(signal.SIGKILL)
            if not self._start_anew(worker):
                return
        old = self._gateway.process
        if not self._start_anew(self._gateway):  # both take streams from one socket
            if old is not None:
                self._gateway.go_back_to(old)
            return
        if old is not None:
            old.send_signal(signal.SIGTERM)
            self._wait_for(lambda: old.poll() is not None, END_S)
            old.kill()
            old.wait()
        log.info("all processes are replaced")

    def _start_anew(self, part: Part) -> bool:
        if self._is_stopping:
            return False
        part.start(self._environment)
        if self._wait_for(lambda: part.is_ready or not part.update(), START_S, but=part) and part.is_ready:
            return True
        log.error("%s could not be started; the others stay as they are", part.name)
        return False

    def _end(self) -> None:
        """End all: the proxy first, so that nobody comes any more, then the rest."""
        for parts in ((self._proxy,), (*self._workers, self._gateway)):
            for part in parts:
                part.send(signal.SIGINT if part.is_ready else signal.SIGTERM)
            give_up = time.monotonic() + END_S
            for part in parts:
                if part.process is not None:
                    try:
                        part.process.wait(max(0.0, give_up - time.monotonic()))
                    except subprocess.TimeoutExpired:
                        part.process.kill()
                        part.process.wait()


@dataclass(frozen=True, slots=True)
class PublicAddress:
    """Where people connect.

    ``certificate``: files of a certificate with its chain and of its key, for secure pages on ``secure_port``.
    """

    host: str
    port: int
    certificate: tuple[Path, Path] | None
    secure_port: int

    def listen(self, port: int) -> socket.socket:
        """Return a listening socket.  It is kept here, so that nobody is turned away while the proxy starts again."""
        try:
            return socket.create_server((self.host, port), backlog=BACKLOG)
        except OSError as error:
            message = f"{self.host} port {port} cannot be used ({os_error_reason(error)}); choose another with --port"
            raise click.ClickException(message) from error

    def write_certificate(self, pem: Path) -> Path:
        """Write certificate and key into one file, as haproxy wants them."""
        with os.fdopen(os.open(pem, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
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
            remove_unfinished(self.folder)
            settings = load_settings(self.folder.settings, pin)
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
            plan = ProxyPlan(sockets, folder / GATEWAY, plain.fileno(), plain.getsockname()[1], pem)
            configuration.write_text(write_configuration(plan), encoding="utf-8")
            bound = (plain.fileno(), *(() if secure is None else (secure.fileno(),)))
            parts = [Part(name, self._command(name, "--socket", str(path))) for name, path in sockets]
            gateway = Part(GATEWAY, self._command(GATEWAY, "--socket-fd", str(streams.fileno())), (streams.fileno(),))
            proxy = Part("haproxy", (program, "-q", "-db", "-f", str(configuration)), bound, tells_ready=False)
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
        lines.append("to see the PIN: companion pin" if self.as_json else f"PIN    {pin}")
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
        _run_gateway(folder, database, socket.socket(fileno=socket_fd), tell_ready)
    else:
        _run_worker(folder, database, path, tell_ready, catalog=catalog, known_as=known_as, as_json=as_json)


def _run_gateway(folder: DataFolder, database: str, listening: socket.socket, tell_ready: Callable[[], None]) -> None:
    import asyncio

    import uvloop

    from companion.bootstrap.hall import open_gateway

    allow_many_files()
    opened = open_gateway(folder, database)
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

    console, games = Console(as_json=as_json), find_games()
    source, furniture = choose_camera("none", console, games)
    running = installation.open_installation(folder, source, furniture, games=games, database=database, **wishes)
    services = replace(running.services, screens=STREAMS_OF_A_WORKER)
    try:
        serve_until_stopped(services, ServerAddress("", 0, behind=path), running.pin, console, tell_ready)
    finally:
        running.close()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    sys.exit(run_command_line(run_part, DebugFlag()))
