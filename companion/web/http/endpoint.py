"""Descriptions of endpoints, attached where they are handled; ``web/api/openapi.py`` collects them.

What a handler answers is written as a pydantic model, so that programs can be told.  It is described, not checked
while the program runs: tests compare each answer with its description.  What a handler takes is checked by ``Body``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import NoneType
from typing import Annotated, Any, Generic, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import CoreSchema

from companion.game_api.capabilities import AnswerDescription, ArgumentName, AskedCapability, Capabilities
from companion.web.http.problems import Problem
from companion.web.http.request import idempotent, read_json_object

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
    is_open: bool

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
    is_open: bool = False,
) -> Callable[[ViewT], ViewT]:
    """Describe a view; its name in camel case is the operation's, and its annotated arguments are the path's.

    Args:
        summary: What it does, for whoever writes programs, or the capability of games that it asks.
        answers: Its good answers.
        problems: Kinds of problems (keys of ``KINDS``) that it may answer.
        body: What it takes: a ``Body``, the type of a JSON object, or a ``Content``.
        parameters: Query parameters and headers that it reads.
        counts_once: Whether a repeated request with the same ``Idempotency-Key`` gets the first one's answer.
        is_open: Whether it is there for callers who have not logged in.
    """
    if counts_once:
        parameters, problems = (*parameters, KEY), (*problems, "key_reused")
    description = Endpoint(
        summary, answers if isinstance(answers, tuple) else (answers,), problems, body, parameters, is_open
    )

    def attach(view: ViewT) -> ViewT:
        handler = idempotent(view) if counts_once else view
        handler.described = description  # type: ignore[attr-defined]
        return handler

    return attach
