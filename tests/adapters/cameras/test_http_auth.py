"""Names and passwords for IP cameras: basic and digest, against a server that checks what it is sent."""

import base64
import hashlib
import http.server
import io
import re
import threading
import urllib.request
from collections.abc import Callable
from email.message import Message

import pytest

from companion.adapters.cameras.http_auth import (
    Challenge,
    CredentialsHandler,
    answer_challenge,
    choose_challenge,
    parse_challenges,
)
from companion.adapters.cameras.specs import open_camera
from companion.service.camera.camera import Camera
from companion.simulator.table import SimulatedTable
from tests.adapters.cameras.ip_camera import Street, plain
from tests.adapters.cameras.waiting import next_frame, next_problem, picture

USER, PASSWORD = "ann", 'p@s#s/w:o%rd"é'
HASHES = {"MD5": "md5", "SHA-256": "sha256", "SHA-512-256": "sha512_256"}


class Guard:
    """Let requests through whose digest is right by RFC 7616; a nonce serves ``uses`` times.

    ``realm``: as the bytes of its header.
    """

    def __init__(
        self, *, algorithms: tuple[str, ...], qop: str | None = "auth", uses: int = 1000, realm: bytes = b'eye, "left"'
    ) -> None:
        self.realm = realm
        self.algorithms, self.qop, self.uses = algorithms, qop, uses
        self.nonce, self.left = 0, uses
        self.counts: list[str] = []
        self.refused = 0

    def __call__(self, to: http.server.BaseHTTPRequestHandler) -> None:
        if self._is_right(to.headers.get("Authorization", ""), to.path):
            plain("image/jpg", picture(60))(to)
            return
        self.refused += 1
        self.nonce, self.left = self.nonce + 1, self.uses
        to.send_response(401)
        to.send_header("WWW-Authenticate", 'Basic realm="old, and plain"')
        realm = self.realm.decode("latin-1").replace('"', '\\"')
        for algorithm in self.algorithms:
            named = "" if algorithm == "MD5" else f", algorithm={algorithm}"
            qop = f', qop="{self.qop}"' if self.qop else ""
            to.send_header("WWW-Authenticate", f'Digest realm="{realm}", nonce="n{self.nonce}", opaque="o"{qop}{named}')
        to.send_header("Content-Length", "0")
        to.end_headers()

    def _is_right(self, header: str, path: str) -> bool:
        sent = {
            name: quoted or bare
            for name, quoted, bare in re.findall(r'(\w+)=(?:"((?:\\.|[^"\\])*)"|([^,\s]+))', header)
        }
        if not header.startswith("Digest ") or sent["nonce"] != f"n{self.nonce}" or not self.left:
            return False
        self.left -= 1
        algorithm = sent.get("algorithm", "MD5")
        assert algorithm == self.algorithms[-1], "the best that was offered"
        digest = self._hasher(algorithm)
        secret = digest(USER.encode() + b":" + self.realm + b":" + PASSWORD.encode())
        if algorithm.endswith("-sess"):
            secret = digest(f"{secret}:{sent['nonce']}:{sent['cnonce']}")
        between = f"{sent['nc']}:{sent['cnonce']}:{sent['qop']}:" if self.qop else ""
        self.counts.append(sent.get("nc", ""))
        tail = f":{digest('')}" if sent.get("qop") == "auth-int" else ""
        right = digest(f"{secret}:{sent['nonce']}:{between}{digest(f'GET:{path}{tail}')}")
        return bool(sent["opaque"] == "o" and sent["response"] == right)

    @staticmethod
    def _hasher(algorithm: str) -> Callable[[str | bytes], str]:
        name = HASHES[algorithm.removesuffix("-sess")]
        return lambda text: hashlib.new(name, text.encode() if isinstance(text, str) else text).hexdigest()


def table(seed: int) -> SimulatedTable:
    return SimulatedTable(seed, {})


def address_of(street: Street, password: str = PASSWORD) -> str:
    return street.address.replace("//", f"//{USER}:{password}@") + "/shot?size=1"


@pytest.mark.parametrize(
    ("algorithms", "qop"),
    [
        (("MD5",), "auth"),
        (("MD5",), None),
        (("MD5-sess",), "auth"),
        (("MD5", "SHA-256"), "auth,auth-int"),
        (("SHA-256",), None),
        (("SHA-256-sess",), "auth-int"),
        (("TIGER", "MD5", "SHA-256", "SHA-512-256"), "auth"),
    ],
)
def test_a_camera_that_wants_a_digest_is_answered_by_its_best(
    street: Street, opened: list[Camera], algorithms: tuple[str, ...], qop: str | None
) -> None:
    # given a camera that offers basic and digests, and a password with everything in it
    guard = Guard(algorithms=algorithms, qop=qop)
    street.answers["/shot?size=1"] = guard

    # when it is opened
    opened.append(camera := open_camera(address_of(street), table))

    # then pictures come, and only the first request had to be made twice
    assert [next_frame(camera).number for _ in range(3)] == [0, 1, 2]
    assert guard.refused == 1
    assert guard.counts[:3] == (["00000001", "00000002", "00000003"] if qop else ["", "", ""])
    assert not any(sent.startswith("Basic") for sent in street.asked)
    assert PASSWORD not in camera.name


@pytest.mark.parametrize("realm", ["Kamera Tür".encode("latin-1"), "Kamera Tür 東".encode()])
def test_a_realm_of_other_letters_is_hashed_as_it_came(street: Street, opened: list[Camera], realm: bytes) -> None:
    street.answers["/shot?size=1"] = guard = Guard(algorithms=("MD5",), realm=realm)
    opened.append(camera := open_camera(address_of(street), table))

    assert next_frame(camera).number == 0
    assert guard.refused == 1


