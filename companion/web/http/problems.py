"""Everything that goes wrong, said as RFC 9457 problem details."""

import logging
import secrets
from collections.abc import Mapping
from typing import Any

from flask import Flask, Response, current_app, json, request
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.wrappers import Response as AnyResponse

from companion.engine.errors import Refused
from companion.game_api.manifest import Manifest
from companion.service.access.logins import LockedOut
from companion.service.ports import Forbidden, KeyReused, Stale, UnknownAccount, UnknownProposal, UnknownTable
from companion.web.http.language import faults_told, refusal

_log = logging.getLogger(__name__)

TITLES: Mapping[str, str] = {
    "malformed": "The request cannot be understood",
    "login_needed": "A login is needed",
    "wrong_pin": "That is not the PIN",
    "forbidden": "Not yours",
    "cross_site": "Another site may not do this",
    "not_found": "Nothing here",
    "method_not_allowed": "Not possible here",
    "stale": "The table has moved on",
    "too_large": "Too large",
    "refused": "The rules say no",
    "key_reused": "The same key with another body",
    "foreign_format": "Not in a format that is taken",
    "unreadable": "No picture that can be read",
    "version_needed": "Say which version was on the screen",
    "not_found_yet": "Nothing to keep yet",
    "locked_out": "Too many wrong PINs",
    "internal": "Something went wrong here",
    "busy": "Too much at once",
    "misdirected": "Meant for somebody else",
    "not_stored": "It could not be kept",
    "unteachable": "Not on such a card",
    "no_card": "No card to be seen",
    "no_sheet": "No printer sheet that tells",
    "unfinished": "It does not add up yet",
    "catalog_faulty": "A catalog with faults",
    "backup_unfit": "No backup that can be put in place",
}
"""Kind of problem to its title.  The kind is the last part of ``type``; a refusal's type leads to its rule instead."""

_KIND_OF_STATUS = {401: "login_needed", 403: "forbidden", 404: "not_found", 405: "method_not_allowed"}
_KIND_OF_STATUS |= {413: "too_large", 415: "foreign_format", 503: "busy"}


class Problem(Exception):  # noqa: N818 - an answer, not an error of the program
    """An answer that is a problem: HTTP status, kind (a key of ``TITLES``), a sentence, headers and members."""

    def __init__(
        self, status: int, kind: str, detail: str, *, headers: Mapping[str, str] | None = None, **members: object
    ) -> None:
        """Take what the answer will say."""
        super().__init__(detail)
        self.status = status
        self.kind = kind
        self.detail = detail
        self.headers = dict(headers or {})
        self.members = members
        self.type = ""

    def response(self) -> Response:
        """Say it as ``application/problem+json``."""
        body = {
            "type": self.type or f"/api/v1/openapi.json#/components/responses/{self.kind}",
            "title": TITLES[self.kind],
            "status": self.status,
            "detail": self.detail,
            **self.members,
        }
        answer = Response(json.dumps(body) + "\n", status=self.status, mimetype="application/problem+json")
        answer.headers.extend(self.headers)
        return answer


def is_api() -> bool:
    """Whether the request went to the JSON interface, and not to a page."""
    return request.path == "/api" or request.path.startswith("/api/")


def refused_problem(
    refused: Refused,
    names: Mapping[str, str],
    catalog: Mapping[str, Any] | None = None,
    game: Manifest | None = None,
) -> Problem:
    """Say a refusal in the caller's language; its type is where the rule is told.

    ``names``: player ids to the names people go by.
    """
    sentence, several = refusal(refused, names, catalog, game), dict[str, Any]()
    if "faults" in refused.details:
        several["faults"] = faults_told(refused, names, catalog, game)
    problem = Problem(422, "refused", sentence, rule=refused.rule, details=dict(refused.details), **several)
    problem.type = f"/rules{_whose(game)}#{refused.rule}"
    return problem


def _whose(game: Manifest | None) -> str:
    """Say which game's rules are meant; nothing of the one that the page tells where it is not asked."""
    first = next(iter(current_app.extensions["companion"].tables.editions), None)
    return "" if game is None or game.name == first else f"?game={game.name}"


def register_problems(app: Flask) -> None:
    """Turn every exception that leaves a view into an answer."""
    app.register_error_handler(Problem, Problem.response)
    app.register_error_handler(Refused, lambda refused: refused_problem(refused, {}).response())
    app.register_error_handler(Stale, _stale)
    app.register_error_handler(Forbidden, _forbidden)
    app.register_error_handler(KeyReused, _key_reused)
    app.register_error_handler(LockedOut, _locked_out)
    app.register_error_handler(UnknownTable, _unknown)
    app.register_error_handler(UnknownProposal, _unknown)
    app.register_error_handler(UnknownAccount, _unknown)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, unexpected)


def _stale(stale: Stale) -> Response:
    detail = "Something happened at the table in the meantime; look again."
    headers = {"ETag": f'"{stale.version}"'}
    return Problem(409, "stale", detail, headers=headers, version=stale.version).response()


def _forbidden(_: Forbidden) -> Response:
    return Problem(403, "forbidden", "This is not yours to see or to do.").response()


def _key_reused(_: KeyReused) -> Response:
    detail = "This Idempotency-Key was used before, with another command."
    return Problem(422, "key_reused", detail).response()


def _locked_out(locked: LockedOut) -> Response:
    detail = f"Too many wrong PINs. Try again in {locked.retry_after} seconds."
    headers = {"Retry-After": str(locked.retry_after)}
    return Problem(429, "locked_out", detail, headers=headers).response()


def _unknown(_: Exception) -> AnyResponse:
    """Answer a page with the page that others get for an unknown address."""
    if is_api():
        return Problem(404, "not_found", "There is no such table, proposal or account.").response()
    return current_app.make_response(current_app.handle_http_exception(NotFound()))


def _http(error: HTTPException) -> AnyResponse:
    if not is_api() or error.code is None or error.code < 400:  # noqa: PLR2004 - redirects are no problems
        return error.get_response()
    kind = _KIND_OF_STATUS.get(error.code, "malformed" if error.code < 500 else "internal")  # noqa: PLR2004
    headers = {name: value for name, value in error.get_headers() if name in {"Allow", "Retry-After"}}
    return Problem(error.code, kind, error.description or TITLES[kind], headers=headers).response()


def unexpected(error: Exception) -> AnyResponse:
    """Answer an error of the program: the log keeps the traceback, under a reference that the answer names too."""
    reference = secrets.token_hex(6)
    _log.error("unexpected error %s at %s %s", reference, request.method, request.path, exc_info=error)
    detail = f"An unexpected error happened; the log has it under {reference}."
    if is_api():
        return Problem(500, "internal", detail, reference=reference).response()
    return Response(detail + "\n", status=500, mimetype="text/plain")
