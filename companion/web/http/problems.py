"""Problems: every answer that is an error, as RFC 9457 problem details; their kinds, and storage that fails."""

import errno
import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

from flask import Flask, Response, current_app, json, request
from pydantic import BaseModel
from werkzeug.exceptions import HTTPException, NotFound, RequestEntityTooLarge
from werkzeug.wrappers import Response as AnyResponse

from companion.engine.game import Refused
from companion.game_api.manifest import Manifest
from companion.service.access.logins import LockedOut
from companion.service.ports import (
    Forbidden,
    KeyReused,
    NotStored,
    Stale,
    TornJournal,
    UnknownAccount,
    UnknownProposal,
    UnknownTable,
    Unstorable,
    Why,
)
from companion.service.table.event_seating import TableRefused, UnknownEvent, Unseatable
from companion.web.http.language import fault_sentences, refusal, table_title, words_of
from companion.words import Words

ServiceT = TypeVar("ServiceT")
_log = logging.getLogger(__name__)


class _CatalogFault(BaseModel, extra="forbid"):
    line: int
    place: str
    detail: str


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """Members that all problems of one kind have in common.

    Attributes:
        status: HTTP status.
        title: Says what kind it is, in English.
        members: Types of members beyond those of every problem; a name that ends in ``?`` may be left out.
    """

    status: int
    title: str
    members: Mapping[str, Any] = field(default_factory=dict[str, Any])


KINDS: Mapping[str, ProblemKind] = {
    "malformed": ProblemKind(400, "The request cannot be understood"),
    "login_needed": ProblemKind(401, "A login is needed"),
    "wrong_pin": ProblemKind(401, "That is not the PIN"),
    "forbidden": ProblemKind(403, "Not yours"),
    "cross_site": ProblemKind(403, "Another site may not do this"),
    "not_found": ProblemKind(404, "Nothing here"),
    "method_not_allowed": ProblemKind(405, "Not possible here"),
    "stale": ProblemKind(409, "The table has moved on", {"version": int}),
    "seat_taken": ProblemKind(409, "Somebody has this seat"),
    "too_large": ProblemKind(413, "Too large"),
    "refused": ProblemKind(
        422,
        "The rules say no",
        {"rule": str, "details": dict[str, Any], "faults?": list[str], "line?": int},
    ),
    "unseatable": ProblemKind(422, "People cannot be seated so", {"why": str, "figures": dict[str, Any]}),
    "key_reused": ProblemKind(422, "The same key with another body"),
    "foreign_format": ProblemKind(415, "Not in a format that is taken"),
    "unreadable": ProblemKind(422, "No picture that can be read", {"image": str, "error": str}),
    "version_needed": ProblemKind(428, "Say which version was on the screen"),
    "not_found_yet": ProblemKind(409, "Nothing to keep yet"),
    "locked_out": ProblemKind(429, "Too many wrong PINs"),
    "internal": ProblemKind(500, "Something went wrong here", {"reference": str}),
    "busy": ProblemKind(503, "Too much at once", {"why?": str, "meanwhile?": str}),
    "misdirected": ProblemKind(421, "Meant for somebody else"),
    "not_stored": ProblemKind(507, "It could not be kept", {"why": str}),
    "unteachable": ProblemKind(422, "Not on such a card", {"field": str}),
    "no_card": ProblemKind(422, "No card to be seen", {"why": str}),
    "no_sheet": ProblemKind(422, "No printer sheet that tells"),
    "unfinished": ProblemKind(422, "It does not add up yet"),
    "catalog_faulty": ProblemKind(422, "A catalog with faults", {"faults?": list[_CatalogFault]}),
    "backup_unfit": ProblemKind(422, "No backup that can be put in place"),
}
"""Kinds of problems by name; the name is the last part of ``type``, but for a refusal, whose type leads to its rule."""

_OF_HTTP = ("login_needed", "forbidden", "not_found", "method_not_allowed", "too_large", "foreign_format", "busy")
_KIND_OF_STATUS = {KINDS[kind].status: kind for kind in _OF_HTTP}
"""Kinds by which errors of HTTP itself are answered; all others are ``malformed`` or ``internal``."""


