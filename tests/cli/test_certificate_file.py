"""The file with certificate and key that haproxy reads, and the names in a certificate of one's own."""

from datetime import UTC, datetime
from pathlib import Path

from cryptography.hazmat.primitives import serialization

from companion.adapters.certificates.store import create_authority, encode_key, issue_certificate
from companion.cli.workers import PublicAddress
from tests.cli.running import serving


def test_a_shorter_certificate_leaves_nothing_of_the_longer_one_before_it(tmp_path: Path) -> None:
    # given a file that a start before this one has written
    pem, certificate, key = tmp_path / "both.pem", tmp_path / "certificate.pem", tmp_path / "key.pem"
    certificate.write_bytes(b"certificate with a long chain\n")
    key.write_bytes(b"key\n")
    place = PublicAddress("127.0.0.1", 8000, (certificate, key), 8443)
    place.write_certificate(pem)

    # when another certificate is written
    certificate.write_bytes(b"short\n")
    place.write_certificate(pem)

    # then the file has that one alone, and is for its owner only
    assert pem.read_bytes() == b"short\nkey\n"
    assert pem.stat().st_mode & 0o777 == 0o600


def test_whoever_serves_with_a_certificate_is_called_as_it_says(tmp_path: Path) -> None:
    # given a certificate of two names, and a pattern
    now, names = datetime.now(UTC), ["hall.example", "www.hall.example", "*.hall.example"]
    key, issued = issue_certificate(create_authority("hall.example", now), names, now)
    files = tmp_path / "certificate.pem", tmp_path / "key.pem"
    files[0].write_bytes(issued.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(encode_key(key))

    # then a hall knows its names, and one that is none has none
    assert PublicAddress("127.0.0.1", 0, files, 0).certificate_names() == names[:2]
    assert PublicAddress("127.0.0.1", 0, files[::-1], 0).certificate_names() == []
    assert PublicAddress("127.0.0.1", 0, None, 0).certificate_names() == []

    # and it answers browsers that ask for them
    chosen = ("--https-port", "0", "--certificate", str(files[0]), "--key", str(files[1]))
    with serving(tmp_path / "data", "--camera", "none", *chosen) as running:
        running.log_in()
        assert running.ask("/api/v1/tables", Host="www.hall.example")["tables"] == []
