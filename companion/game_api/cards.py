"""The cards of a game: their kinds, their labels, and how catalogs of them are read."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypeVar, cast, get_args, get_origin, get_type_hints

from companion.game_api.catalog_parsing import Fault, Fields, Place, catalog_fields, spoken_item
from companion.game_api.ui import Language


@dataclass(frozen=True, slots=True)
class CardKind:
    """A kind of card: its name, the pattern (a regular expression) of its ids, its table in a catalog as JSON.

    Letters mean something only within their game; ``X`` is kept for command cards.
    """

    name: str
    ids: str
    table: str = ""

    def has(self, card: str) -> bool:
        """Return whether a card is of this kind, by its id."""
        return re.fullmatch(self.ids, card, re.ASCII) is not None


LABEL_FORM = "an id is one to seven capital letters A to Z and digits, as in N01"
"""The form of what stands on a label behind game and print run."""
_ON_LABELS = re.compile(r"[A-Z0-9]{1,7}", re.ASCII)
_OF_COMMANDS = re.compile(r"X[0-9]{2}", re.ASCII)
"""YES, NO and the like, and those of the games."""


@dataclass(frozen=True, slots=True)
class Label:
    """A label of a card: what stands behind the print run (several cards may share one), and on which side it is."""

    card: str
    code: str
    side: str = "front"


class Cards(Protocol):
    """The cards of one game.  A catalog is whatever value its rules play with; nobody else looks into it."""

    @property
    def bundled(self) -> Mapping[str, Path]:
        """Files of the catalogs that come with the game by name, the default one first."""
        ...

    def parse(self, data: Mapping[str, object]) -> tuple[Any, Sequence[Fault]]:
        """Read a catalog from the tables of a TOML file; a stand-in with every fault of it where it is not sound."""
        ...

    def spoken(self, place: Place, data: Mapping[str, object]) -> str:
        """Return a place as people know it: ``house 8, sections.roof-1``."""
        ...

    def in_use(self, state: Any) -> Any:
        """Return the catalog that a position is played with."""
        ...

    def title(self, catalog: Any) -> str:
        """Return what a catalog is called."""
        ...

    def is_invented(self, catalog: Any) -> bool:
        """Return whether no published game has these cards."""
        ...

    def ids(self, catalog: Any) -> Sequence[str]:
        """Return every card."""
        ...

    def labels(self, catalog: Any) -> Iterable[Label]:
        """Return the labels to print, card by card."""
        ...

    def as_json(self, catalog: Any) -> dict[str, Any]:
        """Write the cards for screens.  Every screen asks at every change: it may be the same value each time."""
        ...


class Catalog(Protocol):
    """Members that the catalogs of all games have in common."""

    @property
    def name(self) -> str:
        """Return what the catalog is called."""
        ...

    @property
    def invented(self) -> bool:
        """Return whether no published game has these cards."""
        ...


CatalogT = TypeVar("CatalogT", bound=Catalog)


class CatalogCards(ABC, Generic[CatalogT]):
    """The cards of a game whose catalogs have names and whose state holds the catalog that it is played with."""

    def in_use(self, state: Any) -> CatalogT:
        """Return the catalog that a position is played with."""
        catalog: CatalogT = state.catalog
        return catalog

    def title(self, catalog: CatalogT) -> str:
        """Return what a catalog is called."""
        return catalog.name

    def is_invented(self, catalog: CatalogT) -> bool:
        """Return whether no published game has these cards."""
        return catalog.invented

    def spoken(self, place: Place, data: Mapping[str, object]) -> str:
        """Return a place with its card as people know it; lists are counted from 1."""
        return spoken_item(place, data)

    @abstractmethod
    def ids(self, catalog: CatalogT) -> Sequence[str]:
        """Return the id of every card."""

    def labels(self, catalog: CatalogT) -> Iterable[Label]:
        """Return the labels to print: one a card, on its front."""
        return (Label(card, card) for card in self.ids(catalog))


# A catalog that is a list of cards, read as the dataclass of a card says.

CardT = TypeVar("CardT")


@dataclass(frozen=True, slots=True)
class ListedCatalog(Generic[CardT]):
    """A catalog: its name, whether no published game has these cards, and the cards, which have an ``id``."""

    name: str
    invented: bool
    cards: tuple[CardT, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The id of every card."""
        return tuple(str(getattr(card, "id")) for card in self.cards)  # noqa: B009 - of any dataclass

    def card(self, card: str) -> CardT:
        """Return a card by its id; raise ``KeyError`` where there is none."""
        return dict(zip(self.ids, self.cards, strict=True))[card]

    def of(self, kind: type) -> tuple[str, ...]:
        """Return the ids of the cards of one dataclass, in a catalog with several."""
        return tuple(card for card, listed in zip(self.ids, self.cards, strict=True) if isinstance(listed, kind))


