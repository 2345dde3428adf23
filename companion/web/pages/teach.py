"""Teaching a box: the list of boxes, and a page that asks card by card what is printed there.  For the banker."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from flask import Blueprint, Response, make_response, redirect, render_template, request
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from companion.game_api.cards import CardKind, kind_of
from companion.game_api.guard import load_part
from companion.game_api.teaching import Acts, Asked, Pick, Teams
from companion.service.teaching.boxes import Boxes, TaughtBox, UnknownBox
from companion.web.default_ui.drawing_view import as_svg
from companion.web.http.auth import services
from companion.web.http.endpoint import read_json_object
from companion.web.pages.language import PageFrame, page_frame, remember_language
from companion.words import Words

blueprint = Blueprint("teach", __name__, url_prefix="/boxes")
MOST_FAULTS = 6
"""Maximum number of faults shown beside the card; the others follow when these are corrected."""


@dataclass(frozen=True, slots=True)
class Pile:
    """The cards of one kind: what they are called, and of each whether it was taught."""

    title: str
    cards: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class BoxFault:
    """A fault of a box that does not add up yet: where, and why."""

    place: str
    words: str


@dataclass(frozen=True, slots=True)
class CardForm:
    """The questions about a card, and what is known of it and of its box.

    Attributes:
        card: Its id.
        kind: What cards like it are called.
        is_alone: Whether it is the only one of its kind.
        progress: Cards taught so far, and of how many.
        asked: The fields with their kinds in lower case.
        pictures: By field, what its values are drawn as.
        values: What was taught, or what is usual where nothing was.
        was_taught: Whether the card was taught before.
        follows: Values that follow from others.
        after: The next card that is missing, if any.
        before: The card before this one, if any.
        piles: All cards of the box by kind.
        faults: What does not add up yet.
        more_faults: How many faults are not among them.
    """

    card: str
    kind: str
    is_alone: bool
    progress: tuple[int, int]
    asked: Sequence[tuple[str, Asked]]
    pictures: Mapping[str, Mapping[str, Markup]]
    values: Mapping[str, Any]
    was_taught: bool
    follows: object
    after: str | None
    before: str | None
    piles: Sequence[Pile]
    faults: Sequence[BoxFault]
    more_faults: int

    @property
    def to_come(self) -> int:
        """Return how many cards are still missing."""
        return self.progress[1] - self.progress[0]


@dataclass(frozen=True, slots=True)
class CardPhoto:
    """The picture of a card.

    Attributes:
        kept_at: When it was kept, as its address tells; empty where there is none.
        alike: The cards that look like it.
        place: ``none`` where the camera cannot take one, else whether its empty place is ``known`` or ``unknown``.
    """

    kept_at: str
    alike: Sequence[str]
    place: Literal["none", "known", "unknown"]


@dataclass(frozen=True, slots=True)
class CardPreview:
    """A card as it would be: its front where the game draws one, and what it does in words."""

    drawing: Markup | None = None
    is_wide: bool = False
    acts: Sequence[str | None] = ()


@blueprint.get("")
def boxes() -> AnyResponse:
    """Return the boxes, and let one be begun."""
    all_boxes = _boxes_if_any()
    if all_boxes is None:
        return redirect("/")
    frame = page_frame()
    about = [(box, _progress(all_boxes, box), all_boxes.games[box.game].title) for box in all_boxes.all()]
    printer = services().printer
    measured = None if printer is None else printer.offsets()
    shared = services().shared_catalogs
    files = [] if shared is None else [file for file in shared.all() if not file.fault]
    shelves = [
        (game.manifest.title, [file for file in files if file.game == name])
        for name, game in services().tables.games.items()
    ]
    page: Response = make_response(
        frame.render(
            "boxes.html",
            boxes=about,
            games=all_boxes.games.values(),
            printer=measured,
            shelves=shelves,
            stocks=services().stocks,
        )
    )
    return remember_language(page)


@blueprint.get("/<box_id>")
def box(box_id: str) -> AnyResponse:
    """Ask for one card after the other; ``?card=`` for this one."""
    try:
        all_boxes, taught_box, frame = _opened(box_id)
        card = request.args.get("card") or _next(all_boxes, taught_box)
        form = _card_form(all_boxes, taught_box, card, frame.words)
    except UnknownBox:
        return redirect("/boxes")
    photo_kept = _photo(taught_box, card)
    return remember_language(
        make_response(frame.render("teach.html", box=taught_box, card=card, form=form, photo=photo_kept))
    )


@blueprint.get("/<box_id>/cards/<card>")
def part(box_id: str, card: str) -> AnyResponse:
    """Return the living part of the page for a card."""
    all_boxes, taught_box, frame = _opened(box_id)
    form = _card_form(all_boxes, taught_box, card, frame.words)
    photo_kept = _photo(taught_box, card)
    return make_response(frame.render("parts/teach_card.html", box=taught_box, card=card, form=form, photo=photo_kept))


@blueprint.get("/<box_id>/cards/<card>/photo")
def photo(box_id: str, card: str) -> AnyResponse:
    """Return the part of the page that shows the picture of a card."""
    all_boxes, taught_box, frame = _opened(box_id)
    all_boxes.require_card(taught_box, card)
    photo_kept = _photo(taught_box, card)
    return make_response(frame.render("parts/teach_photo.html", box=taught_box, card=card, photo=photo_kept))


@blueprint.post("/<box_id>/cards/<card>/preview")
def preview(box_id: str, card: str) -> AnyResponse:
    """Draw a card as it would be, and say back what it does."""
    all_boxes, taught_box, frame = _opened(box_id)
    shown = _preview(all_boxes, taught_box, card, frame.words)
    return make_response(render_template("parts/teach_preview.html", preview=shown))


@blueprint.errorhandler(UnknownBox)
def no_such_part(_: UnknownBox) -> AnyResponse:
    """Answer that there is no such part of a page."""
    return make_response("", 404)


def _boxes_if_any() -> Boxes | None:
    return services().boxes


def _opened(box_id: str) -> tuple[Boxes, TaughtBox, PageFrame]:
    """Return the boxes, one of them, and what its pages are drawn in.  Raise ``UnknownBox``."""
    all_boxes = _boxes_if_any()
    if all_boxes is None:
        raise UnknownBox(box_id)
    taught_box = all_boxes.get(box_id)
    return all_boxes, taught_box, page_frame(of=all_boxes.games[taught_box.game])


def _progress(all_boxes: Boxes, taught_box: TaughtBox) -> tuple[int, int]:
    return len(taught_box.cards), sum(len(ids) for ids in all_boxes.teaches(taught_box).cards.values())


def _next(all_boxes: Boxes, taught_box: TaughtBox) -> str:
    """Return the first card that is missing, or the first of all."""
    ids = [card for table in all_boxes.teaches(taught_box).cards.values() for card in table]
    return next((card for card in ids if card not in taught_box.cards), ids[0])


def _card_form(all_boxes: Boxes, taught_box: TaughtBox, card: str, words: Words) -> CardForm:
    teaches, game = all_boxes.teaches(taught_box), all_boxes.games[taught_box.game]
    asked = all_boxes.asked_fields(taught_box, card)
    ids = [card_id for table in teaches.cards.values() for card_id in table]
    at = ids.index(card)
    values_kept = taught_box.cards.get(card)
    faults = all_boxes.so_far(taught_box)
    titles = {table: _title(game.kinds, table, those[0], words) for table, those in teaches.cards.items()}
    table = next(table for table, those in teaches.cards.items() if card in those)
    return CardForm(
        card=card,
        kind=titles[table],
        is_alone=len(teaches.cards[table]) == 1,
        progress=_progress(all_boxes, taught_box),
        asked=[(type(field).__name__.lower(), field) for field in asked],
        pictures={field.name: _pictures(teaches.picture, field) for field in asked},
        values={**teaches.usual(card, taught_box.cards), **(values_kept or {})},
        was_taught=values_kept is not None,
        follows=teaches.follows(taught_box.cards),
        after=next((card_id for card_id in ids[at + 1 :] if card_id not in taught_box.cards), None),
        before=ids[at - 1] if at else None,
        piles=[
            Pile(titles[table], tuple((card_id, card_id in taught_box.cards) for card_id in those))
            for table, those in teaches.cards.items()
        ],
        faults=[BoxFault(place, said) for place, said in faults[:MOST_FAULTS]],
        more_faults=max(0, len(faults) - MOST_FAULTS),
    )


def _photo(taught_box: TaughtBox, card: str) -> CardPhoto:
    faces, place = services().faces, services().card_place
    kept = None if faces is None else faces.picture_times(taught_box).get(card)
    camera = place is not None and services().scanner.camera.name != "none"
    return CardPhoto(
        kept_at="" if kept is None else f"{kept:.3f}",
        alike=[] if faces is None or kept is None else faces.alike(taught_box, card),
        place="none" if not camera or place is None else "known" if place.is_known else "unknown",
    )


def _title(kinds: Sequence[CardKind], table: str, card: str, words: Words) -> str:
    """Return what cards are; what is asked for like a card, such as a board, is called by its table."""
    kind = kind_of(kinds, card)
    return words.named("sheet", table) if kind is None else words.named("deck", kind.table or kind.name)


def _pictures(draw: Any, asked: Asked) -> Mapping[str, Markup]:
    if isinstance(asked, Teams) and asked.plan is not None:
        return {"": as_svg(asked.plan)}
    if not isinstance(asked, Pick):
        return {}
    drawn = ((value, draw(asked.name, value)) for value in asked.values)
    return {value: as_svg(drawing) for value, drawing in drawn if drawing is not None}


def _preview(all_boxes: Boxes, taught_box: TaughtBox, card: str, words: Words) -> CardPreview:
    values, teaches, game = read_json_object(), all_boxes.teaches(taught_box), all_boxes.games[taught_box.game]
    catalog = all_boxes.preview_cards(taught_box, card, values)
    if catalog is None:
        return CardPreview()
    drawings = load_part(game, "drawings")
    front = None if drawings is None else drawings.front(card, catalog, words)
    acts = [
        act
        for field in all_boxes.asked_fields(taught_box, card)
        if isinstance(field, Acts)
        for act in values[field.name]
    ]
    return CardPreview(
        drawing=None if front is None else as_svg(front),
        is_wide=front is not None and front.width >= front.height,
        acts=[teaches.describe_act(act, words) for act in acts],
    )
