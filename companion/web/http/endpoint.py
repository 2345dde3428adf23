"""Endpoints: what they take and answer, described where they are handled; ``web/api/openapi.py`` collects it.

What a handler answers is written as a pydantic model, so that programs can be told.  It is described, not checked
while the program runs: tests compare each answer with its description.  What a handler takes is checked by ``Body``.

Bodies of requests are strictly parsed JSON objects, or pictures.  A request that is repeated after a lost response has
its effect once: the journal keeps the keys of commands for ever; the responses to everything else that is posted
(answers to the camera, scans, ticks) are cached here, because a repetition comes within seconds, and with those of the
other processes where there are several.
"""

import hashlib
import json
import math
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from types import NoneType
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar, get_args

from flask import Response, current_app, make_response, request
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, GetCoreSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import CoreSchema

from companion.game_api.capabilities import AnswerDescription, ArgumentName, AskedCapability, Capabilities
from companion.game_api.codec import is_utf16
from companion.service.access.logins import Caller
from companion.service.ports import AnswerStore, KeyReused, StoredAnswer
from companion.service.runtime import BoundedCache
from companion.web.http.auth import current_caller
from companion.web.http.problems import Problem

# Bodies of requests, and idempotency keys

MOST_COMMAND_BYTES = 1_000_000
MOST_PICTURE_BYTES = 20_000_000
MAX_QUOTED = 60
"""Characters of a body that are repeated in an answer."""


def read_json_object() -> dict[str, Any]:
    """Return the body of the request, a JSON object.

    Raise a ``malformed`` problem for everything else: no body, invalid UTF-8, duplicate keys, ``NaN``, numbers that
    overflow, unpaired surrogates.
    """
    body = request.get_data(cache=False)
    if not body.strip():
        raise Problem("malformed", "A JSON object is expected in the body; it is empty.")
    if is_utf16(body):
        raise Problem("malformed", "The body is UTF-16: JSON is sent as UTF-8.")
    try:
        value = json.loads(
            body.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite
        )
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as wrong:
        raise Problem("malformed", f"The body is no JSON: {wrong}.") from None
    if not isinstance(value, dict):
        raise Problem("malformed", "A JSON object is expected in the body, not a list or a bare value.")
    return value


def read_picture_bytes() -> bytes:
    """Return the body of the request, up to 20 MB.  Raise a ``malformed`` problem if it is empty."""
    request.max_content_length = MOST_PICTURE_BYTES
    body = request.get_data(cache=False)
    if not body:
        raise Problem("malformed", "The bytes of a picture are expected in the body; it is empty.")
    return body


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        keys: set[str] = set()
        for key, _ in pairs:
            if key in keys:
                raise ValueError(f"the key {json.dumps(key[:MAX_QUOTED])} comes twice")
            keys.add(key)
    return members


