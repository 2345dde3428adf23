"""Looks after a certificate while its server runs: networks come and go, and certificates end."""

import logging
import threading
from typing import Protocol

from companion.adapters.certificates.errors import CertificateError

log = logging.getLogger(__name__)

PAUSE_S = 60.0


class Renewed(Protocol):
    """A certificate that can be asked to be good."""

    def renew(self) -> bool:
        """See to it."""
        ...


class Renewal:
    """A thread that asks every minute.  What goes wrong is told once, and tried again."""

    def __init__(self, certificates: Renewed, pause_s: float = PAUSE_S) -> None:
        """Take what is looked after."""
        self._certificates, self._pause_s = certificates, pause_s
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="renewal", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Ask no more."""
        self._stopping.set()

    def _run(self) -> None:
        told = ""
        while not self._stopping.wait(self._pause_s):
            try:
                self._certificates.renew()
                told = ""
            except (CertificateError, OSError) as error:
                if str(error) != told:
                    log.warning("the certificate is not renewed: %s", error)
                told = str(error)
