"""Short addresses (``companion.local/HKTW``): their four letters lead a phone to the page where it joins a table."""

from flask import Blueprint, make_response, redirect, request
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from companion.service.access.logins import LETTERS_IN_ADDRESS, LockedOut, read_letters
from companion.web.http.auth import services
from companion.web.http.guests import open_invitation, table_of_letters
from companion.web.http.metrics import metrics
from companion.web.pages.language import page_frame, remember_language

blueprint = Blueprint("short_address", __name__)


@blueprint.get("/join")
def type_letters() -> AnyResponse:
    """Ask for the letters of a short address, or follow those typed (``?letters=``)."""
    typed = request.args.get("letters")
    return _letters_page() if typed is None else _follow_letters(typed)


@blueprint.get("/<letters>")
def open_short_address(letters: str) -> AnyResponse:
    """Redirect a short address to the page where its table is joined."""
    if len(letters) != LETTERS_IN_ADDRESS or not (letters.isascii() and letters.isalpha()):
        raise NotFound
    return _follow_letters(letters)


def _follow_letters(typed: str) -> AnyResponse:
    """Redirect to the page where a table is joined; wrong letters are counted against their sender.

    Letters that no address has are no guess.
    """
    letters = read_letters(typed)
    if letters is None:
        return _letters_page(error="wrong")
    place = table_of_letters(letters)
    try:
        services().logins.letters_guard.judge(lambda: place is not None, request.remote_addr or "")
    except LockedOut as locked:
        metrics().count("logins", outcome="locked_out")
        return _letters_page(error="wait", seconds=locked.retry_after)
    if place is None:
        metrics().count("logins", outcome="bad_invitation")
        return _letters_page(error="wrong")
    return redirect(f"/who/{open_invitation(place[0]).token}", 303)


def _letters_page(error: str = "", seconds: int = 0) -> AnyResponse:
    page = make_response(page_frame().render("letters.html", error=error, seconds=seconds))
    page.status_code = {"": 200, "wrong": 404, "wait": 429}[error]
    if seconds:
        page.headers["Retry-After"] = str(seconds)
    return remember_language(page)
