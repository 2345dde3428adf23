"""The journal: as JSON for screens, as a play file to keep, as a ledger for a spreadsheet."""

import csv
import io
from collections.abc import Iterator

from flask import Blueprint, Response, jsonify, request

from companion.service.table.play_files import ledger_rows, play_file
from companion.service.table.table import Table
from companion.web.http.auth import current_caller, open_table, the_banker
from companion.web.http.problems import Problem

LEDGER_COLUMNS = ("seq", "at", "event", "account", "amount", "balance")

blueprint = Blueprint("journal", __name__)


@blueprint.get("/tables/<table_id>/journal")
def journal(table_id: str) -> Response:
    """Give the entries, oldest first, or with ``?format=jsonl|csv`` a file of the whole game (banker only)."""
    table = open_table(table_id)
    match request.args.get("format", "json"):
        case "json":
            return jsonify({"entries": table.journal(current_caller().viewer)})
        case "jsonl":
            the_banker()
            return _file(table, "jsonl", "application/jsonl", _lines(table))
        case "csv":
            the_banker()
            return _file(table, "csv", "text/csv", _csv(table))
        case other:
            raise Problem(400, "malformed", f"There is no format {other!r}: json, jsonl or csv.")


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
    rows.writerows({column: _guarded(value) for column, value in row.items()} for row in ledger_rows(table))
    yield written.getvalue()


def _guarded(value: object) -> object:
    """Keep a spreadsheet from taking text for a formula; figures stay figures."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) else value