class Problem(Exception):  # noqa: N818 - an answer, not an error of the program
    """An answer that is a problem: its kind (a key of ``KINDS``), a sentence, headers and further members.

    ``status`` stands instead of the kind's own where HTTP says it more exactly.
    """

    def __init__(
        self,
        kind: str,
        detail: str,
        *,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        **members: object,
    ) -> None:
        """Keep what the answer will say."""
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.status = status or KINDS[kind].status
        self.headers = dict(headers or {})
        self.members = members
        self.type = ""

    def response(self) -> Response:
        """Return it as ``application/problem+json``."""
        body = {
            "type": self.type or f"/api/v1/openapi.json#/components/responses/{self.kind}",
            "title": KINDS[self.kind].title,
            "status": self.status,
            "detail": self.detail,
            **self.members,
        }
        answer = Response(json.dumps(body) + "\n", status=self.status, mimetype="application/problem+json")
        answer.headers.extend(self.headers)
        return answer


def require(part: ServiceT | None, missing: str) -> ServiceT:
    """Return a part that not every installation has.  Raise a ``not_found`` problem, which says so, if it is None."""
    if part is None:
        raise Problem("not_found", missing)
    return part


def callers_words() -> Words:
    """Return the words of the caller's language, for sentences of problems."""
    return words_of(None)


def is_api() -> bool:
    """Return whether the request went to the JSON interface, and not to a page."""
    return request.path == "/api" or request.path.startswith("/api/")


def problem_of_refusal(
    refused: Refused,
    names: Mapping[str, str],
    catalog: Mapping[str, Any] | None = None,
    game: Manifest | None = None,
) -> Problem:
    """Return a refusal as a problem in the caller's language; its type leads to the rule.

    ``names``: player ids to names.
    """
    sentence, several = refusal(refused, names, catalog, game), dict[str, Any]()
    if "faults" in refused.details:
        several["faults"] = fault_sentences(refused, names, catalog, game)
    problem = Problem("refused", sentence, rule=refused.rule, details=dict(refused.details), **several)
    problem.type = f"/rules{_rules_path(game)}#{refused.rule}"
    return problem


def _rules_path(game: Manifest | None) -> str:
    """Return the query that selects a game's rules; empty for the game that the page shows by itself."""
    first = next(iter(current_app.extensions["companion"].tables.games), None)
    return "" if game is None or game.name == first else f"?game={game.name}"


def register_problems(app: Flask, render_nothing_here: Callable[[str, str], str]) -> None:
    """Register handlers that turn every exception of a view into a response.

    ``render_nothing_here`` makes the page of an address that leads nowhere, of a title and a sentence.
    """
    app.register_error_handler(Problem, Problem.response)
    app.register_error_handler(Refused, partial(_refused, render_nothing_here))
    app.register_error_handler(Stale, _stale)
    app.register_error_handler(Forbidden, _forbidden)
    app.register_error_handler(KeyReused, _key_reused)
    app.register_error_handler(LockedOut, _locked_out)
    app.register_error_handler(Unstorable, _unstorable)
    app.register_error_handler(UnknownTable, _unknown)
    app.register_error_handler(TornJournal, _unknown)
    app.register_error_handler(UnknownEvent, _unknown)
    app.register_error_handler(Unseatable, _unseatable)
    app.register_error_handler(TableRefused, _table_refused)
    app.register_error_handler(UnknownProposal, _question_over)
    app.register_error_handler(UnknownAccount, _unknown)
    app.register_error_handler(HTTPException, partial(_http, render_nothing_here))
    app.register_error_handler(Exception, answer_unexpected)


def _refused(render_nothing_here: Callable[[str, str], str], refused: Refused) -> Response:
    """Return a refusal as a problem, or to somebody who looks at a page as one that begins with its first sentence."""
    problem = problem_of_refusal(refused, {})
    if not _wants_page():
        return problem.response()
    title, _, detail = problem.detail.partition(". ")
    return Response(render_nothing_here(title, detail), status=problem.status)


def _stale(stale: Stale) -> Response:
    detail = words_of(None).say("Something happened at the table in the meantime; look again.")
    headers = {"ETag": f'"{stale.version}"'}
    return Problem("stale", detail, headers=headers, version=stale.version).response()


def _forbidden(_: Forbidden) -> Response:
    return Problem("forbidden", words_of(None).say("This is not yours to see or to do.")).response()


def _key_reused(_: KeyReused) -> Response:
    detail = "This Idempotency-Key was used before, with another command."
    return Problem("key_reused", detail).response()


def _unstorable(_: Unstorable) -> Response:
    return Problem("malformed", "An id or a name has a NUL character, which cannot be stored.").response()


def _locked_out(locked: LockedOut) -> Response:
    detail = f"Too many wrong PINs. Try again in {locked.retry_after} seconds."
    headers = {"Retry-After": str(locked.retry_after)}
    return Problem("locked_out", detail, headers=headers).response()


