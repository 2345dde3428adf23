"""The pages of one table, its living parts, fetched anew at every change, and the sheets over them."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from flask import Blueprint, Response, current_app, make_response, redirect, request, url_for
from jinja2 import TemplatesNotFound
from werkzeug.wrappers import Response as AnyResponse

from companion.engine.game import SPECTATOR, Refused
from companion.game_api.stage import Ending, RoundWorth
from companion.game_api.ui import CameraStatus, GameUI, TableView
from companion.service.access.logins import Caller
from companion.service.ports import Forbidden, NotStored, UnknownTable
from companion.service.table.past import (
    explained_players,
    offers_as_known,
    scores_over_evening,
    worth_now,
    worth_over_rounds,
)
from companion.service.table.table import Table
from companion.web.default_ui.drawing_view import as_stage_svg
from companion.web.game_ui import table_ui
from companion.web.http.auth import TO_LOGIN, current_caller, open_table, services
from companion.web.http.caches import DRAWING_SLOTS, fragments
from companion.web.http.guests import OpenInvitation, guests_at
from companion.web.http.language import language, timezone
from companion.web.http.responses import SoftenedResponse, soften
from companion.web.pages.bare import draw_bare_page
from companion.web.pages.camera import camera_status
from companion.web.pages.consent_prompts import ConsentPrompt, consent_prompt, last_act
from companion.web.pages.ending import WorthChart, ending, worth_chart
from companion.web.pages.join import visible_join_code
from companion.web.pages.journal import RowBlock, entry_blocks
from companion.web.pages.language import page_frame, remember_language
from companion.web.pages.notes import NotesView, are_notes_wanted, describe_notes
from companion.web.pages.shared_tablet import COVERED_SHEETS, all_is_shown
from companion.web.pages.sheets import SEAT_SHEETS, SHEETS, sheet_values
from companion.web.table_state import is_due, preparation_steps, snapshot_of, visible_camera
from companion.words import Words

blueprint = Blueprint("tables", __name__)
blueprint.register_error_handler(Exception, draw_bare_page)


@blueprint.after_request
def _name_program(answer: Response) -> Response:
    """Name the version that answers: a page of another one is loaded anew (``core/renewed.js``)."""
    answer.headers["X-Program"] = services().version
    return answer


@blueprint.get("/tables/<table_id>")
def tablet(table_id: str) -> AnyResponse:
    """Show the banker's tablet; players are led to their seats, onlookers to the display."""
    caller = current_caller()
    if caller.player is not None:
        return redirect(url_for("tables.seat", table_id=table_id, player=caller.player))
    if not caller.is_banker:
        return redirect(url_for("tables.display", table_id=table_id))
    page = _page("table.html", "tablet", table_id)
    if caller.is_organiser:
        with suppress(NotStored, OSError):  # the table is shown all the same
            services().guests.organiser_is_at(table_id)
    return page


@blueprint.get("/tables/<table_id>/display")
def display(table_id: str) -> AnyResponse:
    """Show the big screen: nothing to touch, nothing secret."""
    _note_display(open_table(table_id))
    return _page("display_page.html", "display", table_id)


@blueprint.get("/tables/<table_id>/seats/<player>")
def seat(table_id: str, player: str) -> AnyResponse:
    """Show a player's phone; only the player's own device shows it, others are redirected."""
    if current_caller().player != player:
        return redirect(url_for("tables.tablet", table_id=table_id))
    return _page("table.html", "seat", table_id)


@blueprint.get("/tables/<table_id>/report")
def report(table_id: str) -> AnyResponse:
    """Show how the game ended on a page to be printed; before the end there is nothing to print yet."""
    table = open_table(table_id)
    ui = table_ui(table)
    frame = page_frame(table)
    words = frame.words
    scene = _scene(table, words, public=True)
    if not scene.overview.finished:
        return redirect(url_for("tables.display", table_id=table_id))
    story_end = ending_of(table, scene)
    about = {
        **ui.values(scene, None),
        "ui_folder": ui.folder,
        "scene": scene,
        "position": scene.position,
        "played": words.moment(str(scene.entries[0]["at"]), "day"),
        "house_rules": ui.rules_here(scene),
        "sentence": ui.sentence(scene),
        "drawn": _worth(table, scene),
        "ending": story_end,
        "pictured": as_stage_svg(story_end.picture) if story_end and story_end.picture else "",
    }
    page = frame.render(f"{ui.folder}/report.html", **about)
    return remember_language(make_response(page))


