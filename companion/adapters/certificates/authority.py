"""The device's own certificate authority (X.509, RFC 5280), limited to names and addresses of home networks."""

import ipaddress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

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