def busy_with_pictures(retry_after: int) -> Problem:
    """Return that as many pictures are being read as may be at a time."""
    detail = words_of(None).say("Other pictures are being read; try again.")
    return Problem("busy", detail, headers={"Retry-After": str(retry_after)})


def _unknown(_: Exception) -> AnyResponse:
    """Return a problem, or to pages the page for an unknown address."""
    if is_api():
        detail = words_of(None).say("There is no such table, event, proposal or account.")
        return Problem("not_found", detail).response()
    return current_app.make_response(current_app.handle_http_exception(NotFound()))


def _question_over(unknown: UnknownProposal) -> AnyResponse:
    """Return that a question or proposal is answered, or ended with the process in which it was kept."""
    if not is_api():
        return _unknown(unknown)
    return Problem(
        "not_found", words_of(None).say("This question is over. Ask again, or lay the card again.")
    ).response()


def _unseatable(fault: Unseatable) -> Response:
    return Problem(
        "unseatable", _seating_sentence(words_of(None), fault), why=fault.why, figures=fault.figures
    ).response()


def _table_refused(fault: TableRefused) -> Response:
    """Return what a game refuses at a table of an event, with the table for which it does."""
    game = current_app.extensions["companion"].tables.games.get(fault.game)
    problem = problem_of_refusal(fault.refused, {}, game=game.manifest if game else None)
    if fault.table:
        title = table_title(fault.table)
        problem.detail = words_of(None).say("{table}: {detail}", table=title, detail=problem.detail)
    return problem.response()


def _seating_sentence(words: Words, fault: Unseatable) -> str:
    figures = fault.figures
    match fault.why:
        case "nobody":
            return words.say("Paste a list of people, or say how many tables to open.")
        case "tables":
            return words.say("An event has 1 to {most} tables.", **figures)
        case "too_few":
            return words.say("Too few people: {count}. Tables: {tables}, with at least {least} at each.", **figures)
        case "too_many":
            return words.say("For {count} people open at least {needed} tables: at most {most} sit at one.", **figures)
        case "size":
            named = {**figures, "table": table_title(str(figures["table"]))}
            return words.several(
                "{table} would have {count} player; the game is for {least} to {most}.",
                "{table} would have {count} players; the game is for {least} to {most}.",
                int(str(named.pop("count"))),
                **named,
            )
        case "when":
            return words.say("Give a day from {first} to {last}, or leave it empty.", **figures)
        case "long_name" | "unseen_name" | "table_twice":
            return _name_sentence(words, fault)
        case "outdated" | "begun" | "still_seated" | "place_twice":
            return _change_sentence(words, fault)
        case _:
            return words.say("Line {number} of the list is not a table and a name, such as: 3, Anna", **figures)


def _name_sentence(words: Words, fault: Unseatable) -> str:
    """Return why an event or its tables cannot be called so."""
    match fault.why:
        case "long_name":
            return words.say("The name of a table has at most {most} letters; shorten {table} …", **fault.figures)
        case "table_twice":
            return words.say("Two tables are called {table}.", **fault.figures)
        case _:
            return words.say("The names of an event and of its tables need visible letters and no hidden characters.")


def _change_sentence(words: Words, fault: Unseatable) -> str:
    """Return why an event cannot be changed so."""
    if fault.why == "outdated":
        return words.say("This event was changed somewhere else meanwhile. Load it again, and change that.")
    named = {**fault.figures, "table": table_title(str(fault.figures["table"]))}
    if fault.why == "begun":
        return words.say("{table} has begun: who sits there stays, and names are corrected at the table.", **named)
    if fault.why == "place_twice":
        return words.say(
            "{table} and {other} are one table in this plan.", **{**named, "other": table_title(str(named["other"]))}
        )
    return words.say("{player} still sits at {table}. Give everybody there another seat first.", **named)


def _http(render_nothing_here: Callable[[str, str], str], error: HTTPException) -> AnyResponse:
    if isinstance(error, NotFound) and error.response is None and _wants_page():
        words = words_of(None)
        detail = words.say("The address is mistyped, or what was here is gone.")
        return Response(render_nothing_here(words.say("There is nothing here"), detail), status=404)
    if not is_api() or error.code is None or error.code < 400:  # noqa: PLR2004 - redirects are no problems
        return error.get_response()
    kind = _KIND_OF_STATUS.get(error.code, "malformed" if error.code < 500 else "internal")  # noqa: PLR2004
    headers = {name: value for name, value in error.get_headers() if name in {"Allow", "Retry-After"}}
    detail = error.description or KINDS[kind].title
    if isinstance(error, RequestEntityTooLarge):
        most = (request.max_content_length or 0) / 1_000_000
        detail = f"This is too large: at most {most:g} MB are taken here."
    return Problem(kind, detail, status=error.code, headers=headers).response()


