"""Error responses for failed writes (disk full, read-only, failing, locked), in the caller's language."""

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

_log = logging.getLogger(__name__)


def register_storage_errors(app: Flask) -> None:
    """Register handlers that distinguish a full, locked, read-only or failing disk from an unexpected error."""
    app.register_error_handler(NotStored, _not_stored)
    app.register_error_handler(OSError, _not_written)


def _not_stored(fault: NotStored) -> AnyResponse:
    _log.error("%s %s could not be kept: %s", request.method, request.path, fault)
    detail = _sentence(words_of(None), fault.why)
    if not is_api():
        return Response(f"{detail}\n", status=507, mimetype="text/plain")
    if fault.why == "locked":
        return Problem("busy", detail, headers={"Retry-After": "1"}).response()
    return Problem("not_stored", detail, why=fault.why).response()


def _not_written(error: OSError) -> AnyResponse:
    why = BY_ERRNO.get(error.errno)
    return answer_unexpected(error) if why is None else _not_stored(NotStored(why))


def _sentence(words: Words, why: Why) -> str:
    match why:
        case "full":
            return words.say("The disk is full: nothing more can be saved. What you played is safe. Please make room.")
        case "locked":
            return words.say("The journal is busy. Please try again in a moment.")
        case "read_only":
            return words.say("The disk is read-only: nothing more can be saved. What you played is safe.")
        case "failing":
            return words.say("The disk is failing: nothing more can be saved. Back up to another one.")
        case "torn":
            return words.say("The journal can no longer be read. Stop here and restore a backup.")
