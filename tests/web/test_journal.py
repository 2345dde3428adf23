import csv
import io
import json

from flask.testing import FlaskClient

from companion.web.api.knowledge import _guard_cell
from tests.web.conftest import HIRE, START


def test_the_journal_tells_all_entries_oldest_first(banker: FlaskClient, table: str) -> None:
    banker.post(f"{table}/commands", json=HIRE, headers={"If-Match": "1"})
    banker.post(f"{table}/commands", json={"do": "undo"}, headers={"If-Match": "2"})
    journal = banker.get(f"{table}/journal").json
    assert journal is not None
    assert [entry["seq"] for entry in journal["entries"]] == [1, 2, 3]
    assert [entry["undone"] for entry in journal["entries"]] == [False, True, False]
    assert set(journal["entries"][0]) == {"seq", "at", "actor", "source", "command", "events", "undone"}


def test_as_jsonl_it_is_a_play_file_that_starts_the_same_game_again(banker: FlaskClient, table: str) -> None:
    banker.post(f"{table}/commands", json=HIRE, headers={"If-Match": "1"})
    answer = banker.get(f"{table}/journal?format=jsonl")
    assert answer.headers["Content-Disposition"] == "attachment; filename=t1.jsonl"
    commands = [json.loads(line) for line in answer.text.splitlines()]
    assert commands == [START, HIRE]
    again = banker.post("/api/v1/tables", json=commands[0]).headers["Location"]
    assert banker.post(f"{again}/commands", json=commands[1], headers={"If-Match": "1"}).status_code == 200
    first, second = banker.get(table).json, banker.get(again).json
    assert first == second


def test_as_csv_it_is_a_ledger_whose_amounts_are_figures_and_balance(banker: FlaskClient, table: str) -> None:
    answer = banker.get(f"{table}/journal?format=csv")
    assert answer.mimetype == "text/csv"
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert rows
    assert list(rows[0]) == ["seq", "at", "event", "account", "amount", "balance"]
    assert sum(int(row["amount"]) for row in rows) == 0


def test_text_that_a_spreadsheet_would_take_for_a_formula_is_marked_as_text() -> None:
    assert _guard_cell("=HYPERLINK(1)") == "'=HYPERLINK(1)"
    assert [_guard_cell(text) for text in ("+1", "-1", "@a", "\tb")] == ["'+1", "'-1", "'@a", "'\tb"]
    assert _guard_cell(-5_000) == -5_000
    assert _guard_cell("bank") == "bank"


def test_another_format_is_malformed(banker: FlaskClient, table: str) -> None:
    assert banker.get(f"{table}/journal?format=xml").status_code == 400
