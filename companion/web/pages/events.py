"""Events of a club: the page that opens many tables, an event's own page, the hall display, results, and codes."""

import csv
import io
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from flask import Blueprint, Response, make_response, redirect, request
from werkzeug.exceptions import Gone, NotFound
from werkzeug.wrappers import Response as AnyResponse

from companion.service.printer import TableCodes
from companion.service.table.event_seating import ClubEvent, PlayerResult, TableNow, results_of
from companion.web.http.auth import MOST_DIGITS, caller_if_any, club_events, services
from companion.web.http.caches import fragments
from companion.web.http.guests import (
    address_for_devices,
    draw_qr,
    host_address,
    join_address,
    short_address,
    show_hall_on_screen,
)
from companion.web.http.language import seat_names, table_title, timezone
from companion.web.pages.language import PageFrame, page_frame, remember_language
from companion.web.pages.lobby import game_choices, progress_of

blueprint = Blueprint("events", __name__)

EVENTS = 24
"""On one page of the list."""
ROWS = 3
"""Of tables on one page of the hall display."""
HALL_S = 3.0
"""For so long the hall display is shown as it was drawn, to however many ask."""
SHORT_NAME, LONG_NAME = 16, 26
"""Letters of the longest name up to which three tables stand beside each other, and beyond which type is smaller."""
FORMULA = re.compile(r"(^|[;,\t])\s*[=+\-@]|^[\t\r]")
"""A text that begins so, or has such a part for a program that divides it otherwise, is a formula to spreadsheets."""
DELIMITERS = {"en": ",", "fr": ";", "de": ";"}
"""Between the columns of a file, as spreadsheet programs of a language expect it."""


@dataclass(frozen=True, slots=True)
class TableShown:
    """A table of an event in words; ``state`` is that of ``TableNow``."""

    title: str
    name: str
    players: tuple[str, ...]
    winners: tuple[str, ...]
    id: str | None
    state: str
    progress: str


@dataclass(frozen=True, slots=True)
class ResultShown:
    """A result in words: ``figure`` is what the game decides by; empty where it has none."""

    result: PlayerResult
    name: str
    table: str
    figure: str


@blueprint.get("/events")
def show_events() -> AnyResponse:
    """Show the form that opens many tables, and the latest events, to the organiser; ``?after=``: older ones."""
    frame, events = page_frame(), club_events()
    wished = request.args.get("after", "")
    after = int(wished) if wished.isdecimal() and len(wished) <= MOST_DIGITS else None
    binned: list[ClubEvent] = []
    others: list[tuple[ClubEvent, str]] = []
    shown, older = events.page(EVENTS, after)
    for event in shown:
        if events.lies_in_bin(event):
            binned.append(event)
        else:
            others.append((event, _moment(frame, event)))
    page = frame.render(
        "events.html",
        **game_choices(frame),
        events=others,
        binned=binned,
        after=after,
        older=older,
        now=datetime.now(UTC).astimezone(timezone()).strftime("%Y-%m-%dT%H:%M"),
    )
    return remember_language(make_response(page))


@blueprint.get("/events/<event_id>")
def show_event(event_id: str) -> AnyResponse:
    """Show an event to the organiser; with ``?part=tables`` only its tables."""
    event = club_events().get(event_id)
    frame = _frame_of(event)
    now = club_events().tables(event)
    tables = _shown(frame, now)
    if request.args.get("part") == "tables":
        return make_response(frame.render("parts/event_tables.html", tables=tables))
    page = frame.render(
        "event.html",
        event=event,
        when=_moment(frame, event),
        tables=tables,
        opened=sum(table.state != "planned" for table in tables),
        left=club_events().count_left(event, now),
        hall=f"/hall/{_token(event)}",
        qr=draw_qr(f"{address_for_devices()}hall/{_token(event)}"),
        prints=services().print_event_codes is not None,
        wrong="wrong" in request.args,
        host=address_for_devices().removeprefix("http://"),
    )
    return remember_language(make_response(page))


@blueprint.get("/events/<event_id>/plan")
def show_plan(event_id: str) -> AnyResponse:
    """Show the form that changes the plan of an event to the organiser."""
    events, event = club_events(), club_events().get(event_id)
    now = events.tables(event)
    waiting = events.waiting(event, now)
    tables = [(table, waiting.get(table.place, events.seats(table)), events.has_begun(table)) for table in now]
    return remember_language(make_response(_frame_of(event).render("event_plan.html", event=event, tables=tables)))


