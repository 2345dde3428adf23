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
        found = (fault for fault in catalog_faults(catalog) if not _silenced(fault, unreadable))
        return catalog, (*unreadable, *found)

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


def _silenced(fault: Fault, unreadable: Sequence[Fault]) -> bool:
    """Drop what rests on something that could not be read: it is not known to be wrong."""
    for other in unreadable:
        if fault.place[: len(other.place)] == other.place:
            return True
        if fault.rests_on is not None:
            part, field = fault.rests_on
            whole_table = len(other.place) == len(part) + 1 and isinstance(other.place[-1], int)
            if other.place[: len(part)] == part and (whole_table or other.place[-1] == field):
                return True
    return False