@blueprint.get("/tables/<table_id>/live")
def live(table_id: str) -> AnyResponse:
    """Return one part of a page (``?part=``).

    ``tablet``, ``seat``, ``display``, ``glance``, ``proposal``, or the name of a sheet.
    """
    part, table = request.args.get("part", "tablet"), open_table(table_id)
    if part == "display":
        _note_display(table)
        return SoftenedResponse(_drawn_once(table, part, public=True))
    ui = table_ui(table)
    pages, sheets = _parts_for(current_caller(), ui)
    if part in pages:
        return SoftenedResponse(_drawn_once(table, part))
    if part in sheets:
        frame = page_frame(table)
        words = frame.words
        scene = _scene(table, words)
        if scene.covered and part in ui.covered_sheets | COVERED_SHEETS:
            return make_response(frame.render("sheets/covered.html", **_values(table, scene)))
        try:
            sheet = current_app.jinja_env.select_template([f"{ui.folder}/sheets/{part}.html", f"sheets/{part}.html"])
        except TemplatesNotFound:
            return make_response("", 404)
        return make_response(frame.render(sheet, **{**_values(table, scene), **sheet_values(table, ui, scene, part)}))
    return make_response("", 404)


def _note_display(table: Table) -> None:
    """Store what a big screen draws, so that other screens know whether one follows the table, and what it tells."""
    table.display_version = table.version
    table.display_tells_story = not chosen_here("no_headlines")


DISPLAY_LAG = 5
"""Versions that a big screen may be behind and still counts as following the table."""


def display_follows(table: Table) -> bool:
    """Return whether a big screen has drawn one of the latest versions of a table."""
    return table.display_version is not None and table.display_version >= table.version - DISPLAY_LAG


def _drawn_once(table: Table, part: str, *, public: bool = False) -> str:
    """Draw a part that depends on nothing but the table, its camera, the viewer, and their device's choices."""
    caller = current_caller()
    with DRAWING_SLOTS:  # whoever had to wait draws the table as it stands then
        # The count comes first: what changes while the rest is looked up makes the next screen draw anew.
        moment = (table.signal.count, json.dumps(snapshot_of(services(), table, caller)))
        device = (language(), timezone(), are_notes_wanted(table.id), all_is_shown())
        screen = (table.id, part, caller.role, caller.viewer, *device)

        def draw() -> str:
            frame = page_frame(table)
            words = frame.words
            template = "glance.html" if part == "glance" else f"{table_ui(table).folder}/{part}.html"
            return soften(frame.render(template, **_values(table, _scene(table, words, public=public))))

        return fragments().get(screen, moment, draw)


def _parts_for(caller: Caller, ui: GameUI) -> tuple[frozenset[str], frozenset[str]]:
    """Return which pages' parts and which sheets a caller may have.  Raises ``Forbidden`` for onlookers."""
    if caller.role == SPECTATOR:
        raise Forbidden
    if caller.player is not None:
        return frozenset({"seat", "glance"}), SEAT_SHEETS | ui.seat_sheets
    return frozenset({"tablet", "glance", "proposal"}), SHEETS | ui.sheets


@blueprint.errorhandler(UnknownTable)
def no_such_table(unknown: UnknownTable) -> AnyResponse:
    """Lead the organiser back to the lobby, where the tables are listed, and guests to the door.

    Of a table in the bin, and of one that cannot be read, the lobby tells guests, too.
    """
    if "part" in request.args:
        return make_response("", 404)
    if services().next_table(unknown.table_id) is not None:
        return redirect(url_for("join.follow_table", table_id=unknown.table_id))
    tables = services().tables
    is_kept = unknown.table_id in tables.torn or tables.lies_in_bin(unknown.table_id)
    told_there = current_caller().is_organiser or is_kept
    return redirect("/" if told_there else TO_LOGIN)