@blueprint.get("/events/<event_id>/codes.pdf")
def send_codes(event_id: str) -> AnyResponse:
    """Return the codes of the opened tables of an event to print, for the organiser."""
    event, write = club_events().get(event_id), services().print_event_codes
    codes = _codes(club_events().tables(event))
    if write is None or not codes:
        raise NotFound
    return Response(write(event.plan.name, codes, page_frame().language), mimetype="application/pdf")


@blueprint.post("/events/<event_id>/screens")
def let_hall_screen_in(event_id: str) -> AnyResponse:
    """Show the hall display on the television that shows the letters of the field ``letters``; for the organiser."""
    event = club_events().get(event_id)
    is_there = show_hall_on_screen(request.form.get("letters", ""), _token(event))
    return redirect(f"/events/{event.id}{'' if is_there else '?wrong'}", 303)


@blueprint.get("/hall/<token>")
def show_hall(token: str) -> AnyResponse:
    """Show who plays where, and what is finished, to whoever has the address; ``?part=tables&page=``: one page of it.

    Without a ``page`` the part has all tables, for screens on which one scrolls.
    """
    event = _event_of_token(token)
    frame = _frame_of(event)
    wished = request.args.get("page", "" if "part" in request.args else "0")
    number = int(wished) if wished.isdecimal() and len(wished) <= MOST_DIGITS else None
    part = _draw_hall(frame, event, number)
    if "part" in request.args:
        return remember_language(make_response(part))
    page = frame.render("hall.html", event=event, part=part, results=f"/hall/{token}/results")
    return remember_language(make_response(page))


