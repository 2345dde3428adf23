"""Teaching a box: the list of boxes, and a page that asks card by card what is printed there.  For the banker."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from companion.game_api.cards import kind_of
from companion.game_api.manifest import Manifest
from companion.game_api.teaching import Acts, Asked, Pick, Teams
from companion.service.teaching.boxes import Box, Boxes, UnknownBox
from companion.web.default_ui.drawing_view import as_svg
from companion.web.http.auth import current_caller, services
from companion.web.http.strict_json import read_json_object
from companion.web.pages.language import deck_title, page_frame, remember_language
from companion.words import Words

blueprint = Blueprint("teach", __name__, url_prefix="/boxes")
MOST_FAULTS = 6
"""So many faults are told beside the card; the others follow when these are mended."""


@dataclass(frozen=True, slots=True)
class Pile:
    """The cards of one kind: what they are called, and of each whether it was taught."""

    title: str
    cards: tuple[tuple[str, bool], ...]


@blueprint.get("")
def boxes() -> AnyResponse:
    """Return the boxes, and let one be begun."""
    found = _found()
    if found is None:
        return redirect("/")
    frame = page_frame()
    about = [(box, _progress(found, box), found.games[box.game].title) for box in found.all()]
    page: Response = make_response(frame.render("boxes.html", **_boxes(found, about)))
    return remember_language(page)


def _boxes(found: Boxes, about: list[tuple[Box, tuple[int, int], str]]) -> dict[str, Any]:
    printer = services().printer
    measured = None if printer is None else printer.known()
    return {"boxes": about, "games": found.games.values(), "printer": measured, "stocks": services().stocks}


@blueprint.get("/<box_id>")
def box(box_id: str) -> AnyResponse:
    """Ask for one card after the other; ``?card=`` for this one."""
    found = _found()
    try:
        if found is None:
            return redirect("/")
        here = found.get(box_id)
        card = request.args.get("card") or _next(found, here)
        frame = page_frame(of=found.games[here.game])
        words = frame.words
        shown = _card_values(found, here, card, words)
    except UnknownBox:
        return redirect("/boxes")
    return remember_language(make_response(frame.render("teach.html", **shown)))


@blueprint.get("/<box_id>/cards/<card>")
def part(box_id: str, card: str) -> AnyResponse:
    """Return the living part of the page for a card."""
    found = _found()
    try:
        if found is None:
            return make_response("", 404)
        here = found.get(box_id)
        frame = page_frame(of=found.games[here.game])
        words = frame.words
        shown = _card_values(found, here, card, words)
    except UnknownBox:
        return make_response("", 404)
    return make_response(frame.render("parts/teach_card.html", **shown))


@blueprint.get("/<box_id>/cards/<card>/photo")
def photo(box_id: str, card: str) -> AnyResponse:
    """Return the part of the page that shows the picture of a card."""
    found = _found()
    try:
        if found is None:
            return make_response("", 404)
        here = found.get(box_id)
        found.asked(here, card)
        frame = page_frame(of=found.games[here.game])
        shown = {"box": here, "card": card, **_photo(here, card)}
    except UnknownBox:
        return make_response("", 404)
    return make_response(frame.render("parts/teach_photo.html", **shown))


@blueprint.post("/<box_id>/cards/<card>/preview")
def preview(box_id: str, card: str) -> AnyResponse:
    """Draw a card as it would be, and say back what it does."""
    found = _found()
    try:
        if found is None:
            return make_response("", 404)
        here = found.get(box_id)
        words = page_frame(of=found.games[here.game]).words
        return make_response(render_template("parts/teach_preview.html", **_preview(found, here, card, words)))
    except UnknownBox:
        return make_response("", 404)


def _found() -> Boxes | None:
    return services().boxes if current_caller().role == "banker" else None


def _progress(found: Boxes, here: Box) -> tuple[int, int]:
    return len(here.cards), sum(len(ids) for ids in found.teaches(here).cards.values())


def _next(found: Boxes, here: Box) -> str:
    """Return the first card that is missing, or the first of all."""
    ids = [card for table in found.teaches(here).cards.values() for card in table]
    return next((card for card in ids if card not in here.cards), ids[0])


def _card_values(found: Boxes, here: Box, card: str, words: Words) -> dict[str, Any]:
    teaches, game = found.teaches(here), found.games[here.game]
    asked = found.asked(here, card)
    ids = [one for table in teaches.cards.values() for one in table]
    at = ids.index(card)
    held = here.cards.get(card)
    faults, progress = found.so_far(here), _progress(found, here)
    titles = {table: _title(game, table, those[0], words) for table, those in teaches.cards.items()}
    piles = [
        Pile(titles[table], tuple((one, one in here.cards) for one in those)) for table, those in teaches.cards.items()
    ]
    table = next(table for table, those in teaches.cards.items() if card in those)
    return {
        "box": here,
        "progress": progress,
        "to_come": progress[1] - progress[0],
        "card": card,
        "kind": titles[table],
        "alone": len(teaches.cards[table]) == 1,
        "asked": [(type(one).__name__.lower(), one) for one in asked],
        "pictures": {one.name: _pictures(teaches.picture, one) for one in asked},
        "values": {**teaches.usual(card, here.cards), **(held or {})},
        "was_taught": held is not None,
        "follows": teaches.follows(here.cards),
        "after": next((one for one in ids[at + 1 :] if one not in here.cards), None),
        "before": ids[at - 1] if at else None,
        "piles": piles,
        "faults": [{"place": one, "words": said} for one, said in faults[:MOST_FAULTS]],
        **_photo(here, card),
        "more_faults": max(0, len(faults) - MOST_FAULTS),
    }


def _photo(here: Box, card: str) -> dict[str, Any]:
    """Return whether there is a picture (when it was kept), what it looks like, and whether the camera can take one."""
    faces, place = services().faces, services().card_place
    kept = None if faces is None else faces.kept(here).get(card)
    camera = place is not None and services().scanner.camera.name != "none"
    return {
        "pictured": "" if kept is None else f"{kept:.3f}",
        "alike": [] if faces is None or kept is None else faces.alike(here, card),
        "place": "none" if not camera or place is None else "known" if place.is_known else "unknown",
    }


def _title(game: Manifest, table: str, card: str, words: Words) -> str:
    """Return what cards are; what is asked for like a card, such as a board, is called by its table."""
    kind = kind_of(game.kinds, card)
    return words.named("sheet", table) if kind is None else deck_title(words, kind)


def _pictures(draw: Any, asked: Asked) -> Mapping[str, Markup]:
    if isinstance(asked, Teams) and asked.plan is not None:
        return {"": as_svg(asked.plan)}
    if not isinstance(asked, Pick):
        return {}
    drawn = ((value, draw(asked.name, value)) for value in asked.values)
    return {value: as_svg(one) for value, one in drawn if one is not None}


def _preview(found: Boxes, here: Box, card: str, words: Words) -> dict[str, Any]:
    values, teaches, game = read_json_object(), found.teaches(here), found.games[here.game]
    catalog = found.shown(here, card, values)
    if catalog is None:
        return {"drawing": None, "wide": False, "told": ()}
    front = None if game.drawings is None else game.drawings().front(card, catalog, words)
    drawing = None if front is None else as_svg(front)
    wide = front is not None and front.width >= front.height
    acts = [act for one in found.asked(here, card) if isinstance(one, Acts) for act in values[one.name]]
    return {"drawing": drawing, "wide": wide, "told": [teaches.told(act, words) for act in acts]}
