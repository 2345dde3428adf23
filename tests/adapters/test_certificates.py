"""The device's own certificate authority, and what it vouches for."""

import logging
import os
import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization

from companion.adapters.certificates.store import (
    CERTIFICATE_LIFETIME,
    EARLIEST_START,
    CertificateError,
    CustomCertificate,
    DeviceCertificate,
    create_authority,
    encode_key,
    issue_certificate,
    list_certificate_names,
    read_names,
)

NOW = datetime.now(UTC)
"""OpenSSL asks the real clock whether a certificate is good."""
NAMES = ["raspberrypi", "companion.local", "localhost", "127.0.0.1", "192.168.1.23"]


class Home:
    """A machine whose clock and networks a test moves."""

    def __init__(self) -> None:
        self.now = NOW
        self.names = list(NAMES)

    def certificates(self, folder: Path) -> DeviceCertificate:
        return DeviceCertificate(folder, lambda: self.names, lambda: self.now)


def served(folder: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate((folder / "server.pem").read_bytes())


def trusts(authority: bytes, certificate: x509.Certificate, key: bytes, name: str, folder: Path) -> bool:
    """Return whether a client that trusts the authority takes the certificate for this name: OpenSSL, both ends."""
    chain = folder / "chain.pem"
    chain.write_bytes(key + certificate.public_bytes(serialization.Encoding.PEM))
    theirs = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    theirs.load_cert_chain(chain)
    ours = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    ours.load_verify_locations(cadata=authority)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = ours.wrap_bio(to_client, to_server, server_hostname=name)
    server = theirs.wrap_bio(to_server, to_client, server_side=True)
    for _ in range(5):
        for end in (client, server):
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
            except ssl.SSLCertVerificationError:
                return False
            except ssl.SSLError:
                return False
    return True


def test_a_device_that_trusts_the_authority_takes_the_certificate_by_every_name_and_number(tmp_path: Path) -> None:
    home = Home()
    kept = home.certificates(tmp_path / "https")

    assert kept.authority is not None
    key = (tmp_path / "https" / "server.pem").read_bytes().partition(b"-----BEGIN CERT")[0]
    for name in NAMES:
        assert trusts(kept.authority, served(tmp_path / "https"), key, name, tmp_path), name
    assert not trusts(kept.authority, served(tmp_path / "https"), key, "elsewhere.local", tmp_path)


def test_the_authority_is_kept_for_its_owner_alone_and_is_the_same_at_the_next_start(tmp_path: Path) -> None:
    home, folder = Home(), tmp_path / "https"
    first = home.certificates(folder)

    again = home.certificates(folder)

    assert again.fingerprint == first.fingerprint
    assert len(first.fingerprint.split(":")) == 32
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}


@pytest.mark.parametrize("stolen", ["bank.example", "example.com", "93.184.216.34", "local.example"])
def test_a_stolen_authority_can_vouch_for_nobody_on_the_internet(tmp_path: Path, stolen: str) -> None:
    # given the authority, and a thief who signs for somebody else with it
    authority = create_authority("raspberrypi", NOW)
    assert not authority.may_certify(stolen)
    unlimited = type("Unlimited", (), {"may_certify": lambda *_: True, "certificate": authority.certificate})()
    unlimited.key = authority.key
    key, forged = issue_certificate(unlimited, [stolen], NOW)

    # then no client takes it, for the authority's own certificate says what it may
    der = authority.certificate.public_bytes(serialization.Encoding.DER)
    assert not trusts(der, forged, encode_key(key), stolen, tmp_path)


def test_a_network_that_comes_while_it_runs_is_in_a_new_certificate_at_once(tmp_path: Path) -> None:
    home = Home()
    kept = home.certificates(tmp_path)
    assert not kept.renew()

    home.names.append("10.42.0.1")

    assert kept.renew()
    assert read_names(served(tmp_path)) == {*NAMES, "10.42.0.1"}
    home.names.remove("10.42.0.1")
    assert not kept.renew(), "one that goes away does no harm in it"


