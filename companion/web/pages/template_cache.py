"""Compiled templates on the disk, as Python keeps compiled modules: all of them take a core of a Pi ten seconds."""

import logging
import pickle
import sys
from importlib.metadata import version
from pathlib import Path

from jinja2 import Environment
from jinja2.bccache import Bucket, FileSystemBytecodeCache

from companion.resources import templates_folder

log = logging.getLogger(__name__)

REVISION = 1
"""To be raised when something changes that shapes the compiled templates and stands in none of them: the extension of
the environment, or a filter that is applied to constants."""
_ELSEWHERE = ""


class TemplateCache(FileSystemBytecodeCache):
    """Stores the program's own templates beside its libraries; those of games from elsewhere are compiled anew.

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