@blueprint.errorhandler(Forbidden)
def not_for_this_device(_: Forbidden) -> AnyResponse:
    """Return a redirect to the login page, or 403 for a part of a page: the seat has passed to somebody else."""
    return make_response("", 403) if "part" in request.args else redirect(TO_LOGIN)


def _page(template: str, part: str, table_id: str) -> Response:
    table = open_table(table_id)
    frame = page_frame(table)
    words = frame.words
    scene = _scene(table, words, public=part == "display")
    page = frame.render(template, **_values(table, scene), part=part, program=services().version)
    return remember_language(make_response(page))


def public_scene(table: Table, words: Words) -> TableView:
    """Look at a table as everybody may."""
    return _scene(table, words, public=True)


def _scene(table: Table, words: Words, *, public: bool = False) -> TableView:
    """Look at a table; ``public`` shows what everybody may see, whoever asks."""
    caller, ui = current_caller(), table_ui(table)
    viewer = SPECTATOR if public else caller.viewer
    shown, overview = table.show(viewer), table.overview
    if overview is None:
        raise UnknownTable(table.id)  # nothing has begun there
    kinds = table.game.manifest.kinds
    seen_by_camera: Mapping[str, Any] = {} if public else visible_camera(services().scanner, table.id, caller)
    camera = None if public else camera_status(services(), table.id, seen_by_camera["sight"])
    seen = TableView(
        table=table.id,
        version=shown["version"],
        position=shown["position"],
        overview=overview,
        offers=tuple(shown["offers"]),
        catalog=table.catalog_json(),
        words=words,
        entries=tuple(table.journal(viewer)),
        decks=tuple((kind.table, words.named("deck", kind.table)) for kind in kinds if kind.table),
        quiet=ui.quiet_events,
        corrected=ui.corrected_events,
        scores=table.advice.scores(viewer),
        hides_money=table.hides_money,
        needs=partial(_needs, table),
        proposals=tuple(seen_by_camera.get("proposals", ())),
        suggest=seen_by_camera.get("suggest"),
        camera=camera or CameraStatus(),
        ahead=_sees_nothing if public else partial(_ahead, table, viewer),
    )
    scene: TableView = ui.scene(seen)
    if public or not caller.is_banker or all_is_shown() or not ui.covers(scene):
        return scene
    covered = replace(
        seen,
        position=table.show(SPECTATOR)["position"],
        offers=offers_as_known(table, seen.offers),
        entries=tuple(table.journal(SPECTATOR)),
        scores=table.advice.scores(SPECTATOR),
        covered=True,
        ahead=partial(_ahead, table, SPECTATOR),
    )
    return ui.scene(covered)


@blueprint.get("/tables/<table_id>/peek/<player>")
def peek(table_id: str, player: str) -> AnyResponse:
    """Return what the tablet in the middle covers of one player, while that player's badge is held."""
    table = open_table(table_id)
    ui = table_ui(table)
    frame = page_frame(table)
    words = frame.words
    scene = _scene(table, words)
    if not scene.covered or player not in scene.players:
        return make_response("", 404)
    own = replace(scene, position=table.show(player)["position"], ahead=partial(_ahead, table, player), covered=False)
    page = frame.render(f"{ui.folder}/parts/peek.html", **_values(table, own), player=player)
    return make_response(page)


def _sees_nothing(_player: str, _card: str | None) -> None:
    """Look ahead where nobody looks for themselves."""


def _ahead(table: Table, viewer: str, player: str, card: str | None) -> dict[str, Any] | None:
    """Look ahead for a player; ``None`` where this viewer may not see the player's money."""
    try:
        return table.advice.forecast(viewer, player, card)
    except (Forbidden, Refused):
        return None


def _needs(table: Table, player: str, card: str | None) -> dict[str, Any] | None:
    """Return what a player needs; ``None`` in games that do not know."""
    try:
        return table.advice.needs(player, card)
    except Refused:
        return None


