"""The notes of the running application, for its pages and its JSON interface."""

from flask import current_app

from companion.service.table.notes import NoteBooks


def note_books() -> NoteBooks:
    """Give the notes of the running application."""
    found: NoteBooks = current_app.extensions["companion.notes"]
    return found
