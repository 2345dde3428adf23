"""The supervisor of a hall: starts its processes, watches them, replaces them one by one, ends them together."""

import ctypes
import logging
import os
import select
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import click

log = logging.getLogger("companion.workers")

LOOK_S = 0.1
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0
"""Before a process that died is started again: longer each time, until it has lived ``SOUND_S``."""
SOUND_S = 60.0
PATIENCE_S = 60.0
"""How long pages wait at the start for those processes that are not ready yet."""
START_S = 120.0
"""A process that is not ready after so long is killed; while others are replaced, nobody goes on with that."""
END_S = 20.0
ASK_S = 1.0
"""After so long a process that has answered is asked again whether it is ready."""
HANG_S = 10.0
"""A process that answers nothing for so long is killed, and started again like one that died."""
UNREADY_S = 30.0
"""So is one that says for so long that it is not ready, while another one says that it is."""
STATUS_BYTES = 12
"""Of the beginning of an answer: ``HTTP/1.1 200``."""
UNUSABLE = 2
"""The exit code of a process that cannot be started as it is asked for: the database cannot be used, for example."""
DIE_WITH_PARENT = 1
"""``PR_SET_PDEATHSIG`` of ``prctl(2)``."""


class HealthCheck:
    """Asks a process on its socket for ``/readyz``, and never waits for the answer.

    Any answer shows that it does not hang.  That it is not ready counts only while another process is: a database that
    is away is so for all of them, and comes back.
    """

    def __init__(self, path: Path) -> None:
        """Store where the process listens; nothing is asked yet."""
        self._path = path
        self._line: socket.socket | None = None
        self.begin()

    def begin(self) -> None:
        """Forget what was asked of a process before."""
        self._close()
        self.has_answered = self.says_ready = False
        self.silent_s = self.unready_s = 0.0
        self._ask_at = self._looked_at = time.monotonic()

    def update(self) -> None:
        """Receive an answer that has come, or ask; count the seconds without one in ``silent_s``.

        ``unready_s`` counts the seconds since it last said that it is ready.
        """
        now = time.monotonic()
        passed = min(now - self._looked_at, ASK_S)  # more, and this process itself did not run
        self._looked_at = now
        self.unready_s = 0.0 if self.says_ready else self.unready_s + passed
        if self._line is None:
            if now >= self._ask_at:
                self._line = self._ask()
                self.silent_s += passed
        elif not select.select([self._line], [], [], 0)[0]:
            self.silent_s += passed
        else:
            with suppress(OSError):
                if answer := self._line.recv(STATUS_BYTES):
                    self.has_answered, self.silent_s, self._ask_at = True, 0.0, now + ASK_S
                    self.says_ready = answer.endswith(b" 200")
            self._close()

    def _ask(self) -> socket.socket | None:
        line = socket.socket(socket.AF_UNIX)
        try:
            line.setblocking(False)
            line.connect(str(self._path))  # refused where too many wait there already: asked again at the next look
            line.send(b"GET /readyz HTTP/1.0\r\nHost: localhost\r\n\r\n")
        except OSError:
            line.close()
            return None
        return line

    def _close(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None


@dataclass
class Part:
    """One process: how it is started, and how it fares.

    ``command`` is run with ``shared`` file descriptors open; one that tells when it is ready gets ``--ready-fd``.
    ``health``: asks it whether it still answers, once it is ready.
    """

    name: str
    command: Sequence[str]
    shared: tuple[int, ...] = ()
    tells_ready: bool = True
    health: HealthCheck | None = None
    process: "subprocess.Popen[bytes] | None" = None
    is_ready: bool = False
    failures: int = 0
    is_unusable: bool = False
    """True once it has ended at its first start because its options cannot work; it has printed the reason."""
    began: float = 0.0
    due: float = 0.0
    _ready_end: int | None = field(default=None, repr=False)

    def start(self, environment: Mapping[str, str]) -> None:
        """Start the process; it ends when this one does, however this one ends.

        Where the system has no room for it now, that counts as a process that has died at once.
        """
        shared, command = self.shared, list(self.command)
        telling: int | None = None
        self.is_ready, self.began = not self.tells_ready, time.monotonic()
        if self.health is not None:
            self.health.begin()
        try:
            if self.tells_ready:
                self._close()
                self._ready_end, telling = os.pipe()
                shared, command = (*shared, telling), [*command, "--ready-fd", str(telling)]
            self.process = subprocess.Popen(  # noqa: S603 - our own program, and haproxy
                command,
                pass_fds=shared,
                env=dict(environment),
                process_group=0,  # Ctrl-C is for the supervisor, which then ends the others
                preexec_fn=_die_with_parent,  # noqa: PLW1509 - one thread
            )
        except OSError as error:
            log.error("%s cannot be started: %s", self.name, error)  # noqa: TRY400 - the line is the whole fault
            self.process = None
            self.note_death()
        finally:
            if telling is not None:
                os.close(telling)

    def update(self) -> bool:
        """Return whether it is running; learn whether it is ready, and whether it still answers."""
        if self.process is None or self.process.poll() is not None:
            return False
        if self.is_ready and self.health is not None:
            self.health.update()
        if not self.is_ready and self._ready_end is not None and select.select([self._ready_end], [], [], 0)[0]:
            self.is_ready = bool(os.read(self._ready_end, 1))
            self._close()
        return True

    @property
    def answers(self) -> bool:
        """Return whether it is ready, and has answered since."""
        return self.is_ready and (self.health is None or self.health.has_answered)

    @property
    def serves(self) -> bool:
        """Return whether it has said last that it is ready."""
        return self.is_ready and self.health is not None and self.health.says_ready

    @property
    def fault(self) -> str | None:
        """Return what it is killed for; ``None``: nothing."""
        if not self.is_ready:
            return "does not become ready" if time.monotonic() - self.began >= START_S else None
        if self.health is None:
            return None
        if self.health.silent_s >= HANG_S:
            return "answers nothing"
        return "is not ready, while others are" if self.health.unready_s >= UNREADY_S else None

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
        if self.health is not None:
            self.health.begin()

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
    if code is None:
        return "not started"
    return f"signal {-code}" if code < 0 else f"exit code {code}"


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
                self._check_parts()
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

    def _check_parts(self, but: Part | None = None) -> None:
        """Start again what has died, kill what hangs or alone is not ready, and sleep; ``but`` is being replaced."""
        for part in self._parts:
            if part is but:
                continue
            if part.update():
                self._judge(part)
            elif part.process is not None:
                part.note_death()
            elif time.monotonic() >= part.due:
                part.start(self._environment)
        time.sleep(LOOK_S)

    def _judge(self, part: Part) -> None:
        """Kill a process that hangs, or that alone is not ready.

        One is killed at a time, when the workers besides are there: should all wait for something, a database that
        hangs for example, then those that are left show what they have in memory.  The proxy waits for nothing.
        """
        if part.health is not None and not any(
            other.serves for other in (*self._workers, self._gateway) if other is not part
        ):
            part.health.unready_s = 0.0  # nobody is ready: it is the database, not this process
        is_spared = part is not self._proxy and not all(
            worker.is_ready for worker in self._workers if worker is not part
        )
        if (fault := part.fault) and not is_spared:
            log.error("%s %s; it is killed", part.name, fault)
            part.send(signal.SIGKILL)
            part.is_ready = False

    def _wait_for(self, true: Callable[[], bool], limit_s: float = float("inf"), but: Part | None = None) -> bool:
        """Look after all until something is true; return whether it became so in time, and nobody said to stop."""
        give_up = time.monotonic() + limit_s
        while not true():
            if self._is_stopping or time.monotonic() >= give_up:
                return False
            self._check_parts(but)
        return True

    def _replace_all(self) -> None:
        """Replace the workers one after the other, each when the one before is ready; then the gateway."""
        for worker in self._workers:
            worker.send(signal.SIGTERM)
            process = worker.process
            if process is not None and not self._wait_for(lambda p=process: p.poll() is not None, END_S, but=worker):  # type: ignore[misc]
                process.kill()
                process.wait()
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
        if self._wait_for(lambda: part.answers or not part.update(), START_S, but=part) and part.answers:
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
                if part.health is not None:
                    part.health.begin()