@dataclass(frozen=True, kw_only=True)
class TablePage:
    """Values that every page, part and sheet of a table is rendered with, besides those of its game.

    Functions are called by the parts that need them, because they take time.
    """

    ui_folder: str
    scene: TableView
    position: Mapping[str, Any]
    me: str | None
    viewer: str
    organises: bool
    sentence: str
    places: Mapping[str, Any]
    notes: NotesView | None
    notes_wanted: bool
    notes_known: bool
    advises: bool
    hides_money: bool
    corrects: bool
    explains: AbstractSet[str]
    hammer_after: int
    display_follows: bool
    display_tells_story: bool
    joined: AbstractSet[str | None]
    agreements: Sequence[ConsentPrompt]
    preparation: Sequence[Mapping[str, Any]] | None
    journal_blocks: Callable[[], Iterable[RowBlock]]
    code_shown: Callable[[], OpenInvitation | None]
    ending: Callable[[], Ending | None]
    worth: Callable[[], WorthChart | None]
    worth_now: Callable[[], Mapping[str, int]]
    undoing: Callable[[TableView], str | None]
    chosen: Callable[[str], bool]
    as_json: Callable[[Any], str]


def _values(table: Table, scene: TableView) -> dict[str, Any]:
    ui, caller = table_ui(table), current_caller()
    page = _table_page(table, scene)
    return {**ui.values(scene, caller.player), **vars(page)}


def _table_page(table: Table, scene: TableView) -> TablePage:
    ui, caller = table_ui(table), current_caller()
    sentence, places = ui.sentence(scene)
    due = caller.is_banker and is_due(table)
    return TablePage(
        ui_folder=ui.folder,
        scene=scene,
        position=scene.position,
        me=caller.player,
        viewer=caller.viewer,
        organises=caller.is_organiser,
        sentence=sentence,
        places=places,
        notes=None if caller.role == SPECTATOR or scene.covered else _notes(table, scene),
        notes_wanted=are_notes_wanted(scene.table),
        notes_known=table.game.can.notes is not None,
        advises=table.game.can.advice is not None,
        hides_money=ui.covers(scene),
        corrects=caller.is_banker and not scene.covered and table.game.manifest.corrections is not None,
        explains=frozenset() if scene.covered else explained_players(table, caller.viewer),
        hammer_after=services().preferences.chosen.hammers.get(scene.table, 0),
        display_follows=display_follows(table),
        display_tells_story=table.display_tells_story,
        joined={guest.player for guest in guests_at(table)},
        agreements=_consent_prompts(scene, ui),
        preparation=preparation_steps(services(), table) if due else None,
        journal_blocks=partial(entry_blocks, scene),
        code_shown=partial(visible_join_code, table),
        ending=cache(partial(ending_of, table, scene)),
        worth=cache(partial(_worth, table, scene)),
        worth_now=partial(worth_now, table, SPECTATOR),
        undoing=last_act,
        chosen=chosen_here,
        as_json=as_json,
    )


def _notes(table: Table, scene: TableView) -> NotesView | None:
    """Return the notes if this device shows them and the game has any."""
    if table.game.can.notes is None or not are_notes_wanted(table.id):
        return None
    return describe_notes(table, scene, current_caller().viewer)


def _worths(table: Table) -> tuple[RoundWorth, ...]:
    return worth_over_rounds(table, current_caller().viewer) or scores_over_evening(table)


def ending_of(table: Table, scene: TableView) -> Ending | None:
    """Return how the evening went; ``None`` before the end."""
    return ending(table.game, scene, _worths(table)) if scene.overview.finished else None


def _worth(table: Table, scene: TableView) -> WorthChart | None:
    """Lay out what everybody was worth after each round; it is asked for once the game is over."""
    worths = _worths(table)
    if table.game.can.explainer is not None or not scene.scores:
        return worth_chart(worths)
    figure, _ = scene.scores[0].figures[0]
    named, has_rounds = scene.words.named("field", figure), scene.overview.round is not None
    return worth_chart(worths, named, has_rounds=has_rounds, key=figure)


def _consent_prompts(scene: TableView, ui: GameUI) -> list[ConsentPrompt]:
    viewer = current_caller().viewer
    waiting_ones = services().consents.open_for(services().tables.get(scene.table), viewer)
    return [consent_prompt(scene, ui, agreement, viewer) for agreement in waiting_ones]


def chosen_here(choice: str) -> bool:
    """Return whether this device has chosen ``sounds`` or ``speech``; the page's code stores the choice."""
    return request.cookies.get(choice) == "1"


def as_json(value: Any) -> str:
    """Write a command for an attribute of a button."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
