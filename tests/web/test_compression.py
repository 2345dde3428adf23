"""Files that are the same for everybody are compressed, and nothing else is."""

import gzip

from flask.testing import FlaskClient

UNPACKS = {"Accept-Encoding": "gzip, br"}


def test_a_style_sheet_is_packed_for_who_can_unpack_it(stranger: FlaskClient) -> None:
    plain = stranger.get("/static/core/tokens.css", buffered=True)
    packed = stranger.get("/static/core/tokens.css", headers=UNPACKS, buffered=True)

    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 2
    assert "Content-Encoding" not in plain.headers
    assert {response.headers["Vary"] for response in (plain, packed)} == {"Accept-Encoding"}


def test_who_has_it_already_is_told_so(stranger: FlaskClient) -> None:
    etag = stranger.get("/static/table/tablet.js", headers=UNPACKS, buffered=True).headers["ETag"]

    again = stranger.get("/static/table/tablet.js", headers=UNPACKS | {"If-None-Match": etag}, buffered=True)

    assert (again.status_code, again.data) == (304, b"")


def test_pictures_and_what_is_not_there_are_left_alone(stranger: FlaskClient) -> None:
    assert "Content-Encoding" not in stranger.get("/static/icon-192.png", headers=UNPACKS, buffered=True).headers
    assert stranger.get("/static/none.css", headers=UNPACKS, buffered=True).status_code == 404


def test_what_one_player_may_know_is_never_packed(banker: FlaskClient, table: str) -> None:
    page = table.removeprefix("/api/v1")

    for path in (page, f"{page}/live", f"{table}/journal"):
        assert "Content-Encoding" not in banker.get(path, headers=UNPACKS, buffered=True).headers
