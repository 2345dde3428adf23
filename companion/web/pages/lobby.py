"""The lobby: start a game, continue an earlier one, take over one begun elsewhere; and the welcome on first use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast, get_args

from flask import Blueprint, Response, jsonify, make_response, redirect, request
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as AnyResponse

from companion.engine.game import Refused
from companion.game_api.ui import initials
from companion.service.access.preferences import CARD_LAYOUTS
from companion.service.ports import UnknownTable
from companion.service.table.lists import TableSearch, TableState, read_place
from companion.service.table.table import Table
from companion.web.game_ui import ui_for
from companion.web.http.auth import current_caller, services
from companion.web.http.guests import guests_at, hosts_at, open_invitation, search_of_request
from companion.web.http.language import LANGUAGE_COOKIE, seat_names, set_cookie, words_of
from companion.web.pages.camera import camera_status
from companion.web.pages.language import PageFrame, page_frame, remember_language
from companion.words import LANGUAGES, Words

MOST_SHOWN, SHOWN_OF_MORE = 12, 6
"""Games that the lobby lists, all of them or, where there are more, the latest."""
ON_A_PAGE = 24
"""Games on a page of the list of all games."""

blueprint = Blueprint("lobby", __name__)

# Games of the installation: running, interrupted, finished, in the bin


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptGame:
    """A game of the installation in words: whose it is, how far it has come (``progress``), and who won.

    ``bots``: it is played by bots alone; ``among_others``: other games are installed, so that its title matters.
    """

    id: str
    version: int
    finished: bool
    interrupted: bool
    title: str
    among_others: bool
    names: Mapping[str, str]
    initials: Mapping[str, str]
    changed: str
    bots: bool
    winners: list[str]
    worth: int | None
    progress: str


def latest_games(words: Words, state: TableState | None = None) -> tuple[list[KeptGame], bool]:
    """Return the games that the lobby shows, those in the bin with ``state``, and whether there are more."""
    page = services().tables.page(TableSearch(state=state), MOST_SHOWN)
    shown = page.tables if page.after is None else page.tables[:SHOWN_OF_MORE]
    return [_kept_game(words, table) for table in shown], page.after is not None


def _kept_game(words: Words, table: Mapping[str, Any]) -> KeptGame:
    games = services().tables.games
    game = games[table["game"]].manifest
    names = seat_names(words_of(game), {seat["id"]: seat.get("name", "") for seat in table.get("players", ())})
    winners = [row for row in table.get("standings", ()) if row["rank"] == 1]
    return KeptGame(
        id=table["id"],
        version=table["version"],
        finished=table["finished"],
        interrupted=table["interrupted"],
        title=game.title,
        among_others=len(games) > 1,
        names=names,
        initials=initials(names),
        changed=words.moment(str(table.get("changed_at", "")), "day and time"),
        bots=table["id"] == services().played_by_bots,
        winners=[names[row["player"]] for row in winners],
        worth=winners[0].get("worth") if winners else None,
        progress=progress_of(words, words_of(game), table),
    )


def progress_of(words: Words, game_words: Words, table: Mapping[str, Any]) -> str:
    """Return how far a game has come, in words; empty if it has not begun."""
    if table["finished"]:
        return words.say("Finished")
    if table["phase"] is None:
        return ""
    phase = game_words.named("phase", table["phase"])
    return phase if table["round"] is None else words.say("Round {round}, {phase}", round=table["round"], phase=phase)


# Welcome on first use: language, camera, deck, mat or tray; every step can be skipped

STEPS = ("language", "camera", "deck", "laying")


def is_welcome_due() -> bool:
    """Return whether the welcome was never completed and no game was ever played."""
    return not services().preferences.chosen.welcomed and services().tables.is_empty()


@blueprint.get("/welcome")
def show_welcome() -> AnyResponse:
    """Show the step ``?step=``; without it the first."""
    frame = page_frame()
    step = request.args.get("step", STEPS[0])
    game = frame.manifest.name
    decks = [deck for deck in services().tables.catalogs() if deck["title"] is not None and deck["game"] == game]
    camera = camera_status(services(), "", services().scanner.state_json(""))
    chosen = services().preferences.chosen
    page = frame.render(
        "welcome.html",
        steps=STEPS,
        step=step if step in STEPS else STEPS[0],
        chosen=chosen,
        decks=decks,
        camera=camera,
        # Without a camera cards are tapped, unless the welcome was completed with another choice.
        layout="tap" if camera.state == "none" and not chosen.welcomed else chosen.layout,
    )
    return remember_language(make_response(page))


@blueprint.post("/welcome")
def take_answer() -> Response:
    """Store the choice of a step (fields ``step`` and ``choice``, both optional) and redirect to the next one.

    After the last step, and with ``leave``, redirect to the lobby; the welcome is then not shown by itself again.
    """
    step, choice = request.form.get("step", ""), request.form.get("choice", "")
    preferences = services().preferences
    if step == "deck" and choice in {deck["name"] for deck in services().tables.catalogs()}:
        preferences.choose(deck=choice)
    if step == "laying" and choice in CARD_LAYOUTS:
        preferences.choose(layout=choice)
    following = _next_step(step)
    if following is None or "leave" in request.form:
        preferences.choose(welcomed=True)
        following = None
    answer = make_response(redirect(f"/welcome?step={following}" if following else "/", 303))
    if step == "language" and choice in LANGUAGES:
        set_cookie(answer, LANGUAGE_COOKIE, choice)
    return answer


def _next_step(step: str) -> str | None:
    """Return the step after this one; ``None`` after the last, or if there is no such step."""
    return dict(pairwise(STEPS)).get(step)


@blueprint.get("/")
def show_lobby() -> AnyResponse:
    """Show the lobby to the organiser, after the welcome; redirect guests to the table that they were invited to."""
    caller = current_caller()
    if not caller.is_organiser:
        return _redirect_to_own_table(caller.table or "")
    if is_welcome_due():
        return redirect("/welcome")
    frame = page_frame()
    words = frame.words
    manifest = frame.manifest
    ui, notes = ui_for(manifest), manifest.capabilities().notes
    (games, more), (binned, more_binned) = latest_games(words), latest_games(words, "bin")  # it tells which are torn
    page: Response = make_response(
        frame.render(
            "lobby.html",
            **game_choices(frame),
            broken_games=services().broken_games,
            unplayable=services().tables.unplayable(MOST_SHOWN),
            colours=manifest.seats.colours,
            seat_names=[words.say_in("place", colour) for colour in manifest.seats.colours],
            camera=camera_status(services(), "", services().scanner.state_json("")),
            code=open_invitation(None),
            previous=_previous_game(words),
            tables=games,
            more=more,
            binned=binned,
            more_binned=more_binned,
            prints_cards=services().print_join_cards is not None,
            keeps_backups=services().backups is not None or services().diagnostics is not None,
            opens_events=services().club_events is not None,
            pages=ui.pages,
            has_notes=notes is not None,
        )
    )
    return remember_language(page)


def game_choices(frame: PageFrame) -> dict[str, Any]:
    """Return what can be chosen for a game: the games, the decks of the page's one, and its house rules."""
    return {
        "games": [game.manifest for game in services().tables.games.values()],
        "decks": decks_to_choose(
            [deck for deck in services().tables.catalogs() if deck["game"] == frame.manifest.name]
        ),
        "setup": ui_for(frame.manifest).setup(frame.words),
    }


