"""Saves the HTML of every place as the server sends it: proof that a change of code changes no page.

    python -m tests.layout.capture FOLDER [--languages en,de,fr]

Two runs on the same tree write identical files; `diff -r` compares those of two trees.  What differs at each run (keys,
times, tokens, ports, versions of static files) is replaced by its kind.
"""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient

from tests.layout.moments import Moments
from tests.layout.places import PLACES, JsonObject, Place
from tests.web.conftest import PIN

FOLDER, LANGUAGES = "CAPTURE_FOLDER", "CAPTURE_LANGUAGES"
ENTRIES = 40
"""How many entries back a form for an amendment is saved."""

VOLATILE = (
    (re.compile(r"nonce[-=]\"?[\w+/=-]{16,}"), "NONCE"),
    (re.compile(r"(/static/[^\"'\s?]+)\?[\w=.-]+"), r"\1?VERSION"),
    (re.compile(r"\beyJ[\w-]+(?:\.[\w-]+)+"), "TOKEN"),
    (re.compile(r"(/join/)[\w.~-]{20,}"), r"\1TOKEN"),
    (re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:[+-]\d\d:\d\d|Z)?"), "TIME"),
    (re.compile(r"(?<=>)\d\d?:\d\d(?=</)"), "CLOCK"),
    (re.compile(r"\b\d\d?\.? [^\W\d]+\.? 20\d\d\b"), "DATE"),
    (re.compile(r"\b[^\W\d]+,? \d\d?\.? [^\W\d]+, \d\d:\d\d\b"), "DATE"),
    (re.compile(r"(?<=://)(?:localhost|127\.0\.0\.1)(?::\d+)?"), "HOST"),
)


def normalised(html: str) -> str:
    """Return a page without what differs at each run."""
    for pattern, kind in VOLATILE:
        html = pattern.sub(kind, html)
    return html


class Browser:
    """Devices that ask for pages as browsers do, each logged in as the person whom a place is meant for."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._clients: dict[tuple[str, ...], FlaskClient] = {}
        self._banker = app.test_client()
        assert self._banker.post("/login", data={"pin": PIN, "next": "/"}).status_code < 400

    def get(self, place: Place, table: str, player: str, address: str, query: dict[str, str]) -> str:
        """Return the HTML at an address, with the status where it is none of success."""
        answer = self._client(place.role, table, player).get(address, query_string=query)
        status = "" if answer.status_code == 200 else f"<!-- {answer.status} {answer.headers.get('Location', '')} -->\n"
        return normalised(status + answer.get_data(as_text=True))

    def _client(self, role: str, table: str, player: str) -> FlaskClient:
        if role == "banker":
            return self._banker
        if role == "stranger":
            return self._app.test_client()
        device = (table, player) if role == "seat" else (table,)
        if device not in self._clients:
            wish = {"player": player} if role == "seat" else {"spectator": True}
            invited = self._banker.post(f"/api/v1/tables/{table}/invitations", json=wish).get_json()
            self._clients[device] = self._app.test_client()
            assert self._clients[device].get(f"/join/{invited['token']}").status_code < 400
        return self._clients[device]


def pages_of(place: Place, browser: Browser, table: str, shown: JsonObject, lang: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a place with their HTML: the page, the sheet over it, and what an act would fetch."""
    position = shown.get("position", {})
    player = next(iter(position.get("waiting_for") or position.get("seats") or [""]))
    address, _, query = place.path.format(table=table, player=player).partition("#")[0].partition("?")
    live, language = f"/tables/{table}/live", {"lang": lang}
    asked = dict(part.partition("=")[::2] for part in query.split("&") if part)
    if not place.sheet:
        yield "page", browser.get(place, table, player, address, asked | language)
    if place.path.startswith("/tables/{table}") and place.role != "screen" and not place.sheet:
        yield "glance", browser.get(place, table, player, live, {"part": "glance"} | language)
    if place.mark:
        yield "proposal", browser.get(place, table, player, live, {"part": "proposal"} | language)
    if place.sheet:
        more = place.asks(shown, player)
        last = int(more.get("seq", 0))
        steps = range(max(last - ENTRIES, 1), last) if place.does and "seq" in more else ()
        for asks in (more, *({**more, "seq": str(seq)} for seq in steps)):
            name = f"sheet-{asks['seq']}" if steps else "sheet"
            yield name, browser.get(place, table, player, live, {"part": place.sheet} | asks | language)


def test_capture(app: Flask, played: Moments) -> None:
    """Write every place to its file."""
    folder = Path(os.environ[FOLDER])
    browser = Browser(app)
    for place in PLACES:
        table, shown = played.at(place.moment) if place.moment else ("", {})
        for language in os.environ[LANGUAGES].split(","):
            for part, html in pages_of(place, browser, table, shown, language):
                file = folder / language / f"{place}.{part}.html"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(html, encoding="utf-8")


def main() -> None:
    """Run the capture with the fixtures of the layout tests."""
    parser = argparse.ArgumentParser(prog="python -m tests.layout.capture")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--languages", default="en,de,fr")
    options = parser.parse_args()
    wishes = {FOLDER: str(options.folder.resolve()), LANGUAGES: options.languages, "PYTHONHASHSEED": "0"}
    program = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", __file__]
    sys.exit(subprocess.run(program, env=os.environ | wishes, check=False).returncode)


if __name__ == "__main__":
    main()
