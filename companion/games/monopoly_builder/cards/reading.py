"""Monopoly Builder's cards as the house asks for them: read, named, labelled, written for screens."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.game_api.cards import CatalogCards, card_json
from companion.game_api.catalog_parsing import Fault, Place
from companion.games.monopoly_builder.cards.checks import CHANCE_IDS, DEED_IDS, catalog_faults
from companion.games.monopoly_builder.cards.tables import catalog_from
from companion.games.monopoly_builder.rules.catalog import Catalog

DECKS = Path(__file__).parent / "decks"
PARTS = {"deed": "deeds", "chance": "chances", "reference": "references", "space": "spaces"}
"""What the tables of a file are called where a fault is one of all of them."""


class MonopolyBuilderCards(CatalogCards[Catalog]):
    """The board with its deeds, and the Chance cards."""

    bundled: Mapping[str, Path] = MappingProxyType({"house": DECKS / "house.toml"})

    def parse(self, data: Mapping[str, object]) -> tuple[Catalog, Sequence[Fault]]:
        """Read a catalog; whether it can be played with is asked once all of it can be read."""
        catalog, unreadable = catalog_from(data)
        return catalog, tuple(unreadable) or tuple(catalog_faults(catalog))

    def spoken(self, place: Place, data: Mapping[str, object]) -> str:
        """Return a part of the box: ``D05``, ``C07 effect 2``, ``space 12``, ``deeds``, ``floors``, ``foundation``."""
        head, rest = str(place[0]) if place else "game", place[1:]
        if head in PARTS and not rest:
            return PARTS[head]
        if head == "space":
            return f"space {rest[0]}"
        if head in ("deed", "chance"):
            return _card(head, rest, data)
        return PARTS.get(head, head) if head in (*PARTS, "foundation", "sets", "floors") else "game"

    def ids(self, catalog: Catalog) -> tuple[str, ...]:
        """Return every card with a label: deeds, then Chance."""
        return (*(deed.id for deed in catalog.deeds), *(chance.id for chance in catalog.chances))

    def as_json(self, catalog: Catalog) -> dict[str, Any]:
        """Write a catalog: cards by id, the ring, the foundation, what floors cost."""
        return _as_json(catalog)


def _card(head: str, rest: Place, data: Mapping[str, object]) -> str:
    """Return a card by its id where it has one of this game's, and the effect that is meant."""
    tables = data.get(head)
    index = rest[0]
    table = tables[index] if isinstance(tables, list) and isinstance(index, int) else None
    named = table.get("id") if isinstance(table, dict) else None
    if named not in (*DEED_IDS, *CHANCE_IDS):
        return PARTS[head]
    if len(rest) > 2 and rest[1] == "effects":  # noqa: PLR2004 - the card, its effects, which of them
        return f"{named} effect {int(rest[2]) + 1}"
    return str(named)


@lru_cache(maxsize=8)
def _as_json(catalog: Catalog) -> dict[str, Any]:
    """Write a catalog once: every screen asks for it at every change, and nobody changes what is given."""
    return {
        "name": catalog.name,
        "invented": catalog.invented,
        "deeds": {deed.id: card_json(deed) for deed in catalog.deeds},
        "chance": {chance.id: card_json(chance) for chance in catalog.chances},
        "spaces": [asdict(space) for space in catalog.spaces],
        "sets": dict(catalog.sets),
        "floors": [dict(floor) for floor in catalog.floors],
        "foundation": asdict(catalog.foundation),
        "references": {reference.player: asdict(reference) for reference in catalog.references},
    }
