"""Certificates for HTTPS, where somebody chose it."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from companion.adapters.certificates.kept import Certificates, GivenCertificate, OwnCertificates
from companion.adapters.certificates.names import names_here
from companion.config import DataFolder


def certificates(
    folder: DataFolder, known_as: Iterable[str] = (), given: tuple[Path, Path] | None = None
) -> Certificates:
    """Open those of the device's own, made at first, or a certificate with its key that somebody brought.

    Raises ``CertificateError`` or ``OSError``.
    """
    if given is not None:
        return GivenCertificate(*given)
    return OwnCertificates(folder.https, partial(names_here, [name.lower() for name in known_as]))
