"""Values that requests share: views of tables as JSON text, fragments of pages, and the notes of tables."""

import threading
from collections.abc import Callable, Hashable, Sequence

from flask import Flask, current_app, json

from companion.service.runtime import VersionCache
from companion.service.table.notes import NoteBooks
from companion.service.table.table import Table

MOST_BYTES_OF_VIEWS = 4_000_000
MOST_BYTES_OF_FRAGMENTS, MOST_BYTES_IN_A_HALL = 6_000_000, 48_000_000
"""A part of a page has about 20,000 characters, a line of the journal 500: 6 MB are enough for fifty tables.

In a hall a process has hundreds; without their fragments each part takes a quarter longer.
"""

DRAWING_SLOTS = threading.BoundedSemaphore(2)
"""How many parts are drawn at a time: with more, they would only take the interpreter from each other and commands."""


class ViewTexts:
    """The latest view of every table and viewer as JSON text."""

    def __init__(self) -> None:
        """Begin empty."""
        self._texts = VersionCache(MOST_BYTES_OF_VIEWS)

    def of(self, table: Table, viewer: str) -> tuple[int, str]:
        """Return version and JSON text of what the viewer may see of the table now."""

        def compute() -> tuple[int, str]:
            view = table.show(viewer)
            return int(view["version"]), json.dumps(view)

        return self._texts.get((table.id, viewer), table.version, compute)


def view_texts() -> ViewTexts:
    """Return the texts of the running application."""
    texts: ViewTexts = current_app.extensions["companion.view_texts"]
    return texts


def fragments() -> VersionCache:
    """Return the drawn parts of pages of the running application."""
    cache: VersionCache = current_app.extensions["companion.fragments"]
    return cache


def draw_fragment(
    app: Flask, name: str, key: Sequence[Hashable], values: Sequence[object], caller: Callable[[], str]
) -> str:
    """Return a fragment of a page as it was drawn before, or drawn now where one of its values has changed since.

    For ``{% call draw_fragment(...) %}`` in templates: most lines of a page stand as they did before a command.

    Args:
        app: the application whose page is drawn.
        name: what the fragment is.
        key: which one of its name, in which language.
        values: all that the fragment shows or depends on.
        caller: draws it.

    """
    cache: VersionCache = app.extensions["companion.fragments"]
    return cache.get((name, *key), tuple(values), caller)


def note_books() -> NoteBooks:
    """Return the notes of the running application, for its pages and its JSON interface."""
    books: NoteBooks = current_app.extensions["companion.notes"]
    return books