def _no_constant(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON number")


def _finite(figures: str) -> float:
    number = float(figures)
    if not math.isfinite(number):
        raise ValueError(f"{figures[:MAX_QUOTED]} is too large")
    return number


def page_size() -> int:
    """Return the number of ``?limit=``, for a page of a list; raise a ``malformed`` problem for any other text."""
    text = request.args.get("limit", str(USUAL_PAGE))
    size = int(text) if text.isascii() and text.isdigit() and len(text) < len("1000") else 0
    if not 1 <= size <= LARGEST_PAGE:
        raise Problem("malformed", f"limit is a number from 1 to {LARGEST_PAGE}.")
    return size


def request_key(actor: str) -> str | None:
    """Return the ``Idempotency-Key`` with the sender before it, so that nobody gets the response to another sender."""
    header = request.headers.get("Idempotency-Key")
    if header is None:
        return None
    if not re.fullmatch(r"[\x21-\x7e]{1,200}", header):
        raise Problem("malformed", "Idempotency-Key must be 1 to 200 visible ASCII characters.")
    return f"{actor}:{header}"


BANKER_BYTES, SEAT_BYTES, MOST_SEATS, BYTES_BESIDE_BODY = 2_000_000, 200_000, 20, 1_000
"""Limits of the cached responses to the banker and to one seat, and what one takes besides its body."""
RepeatableViewT = TypeVar("RepeatableViewT", bound=Callable[..., Any])


class _CachedResponse:
    """The response to one request; a repetition waits until the first one is answered."""

    __slots__ = ("answer", "answering", "body")

    def __init__(self, body: bytes) -> None:
        self.answering = threading.Lock()
        self.body = body
        self.answer: tuple[bytes, int, str] | None = None

    def size(self) -> int:
        """Return its size in bytes."""
        return BYTES_BESIDE_BODY + (0 if self.answer is None else len(self.answer[0]))


_Responses: TypeAlias = BoundedCache[_CachedResponse]


class ResponseCache:
    """The latest responses by path and key.

    The banker and each seat have room of their own, so that nobody's requests push out the responses to others.
    ``shared``: those of all processes, where there are several.
    """

    def __init__(
        self, banker_bytes: int = BANKER_BYTES, seat_bytes: int = SEAT_BYTES, shared: AnswerStore | None = None
    ) -> None:
        """Start empty."""
        self._shared = shared
        self._lock = threading.Lock()
        self._seat_bytes = seat_bytes
        self._banker = _Responses(banker_bytes, _CachedResponse.size)
        self._seats: BoundedCache[_Responses] = BoundedCache(MOST_SEATS * seat_bytes, lambda _: seat_bytes)

    def get_or_compute(
        self, caller: Caller, key: tuple[str, str], body: bytes, give: Callable[[], Response]
    ) -> Response:
        """Return the response to the same request, or compute it.  Raise ``KeyReused`` for another body.

        Responses that are problems are cached too, unexpected errors are not.
        """
        digest = hashlib.sha256(body).digest()
        with self._lock:
            responses = self._responses_to(caller)
            place = responses.get(key)
            if place is None:
                place = _CachedResponse(digest)
                responses.put(key, place)
        if place.body != digest:
            raise KeyReused
        with place.answering:
            if place.answer is None:
                answer = give() if self._shared is None else _share(self._shared, caller, key, digest.hex(), give)
                place.answer = (answer.get_data(), answer.status_code, answer.content_type)
                responses.put(key, place)
                return answer
            data, status, kind = place.answer
            return Response(data, status=status, content_type=kind)

    def _responses_to(self, caller: Caller) -> _Responses:
        if caller.is_organiser:
            return self._banker
        seat = (caller.table, caller.viewer)
        responses = self._seats.get(seat)
        if responses is None:
            responses = _Responses(self._seat_bytes, _CachedResponse.size)
            self._seats.put(seat, responses)
        return responses


def _share(
    answers: AnswerStore, caller: Caller, key: tuple[str, str], digest: str, give: Callable[[], Response]
) -> Response:
    """Return the response that another process has given to a request, or compute it and keep it for the others."""
    sender = json.dumps([caller.table, caller.viewer])
    request_id = hashlib.sha256(json.dumps([sender, *key]).encode()).hexdigest()
    claimed = answers.claim(sender, request_id, digest)
    if isinstance(claimed, StoredAnswer):
        return Response(claimed.body, status=claimed.status, content_type=claimed.content_type)
    kept: StoredAnswer | None = None
    try:
        answer = give()
        kept = StoredAnswer(answer.get_data(), answer.status_code, answer.content_type)
        return answer
    finally:
        answers.keep(request_id, claimed, kept)


def idempotent(view: RepeatableViewT) -> RepeatableViewT:
    """Decorate a view so that requests with the same ``Idempotency-Key`` have their effect once."""

    @wraps(view)
    def answered(*args: Any, **values: Any) -> Response:
        caller = current_caller()
        key = request_key(caller.viewer)
        if key is None:
            return make_response(view(*args, **values))
        cache: ResponseCache = current_app.extensions["companion.response_cache"]

        def give() -> Response:
            try:
                return make_response(view(*args, **values))
            except Problem as problem:
                return problem.response()

        return cache.get_or_compute(caller, (request.path, key), request.get_data(), give)

    return answered  # type: ignore[return-value]


# What endpoints take and answer, as it is described

MemberT = TypeVar("MemberT")
ViewT = TypeVar("ViewT", bound=Callable[..., Any])
JsonObject = dict[str, Any]


def _without_docstring(schema: JsonObject) -> None:
    schema.pop("description", None)


class Shape(BaseModel):
    """A JSON object.  One with a ``title`` is published under it as a component, all others where they are used.

    Docstrings are for readers of the code; ``json_schema_extra={"description": ...}`` publishes a meaning.
    """

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True, json_schema_extra=_without_docstring)


