"""Addresses of cameras: passwords as people write them, and what is shown of them."""

import pytest

from companion.adapters.cameras.stream import split_address, strip_credentials


@pytest.mark.parametrize(
    ("address", "plain", "user", "password"),
    [
        ("http://host/live", "http://host/live", None, ""),
        ("http://ann:secret@host/live", "http://host/live", "ann", "secret"),
        ("http://ann:p@ss@host/live", "http://host/live", "ann", "p@ss"),
        ("http://ann:p#ss@host:8080/live", "http://host:8080/live", "ann", "p#ss"),
        ("http://ann:p/ss@host/live", "http://host/live", "ann", "p/ss"),
        ("http://ann:p:ss@host/live", "http://host/live", "ann", "p:ss"),
        ("http://ann:50%off@host/live", "http://host/live", "ann", "50%off"),
        ("http://ann:p?ss@host/live", "http://host/live", "ann", "p?ss"),
        ("http://ann:p@s#s/w:o%rd?@192.168.1.7:81/live?q=1", "http://192.168.1.7:81/live?q=1", "ann", "p@s#s/w:o%rd?"),
        ("http://ann:1/2#3@127.0.0.1:5000/live", "http://127.0.0.1:5000/live", "ann", "1/2#3"),
        ("http://ann:p@ss/word@camera/live", "http://camera/live", "ann", "p@ss/word"),
        ("http://ann:@:/@[fe80::1]:81/live", "http://[fe80::1]:81/live", "ann", "@:/"),
        ("rtsp://ann%40home:p%40%23%2F%3A%25@host/live", "rtsp://host/live", "ann@home", "p@#/:%"),
        ("http://ann@host/live", "http://host/live", "ann", ""),
        ("http://:secret@host/live", "http://host/live", "", "secret"),
        ("http://192.168.1.7:8080/video?user=ann&pwd=b@c", "http://192.168.1.7:8080/video?user=ann&pwd=b@c", None, ""),
        ("http://ann:pw@192.168.1.7/mail@x.jpg", "http://192.168.1.7/mail@x.jpg", "ann", "pw"),
        ("http://ann:pw@eye.example.org/mail@x.jpg", "http://eye.example.org/mail@x.jpg", "ann", "pw"),
        ("http://camera:8080/a@b", "http://camera:8080/a@b", None, ""),
    ],
)
def test_a_password_is_taken_as_it_is_written(address: str, plain: str, user: str | None, password: str) -> None:
    parts = split_address(address)

    assert parts is not None
    assert (parts.plain, parts.user, parts.password) == (plain, user, password)
    assert strip_credentials(address) == plain
    again = split_address(parts.with_credentials())
    assert again == parts, "the encoded address says the same"


@pytest.mark.parametrize(
    "address", ["host/live", "http://", "http://:80/", "http://ann:p@/live", "http://[zz]/", "http://h:0/"]
)
def test_what_names_no_host_is_no_address(address: str) -> None:
    assert split_address(address) is None
    assert "ann" not in strip_credentials(address)
