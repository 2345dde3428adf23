"""What is made once is made at the start: the first bid of the evening then waits for no template."""

import gc
from threading import Thread

from flask import Flask
from jinja2 import Environment, TemplateError

from companion.words.catalogues import LANGUAGES, translations


def warm(app: Flask) -> Thread:
    """Compile the templates and read the words beside the first requests; some seconds of a core on a Pi.

    What stands then stands all evening: the collector need not look through it again, which held everybody up for 60 ms
    here every twenty commands.
    """
    thread = Thread(target=_warm, args=(app.jinja_env,), name="warming", daemon=True)
    thread.start()
    return thread


def _warm(templates: Environment) -> None:
    for language in LANGUAGES:
        translations(language)
    for name in templates.list_templates(extensions=["html"]):
        try:
            templates.get_template(name)
        except TemplateError:  # of a game from elsewhere: its page says so when somebody opens it
            continue
    gc.collect()
    gc.freeze()
