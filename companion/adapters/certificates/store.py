"""The certificate that is served: from files, or issued by the device's own authority (X.509, RFC 5280)."""

import ipaddress
import logging
import socket
import ssl
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from companion.adapters.network import MAX_MDNS_NAMES, MDNS_NAME, list_ip_addresses
from companion.adapters.stores import write_atomically
from companion.adapters.system import OperatorError, describe_os_error
from companion.service.ports import Finding
from companion.service.runtime import BackgroundTask

# The device's own certificate authority (X.509, RFC 5280), limited to names and addresses of home networks.

EARLIEST_START = datetime(2026, 1, 1, tzinfo=UTC)
"""No certificate begins earlier: a Raspberry Pi without a clock chip starts in 1970 until it has a network."""
AUTHORITY_LIFETIME = timedelta(days=20 * 365)
CERTIFICATE_LIFETIME = timedelta(days=200)
"""Apple accepts at most 825 days from an authority that users installed; others will accept less."""
BACKDATED = timedelta(days=1)
DOMAINS = ("local", "localhost", "fritz.box", "home", "home.arpa", "internal", "lan", "localdomain")
NETWORKS = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "127.0.0.0/8"),
    *("fc00::/7", "fe80::/10", "::1/128"),
)
"""Name constraints of the authority, so that a stolen key cannot impersonate other sites."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, slots=True)
class Authority:
    """A private key, and the certificate that people install."""

    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    @property
    def fingerprint(self) -> str:
        """The certificate's SHA-256 as pairs of hexadecimal digits."""
        return self.certificate.fingerprint(hashes.SHA256()).hex(":").upper()

    def may_certify(self, name: str) -> bool:
        """Return whether the name constraints allow a host name (lower case) or IP address."""
        limits = self.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
        address = parse_ip(name)
        for limit in limits.permitted_subtrees or ():
            if isinstance(limit, x509.IPAddress) and address is not None and _within(address, limit.value):
                return True
            if isinstance(limit, x509.DNSName) and address is None and f".{name}".endswith(f".{limit.value}"):
                return True
        return False


def create_authority(host: str, now: datetime) -> Authority:
    """Return a new authority for the machine of this name."""
    key = ec.generate_private_key(ec.SECP256R1())
    begins = max(now, EARLIEST_START) - BACKDATED
    serial = x509.random_serial_number()
    name = _name(f"Companion {host[:20]} {serial % 0x10000:04x}")
    permitted: list[x509.GeneralName] = [x509.DNSName(domain) for domain in dict.fromkeys((*DOMAINS, host)) if domain]
    permitted += [x509.IPAddress(ipaddress.ip_network(network)) for network in NETWORKS]
    public = key.public_key()
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(public)
        .serial_number(serial)
        .not_valid_before(begins)
        .not_valid_after(begins + AUTHORITY_LIFETIME)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .sign(key, hashes.SHA256())
    )
    return Authority(key, certificate)


def issue_certificate(
    authority: Authority, names: list[str], now: datetime
) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    """Return a new key and certificate for host names and IP addresses; those not allowed are left out."""
    key = ec.generate_private_key(ec.SECP256R1())
    begins = max(now, EARLIEST_START) - BACKDATED
    allowed = [name for name in names if authority.may_certify(name)]
    public, signer = key.public_key(), authority.certificate
    certificate = (
        x509.CertificateBuilder()
        .subject_name(_name(allowed[0]))
        .issuer_name(signer.subject)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(min(begins + CERTIFICATE_LIFETIME, signer.not_valid_after_utc))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([_general_name(name) for name in allowed]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)  # type: ignore[arg-type]
        .sign(authority.key, hashes.SHA256())
    )
    return key, certificate