class ClosedShape(Shape, extra="forbid"):
    """A JSON object with no other members than these."""


class _NotNull:
    """Lets a member be left out without allowing null in its place."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        (inner,) = (part for part in get_args(source) if part is not NoneType)
        return handler.generate_schema(inner)


Omittable = Annotated[MemberT | None, _NotNull()]
"""A member that may be left out, and is then ``None``; with ``= None`` behind it."""


def described(meaning: str) -> Any:
    """Return metadata for ``Annotated`` that publishes what a member means."""
    return Field(description=meaning)


def described_only(**keywords: Any) -> Any:
    """Return metadata for ``Annotated`` with keywords of JSON Schema that are published and not checked here."""
    return Field(json_schema_extra=keywords)


def only_of_type(kind: type) -> BeforeValidator:
    """Return metadata for a ``Literal`` that refuses what merely equals one of its values, as ``false`` equals 0."""

    def check(value: Any) -> Any:
        if type(value) is not kind:
            raise ValueError(f"{kind.__name__} expected")
        return value

    return BeforeValidator(check)


class Body(Generic[MemberT]):
    """The JSON object that an endpoint takes."""

    def __init__(self, shape: Any, expects: str = "", described: "ByGames | None" = None) -> None:
        """Prepare reading.

        Args:
            shape: A model, or a union of models.
            expects: What is said to a client that sends anything else.
            described: What is published instead of the model where that depends on the games.
        """
        self.shape = described or shape
        self.expects = expects
        self._adapter: TypeAdapter[MemberT] = TypeAdapter(shape)
        self._adapter.rebuild(force=True)  # models that only describe answers are never built

    def read(self, expects: str | None = None) -> MemberT:
        """Return the body of the current request.

        Raise a ``malformed`` problem if it has another shape; ``expects`` says more exactly what is expected.
        """
        given = read_json_object()
        try:
            return self._adapter.validate_python(given)
        except ValidationError:
            raise Problem("malformed", expects or self.expects) from None


@dataclass(frozen=True, slots=True)
class Content:
    """A body or an answer that is not JSON alone: its type by media type, and what there is to say of it."""

    types: Mapping[str, Any]
    note: str = ""


JPEG = Content({"image/jpeg": bytes})
PICTURE = Content({"image/jpeg": bytes, "image/png": bytes})


@dataclass(frozen=True, slots=True)
class ByGames:
    """A type that depends on the installed games: ``shape`` returns it for them."""

    shape: Callable[[Sequence[Any]], Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """A good answer: what it means, the type of its JSON (or a ``Content``, or None), its status and headers.

    Of the answer of a capability (``OfGames``) the games say the meaning and add their members.
    """

    meaning: str
    shape: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Parameter:
    """A query parameter or a header that an endpoint reads."""

    name: str
    meaning: str
    shape: Any = str
    place: Literal["query", "header"] = "query"
    required: bool = False


USUAL_PAGE, LARGEST_PAGE = 50, 200
"""How much a page of a list has, unless told otherwise, and at most."""
PAGE_SIZE = Parameter(
    "limit",
    f"How much a page has at most: 1 to {LARGEST_PAGE}, else {USUAL_PAGE}.",
    Annotated[int, Field(ge=1, le=LARGEST_PAGE)],
)
PAGE_PLACE = Parameter("after", "Where the page begins: `next` of the page before.")
LANGUAGE = Parameter("lang", "The language of refusals, before Accept-Language.", Literal["en", "fr", "de"])
KEY = Parameter("Idempotency-Key", "The same key again gives the same answer.", place="header")
SEEN = Parameter("If-Match", "The version seen, bare or in double quotes.", place="header", required=True)
ETAG = {"ETag": "The version, in double quotes."}

FOR_BANKER = ("login_needed", "forbidden", "internal")
INSIDE = (*FOR_BANKER, "not_found")
"""Kinds of problems of what has an id that may be unknown, or may be kept from the caller."""
SENDING = ("malformed", "cross_site", "too_large")
"""Kinds of problems of what takes a body."""

TableId = Annotated[str, "The id of the table."]


@dataclass(frozen=True, slots=True)
class OfGames:
    """One of the capabilities of games, in place of the summary of its endpoint.

    Games give the summary, the meaning of the answer with members of their own, and the names and meanings of query
    parameters; ``arguments`` are the types of those.
    """

    capability: AskedCapability
    arguments: Mapping[ArgumentName, type] = field(default_factory=dict[ArgumentName, type])


@dataclass(frozen=True, slots=True)
class WithMembers:
    """A model of the house to which each game adds the members of its own type, with what is published of them."""

    shape: Any
    added: tuple[tuple[Any, str], ...]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The description of one endpoint, as ``endpoint`` takes it."""

    summary: str | OfGames
    answers: tuple[Answer, ...]
    problems: tuple[str, ...]
    body: Any
    parameters: tuple[Parameter, ...]

    def for_games(self, games: Iterable[Capabilities]) -> "Endpoint":
        """Return the description with what games say of their capability; in general words where none has it."""
        asked = self.summary
        if isinstance(asked, str):
            return self
        able = [can for can in games if getattr(can, asked.capability) is not None] or [Capabilities()]
        described = [can.description(asked.capability) for can in able]
        members = tuple((description.shape, description.note) for description in described)
        meaning = _each_once(description.meaning for description in described)
        return replace(
            self,
            summary=_each_once(description.summary for description in described),
            answers=tuple(
                replace(answer, meaning=meaning, shape=WithMembers(answer.shape, members)) for answer in self.answers
            ),
            parameters=(*self.parameters, *_parameters(asked, described)),
        )


