"""Men at Work's cards as the house asks for them: read, named, labelled, written for screens."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.game_api.cards import CatalogCards, Label
from companion.game_api.catalog_parsing import Fault
from companion.games.men_at_work.cards.checks import catalog_faults
from companion.games.men_at_work.cards.tables import catalog_from
from companion.games.men_at_work.rules.catalog import PLAIN, Catalog

DECKS = Path(__file__).parent / "decks"


class MenAtWorkCards(CatalogCards[Catalog]):
    """Instruction cards and the boss; a card has a label on either side, and backs are alike."""

    bundled: Mapping[str, Path] = MappingProxyType({"house": DECKS / "house.toml"})

    def parse(self, data: Mapping[str, object]) -> tuple[Catalog, Sequence[Fault]]:
        """Read a catalog; whether it can be played with is asked once all of it can be read."""
        catalog, unreadable = catalog_from(data)
        return catalog, tuple(unreadable) or tuple(catalog_faults(catalog))

    def ids(self, catalog: Catalog) -> tuple[str, ...]:
        """Return every card, the boss last."""
        return (*(card.id for card in catalog.cards), catalog.boss.id)

    def labels(self, catalog: Catalog) -> Iterable[Label]:
        """Return a front and a back a card; a plain boss has no back."""
        backs = {**{card.id: card.back for card in catalog.cards}, catalog.boss.id: catalog.boss.back}
        for card, back in backs.items():
            yield Label(card, card)
            if back != PLAIN:
                yield Label(card, back, "back")

    def as_json(self, catalog: Catalog) -> dict[str, Any]:
        """Write a catalog: cards and instructions by id, words by language."""
        return _as_json(catalog)


@lru_cache(maxsize=8)
def _as_json(catalog: Catalog) -> dict[str, Any]:
    """Write a catalog once: every screen asks for it at every change, and nobody changes what is given."""
    boss = catalog.boss
    return {
        "name": catalog.name,
        "invented": catalog.invented,
        "cards": {card.id: {"back": card.back, "girder": card.girder, "worker": card.worker} for card in catalog.cards},
        "boss": {boss.id: {"back": boss.back, "name": boss.name, "names": dict(boss.names)}},
        "instructions": {
            instruction.id: {
                "for": instruction.kind,
                "name": instruction.name,
                "names": dict(instruction.names),
                "text": instruction.text,
                "texts": dict(instruction.texts),
                "uses": dict(instruction.uses),
                "needs": list(instruction.needs),
            }
            for instruction in catalog.instructions
        },
        "box": {**catalog.box.pieces, "certificates": catalog.box.certificates, "awards": catalog.box.awards},
    }
