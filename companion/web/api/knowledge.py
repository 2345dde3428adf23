"""Knowledge of a game: its journal, explanations, notes, worth, forecasts and advice, and differences to the table."""

import csv
import io
import re
from collections.abc import Iterator
from typing import Annotated, Literal

from flask import Blueprint, Response, jsonify, request
from pydantic import Field

from companion.engine.game import Refused
from companion.service.ports import Forbidden
from companion.service.table import past
from companion.service.table.play_files import ledger_rows, play_file
from companion.service.table.table import Table
from companion.web.api.commands import refusal_problem
from companion.web.api.shapes import CommandShownJson, DifferenceJson, EntryJson
from companion.web.http.auth import current_caller, open_table, services
from companion.web.http.caches import note_books
from companion.web.http.endpoint import (
    INSIDE,
    LANGUAGE,
    SENDING,
    Answer,
    Body,
    Content,
    JsonObject,
    OfGames,
    Omittable,
    Parameter,
    Shape,
    TableId,
    described,
    endpoint,
)
from companion.web.http.language import words_of
from companion.web.http.problems import Problem
from companion.web.table_state import visible_camera

LEDGER_COLUMNS = ("seq", "at", "event", "account", "amount", "balance")

blueprint = Blueprint("knowledge", __name__)


class JournalJson(Shape):
    """The entries that the caller may see."""

    entries: list[EntryJson]


class RuleBehindJson(Shape):
    """The rule behind a figure, with its texts."""

    rule: str
    title: str
    texts: list[str]
    rulings: list[str]


class PartOfFigureJson(RuleBehindJson):
    """A part of a figure."""

    kind: str
    amount: int
    card: Omittable[str] = None
    count: Omittable[int] = None
    each: Omittable[int] = None


class LineOfFigureJson(RuleBehindJson):
    """An entry that changed a figure."""

    seq: int
    at: str
    event: str
    detail: str
    amount: int
    balance: int


class ExplanationJson(Shape, title="Explanation"):
    """The entries and rules behind a figure."""

    account: str
    balance: int
    parts: list[PartOfFigureJson]
    lines: list[LineOfFigureJson]


class RoundWorthJson(Shape):
    """The worth of each player after a round."""

    round: int
    worth: JsonObject


class WorthJson(Shape):
    """The rounds in order."""

    rounds: list[RoundWorthJson]


class DifferencesJson(Shape):
    """Where the table contradicts the books."""

    version: int
    mat: str | None
    differences: list[DifferenceJson]
    resumed: bool


NoteCounts = Annotated[dict[str, int], described("How many of each note, by its dollars, largest first.")]


class HandJson(Shape):
    """Notes that a holder gives and takes."""

    gives: Omittable[NoteCounts] = None
    takes: Omittable[NoteCounts] = None


Hands = Annotated[dict[str, HandJson], described("What each holder (an account) gives and takes.")]


class NotePaymentJson(Shape):
    """A payment, with the notes that are handed over for it."""

    from_: Annotated[str, Field(alias="from")]
    to: str
    amount: int
    short: int
    hands: Hands


class HolderJson(Shape):
    """The notes that somebody should hold."""

    notes: NoteCounts
    worth: int


class SlipJson(Shape):
    """Debt where notes do not suffice."""

    from_: Annotated[str, Field(alias="from")]
    to: str
    amount: int


class NotesJson(Shape, title="Notes"):
    """Which notes change hands by the latest entry, and who should hold which."""

    version: int
    hands: Hands
    payments: list[NotePaymentJson]
    holders: dict[str, HolderJson]
    slips: list[SlipJson]


class NotesToldJson(Shape):
    """Setting: screens tell of notes."""

    told: bool


class TellNotes(NotesToldJson, extra="forbid"):
    """Request to let screens tell of notes, or not."""


TELL_NOTES = Body[TellNotes](TellNotes, 'Send {"told": true} or {"told": false}, and nothing else.')


