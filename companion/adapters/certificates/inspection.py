"""What doctor says of the certificates."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes

from companion.adapters.certificates.store import read_names, summarize_names
from companion.service.ports import Finding

SOON = timedelta(days=20)
"""By then a certificate has been renewed, if all is well."""


def examine_certificates(folder: Path, now: datetime, given: Path | None = None) -> Iterator[Finding]:
    """Look at the certificate of the device's own in ``folder``, or at one that was ``given``; none: nothing."""
    served = given or folder / "server.pem"
    if not served.exists():
        return
    try:
        found = x509.load_pem_x509_certificate(served.read_bytes())
    except (OSError, ValueError) as error:
        message = f"{served} cannot be read: {error}"
        yield _finding(message, works=False, mend="start the companion again, which makes it anew" * (given is None))
        return
    ends = found.not_valid_after_utc
    message = f"good until {ends.date()} for {summarize_names(_names(found))}"
    if not found.not_valid_before_utc <= now <= ends:
        yield _finding(f"not {message}", works=False, mend="set the clock, or start the companion again")
    elif ends - now < SOON:
        yield _finding(message, works=False, mend="it is renewed while the companion runs" if not given else "renew it")
    else:
        yield _finding(message, works=True)
    authority = folder / "authority.pem"
    if given is None and authority.exists():
        try:
            trusted = x509.load_pem_x509_certificate(authority.read_bytes())
        except (OSError, ValueError):
            mend = f"delete {authority} to have one made, which devices must trust anew"
            yield _finding(f"{authority} is no certificate authority", works=False, mend=mend)
            return
        yield _finding(f"devices trust SHA-256 {trusted.fingerprint(hashes.SHA256()).hex(':').upper()}", works=True)


def _names(certificate: x509.Certificate) -> set[str]:
    try:
        return read_names(certificate)
    except x509.ExtensionNotFound:
        return {"no name"}


def _finding(message: str, *, works: bool, mend: str = "") -> Finding:
    return Finding("certificate", works=works, needed=False, message=message, mend=mend)