def test_it_is_renewed_a_month_before_it_ends_and_the_authority_stays(tmp_path: Path) -> None:
    home = Home()
    kept = home.certificates(tmp_path)
    ends, trusted = kept.expires_at, kept.fingerprint

    home.now = ends - timedelta(days=31)
    assert not kept.renew()
    home.now = ends - timedelta(days=29)

    assert kept.renew()
    assert kept.expires_at - home.now > CERTIFICATE_LIFETIME - timedelta(days=2)
    assert kept.fingerprint == trusted


def test_a_clock_that_has_not_been_told_the_year_makes_certificates_that_are_good_when_it_has(tmp_path: Path) -> None:
    home = Home()
    home.now = datetime(1970, 1, 1, 0, 3, tzinfo=UTC)
    kept = home.certificates(tmp_path)
    authority = x509.load_der_x509_certificate(kept.authority or b"")

    home.now = NOW
    kept.renew()

    assert authority.not_valid_before_utc >= EARLIEST_START - timedelta(days=1)
    assert authority.not_valid_before_utc <= NOW <= authority.not_valid_after_utc
    assert served(tmp_path).not_valid_before_utc <= NOW <= served(tmp_path).not_valid_after_utc


def test_a_name_that_the_authority_may_not_vouch_for_is_left_out(tmp_path: Path) -> None:
    home = Home()
    home.names.append("table.example.com")
    home.certificates(tmp_path)

    assert read_names(served(tmp_path)) == set(NAMES)


@pytest.mark.parametrize("torn", [b"", b"-----BEGIN", b"nonsense"])
def test_a_torn_authority_is_told_in_one_line_and_a_torn_certificate_is_made_anew(tmp_path: Path, torn: bytes) -> None:
    home = Home()
    home.certificates(tmp_path)

    (tmp_path / "server.pem").write_bytes(torn)
    home.certificates(tmp_path)
    assert read_names(served(tmp_path)) == set(NAMES)

    (tmp_path / "authority.pem").write_bytes(torn)
    with pytest.raises(CertificateError, match="is no certificate authority; delete it"):
        home.certificates(tmp_path)


def test_one_that_was_brought_is_read_again_when_it_changes_and_half_of_one_is_not_served(tmp_path: Path) -> None:
    # given a certificate with its key that somebody brought
    def bring(days: int) -> None:
        made = create_authority("table", NOW - timedelta(days=days))
        key, certificate = issue_certificate(made, ["table"], NOW)
        (tmp_path / "key.pem").write_bytes(encode_key(key))
        (tmp_path / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        for file in ("key.pem", "cert.pem"):
            os.utime(tmp_path / file, (1_000_000 + days, 1_000_000 + days))

    bring(0)
    given = CustomCertificate(tmp_path / "cert.pem", tmp_path / "key.pem")
    assert (given.authority, given.fingerprint, given.renew()) == (None, "", False)

    # when its certificate is replaced before its key, then with it
    first = (tmp_path / "key.pem").read_bytes()
    bring(1)
    second = (tmp_path / "key.pem").read_bytes()
    (tmp_path / "key.pem").write_bytes(first)
    with pytest.raises(CertificateError, match="no certificate with its key"):
        given.renew()
    (tmp_path / "key.pem").write_bytes(second)

    # then it is taken once it is whole
    assert given.renew()


def test_files_that_are_no_certificate_are_told_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "cert.pem").write_text("nonsense")
    for key in ("cert.pem", "missing.pem"):
        with pytest.raises(CertificateError, match=r"\.pem"):
            CustomCertificate(tmp_path / "cert.pem", tmp_path / key)


def test_every_name_of_this_machine_is_asked_for(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    names = list_certificate_names(["table.lan"])

    assert {"companion.local", "companion-2.local", "localhost", "127.0.0.1", "table.lan"} <= set(names)
    assert len(names) == len(set(names))