def _draw_hall(frame: PageFrame, event: ClubEvent, wished: int | None) -> str:
    """Return a page of the tables of an event, counted from 0 and round and round; ``None``: all of them.

    However many ask, and for whatever numbers, the tables are looked up and each page is drawn once in a while.
    """
    now, kept = int(time.monotonic() / HALL_S), ("hall", event.id, frame.language)
    tables = fragments().get((*kept, "tables"), now, lambda: _shown(frame, club_events().tables(event, binned=True)))
    longest = max((len(name) for table in tables for name in table.players), default=0)
    columns = max(1, min(3 if longest <= SHORT_NAME else 2, len(tables)))
    each = ROWS * columns
    pages = max(1, -(-len(tables) // each))
    number = None if wished is None else wished % pages
    return fragments().get(
        (*kept, number),
        now,
        lambda: frame.render(
            "parts/hall_tables.html",
            event=event,
            tables=tables if number is None else tables[number * each : (number + 1) * each],
            finished=sum(table.state == "finished" for table in tables),
            count=len(tables),
            columns=columns,
            rows=min(ROWS, -(-len(tables) // columns)),
            small=longest > LONG_NAME,
            number=None if number is None or pages == 1 else number + 1,
            pages=pages,
        ),
    )


@blueprint.get("/hall/<token>/results")
def show_results(token: str) -> AnyResponse:
    """Show the results of an event over all tables and table by table, on a page to be read and printed."""
    event = _event_of_token(token)
    frame = _frame_of(event)
    tables = club_events().tables(event, binned=True)
    shown = [_result_shown(frame, result) for result in results_of(tables)]
    caller = caller_if_any()
    page = frame.render(
        "event_results.html",
        event=event,
        when=_moment(frame, event),
        results=shown,
        figure=next(
            (_figure_title(frame, name) for shown_result in shown for name, _ in shown_result.result.figures[:1]), ""
        ),
        tables=_shown(frame, tables),
        hall=f"/hall/{token}",
        back=f"/events/{event.id}" if caller is not None and caller.is_organiser else None,
    )
    return remember_language(make_response(page))


@blueprint.get("/hall/<token>/results.csv")
def send_results(token: str) -> AnyResponse:
    """Return the results as CSV, with the players of tables that are not finished; no text of it is a formula."""
    event = _event_of_token(token)
    frame = _frame_of(event)
    written = io.StringIO()
    table = csv.writer(written, delimiter=DELIMITERS[frame.language])
    for row in _rows(frame, club_events().tables(event, binned=True)):
        table.writerow([_no_formula(cell) if isinstance(cell, str) else cell for cell in row])
    answer = Response(written.getvalue().encode("utf-8-sig"), mimetype="text/csv")
    answer.headers["Content-Disposition"] = f'attachment; filename="results-{event.id}.csv"'
    return answer


def _rows(frame: PageFrame, tables: Sequence[TableNow]) -> list[list[str | int]]:
    """Return the rows of the CSV file, its heading first."""
    words, results = frame.words, results_of(tables)
    figures = list(dict.fromkeys(name for result in results for name, _ in result.figures))
    titles = [_figure_title(frame, name) for name in figures]
    rows: list[list[str | int]] = [
        [words.say("Rank"), words.say("Table"), words.say("Place"), words.say("Name"), *titles]
    ]
    rows += [
        [
            *(result.rank, result.table, result.place, _name_of(frame, result)),
            *(dict(result.figures).get(name, "") for name in figures),
        ]
        for result in results
    ]
    unfinished = {"away": words.say("in the bin"), "unreadable": words.say("cannot be read")}
    for table in tables:
        if not table.is_finished:
            why = unfinished.get(table.state, words.say("not finished"))
            rows += [["", table.name, why, name, *("" for _ in figures)] for name in _table_shown(frame, table).players]
    return rows


def _no_formula(text: str) -> str:
    """Return a text that spreadsheet programs do not take for a formula."""
    return f"'{text}" if FORMULA.search(text) else text


def _frame_of(event: ClubEvent) -> PageFrame:
    """Return the frame of pages of an event; raise ``Gone`` with a page where its game is not here any more."""
    game = services().tables.games.get(event.plan.game)
    if game is None:
        frame, guest = page_frame(), caller_if_any() is None
        title = frame.words.say("This game is not installed here")
        detail = frame.words.say(
            "This event was opened for {game}. Its tables are kept as they are.", game=event.plan.game
        )
        page = frame.render("nothing_here.html", title=title, detail=detail, home=not guest)
        raise Gone(response=make_response(page, Gone.code))
    return page_frame(of=game.manifest)


def _moment(frame: PageFrame, event: ClubEvent) -> str:
    return frame.words.moment(event.plan.when, "day and time") if event.plan.when else ""


def _token(event: ClubEvent) -> str:
    return services().logins.hall_token(services().guests.invitation_epoch, event.id)


def _event_of_token(token: str) -> ClubEvent:
    """Return the event that a token shows; raise ``NotFound`` for none of ours, with a page for another evening's."""
    read = services().logins.read_hall_token(token)
    if read is None:
        raise NotFound
    if read[0] != services().guests.invitation_epoch:
        frame = page_frame()
        title = frame.words.say("This address has ended")
        detail = frame.words.say("Everybody was logged out. Ask the organiser for a new code.")
        page = frame.render("nothing_here.html", title=title, detail=detail, home=False)
        raise NotFound(response=make_response(page, NotFound.code))
    return club_events().get(read[1])


def _shown(frame: PageFrame, tables: Sequence[TableNow]) -> list[TableShown]:
    return [_table_shown(frame, table) for table in tables]


def _table_shown(frame: PageFrame, table: TableNow) -> TableShown:
    words = frame.words
    seats = [seat["id"] for seat in table.summary["players"]] if table.summary else frame.manifest.seats.colours
    names = seat_names(words, dict(zip(seats, table.players, strict=False))).values()
    first = [row["player"] for row in table.summary["standings"] if row["rank"] == 1] if table.summary else []
    return TableShown(
        table_title(table.name),
        table.name,
        tuple(names),
        tuple(name for seat, name in zip(seats, names, strict=False) if seat in first),
        table.id,
        table.state,
        "" if table.summary is None else progress_of(words, words, table.summary),
    )


def _result_shown(frame: PageFrame, result: PlayerResult) -> ResultShown:
    figure = ""
    if result.figures:
        name, value = result.figures[0]
        own = frame.words.money(value) if _is_money(frame) else frame.words.described_figure(name, value, {}, {})
        figure = own or str(value)
    return ResultShown(result, _name_of(frame, result), table_title(result.table), figure)


def _name_of(frame: PageFrame, result: PlayerResult) -> str:
    return seat_names(frame.words, {result.seat: result.name})[result.seat]


def _is_money(frame: PageFrame) -> bool:
    """Return whether the deciding figure is an amount, as the chart of the ended game draws it."""
    return frame.manifest.capabilities().explainer is not None


def _figure_title(frame: PageFrame, name: str) -> str:
    return frame.words.say("Money") if _is_money(frame) else frame.words.named("field", name)


def _codes(tables: Sequence[TableNow]) -> list[TableCodes]:
    """Return what is printed of tables; free seats have no name there."""
    return [
        TableCodes(
            table_title(table.name),
            tuple(filter(None, club_events().seats(table))),
            join_address(table.id),
            short_address(table.id),
            host_address(table.id),
        )
        for table in tables
        if table.id is not None and table.summary is not None
    ]