class ListedCards(CatalogCards[ListedCatalog[Any]]):
    """The cards of a game whose catalogs are lists of dataclasses: parser, labels and JSON out of their fields.

    A TOML file has ``game``, ``name``, ``invented`` if it is so, and a ``[[table]]`` for each card.  Fields of a card
    are ``str``, ``int``, ``bool``, a ``Literal`` of words, or ``Translations`` (``names``, ``texts``); those with a
    default may be left out.  What only some cards have is ``int | None = None``, say: on others it is not shown.

    A catalog with cards of several kinds has a table and a dataclass for each (``also``); the event that begins the
    game has a ``ListedCatalog[Order | Stall]`` then, of dataclasses whose fields have different names.
    """

    def __init__(self, game: str, card: Any, table: str, *files: Path, also: Mapping[str, Any] | None = None) -> None:
        """Store the game, the dataclass of a card, its table in files and in JSON, and the bundled files.

        Raises:
            TypeError: where two dataclasses have the same fields, so that a saved game could not tell them apart.

        """
        self.bundled: Mapping[str, Path] = {file.stem: file for file in files}
        self._game, self._kinds = game, {table: card, **(also or {})}
        names = [{declared.name for declared in fields(kind)} for kind in self._kinds.values()]
        if any(names.count(each) > 1 for each in names):
            message = f"the cards of {', '.join(self._kinds)} have the same fields: give one of them a field of its own"
            raise TypeError(message)

    def parse(self, data: Mapping[str, object]) -> tuple[ListedCatalog[Any], Sequence[Fault]]:
        """Read a catalog; every fault of it is returned."""
        whole = catalog_fields(data, self._game)
        name, invented = whole.words("name"), whole.flag("invented")
        cards = {
            table: [_read_card(part, kind) for part in whole.subtables(table)] for table, kind in self._kinds.items()
        }
        whole.finish()
        catalog = ListedCatalog(name, invented, tuple(card for listed in cards.values() for card in listed))
        codes = {label.card: label.code for label in self.labels(catalog) if label.side == "front"}
        ids = {table: [str(card.id) for card in listed] for table, listed in cards.items()}
        unread = {fault.place for fault in whole.faults}
        faults = [fault for fault in _faults_of_ids(ids, codes) if fault.place not in unread]
        return catalog, (*whole.faults, *faults)

    def ids(self, catalog: ListedCatalog[Any]) -> Sequence[str]:
        """Return the id of every card."""
        return catalog.ids

    def as_json(self, catalog: ListedCatalog[Any]) -> dict[str, Any]:
        """Write the cards by id in their tables."""
        tables = {
            table: {card.id: card_json(card) for card in catalog.cards if type(card) is kind}
            for table, kind in self._kinds.items()
        }
        return {"name": catalog.name, "invented": catalog.invented, **tables}


def _read_card(part: Fields, kind: Any) -> Any:
    defaults = {declared.name: declared.default for declared in fields(kind) if declared.default is not MISSING}
    values = {
        name: defaults[name] if name in defaults and name not in part.values else read_field(part, name, hint)
        for name, hint in get_type_hints(kind).items()
    }
    for name in defaults:
        part.take(name)
    part.finish()
    return kind(**values)