@blueprint.get("/tables/<table_id>/journal")
@endpoint(
    "All entries that the caller may see, oldest first; or a file of the whole game, for the banker.",
    answers=Answer(
        "The journal.", Content({"application/json": JournalJson, "application/jsonl": str, "text/csv": str})
    ),
    problems=("malformed", *INSIDE),
    parameters=(Parameter("format", "jsonl: a play file; csv: the ledger.", Literal["json", "jsonl", "csv"]),),
)
def read_journal(table_id: TableId) -> Response:
    """Return the entries, oldest first, or with ``?format=jsonl|csv`` a file of the whole game (banker only)."""
    table = open_table(table_id)
    match request.args.get("format", "json"):
        case "json":
            return jsonify({"entries": table.journal(current_caller().viewer)})
        case "jsonl" | "csv" if not current_caller().is_banker:
            raise Forbidden
        case "jsonl":
            return _file(table, "jsonl", "application/jsonl", _lines(table))
        case "csv":
            return _file(table, "csv", "text/csv", _csv(table))
        case other:
            raise Problem("malformed", f"There is no format {other!r}: json, jsonl or csv.")


def _file(table: Table, ending: str, mimetype: str, text: Iterator[str]) -> Response:
    answer = Response("".join(text), mimetype=mimetype)
    answer.headers.set("Content-Disposition", "attachment", filename=f"{table.id}.{ending}")
    return answer


def _lines(table: Table) -> Iterator[str]:
    for line in play_file(table):
        yield line.rstrip("\n") + "\n"


def _csv(table: Table) -> Iterator[str]:
    written = io.StringIO()
    rows = csv.DictWriter(written, LEDGER_COLUMNS, extrasaction="ignore")
    rows.writeheader()
    rows.writerows({column: _guard_cell(value) for column, value in row.items()} for row in ledger_rows(table))
    yield written.getvalue()


def _guard_cell(value: object) -> object:
    """Return text so that a spreadsheet does not take it for a formula; figures stay figures."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) else value


@blueprint.get("/tables/<table_id>/explain")
@endpoint(
    OfGames("explainer", {"account": str}),
    answers=Answer("", ExplanationJson),
    problems=("malformed", *INSIDE),
    parameters=(LANGUAGE,),
)
def explain_figure(table_id: TableId) -> Response:
    """Return the explanation of the account or figure that is asked for."""
    table, viewer = open_table(table_id), current_caller().viewer
    asked = table.game.can.description("explainer").argument("account")
    account = request.args.get(asked.name)
    if not account:
        raise Problem("malformed", asked.expects)
    explanation = past.explain(table, account, viewer)
    words, names, catalog = words_of(table.game.manifest), table.names(), table.catalog_json()
    return jsonify(
        past.explanation_json(
            explanation,
            event=lambda event: words.event(event, names, catalog),
            rule=lambda rule: words.say_in("rulebook", rule),
        )
    )


@blueprint.get("/tables/<table_id>/worth")
@endpoint(
    "What each player was worth at the start (round 0) and at the end of each round, that of now among them; "
    "whose money is hidden from the caller is left out.",
    answers=Answer("The rounds, in order.", WorthJson),
    problems=INSIDE,
)
def worth_over_rounds(table_id: TableId) -> Response:
    """Return the worth of each player at the start (round 0) and after each round, without hidden money."""
    return jsonify(past.worth_json(past.worth_over_rounds(open_table(table_id), current_caller().viewer)))


@blueprint.get("/tables/<table_id>/differences")
@endpoint(
    "Where what lies on the mat has contradicted the books for a while; for the banker. Nothing without a mat "
    "(`mat` is null), and never acted upon.",
    answers=Answer("The differences.", DifferencesJson),
    problems=INSIDE,
)
def compare_with_table(table_id: TableId) -> Response:
    """Return what has differed for a while; nothing without a mat, and nothing is ever done about it."""
    table = open_table(table_id)
    camera = visible_camera(services().scanner, table_id, current_caller())["sight"]
    seen = {key: camera[key] for key in ("mat", "differences", "resumed")}
    return jsonify({"version": table.version, **seen})


@blueprint.get("/tables/<table_id>/notes")
@endpoint(
    "Which notes change hands by the latest entry, and who should hold which; the books do not depend on it.",
    answers=Answer("The notes that the caller may see.", NotesJson),
    problems=INSIDE,
)
def show_notes(table_id: TableId) -> Response:
    """Return which notes change hands by the latest entry, and who should hold which then."""
    return jsonify(note_books().as_json(open_table(table_id), current_caller().viewer))


@blueprint.post("/tables/<table_id>/notes")
@endpoint(
    "Say whether screens tell of notes after each entry, where a device wishes nothing else; for the banker.",
    answers=Answer("Done.", NotesToldJson),
    problems=(*INSIDE, *SENDING),
    body=TELL_NOTES,
    counts_once=True,
)
def hand_notes(table_id: TableId) -> Response:
    """Store whether screens say which notes change hands, where a device wishes nothing else."""
    open_table(table_id)
    wish = TELL_NOTES.read().told
    services().preferences.hand_notes(table_id, wanted=wish)
    return jsonify({"told": wish})


# Looking ahead: what a player's money will come to, what a bid would change, what is needed, and the best plan.


class ForecastJson(Shape, title="Forecast"):
    """Forecast of a player's money; the rest is the game's."""

    version: int


class SuggestionJson(Shape, title="Suggestion"):
    """The best command for a player; the rest is the game's."""

    version: int
    command: CommandShownJson


