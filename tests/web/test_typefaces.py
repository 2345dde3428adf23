"""The typefaces of the pages: what is made of them, and how they are served."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from fontTools.ttLib import TTFont

from companion.web import typefaces
from companion.web.typefaces import FACES, MOST_BYTES, REVISION, embed_typefaces, read_typeface

ROOT = Path(__file__).resolve().parents[2]
SHEET = (ROOT / "companion/web/static/core/tokens.css").read_text(encoding="utf-8")
ADDRESSES = re.findall(r'url\("\.\./\.\.(/typefaces/[^"]+)"\)', SHEET)
SENTENCES = (*(ROOT / "companion").rglob("*.po"), *(ROOT / "templates").rglob("*.html"))
KEYS_ALONE = frozenset("\u232b\u263e\u2600")
"""Signs on keys, which every device has in a font of its own."""


def font_named(name: str) -> TTFont:
    return TTFont(BytesIO(read_typeface(name)))


def test_the_style_sheet_names_every_typeface_at_the_address_of_its_revision() -> None:
    assert sorted(ADDRESSES) == sorted(f"/typefaces/{REVISION}/{name}.woff2" for name in FACES)


def test_all_together_are_light(stranger: FlaskClient) -> None:
    assert 0 < sum(len(stranger.get(address).data) for address in ADDRESSES) <= MOST_BYTES


@pytest.mark.parametrize("address", ADDRESSES)
def test_nobody_needs_a_pin_for_a_typeface_and_browsers_keep_it(stranger: FlaskClient, address: str) -> None:
    answer = stranger.get(address)

    assert (answer.status_code, answer.mimetype, answer.data[:4]) == (200, "font/woff2", b"wOF2")
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/typefaces/0/voice-400.woff2", "/typefaces/1/comic-400.woff2"])
def test_an_unknown_typeface_is_not_found_and_not_remembered(stranger: FlaskClient, path: str) -> None:
    answer = stranger.get(path)

    assert (answer.status_code, answer.headers["Cache-Control"]) == (404, "no-store")


@pytest.mark.parametrize("name", FACES)
def test_every_letter_of_our_sentences_is_in_it(name: str) -> None:
    written = {letter for path in SENTENCES for letter in path.read_text(encoding="utf-8")}

    letters = font_named(name).getBestCmap()

    assert {letter for letter in written if letter.isprintable() and ord(letter) not in letters} <= KEYS_ALONE
    assert 0x202F in letters


@pytest.mark.parametrize("name", FACES)
def test_it_has_a_name_of_its_own_and_keeps_its_licence(name: str) -> None:
    names = font_named(name)["name"]

    assert "Source" not in {names.getDebugName(1), names.getDebugName(4), names.getDebugName(6)}.__repr__()
    assert "SIL Open Font License" in str(names.getDebugName(13))


def test_all_figures_are_equally_wide_so_that_amounts_stand_below_each_other() -> None:
    for name in ("ledger-400", "ledger-600", "ledger-700"):
        font = font_named(name)
        letters, widths = font.getBestCmap(), font["hmtx"]
        assert len({widths[letters[ord(figure)]][0] for figure in "0123456789"}) == 1


def test_where_nothing_can_be_written_it_is_made_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # given an installation whose folder is somebody else's
    (tmp_path / "share").write_text("no folder")
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    monkeypatch.setattr(typefaces, "_made", {})
    caplog.set_level("INFO")

    # when a browser asks
    made = read_typeface("ledger-700")

    # then it has its typeface, and the log says that it was not kept
    assert made[:4] == b"wOF2"
    assert "made anew at every start" in caplog.text


def test_a_typeface_is_kept_beside_the_libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    monkeypatch.setattr(typefaces, "_made", {})

    made = read_typeface("ledger-600")

    (kept,) = tmp_path.rglob("*.woff2")
    assert (kept.name, kept.read_bytes()) == ("ledger-600.woff2", made)


def test_a_picture_that_leaves_the_app_carries_its_typefaces() -> None:
    whole = embed_typefaces(SHEET)

    assert whole.count('url("data:font/woff2;base64,') == len(FACES)
    assert "/typefaces/" not in whole