def _faults_of_ids(ids: Mapping[str, Sequence[str]], codes: Mapping[str, str]) -> Iterator[Fault]:
    """Yield the tables without cards, and the ids that stand twice, in whichever tables, or cannot be on a label.

    ``codes``: what is on the label of a card's front, where it has one; it cannot be that of a command card.
    """
    before: list[str] = []
    for table, cards in ids.items():
        if not cards:
            yield Fault((table,), f"no cards: write a [[{table}]] for each")
        for place, card in enumerate(cards):
            code = codes.get(card, "")
            if card in codes and not _ON_LABELS.fullmatch(code):
                yield Fault((table, place, "id"), f"{code[:20]!r} cannot stand on a label: {LABEL_FORM}")
            elif _OF_COMMANDS.fullmatch(code):
                yield Fault((table, place, "id"), f"{code} is kept for a command card: give this card another id")
            elif card and card in before:
                yield Fault((table, place, "id"), f"{card} stands twice: give each card an id of its own")
            before.append(card)


def read_field(part: Fields, name: str, hint: Any) -> Any:
    """Read a field of a card by its type; raise ``TypeError`` for a type that a file cannot hold."""
    if get_origin(hint) is Literal:
        return part.one_of(name, get_args(hint))
    if len(kinds := set(get_args(hint)) - {type(None)}) == 1 and type(None) in get_args(hint):
        return read_field(part, name, kinds.pop())
    if hint is str:
        return part.words(name)
    if hint is bool:
        return part.flag(name)
    if hint is int:
        return part.whole(name, "1") or 0
    if hint == tuple[tuple[str, str], ...]:  # Translations
        return part.translations(name)
    message = f"a card's field {name} is {hint}: write str, int, bool, Translations or a Literal, or one of them | None"
    raise TypeError(message)


def card_json(card: Any) -> dict[str, Any]:
    """Return a card as JSON; its names and texts by language."""
    members = asdict(card)
    for words in ("names", "texts"):
        if words in members:
            members[words] = dict(members[words])
    return members


def codes_of_backs(labels: Iterable[Label]) -> frozenset[str]:
    """Return what stands on labels that are no card's front: several cards may bear one."""
    return frozenset(label.code for label in labels if label.side != "front")


def kind_of(kinds: Iterable[CardKind], card: str) -> CardKind | None:
    """Return the kind of a card; ``None``: it is of none of these."""
    return next((kind for kind in kinds if kind.has(card)), None)


# A card in words, for paper and screens of a game that does not draw it.

_NO_FIGURES = frozenset({"id", "name", "names", "texts"})


@dataclass(frozen=True, slots=True)
class WordedCard:
    """A card in a reader's words: its name, its figures with their labels, and its text."""

    name: str
    facts: tuple[tuple[str, str], ...] = ()
    text: str = ""


def fields_of_card(catalog: Mapping[str, Any], card: str) -> Mapping[str, Any]:
    """Return the fields of a card in a catalog's JSON, from the table that holds it."""
    tables = (cast("Mapping[str, Any]", table) for table in catalog.values() if isinstance(table, Mapping))
    fields = (cast("Mapping[str, Any]", table[card]) for table in tables if isinstance(table.get(card), Mapping))
    return next(fields, dict[str, Any]())


def worded_card(card: str, fields: Mapping[str, Any], words: Language) -> WordedCard:
    """Return a card in words; its figures are those that stand before its text.

    Args:
        card: Its id.
        fields: What the catalog holds of it.
        words: The reader's language.

    """
    name = str(fields.get("names", {}).get(words.language) or fields.get("name") or card)
    facts: list[tuple[str, str]] = []
    for key, value in fields.items():
        if key in _NO_FIGURES or not isinstance(value, str | int | float) or value in ("", name):
            continue
        if key == "text":
            return WordedCard(name, tuple(facts), str(fields.get("texts", {}).get(words.language) or value))
        facts.append((words.named("field", key), _worded_figure(value, words)))
    return WordedCard(name, tuple(facts))


def _worded_figure(value: str | float, words: Language) -> str:
    if isinstance(value, bool):
        return words.say("yes") if value else words.say("no")
    return words.named("value", value) if isinstance(value, str) else str(value)
