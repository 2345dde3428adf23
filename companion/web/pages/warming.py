"""What is made once is made at the start: the first bid of the evening then waits for no template."""

import gc
from threading import Event, Thread

from flask import Flask
from jinja2 import Environment, TemplateError

from companion.words.words import LANGUAGES, translations


class Warming:
    """Compiles the templates and reads the words beside the first requests; some seconds of a core on a Pi.

    What stands then stands all evening: the collector need not look through it again, which held everybody up for 60 ms
    here every twenty commands.
    """

    def __init__(self, app: Flask) -> None:
        """Take the application."""
        self._templates: Environment = app.jinja_env
        self._stopping = Event()
        self._thread = Thread(target=self._warm, name="warming", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Leave off, so that everything can be cleared away at the end of the program."""
        self._stopping.set()
        self._thread.join()
        gc.unfreeze()

    def _warm(self) -> None:
        for language in LANGUAGES:
            translations(language)
        for name in self._templates.list_templates(extensions=["html"]):
            if self._stopping.is_set():
                return
            try:
                self._templates.get_template(name)
            except TemplateError:  # of a game from elsewhere: its page says so when somebody opens it
                continue
        gc.collect()
        gc.freeze()
