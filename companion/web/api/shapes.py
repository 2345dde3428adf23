"""JSON objects that several endpoints answer with."""

from typing import Annotated, Any, Literal

from pydantic import Field, RootModel

from companion.web.http.endpoint import ClosedShape, JsonObject, Omittable, Shape, described, described_only

Timestamp = Annotated[str, described_only(format="date-time")]
PixelCorners = list[list[float]]
"""Corners in pixels of the picture, each x and y."""


class CommandShownJson(
    Shape,
    title="CommandShown",
    json_schema_extra={"description": "A command as it was given, or as much of it as the caller may see."},
):
    """A command as it was given, or as much of it as the caller may see."""

    do: str


class PositionJson(
    RootModel[JsonObject],
    title="Position",
    json_schema_extra={
        "description": "The position of the game, as its play files print it; what the caller may not see is left out."
    },
):
    """The position of a game, as its play files print it."""


class FieldJson(Shape, title="Field"):
    """Open field of an offer."""

    kind: Literal["one_of", "some_of", "amount", "bag", "dice", "parts", "any_of_these", "any_set", "assignment"]
    values: Omittable[list[Any]] = None
    least: Omittable[int] = None
    most: Omittable[int] = None
    step: Omittable[int] = None
    kinds: Omittable[JsonObject] = None
    count: Omittable[int] = None
    faces: Omittable[int] = None
    parts: Omittable[JsonObject] = None
    sites: Omittable[JsonObject] = None
    workers: Omittable[JsonObject] = None


class OfferJson(
    Shape,
    title="Offer",
    json_schema_extra={
        "description": "A command that may be given now: its settled fields, and under fields what is open. "
        "To give it, leave out fields, urgency and by, and put the chosen fields in."
    },
):
    """A command that may be given now."""

    do: str
    player: Omittable[str] = None
    by: Omittable[str] = None
    urgency: Literal["due", "possible"]
    fields_: Annotated[dict[str, FieldJson], Field(alias="fields")]


class EventJson(Shape):
    """An event; what it holds besides is the game's."""

    event: str


Events = list[EventJson]


class AmendmentJson(Shape):
    """Amendment of an entry, and the entry that made it."""

    by: int
    command: CommandShownJson | None
    events: Events | None


class EntryJson(Shape, title="Entry"):
    """An entry of the journal."""

    seq: int
    at: Timestamp
    actor: str
    source: str
    command: CommandShownJson
    events: Events
    undone: Omittable[bool] = None
    amended: Omittable[AmendmentJson] = None


class QuestionJson(Shape):
    """The rule that keeps a card from meaning a command."""

    rule: str
    card: str
    details: JsonObject


class ProposalJson(Shape, title="Proposal"):
    """Proposal for a card, by the camera or a scanner."""

    id: int
    at: str
    card: str
    tag: str
    command: CommandShownJson | None
    zone: str
    question: QuestionJson | None
    source: Annotated[Literal["camera", "scanner"], described("What saw the card.")]
    picture: Annotated[str, described("The address of the piece of the picture.")] | None


class CardElsewhereJson(Shape):
    """A card that lies elsewhere than in the books."""

    difference: Literal["elsewhere"]
    card: str
    zone: str
    books: str


class FewerCardsJson(Shape):
    """Fewer cards of a type before a player than in the books."""

    difference: Literal["fewer"]
    player: str
    type: str
    books: int
    table: int
    cards: list[str]


class DifferenceJson(
    RootModel[CardElsewhereJson | FewerCardsJson],
    title="Difference",
    json_schema_extra={"description": "Where the table contradicts the books; told, never acted upon."},
):
    """Where the table contradicts the books."""


class CardSeenJson(Shape):
    """A card that the camera reads."""

    card: str
    zone: str | None
    corners: list[Any]


class FaceSeenJson(ClosedShape):
    """A card without a label: which it is, or which ones it looks like."""

    card: str | None
    like: list[str]


class TwinSeenJson(Shape):
    """A second label of a card that lies there already."""

    card: str
    corners: list[Any]


class ForeignCardJson(Shape):
    """A card of another game."""

    text: str
    card: str
    game: str


class SightJson(Shape, title="Sight"):
    """State of the camera at a table."""

    camera: str | None
    state: Literal["seeing", "lost", "none"]
    problem: str | None
    cards: list[CardSeenJson]
    faces: Annotated[
        list[FaceSeenJson],
        described("Cards without a label that lie in the tray: known by their faces, or null and what they look like."),
    ]
    twins: Annotated[
        list[TwinSeenJson],
        described("Labels of cards that lie there once more already; they count for nothing."),
    ]
    strangers: Annotated[list[ForeignCardJson], described("Cards of other games that lie in view.")]
    mat: Annotated[str, described("The mat that is seen; without one, all is the tray.")] | None
    differences: list[DifferenceJson]
    resumed: Annotated[bool, described("The table goes on after a restart, and nobody has played on since.")]


class AgreementJson(Shape, title="Agreement"):
    """Request of a player to another one."""

    id: int
    asker: str
    asked: str
    command: CommandShownJson
    refused: bool


class AgreementAskedJson(Shape):
    """The question that somebody is asked."""

    asked: AgreementJson


class SuggestionAskedJson(Shape):
    """Player who has asked for a suggestion by a command card."""

    id: int
    player: str


class AskedJson(Shape, title="Asked"):
    """All that is asked at a table, and what the camera sees."""

    proposals: list[ProposalJson]
    sight: SightJson
    suggest: SuggestionAskedJson | None
    readings: Annotated[int, described("Cards that led to anything since the program began.")]
    agreements: list[AgreementJson]


class FrameSizeJson(Shape):
    """A frame: its number, by which it can be fetched, and its size in pixels."""

    number: int
    width: int
    height: int


class AnsweredJson(Shape):
    """The answer, and the entry that a yes led to."""

    answer: str
    entry: EntryJson | None
