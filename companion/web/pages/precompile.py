"""Compilation of templates at the start, so that the first page waits for none."""

import gc

from flask import Flask
from jinja2 import Environment, TemplateError

from companion.service.runtime import BackgroundTask
from companion.words.words import LANGUAGES, load_translations


class TemplatePrecompiler(BackgroundTask):
    """Compiles the templates and reads the words beside the first requests; some seconds of a core on a Pi.

    What stands then stands all evening: the collector need not look through it again, which held everybody up for 60 ms
    here every twenty commands.
    """

    def __init__(self, app: Flask) -> None:
        """Store the application."""
        super().__init__("warming", stop_timeout_s=None)
        self._templates: Environment = app.jinja_env

    def stop(self) -> None:
        """Stop, so that everything can be collected at the end of the program."""
        super().stop()
        gc.unfreeze()

    def _run(self) -> None:
        for language in LANGUAGES:
            load_translations(language)
        for name in self._templates.list_templates(extensions=["html"]):
            if self._stopping.is_set():
                return
            try:
                self._templates.get_template(name)
            except TemplateError:  # of a game from elsewhere: its page says so when somebody opens it
                continue
        gc.collect()
        gc.freeze()
