"""The file with certificate and key that haproxy reads."""

from pathlib import Path

from companion.cli.workers import PublicAddress


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