def _wants_page() -> bool:
    """Return whether somebody looks at a page: neither a program, nor a page that asks for a part, style or picture."""
    is_page = not is_api() and request.method == "GET" and "part" not in request.args
    return is_page and "text/html" in request.accept_mimetypes.values()


def _route() -> str:
    """Return the route of the request for the log; its path may hold an invitation, which lets people in."""
    return "an unknown address" if request.url_rule is None else request.url_rule.rule


def answer_unexpected(error: Exception) -> AnyResponse:
    """Return the response to an unexpected error; the log has the traceback under the reference in it."""
    reference = secrets.token_hex(6)
    _log.error("unexpected error %s at %s %s", reference, request.method, _route(), exc_info=error)
    detail = f"An unexpected error happened; the log has it under {reference}."
    if is_api():
        return Problem("internal", detail, reference=reference).response()
    return Response(detail + "\n", status=500, mimetype="text/plain")


# Storage that fails: disk full, read-only, failing, locked; database away

BY_ERRNO: Mapping[int | None, Why] = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EROFS: "read_only",
    errno.EIO: "failing",
}

PASSING = ("locked", "away")
"""What passes without anybody's help: pages repeat what was tapped, with its key (``static/core/unkept.js``)."""
PAGE_RETRY_S = 3
"""Seconds after which a browser reloads a page that could not be shown."""


def register_storage_errors(app: Flask, render: Callable[[str, str], str]) -> None:
    """Register handlers that distinguish storage that fails from an unexpected error.

    ``render`` makes the page that is shown instead of one that cannot be: of a sentence, and the address to try again.
    """
    app.register_error_handler(NotStored, partial(_answer_not_stored, render))
    app.register_error_handler(OSError, partial(_not_written, render))


def _answer_not_stored(render: Callable[[str, str], str], fault: NotStored) -> AnyResponse:
    _log.error("%s %s could not be kept: %s", request.method, _route(), fault)
    words = words_of(None)
    detail = _sentence(words, fault.why)
    if not is_api():
        return _page_of_fault(render, detail, is_passing=fault.why in PASSING)
    if fault.why in PASSING:
        meanwhile = words.say("Not saved anywhere yet. Trying again…")
        return Problem("busy", detail, headers={"Retry-After": "1"}, why=fault.why, meanwhile=meanwhile).response()
    return Problem("not_stored", detail, why=fault.why).response()


def _page_of_fault(render: Callable[[str, str], str], detail: str, *, is_passing: bool) -> Response:
    """Return a page that says what is wrong, and loads again by itself if that passes: a form, where it was shown."""
    if not is_passing:
        return Response(f"{detail}\n", status=507, mimetype="text/plain")
    address = f"{quote(request.path)}?{quote(request.query_string, safe='=&%+')}".rstrip("?")
    if request.method != "GET":
        referrer = urlsplit(request.referrer or "")
        address = quote(referrer.path) if referrer.netloc == request.host and referrer.path else "/"
    page = Response(render(detail, address), status=503)
    page.headers.update({"Retry-After": "1", "Refresh": f"{PAGE_RETRY_S}; url={address}"})
    return page


def _not_written(render: Callable[[str, str], str], error: OSError) -> AnyResponse:
    why = BY_ERRNO.get(error.errno)
    return answer_unexpected(error) if why is None else _answer_not_stored(render, NotStored(why))


def _sentence(words: Words, why: Why) -> str:
    match why:
        case "full":
            return words.say("The disk is full: nothing more can be saved. What you played is safe. Please make room.")
        case "away" if request.method == "GET":
            return words.say("The database cannot be reached. What you played is safe.")
        case "away":
            return words.say(
                "The database cannot be reached. This was not saved; what you played before is safe. Please try again "
                "later."
            )
        case "locked":
            return words.say("The journal is busy. Please try again in a moment.")
        case "read_only":
            return words.say("The disk is read-only: nothing more can be saved. What you played is safe.")
        case "failing":
            return words.say("The disk is failing: nothing more can be saved. Back up to another one.")
        case "torn":
            return words.say("The journal can no longer be read. Stop here and restore a backup.")
