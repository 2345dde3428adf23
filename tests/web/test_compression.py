"""Files that are the same for everybody are compressed, and nothing else is."""

import gzip
import os
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

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


@pytest.mark.parametrize(
    "address",
    ["/static/core/tokens.css", "/static/core/page.js", "/static/icon.svg", "/games/master_builder/tablet.js"],
)
def test_a_browser_keeps_no_file_without_asking_whether_it_is_still_the_same(
    stranger: FlaskClient, address: str
) -> None:
    answer = stranger.get(address, buffered=True)
    again = stranger.get(address, headers={"If-None-Match": answer.headers["ETag"]}, buffered=True)
    for each in (answer, again):
        assert (each.headers["Cache-Control"], "Expires" in each.headers) == ("no-cache", False)
    assert (answer.status_code, again.status_code, again.data) == (200, 304, b"")


def test_a_file_of_another_version_is_another_one_also_where_size_and_time_are_the_same(
    app: Flask, stranger: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a style sheet of two versions beside each other, as long and as old as each other
    answers: list[TestResponse] = []
    for version, colour in (("1", "red"), ("2", "tan")):
        (tmp_path / version).mkdir()
        sheet = tmp_path / version / "version.css"
        sheet.write_text(f"a {{ color: {colour} }}")
        os.utime(sheet, (1_000_000_000, 1_000_000_000))

        # when a browser that has the first asks again once the second is served
        monkeypatch.setattr(app, "_static_folder", str(tmp_path / version))
        headers = {"If-None-Match": answers[0].headers["ETag"]} if answers else {}
        answers.append(stranger.get("/static/version.css", headers=headers, buffered=True))

    # then it gets the second
    assert [answer.get_data(as_text=True) for answer in answers] == ["a { color: red }", "a { color: tan }"]


def test_pictures_and_what_is_not_there_are_left_alone(stranger: FlaskClient) -> None:
    assert "Content-Encoding" not in stranger.get("/static/icon-192.png", headers=UNPACKS, buffered=True).headers
    assert stranger.get("/static/none.css", headers=UNPACKS, buffered=True).status_code == 404


def test_what_one_player_may_know_is_never_packed(banker: FlaskClient, table: str) -> None:
    page = table.removeprefix("/api/v1")

    for path in (page, f"{page}/live", f"{table}/journal"):
        assert "Content-Encoding" not in banker.get(path, headers=UNPACKS, buffered=True).headers
