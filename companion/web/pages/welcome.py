"""The welcome on the first evening: language, camera, deck, mat or tray.  Every step can be skipped."""

from itertools import pairwise

from flask import Blueprint, Response, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.service.access.preferences import LAYINGS
from companion.web.http.auth import current_caller, services, the_banker
from companion.web.http.language import LANGUAGE_COOKIE, keep_cookie
from companion.web.pages.camera_sheet import watched
from companion.web.pages.language import page_values, remember_language
from companion.words import LANGUAGES

blueprint = Blueprint("welcome", __name__)

STEPS = ("language", "camera", "deck", "laying")


def is_welcome_due() -> bool:
    """Say whether nobody has been welcomed here, and no game was ever played."""
    known = services()
    return not known.preferences.chosen.welcomed and not known.tables.all() and not known.tables.binned()


@blueprint.get("/welcome")
def welcome() -> AnyResponse:
    """Show one step, ``?step=camera``; without it the first."""
    if current_caller().role != "banker":
        return redirect("/")
    _, values = page_values()
    step = request.args.get("step", STEPS[0])
    mine = values["manifest"].name
    decks = [one for one in services().tables.catalogs() if one["title"] is not None and one["game"] == mine]
    camera = watched(services(), "", services().scanner.sight(""))
    chosen = services().preferences.chosen
    page = render_template(
        "welcome.html",
        **values,
        steps=STEPS,
        step=step if step in STEPS else STEPS[0],
        chosen=chosen,
        decks=decks,
        camera=camera,
        # Without a camera nothing can be laid under it, unless somebody said that one will come.
        laying="tap" if camera["state"] == "none" and not chosen.welcomed else chosen.laying,
    )
    return remember_language(make_response(page))


@blueprint.post("/welcome")
def answered() -> Response:
    """Take what was chosen at a step (fields ``step`` and ``choice``, both may be missing), and show the next one.

    After the last, and with ``leave``, comes the lobby, and the welcome is not shown by itself again.
    """
    the_banker()
    step, choice = request.form.get("step", ""), request.form.get("choice", "")
    preferences = services().preferences
    if step == "deck" and choice in {deck["name"] for deck in services().tables.catalogs()}:
        preferences.choose(deck=choice)
    if step == "laying" and choice in LAYINGS:
        preferences.choose(laying=choice)
    coming = _after(step)
    if coming is None or "leave" in request.form:
        preferences.choose(welcomed=True)
        coming = None
    answer = make_response(redirect(f"/welcome?step={coming}" if coming else "/", 303))
    if step == "language" and choice in LANGUAGES:
        keep_cookie(answer, LANGUAGE_COOKIE, choice)
    return answer


def _after(step: str) -> str | None:
    """Give the step after this one; ``None`` after the last, or where there is no such step."""
    return dict(pairwise(STEPS)).get(step)