def test_an_address_without_a_path_is_answered_for_what_is_asked(street: Street, opened: list[Camera]) -> None:
    street.answers["/"] = guard = Guard(algorithms=("MD5",))
    opened.append(camera := open_camera(address_of(street).removesuffix("/shot?size=1"), table))

    assert next_frame(camera).number == 0
    assert guard.refused == 1


def test_a_nonce_that_grows_old_is_replaced(street: Street, opened: list[Camera]) -> None:
    guard = Guard(algorithms=("SHA-256",), uses=2)
    street.answers["/shot?size=1"] = guard
    opened.append(camera := open_camera(address_of(street), table))

    assert [next_frame(camera).number for _ in range(5)] == [0, 1, 2, 3, 4]
    assert guard.refused >= 2


def test_a_wrong_password_is_tried_once_each_time_and_said(street: Street, opened: list[Camera]) -> None:
    guard = Guard(algorithms=("SHA-256",))
    street.answers["/shot?size=1"] = guard
    opened.append(camera := open_camera(address_of(street, "wrong"), table))

    assert "answers 401" in next_problem(camera)
    assert "wrong" not in next_problem(camera)
    assert sum(1 for sent in street.asked if sent) <= len(street.asked) / 2


def test_a_password_goes_to_no_other_host(street: Street, opened: list[Camera]) -> None:
    # given a camera that sends whoever asks to another host
    def elsewhere(to: http.server.BaseHTTPRequestHandler) -> None:
        to.send_response(302)
        to.send_header("Location", f"http://localhost:{street.server_address[1]}/trap")
        to.end_headers()

    street.answers["/shot?size=1"] = elsewhere
    street.answers["/trap"] = Guard(algorithms=("MD5",))

    opened.append(camera := open_camera(address_of(street), table))

    assert "answers 401" in next_problem(camera)
    assert not any(street.asked)


def test_a_password_goes_to_no_other_server_on_the_same_host(street: Street, opened: list[Camera]) -> None:
    # given a camera that answers by its password, and then sends whoever asks to another port of its host
    with Street() as other:
        threading.Thread(target=other.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        other.answers["/trap"] = Guard(algorithms=("MD5",))
        guard = Guard(algorithms=("MD5",))

        def lead_astray(to: http.server.BaseHTTPRequestHandler) -> None:
            if not to.headers.get("Authorization"):
                guard(to)
                return
            to.send_response(302)
            to.send_header("Location", f"{other.address}/trap")
            to.end_headers()

        street.answers["/shot?size=1"] = lead_astray

        opened.append(camera := open_camera(address_of(street), table))

        assert "answers 401" in next_problem(camera)
        other.shutdown()
    assert any(street.asked), "the camera itself has its answer"
    assert other.asked
    assert not any(other.asked)


@pytest.mark.parametrize(
    ("address", "is_answered"),
    [
        ("http://camera.local:80/next", True),
        ("http://CAMERA.local/next", True),
        ("http://camera.local:8080/next", False),
        ("https://camera.local/next", False),
        ("https://camera.local:80/next", False),
    ],
)
def test_a_password_goes_to_one_scheme_host_and_port(address: str, *, is_answered: bool) -> None:
    handler = CredentialsHandler("http://camera.local/shot", USER, PASSWORD)
    handler.parent = urllib.request.OpenerDirector()
    headers = Message()
    headers["WWW-Authenticate"] = "Basic realm=eye"
    first = urllib.request.Request("http://camera.local:80/shot")
    first.timeout = 1
    handler.http_error_401(first, io.BytesIO(), 401, "", headers)

    request = handler.http_request(urllib.request.Request(address))

    assert request.has_header("Authorization") == is_answered


def test_basic_carries_every_letter(street: Street, opened: list[Camera]) -> None:
    right = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()

    def guarded(to: http.server.BaseHTTPRequestHandler) -> None:
        if to.headers.get("Authorization") == right:
            plain(None, picture(60))(to)
            return
        to.send_response(401)
        to.send_header("WWW-Authenticate", "Basic realm=eye")
        to.send_header("Content-Length", "0")
        to.end_headers()

    street.answers["/shot?size=1"] = guarded
    opened.append(camera := open_camera(address_of(street), table))

    assert next_frame(camera).number == 0


@pytest.mark.parametrize(
    ("algorithm", "response"),
    [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ],
)
def test_the_digests_are_those_of_the_standard(algorithm: str, response: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """RFC 7616, section 3.9.1."""
    monkeypatch.setattr("secrets.token_hex", lambda _bytes: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
    header = (
        'Digest realm="http-auth@example.org", qop="auth, auth-int", '
        f'algorithm={algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", '
        'opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"'
    )
    challenge = choose_challenge(parse_challenges([header]))
    assert challenge is not None

    sent = answer_challenge(challenge, "Mufasa", "Circle of Life", "GET", "/dir/index.html")

    assert f'response="{response}"' in sent


def test_challenges_are_told_apart_in_one_header_and_in_several() -> None:
    parsed = parse_challenges(['Newauth realm="a, b", x=1, Digest nonce=q, realm="c\\"d"', "Negotiate"])

    assert parsed == [
        Challenge("newauth", {"realm": "a, b", "x": "1"}),
        Challenge("digest", {"nonce": "q", "realm": 'c"d'}),
        Challenge("negotiate"),
    ]
    assert choose_challenge([Challenge("negotiate"), Challenge("digest", {"algorithm": "TIGER"})]) is None
