"""The camera: the table it looks at, what it sees there, how much it does by itself, and pictures sent to be read."""

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal

from flask import Blueprint, Response, jsonify, request
from pydantic import Field, create_model

from companion.game_api.manifest import LoadedGame
from companion.service.camera.proposals import AutomationSettings, automated_kinds
from companion.service.demonstration import CardTable
from companion.vision.label.legibility import UnreadReason
from companion.web.api.shapes import FrameSizeJson, PixelCorners
from companion.web.http.auth import current_caller, open_table, services
from companion.web.http.capacity import upload_limiter
from companion.web.http.endpoint import (
    FOR_BANKER,
    INSIDE,
    LANGUAGE,
    SENDING,
    Answer,
    Body,
    ByGames,
    ClosedShape,
    Content,
    JsonObject,
    Omittable,
    Parameter,
    Shape,
    TableId,
    described_only,
    endpoint,
    read_picture_bytes,
)
from companion.web.http.language import words_of
from companion.web.http.metrics import metrics
from companion.web.http.problems import Problem
from companion.web.pages.camera import zones_in_picture

LONGEST_TEXT = 40
"""Characters of a code that is no card of the table."""

blueprint = Blueprint("camera", __name__)


class LookingJson(Shape):
    """View of the camera at the table that it is attached to."""

    sight: JsonObject


class CardInViewJson(Shape):
    """A card in the picture."""

    card: str
    title: str
    zone: str | None
    place: str | None
    corners: PixelCorners


class CodeInViewJson(Shape):
    """A code that is no card of the table."""

    text: str
    corners: PixelCorners


class UnreadLabelJson(Shape):
    """A label that is not read, with the reason and what helps."""

    why: UnreadReason
    title: str
    advice: str
    corners: PixelCorners


class ZoneInViewJson(Shape):
    """A zone of the mat in the picture."""

    zone: str
    title: str
    corners: PixelCorners


class CameraViewJson(Shape):
    """Contents of the picture."""

    picture: FrameSizeJson | None
    cards: list[CardInViewJson]
    strangers: list[CodeInViewJson]
    unread: list[UnreadLabelJson]
    zones: list[ZoneInViewJson]


DieFace = Annotated[int, Field(ge=1, le=6)]
MOST_DICE = 4


class FurnishTable(ClosedShape):
    """Change of the simulated table; ``throw``: the faces of dice that lie up then, from the left."""

    lay: Omittable[str] = None
    zone: Omittable[str] = None
    bare: Omittable[bool] = None
    take_away: Omittable[str] = None
    throw: Omittable[Annotated[list[DieFace], Field(min_length=1, max_length=MOST_DICE)]] = None
    mat: str | None = None
    board: Omittable[bool] = None
    bump: Omittable[bool] = None


Level = Literal["ledger", "suggest", "automatic"]


class DialJson(ClosedShape):
    """How much the camera does by itself, with each kind of card."""

    dial: Level
    kinds: dict[str, Level]


class TurnDial(ClosedShape):
    """How much the camera is to do by itself, with one kind of card or with all."""

    dial: Level
    kind: Omittable[str] = None


def _dial_of(games: Iterable[LoadedGame]) -> Any:
    """Return the type of a dial at tables of these games."""
    kinds = dict.fromkeys(map(automated_kinds, games))
    levels: list[Any] = [
        create_model(f"Levels{number}", __base__=ClosedShape, **dict.fromkeys(names, (Level, ...)))  # type: ignore[call-overload]
        for number, names in enumerate(kinds)
    ]
    return create_model("DialJson", __base__=DialJson, kinds=(reduce(or_, levels), ...))


def _turn_schemas(games: Iterable[LoadedGame]) -> Any:
    """Return the type of what turns a dial at tables of these games."""
    kinds = dict.fromkeys(kind for game in games for kind in automated_kinds(game))
    kind = Annotated[Omittable[str], described_only(enum=list(kinds))]
    return create_model("TurnDial", __base__=TurnDial, kind=(kind, None))


class TagJson(Shape):
    """A tag in a picture; ``card`` is null where no deck is known."""

    text: str
    card: str | None
    corners: PixelCorners
    how: Literal["decoded", "matched"]
    confidence: float