def _each_once(texts: Iterable[str]) -> str:
    """Return what several games say, without what another says too."""
    return " ".join(dict.fromkeys(texts))


def _parameters(asked: OfGames, described: Sequence[AnswerDescription]) -> Iterable[Parameter]:
    """Return the query parameters that games name, each once."""
    by_name: dict[str, Parameter] = {}
    for name, shape in asked.arguments.items():
        for argument in (description.argument(name) for description in described):
            by_name.setdefault(argument.name, Parameter(argument.name, argument.meaning, shape))
    return by_name.values()


def endpoint(
    summary: str | OfGames,
    *,
    answers: Answer | tuple[Answer, ...],
    problems: tuple[str, ...] = (),
    body: Any = None,
    parameters: tuple[Parameter, ...] = (),
    counts_once: bool = False,
) -> Callable[[ViewT], ViewT]:
    """Describe a view; its name in camel case is the operation's, and its annotated arguments are the path's.

    Args:
        summary: What it does, for whoever writes programs, or the capability of games that it asks.
        answers: Its good answers.
        problems: Kinds of problems (keys of ``KINDS``) that it may answer.
        body: What it takes: a ``Body``, the type of a JSON object, or a ``Content``.
        parameters: Query parameters and headers that it reads.
        counts_once: Whether a repeated request with the same ``Idempotency-Key`` gets the first one's answer.
    """
    if counts_once:
        parameters, problems = (*parameters, KEY), (*problems, "key_reused")
    description = Endpoint(summary, answers if isinstance(answers, tuple) else (answers,), problems, body, parameters)

    def attach(view: ViewT) -> ViewT:
        handler = idempotent(view) if counts_once else view
        handler.described = description  # type: ignore[attr-defined]
        return handler

    return attach