@dataclass(frozen=True, slots=True)
class PreviousGame:
    """The game before the next one: whose phones and screens follow, and the command to play it ``again``.

    ``coming_along``: somebody is there with a phone or screen; ``players``: their names.
    """

    follows: str | None = None
    again: dict[str, Any] | None = None
    coming_along: bool = False
    players: str = ""


def _previous_game(words: Words) -> PreviousGame:
    """Return whose phones and screens follow to the next game; with ``?again=`` its settings and seats as well."""
    asked = request.args.get("again")
    table_id = asked or services().guests.current
    if table_id is None or table_id == services().played_by_bots:
        return PreviousGame()
    try:
        table = services().tables.get(table_id, also_binned=True)  # in the bin: its phones follow all the same
    except UnknownTable:
        return PreviousGame()
    if asked is None and _is_one_of_several(table):
        return PreviousGame()
    again = None if asked is None else starting_command(table)
    players = seat_names(words_of(table.game.manifest), table.names()).values()
    return PreviousGame(table.id, again, bool(guests_at(table) or hosts_at(table)), words.listed(players))


def _is_one_of_several(table: Table) -> bool:
    """Return whether people play on at this table while others play elsewhere: the next game is not theirs."""
    if (table.overview is not None and table.overview.finished) or services().tables.lies_in_bin(table.id):
        return False
    running = services().tables.page(TableSearch(state="running"), 3).tables
    return any(about["id"] not in (table.id, services().played_by_bots) for about in running)


