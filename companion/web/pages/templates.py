"""Jinja as the pages use it: its environment, compiled templates on the disk, and compilation beside the start."""

import gc
import logging
import pickle
import re
import sys
from collections.abc import Callable, MutableMapping
from functools import partial
from importlib.metadata import version
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any

from flask import Flask
from flask.templating import Environment as FlaskEnvironment
from jinja2 import Environment, Template, TemplateError
from jinja2.bccache import Bucket, FileSystemBytecodeCache
from jinja2.ext import Extension
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape

from companion.resources import templates_folder
from companion.service.runtime import BackgroundTask
from companion.words.words import LANGUAGES, load_translations

log = logging.getLogger(__name__)

REVISION = 1
"""To be raised when the extension of the environment, or a filter that is applied to constants, changes: compiled
templates depend on them, and their sources do not show it."""
_ELSEWHERE = ""


# What Jinja does a hundred times for each part of a page, in fewer steps; results are the same.

_FUNCTIONS = frozenset({FunctionType, MethodType, partial})
_MEMBERS_OF_DICT = frozenset(dir(dict))


def escape_output(value: Any) -> Any:
    """Return a value as text of a page; text is escaped, markup is not.

    Equals ``escape`` of MarkupSafe, which makes new markup of each value, also of what is markup already.
    """
    kind: object = type(value)
    if kind is Markup or (kind is str and value.isalnum()):
        return value
    return str(value) if kind is int else escape(value)


class PageContext(Context):
    """The variables of a template; it calls functions and macros without asking what else they might be."""

    def call(__self, __obj: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:  # noqa: N805, PYI063 - as Jinja's
        """Return what a function returns, given the same arguments."""
        kind = type(__obj)
        if kind is not Macro and (kind not in _FUNCTIONS or hasattr(__obj, "jinja_pass_arg")):
            return super().call(__obj, *args, **kwargs)
        if kwargs:
            kwargs.pop("_block_vars", None)
            kwargs.pop("_loop_vars", None)
        if kind is Macro:
            return __obj(__self.eval_ctx, *args, **kwargs)
        try:
            return __obj(*args, **kwargs)
        except StopIteration as ended:
            return __self.environment.undefined(f"no value: {ended!r}")


class PageTemplate(Template):
    """A template that writes its values by ``escape_output``."""

    @classmethod
    def from_code(cls, *compiled: Any, **how: Any) -> Template:
        """Make a template of compiled code, given what Jinja gives."""
        template = super().from_code(*compiled, **how)
        template.root_render_func.__globals__["escape"] = escape_output
        return template


class Templates(FlaskEnvironment):
    """A Jinja environment whose globals are one dictionary: the many imports of a page need no chained look-ups."""

    context_class = PageContext
    template_class = PageTemplate

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return a member of an object; of a dictionary, which positions are made of, without trying its attributes."""
        if type(obj) is dict and attribute in obj and attribute not in _MEMBERS_OF_DICT:
            members: dict[str, Any] = obj
            return members[attribute]
        return super().getattr(obj, attribute)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template; names registered later are not among them."""
        return {**self.globals, **(d or {})}


class Unindented(Extension):
    """Removes the indentation of templates, which would be half of the size of a page."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the source without indentation; one space remains after a tag, whose line end is removed too."""
        del name, filename
        return re.sub(r"\n[ \t]+", "\n", re.sub(r"(?<=[%#]})\n[ \t]+", "\n\v", source)).replace("\v", " ")


class TemplateCache(FileSystemBytecodeCache):
    """Stores the program's own templates beside its libraries; those of games from elsewhere are compiled anew.

    As Python keeps compiled modules: to compile all templates takes a core of a Pi ten seconds.
    Jinja compares the sources.  Where the folder belongs to somebody else, everything is compiled at each start.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Make the folder if it can be made; by default one for this version of Jinja."""
        folder = folder or Path(sys.prefix) / "share" / "companion" / "templates" / f"{REVISION}-{version('jinja2')}"
        self._own = templates_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as why:
            log.info("templates are compiled at each start: %s", why)
        super().__init__(str(folder))

    def get_bucket(self, environment: Environment, name: str, filename: str | None, source: str) -> Bucket:
        """Return what is kept of a template."""
        if filename is not None and Path(filename).is_relative_to(self._own):
            return super().get_bucket(environment, name, filename, source)
        return Bucket(environment, _ELSEWHERE, self.get_source_checksum(source))

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket with what is kept of it, if that is whole."""
        try:
            super().load_bytecode(bucket)
        except (OSError, EOFError, LookupError, ValueError, AttributeError, ImportError, pickle.UnpicklingError) as why:
            log.debug("a compiled template is spoilt: %s", why)
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store a compiled template, where that can be."""
        if bucket.key == _ELSEWHERE:
            return
        try:
            super().dump_bytecode(bucket)
        except OSError as why:
            log.debug("a compiled template is not kept: %s", why)


class TemplatePrecompiler(BackgroundTask):
    """Compiles the templates and reads the words beside the first requests; some seconds of a core on a Pi.

    Objects that exist then are frozen for the garbage collector: looking through them held everybody up for 60 ms every
    twenty commands.
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