class NeedsJson(Shape):
    """Needs of a player; the rest is the game's."""

    version: int


@blueprint.get("/tables/<table_id>/forecast")
@endpoint(
    OfGames("forecast", {"card": str, "amount": int}),
    answers=Answer("", ForecastJson),
    problems=("malformed", *INSIDE, "refused"),
    parameters=(LANGUAGE, Parameter("player", "Whose money; must be given.")),
)
def look_ahead(table_id: TableId) -> Response:
    """Return a forecast for ``player``; with a card, and with an amount, what that leads to."""
    table = open_table(table_id)
    description = table.game.can.description("forecast")
    asked_card, asked_amount = description.argument("card"), description.argument("amount")
    card = request.args.get(asked_card.name)
    amount = _parse_amount(request.args.get(asked_amount.name), asked_amount.expects)
    if amount is not None and card is None:
        raise Problem("malformed", asked_card.expects)
    try:
        return jsonify(table.advice.forecast(current_caller().viewer, _required_player(), card, amount))
    except Refused as refused:
        raise refusal_problem(refused, table) from None


@blueprint.get("/tables/<table_id>/suggestion")
@endpoint(
    OfGames("advice"),
    answers=Answer("", SuggestionJson),
    problems=("malformed", *INSIDE, "refused"),
    parameters=(LANGUAGE, Parameter("player", "Who plans; must be given.")),
)
def suggest_plan(table_id: TableId) -> Response:
    """Return the best command for ``player``, and the reasons."""
    table = open_table(table_id)
    try:
        return jsonify(table.advice.suggestion(current_caller().viewer, _required_player()))
    except Refused as refused:
        raise refusal_problem(refused, table) from None


@blueprint.get("/tables/<table_id>/needs")
@endpoint(
    OfGames("needs", {"card": str}),
    answers=Answer("", NeedsJson),
    problems=("malformed", *INSIDE, "refused"),
    parameters=(LANGUAGE, Parameter("player", "Who; must be given.")),
)
def tell_needs(table_id: TableId) -> Response:
    """Return what ``player`` still needs; with a card, as if that were theirs."""
    table = open_table(table_id)
    asked_card = table.game.can.description("needs").argument("card")
    try:
        return jsonify(table.advice.needs(_required_player(), request.args.get(asked_card.name)))
    except Refused as refused:
        raise refusal_problem(refused, table) from None


def _required_player() -> str:
    player = request.args.get("player")
    if not player:
        raise Problem("malformed", "Say which player: ?player=blue.")
    return player


def _parse_amount(text: str | None, expects: str) -> int | None:
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise Problem("malformed", expects)
    return int(text)