def starting_command(table: Table) -> dict[str, Any] | None:
    """Return the settings of a game as it began, with the present names; ``None`` if it was taken over.

    They are those of the beginning as it stands, which may have been put right since.
    """
    command = table.history.effective_entries()[0].command
    if command["do"] != "start_game":
        return None
    names = table.names()
    players = [{**seat, "name": names.get(seat["id"], "")} for seat in command["players"]]
    kept = {key: command[key] for key in ("game", "catalog", "first", "rules", "variants") if key in command}
    return {**kept, "players": players, "notes": table.id in services().preferences.chosen.notes}


@dataclass(frozen=True, slots=True)
class DeckChoice:
    """The decks that can be played and those with a fault, as the catalogs describe them; ``chosen`` is a name."""

    playable: list[Mapping[str, Any]]
    faulty: list[Mapping[str, Any]]
    chosen: str


def decks_to_choose(decks: Sequence[Mapping[str, Any]]) -> DeckChoice:
    """Return the decks to choose from, the latest choice chosen."""
    playable = [deck for deck in decks if deck["title"] is not None]
    names = [deck["name"] for deck in playable]
    latest = services().preferences.chosen.deck
    return DeckChoice(
        playable=playable,
        faulty=[deck for deck in decks if deck["title"] is None],
        chosen=latest if latest in names else next(iter(names), ""),
    )


@blueprint.get("/tables")
def show_tables() -> AnyResponse:
    """Show a page of all games, of those that ``?state=`` and ``?search=`` ask for; what makes no sense is left out."""
    asked = request.args.get("state")
    state = cast("TableState", asked) if asked in get_args(TableState) else None
    try:
        place = read_place(request.args.get("after", ""))
    except ValueError:
        place = None
    frame = page_frame()
    words, search = frame.words, search_of_request(state)
    listed = services().tables.page(search, ON_A_PAGE, place)
    page: Response = make_response(
        frame.render(
            "tables.html",
            tables=[_kept_game(words, table) for table in listed.tables],
            binned=state == "bin" and bool(listed.tables),
            states=[
                (None, words.say("All games")),
                ("running", words.say("Under way")),
                ("finished", words.say("Finished")),
                ("bin", words.say("Bin")),
            ],
            state=state,
            search=" ".join(search.words),
            after=place is not None,
            further=listed.next,
        )
    )
    return remember_language(page)


def _redirect_to_own_table(table_id: str) -> AnyResponse:
    """Redirect a guest to their table; where it is in the bin or cannot be read, to the next one, or explain it."""
    unreadable = table_id in services().tables.torn
    if not unreadable and not services().tables.lies_in_bin(table_id):
        return redirect(f"/tables/{table_id}")
    if services().next_table(table_id) is not None:
        return redirect(f"/tables/{table_id}/next")
    return make_response(page_frame().render("gone.html", unreadable=unreadable), 410)


# Pages that games bring beside those of a table: joining a game already begun, and the like


@blueprint.get("/take-over")
def take_over() -> AnyResponse:
    """Show the form for what lies on the table to the banker; ``?game=`` says of which game."""
    return _own_page("take-over")


@blueprint.post("/take-over/draft")
def draft() -> AnyResponse:
    """Return what follows from what was entered so far, as JSON; nothing where it is no position."""
    frame = page_frame()
    words = frame.words
    manifest = frame.manifest
    so_far = ui_for(manifest).drafts.get("take-over")
    if so_far is None:
        raise NotFound
    game = services().tables.games[manifest.name]
    try:
        entered = request.get_json(silent=True)
        if not isinstance(entered, dict) or entered.get("do") != "take_over":
            return jsonify({})
        command = game.codec.command(entered)
    except (Refused, RecursionError):  # brackets within brackets without end
        return jsonify({})
    return jsonify(so_far(words, game.catalogs, command))


def _own_page(name: str) -> AnyResponse:
    frame = page_frame()
    words = frame.words
    manifest = frame.manifest
    ui = ui_for(manifest)
    if name not in ui.pages:
        raise NotFound
    decks = [deck for deck in services().tables.catalogs() if deck["game"] == manifest.name]
    own = ui.pages[name](words, decks)
    template = f"{ui.folder}/{name.replace('-', '_')}.html"
    about = {"decks": decks_to_choose(decks), "colours": manifest.seats.colours, **own}
    page: Response = make_response(frame.render(template, **about))
    return remember_language(page)
