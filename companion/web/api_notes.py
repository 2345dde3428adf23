"""The notes on the table: what to hand over now, and who should hold which."""

from flask import Blueprint, Response, current_app, jsonify

from companion.service.notes import NoteBooks
from companion.web.auth import current_caller, open_table

blueprint = Blueprint("notes", __name__)


def note_books() -> NoteBooks:
    """Give the notes of the running application."""
    found: NoteBooks = current_app.extensions["companion.notes"]
    return found


@blueprint.get("/tables/<table_id>/notes")
def notes(table_id: str) -> Response:
    """Say which notes change hands by the latest entry, and who should hold which then."""
    return jsonify(note_books().told(open_table(table_id), current_caller().viewer))
