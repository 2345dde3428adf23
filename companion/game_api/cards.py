"""The cards of a game: their kinds, their labels, and how catalogs of them are read."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from companion.game_api.catalog_parsing import Fault, Place


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

    @abstractmethod
    def ids(self, catalog: CatalogT) -> Sequence[str]:
        """Return the id of every card."""

    def labels(self, catalog: CatalogT) -> Iterable[Label]:
        """Return the labels to print: one a card, on its front."""
        return (Label(card, card) for card in self.ids(catalog))


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
    """Return of which kind a card is; ``None``: of none of these."""
    return next((kind for kind in kinds if kind.has(card)), None)