class ReadingJson(Shape, title="Reading"):
    """Labels in a picture."""

    image: str
    width: int
    height: int
    ms: float
    tags: list[TagJson]


DIAL = Answer("The dial.", ByGames(_dial_of))
TURN_DIAL = Body[TurnDial](TurnDial, described=ByGames(_turn_schemas))
FURNISH_TABLE = Body[FurnishTable](
    FurnishTable,
    'Send {"lay": "W07"} (and "zone", or "bare": true), {"take_away": "W07"}, {"throw": [3, 4]}, {"mat": "table"}, '
    '{"board": true} or {"bump": true}.',
)


@blueprint.post("/tables/<table_id>/camera")
@endpoint(
    "Let the camera look at this table from now on; for the organiser.",
    answers=Answer("What it sees.", LookingJson),
    problems=(*INSIDE, *SENDING),
    counts_once=True,
)
def look_here(table_id: TableId) -> Response:
    """Let the camera look at this table from now on."""
    table = open_table(table_id)
    services().scanner.attach(table)
    return jsonify({"sight": services().scanner.state_json(table_id)})


@blueprint.get("/tables/<table_id>/camera")
@endpoint(
    "What the camera sees at this table now, with places in the picture: cards, codes that are no card of this "
    "table, and the zones of the mat; for the banker. `picture` is null while no camera looks here; by its "
    "number `/camera/live.jpg` gives it.",
    answers=Answer("What is in the picture.", CameraViewJson),
    problems=INSIDE,
    parameters=(LANGUAGE,),
)
def view_camera(table_id: TableId) -> Response:
    """Return what the camera sees at this table now: cards, other codes, labels that are not read, zones."""
    table = open_table(table_id)
    viewing, words, catalog = services().view, words_of(table.game.manifest), table.catalog_json()
    view = None if viewing is None else viewing.view_latest(table_id)
    if view is None:
        return jsonify({"picture": None, "cards": [], "strangers": [], "unread": [], "zones": []})
    cards = [
        {
            **card,
            "title": words.card(card["card"], catalog),
            "place": card["zone"] and words.say_in("zone", card["zone"]),
        }
        for card in view.cards
    ]
    foreign_codes = [
        {"text": code.text[:LONGEST_TEXT], "corners": [[round(x, 1), round(y, 1)] for x, y in code.corners]}
        for code in view.foreign_codes
    ]
    unread = [
        {
            "why": label.reason,
            "title": words.say_in("unread", label.reason),
            "advice": words.say_in("unread advice", label.reason),
            "corners": [[round(x, 1), round(y, 1)] for x, y in label.corners],
        }
        for label in view.unread
    ]
    zones = [] if view.mat is None else zones_in_picture(words, view.mat)
    picture = {"number": view.number, "width": view.width, "height": view.height}
    return jsonify({"picture": picture, "cards": cards, "strangers": foreign_codes, "unread": unread, "zones": zones})


@blueprint.post("/tables/<table_id>/simulated")
@endpoint(
    "Lay a card under the simulated camera, take it away, throw dice, or bump it; for the banker, and only where it "
    "plays.",
    answers=Answer("Done.", JsonObject),
    problems=(*INSIDE, *SENDING),
    body=FURNISH_TABLE,
    counts_once=True,
)
def lay_simulated_card(table_id: TableId) -> Response:
    """Change what lies on the table under the simulated camera."""
    table = open_table(table_id)
    if not current_caller().is_organiser and services().scanner.attached_to != table.id:
        raise Problem("not_found", "No camera looks at this table now.")
    return _furnish(table.game.rules.label_code)


@blueprint.post("/camera/simulated")
@endpoint(
    "Lay a card or a mat under the simulated camera, take it away, hold the calibration board there, or bump "
    "the camera; for the organiser, with or without a table.",
    answers=Answer("Done.", JsonObject),
    problems=(*FOR_BANKER, "not_found", *SENDING),
    body=FURNISH_TABLE,
    counts_once=True,
)
def furnish_simulated_table() -> Response:
    """Change what lies on the table under the simulated camera while there is no game."""
    return _furnish()


