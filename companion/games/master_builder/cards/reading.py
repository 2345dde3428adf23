"""Master Builder's cards as the house asks for them: read, named, labelled, written for screens."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.game_api.cards import CatalogCards, card_json
from companion.game_api.catalog_parsing import Fault, Place, spoken_item
from companion.games.master_builder.cards.checks import catalog_faults
from companion.games.master_builder.cards.tables import catalog_from
from companion.games.master_builder.rules.catalog import Catalog

DECKS = Path(__file__).parent / "decks"


class MasterBuilderCards(CatalogCards[Catalog]):
    """Contracts, workers, events and economic situations."""

    bundled: Mapping[str, Path] = MappingProxyType({"house": DECKS / "house.toml"})

    def parse(self, data: Mapping[str, object]) -> tuple[Catalog, Sequence[Fault]]:
        """Read a catalog; a fault that rests on something that could not be read is not known to be one."""
        catalog, unreadable = catalog_from(data)
        places = _UnreadablePlaces(unreadable)
        return catalog, (*unreadable, *(fault for fault in catalog_faults(catalog) if not places.hide(fault)))

    def spoken(self, place: Place, data: Mapping[str, object]) -> str:
        """Return ``contract 8, sections.roof-1`` (lists counted from 1), as far as the file says which card it is."""
        return spoken_item(place, data, "number" if place[0] == "contract" else "id")

    def ids(self, catalog: Catalog) -> tuple[str, ...]:
        """Return every card: contracts, workers, events, economic situations."""
        decks = (catalog.contracts, catalog.workers, catalog.events, catalog.economy)
        return tuple(card.id for deck in decks for card in deck)

    def as_json(self, catalog: Catalog) -> dict[str, Any]:
        """Write a catalog: cards by id, sections by name, words by language."""
        return _as_json(catalog)


@lru_cache(maxsize=8)
def _as_json(catalog: Catalog) -> dict[str, Any]:
    """Write a catalog once: every screen asks for it at every change, and nobody changes what is given."""
    contracts = {
        card.id: {**card_json(card), "sections": {section.name: list(section.team) for section in card.sections}}
        for card in catalog.contracts
    }
    return {
        "name": catalog.name,
        "invented": catalog.invented,
        "contracts": contracts,
        "workers": {card.id: card_json(card) for card in catalog.workers},
        "events": {card.id: card_json(card) for card in catalog.events},
        "economy": {card.id: card_json(card) for card in catalog.economy},
    }


class _UnreadablePlaces:
    """Places of a file that could not be read, for looking up what rests on them."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        """Store the places of faults."""
        places = [fault.place for fault in faults]
        self._places = frozenset(places)
        self._tables_with_items = frozenset(place[:-1] for place in places if place and isinstance(place[-1], int))
        self._fields = frozenset((place[:length], place[-1]) for place in places for length in range(len(place)))

    def hide(self, fault: Fault) -> bool:
        """Return whether a fault rests on something that could not be read: it is not known to be one."""
        if any(fault.place[:length] in self._places for length in range(len(fault.place) + 1)):
            return True
        return fault.rests_on is not None and (
            fault.rests_on[0] in self._tables_with_items or fault.rests_on in self._fields
        )
