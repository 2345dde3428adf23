"""Error responses for storage that fails (disk full, read-only, failing, locked; database away), in words."""

import errno
import logging
from collections.abc import Mapping

from flask import Flask, Response, request
from werkzeug.wrappers import Response as AnyResponse

from companion.service.ports import NotStored, Why
from companion.web.http.language import words_of
from companion.web.http.problems import Problem, answer_unexpected, is_api
from companion.words import Words

BY_ERRNO: Mapping[int | None, Why] = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EROFS: "read_only",
    errno.EIO: "failing",
}

PAGE_RETRY_S = 3
"""After so many seconds a browser loads a page again by itself that could not be shown."""

_log = logging.getLogger(__name__)


def register_storage_errors(app: Flask) -> None:
    """Register handlers that distinguish storage that fails from an unexpected error."""
    app.register_error_handler(NotStored, _not_stored)
    app.register_error_handler(OSError, _not_written)


def _not_stored(fault: NotStored) -> AnyResponse:
    _log.error("%s %s could not be kept: %s", request.method, request.path, fault)
    detail = _sentence(words_of(None), fault.why)
    is_passing = fault.why in ("locked", "away")
    if not is_api():
        page = Response(f"{detail}\n", status=503 if is_passing else 507, mimetype="text/plain")
        if is_passing:
            page.headers.update({"Retry-After": "1", "Refresh": str(PAGE_RETRY_S)})
        return page
    if is_passing:
        return Problem("busy", detail, headers={"Retry-After": "1"}).response()
    return Problem("not_stored", detail, why=fault.why).response()


def _not_written(error: OSError) -> AnyResponse:
    why = BY_ERRNO.get(error.errno)
    return answer_unexpected(error) if why is None else _not_stored(NotStored(why))


def _sentence(words: Words, why: Why) -> str:
    match why:
        case "full":
            return words.say("The disk is full: nothing more can be saved. What you played is safe. Please make room.")
        case "away":
            return words.say("The database cannot be reached. What you played is safe. Please try again in a moment.")
        case "locked":
            return words.say("The journal is busy. Please try again in a moment.")
        case "read_only":
            return words.say("The disk is read-only: nothing more can be saved. What you played is safe.")
        case "failing":
            return words.say("The disk is failing: nothing more can be saved. Back up to another one.")
        case "torn":
            return words.say("The journal can no longer be read. Stop here and restore a backup.")