def _furnish(game: str = "") -> Response:
    """Change what lies on the simulated table; ``game``: how the labels of the table's cards begin."""
    simulated_table = services().simulated_table
    if simulated_table is None:
        raise Problem("not_found", "The camera is a real one: lay the card on the table.")
    given = FURNISH_TABLE.read().model_dump(exclude_unset=True)
    try:
        _carry_out(simulated_table, {**given, **_names_of(simulated_table, given, game)})
    except ValueError:
        raise Problem("malformed", "There is no such card in the box, or no such mat or zone.") from None
    return jsonify(given)


def _names_of(simulated_table: CardTable, given: Mapping[str, Any], game: str) -> dict[str, str]:
    """Return the cards that are laid with their labels or taken away, each by the name under which it lies there."""
    labelled = [key for key in ("lay", "take_away") if game and key in given and "bare" not in given]
    return {key: simulated_table.name_of(given[key], game) for key in labelled}


def _carry_out(simulated_table: CardTable, given: Mapping[str, Any]) -> None:
    """Change what lies on the simulated table.  Raise ``ValueError`` where there is no such thing."""
    match given:
        case {"lay": card, **others} if not others:
            simulated_table.lay_on_tray(card)
        case {"lay": card, "bare": True, **others} if not others:
            simulated_table.lay_unlabelled(card)
        case {"lay": card, "zone": zone, **others} if not others:
            simulated_table.lay_in(card, zone)
        case {"take_away": card, **others} if not others:
            simulated_table.take_away(card)
        case {"throw": faces, **others} if not others:
            simulated_table.throw(faces)
        case {"mat": name, **others} if not others:
            simulated_table.lay_mat(name)
        case {"board": is_held, **others} if not others:
            simulated_table.hold_board(in_hand=is_held)
        case {"bump": True, **others} if not others:
            simulated_table.bump()
        case _:
            raise Problem("malformed", FURNISH_TABLE.expects)


@blueprint.get("/tables/<table_id>/dial")
@endpoint(
    "How much the camera does by itself: ledger nothing, suggest asks, automatic does what is plain; and how "
    "that stands for each kind of card.",
    answers=DIAL,
    problems=INSIDE,
)
def show_dial(table_id: TableId) -> Response:
    """Return how much the camera does by itself."""
    table = open_table(table_id)
    return jsonify(_dial_json(table.game, services().proposals.settings(table)))


@blueprint.post("/tables/<table_id>/dial")
@endpoint(
    "Turn the dial, and every kind of card with it; or with `kind` that kind alone. For the banker.",
    answers=DIAL,
    problems=(*INSIDE, *SENDING),
    body=TURN_DIAL,
    counts_once=True,
)
def turn_dial(table_id: TableId) -> Response:
    """Store how much the camera does by itself, with one kind of card or with all."""
    table = open_table(table_id)
    names = automated_kinds(table.game)
    detail = 'Send {"dial": "ledger"}, "suggest" or "automatic", if need be with "kind": one of '
    expects = f"{detail}{', '.join(names)}; and nothing else."
    wish = TURN_DIAL.read(expects)
    kind = next((kind for kind in names if kind == wish.kind), None)
    if kind != wish.kind:
        raise Problem("malformed", expects)
    return jsonify(_dial_json(table.game, services().proposals.set_level(table, wish.dial, kind)))


def _dial_json(game: LoadedGame, setting: AutomationSettings) -> dict[str, Any]:
    return {"dial": setting.level, "kinds": {kind: setting.level_of(kind) for kind in automated_kinds(game)}}


@blueprint.post("/read")
@endpoint(
    "Read the tags in a picture of at most 20 MB.",
    answers=Answer("What is in it.", ReadingJson),
    problems=("login_needed", "unreadable", "busy", *SENDING, "internal"),
    body=Content({"application/octet-stream": bytes}),
    parameters=(Parameter("name", "What to call the picture."),),
)
def read_picture() -> Response:
    """Return what ``companion read`` says of the bytes of a picture; ``?name=`` names it."""
    name = request.args.get("name", "picture")
    with upload_limiter().slot(retry_after=5):
        reading = services().read_picture(name, read_picture_bytes())
    if "error" in reading:
        metrics().count("pictures", outcome="unreadable")
        raise Problem("unreadable", str(reading["error"]), **reading)
    metrics().count("pictures", outcome="read")
    return jsonify(reading)