def parse_ip(name: str) -> Address | None:
    """Return a name as an IP address; ``None`` for a host name."""
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def encode_key(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return a key as PEM (PKCS 8, without a password, because the server starts unattended)."""
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _within(address: Address, limit: object) -> bool:
    return isinstance(limit, ipaddress.IPv4Network | ipaddress.IPv6Network) and address in limit


def _general_name(name: str) -> x509.GeneralName:
    address = parse_ip(name)
    return x509.DNSName(name) if address is None else x509.IPAddress(address)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text[:64])])


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs,
        crl_sign=signs,
        encipher_only=False,
        decipher_only=False,
    )


# The certificate that is served: the device's own, issued and renewed here, or one in files from elsewhere.

LOOPBACK = ("localhost", "127.0.0.1", "::1")


def list_certificate_names(known_as: Iterable[str] = ()) -> list[str]:
    """Return the host names and IP addresses under which this machine may be reached, its own name first."""
    hostname = socket.gethostname().lower().partition(".")[0]
    announced = [f"{MDNS_NAME}.local", *(f"{MDNS_NAME}-{count}.local" for count in range(2, MAX_MDNS_NAMES + 1))]
    in_domains = [f"{hostname}.{domain}" for domain in DOMAINS]
    return list(dict.fromkeys([hostname, *announced, *in_domains, *known_as, *LOOPBACK, *list_ip_addresses()]))


class CertificateError(OperatorError):
    """A certificate cannot be used; the message is one line for the operator."""


log = logging.getLogger(__name__)

RENEW_BEFORE = timedelta(days=30)
MAX_LISTED_NAMES = 4


def _now() -> datetime:
    return datetime.now(UTC)


class DeviceCertificate:
    """The device's own authority, and a certificate for the names and addresses that it has now.

    Both lie in ``folder``, readable by its owner only.
    """

    custom_file: Path | None = None

    def __init__(self, folder: Path, wanted: Callable[[], Sequence[str]], now: Callable[[], datetime] = _now) -> None:
        """Load or create the authority and the certificate.

        Args:
            folder: where both are stored.
            wanted: returns host names and IP addresses, the machine's own name first.
            now: the time.

        Raises:
            CertificateError: when the stored authority cannot be used.
            OSError: when a file cannot be read or written.

        """
        self._folder, self._wanted, self._now = folder, wanted, now
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = folder / "authority.pem"
        if not file.exists():
            authority = create_authority(_first_name(wanted()), now())
            write_atomically(
                file, encode_key(authority.key) + authority.certificate.public_bytes(serialization.Encoding.PEM), 0o600
            )
        self._authority = _read_authority(file)
        self.fingerprint = self._authority.fingerprint
        self._served = self._read_served()
        self.context = _context()
        if not self.renew():
            self.context.load_cert_chain(self._server)

    @property
    def _server(self) -> Path:
        return self._folder / "server.pem"

    @property
    def authority(self) -> bytes | None:
        """The authority's certificate, which devices must trust (DER)."""
        return self._authority.certificate.public_bytes(serialization.Encoding.DER)

    @property
    def expires_at(self) -> datetime:
        """When the served certificate expires."""
        return self._served.not_valid_after_utc if self._served else self._now()

    def renew(self) -> bool:
        """Issue a new certificate if the old one expires soon or lacks a name; return whether it was needed."""
        names = [name for name in dict.fromkeys(self._wanted()) if self._authority.may_certify(name)]
        if self._covers(names):
            return False
        key, certificate = issue_certificate(self._authority, names, self._now())
        chain = (certificate, self._authority.certificate)
        pem = b"".join(part.public_bytes(serialization.Encoding.PEM) for part in chain)
        write_atomically(self._server, encode_key(key) + pem, 0o600)
        self._served = certificate
        self.context.load_cert_chain(self._server)  # open connections keep the old one
        log.info("new certificate for %s, valid until %s", summarize_names(names), self.expires_at.date())
        return True

    def _covers(self, names: Sequence[str]) -> bool:
        served, now = self._served, self._now()
        if served is None or served.issuer != self._authority.certificate.subject:
            return False
        begins, ends = served.not_valid_before_utc, served.not_valid_after_utc
        return begins <= now <= ends - RENEW_BEFORE and set(names) <= read_names(served)

    def _read_served(self) -> x509.Certificate | None:
        try:
            return x509.load_pem_x509_certificate(self._server.read_bytes())
        except (FileNotFoundError, ValueError):
            return None  # a new one is issued


class CustomCertificate:
    """A certificate from elsewhere, with its chain and key in PEM files, reloaded when they change."""

    authority: bytes | None = None
    fingerprint = ""

    def __init__(self, certificate: Path, key: Path) -> None:
        """Load both files; raise ``CertificateError``."""
        self._certificate, self._key = certificate, key
        self.custom_file: Path | None = certificate
        self._seen = self._modified_ns()
        self.context = _context()
        self.expires_at = self._load()

    def renew(self) -> bool:
        """Reload the files if they have changed; return whether they had.

        Raises ``CertificateError`` for unusable files; the old certificate then stays.
        """
        now = self._modified_ns()
        if now == self._seen:
            return False
        self._seen = now
        self.expires_at = self._load()
        log.info("the certificate in %s was reloaded, valid until %s", self._certificate, self.expires_at.date())
        return True

    def _load(self) -> datetime:
        try:
            _context().load_cert_chain(
                self._certificate, self._key
            )  # in a context of its own first, so that no half-loaded pair is served
            self.context.load_cert_chain(self._certificate, self._key)
            return x509.load_pem_x509_certificate(self._certificate.read_bytes()).not_valid_after_utc
        except (ssl.SSLError, ValueError) as error:
            message = f"{self._certificate} and {self._key} are no certificate with its key (PEM)"
            raise CertificateError(message) from error
        except OSError as error:
            raise CertificateError(describe_os_error(error)) from error

    def _modified_ns(self) -> tuple[int, ...]:
        try:
            return tuple(path.stat().st_mtime_ns for path in (self._certificate, self._key))
        except OSError as error:
            raise CertificateError(describe_os_error(error)) from error


ServedCertificate = DeviceCertificate | CustomCertificate


def read_names(certificate: x509.Certificate) -> set[str]:
    """Return the host names and IP addresses of a certificate."""
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {*names.get_values_for_type(x509.DNSName), *map(str, names.get_values_for_type(x509.IPAddress))}


def summarize_names(names: Iterable[str]) -> str:
    """Return names as text for people: the shortest few, and all IP addresses."""
    numbers = sorted(name for name in names if parse_ip(name) is not None)
    others = sorted((name for name in names if parse_ip(name) is None), key=lambda name: (name.count("."), name))
    more = [f"{len(others) - MAX_LISTED_NAMES} more"] if len(others) > MAX_LISTED_NAMES else []
    return ", ".join([*others[:MAX_LISTED_NAMES], *more, *numbers])


def _first_name(names: Sequence[str]) -> str:
    return next((name for name in names if parse_ip(name) is None), "companion")


def _read_authority(path: Path) -> Authority:
    data = path.read_bytes()
    try:
        key = serialization.load_pem_private_key(data, password=None)
        certificate = x509.load_pem_x509_certificate(data)
        certificate.extensions.get_extension_for_class(x509.NameConstraints)
    except (ValueError, TypeError, UnsupportedAlgorithm, x509.ExtensionNotFound) as error:
        raise CertificateError(_unreadable(path)) from error
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
        raise CertificateError(_unreadable(path))
    return Authority(key, certificate)


def _unreadable(path: Path) -> str:
    return f"{path} is no certificate authority; delete it to get a new one, which devices must trust anew"


def _context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    return context


CHECK_EVERY_S = 60.0


class Renewable(Protocol):
    """A certificate that renews itself on request."""

    def renew(self) -> bool:
        """Renew the certificate if that is due; return whether it was."""
        ...


class CertificateRenewal(BackgroundTask):
    """Renews certificates that are due, checked every minute.  A failure is logged once, and tried again."""

    def __init__(self, certificates: Renewable, pause_s: float = CHECK_EVERY_S) -> None:
        """Store the certificates; ``pause_s``: seconds between two checks."""
        super().__init__("certificate renewal")
        self._certificates, self._pause_s = certificates, pause_s

    def _run(self) -> None:
        logged = ""
        while not self._stopping.wait(self._pause_s):
            try:
                self._certificates.renew()
                logged = ""
            except (CertificateError, OSError) as error:
                if str(error) != logged:
                    log.warning("the certificate is not renewed: %s", error)
                logged = str(error)


# Findings about certificates, for the doctor.

RENEWAL_OVERDUE = timedelta(days=20)
"""A working server has renewed its certificate by then."""


def examine_certificates(folder: Path, now: datetime, given: Path | None = None) -> Iterator[Finding]:
    """Yield the state of the device's certificate in ``folder``, or of the ``given`` file; nothing without one."""
    served = given or folder / "server.pem"
    if not served.exists():
        return
    try:
        certificate = x509.load_pem_x509_certificate(served.read_bytes())
    except (OSError, ValueError) as error:
        message = f"{served} cannot be read: {error}"
        yield _certificate(
            message, works=False, mend="start the companion again, which makes it anew" * (given is None)
        )
        return
    ends = certificate.not_valid_after_utc
    message = f"good until {ends.date()} for {summarize_names(_names_or_none(certificate))}"
    if not certificate.not_valid_before_utc <= now <= ends:
        yield _certificate(f"not {message}", works=False, mend="set the clock, or start the companion again")
    elif ends - now < RENEWAL_OVERDUE:
        yield _certificate(
            message, works=False, mend="it is renewed while the companion runs" if not given else "renew it"
        )
    else:
        yield _certificate(message, works=True)
    authority = folder / "authority.pem"
    if given is None and authority.exists():
        try:
            trusted = x509.load_pem_x509_certificate(authority.read_bytes())
        except (OSError, ValueError):
            mend = f"delete {authority} to have one made, which devices must trust anew"
            yield _certificate(f"{authority} is no certificate authority", works=False, mend=mend)
            return
        yield _certificate(f"devices trust SHA-256 {trusted.fingerprint(hashes.SHA256()).hex(':').upper()}", works=True)


def _names_or_none(certificate: x509.Certificate) -> set[str]:
    try:
        return read_names(certificate)
    except x509.ExtensionNotFound:
        return {"no name"}


def _certificate(message: str, *, works: bool, mend: str = "") -> Finding:
    return Finding("certificate", works=works, needed=False, message=message, mend=mend)
