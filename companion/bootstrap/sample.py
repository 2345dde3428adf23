"""The deck that the camera's check looks for while there is no table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.bootstrap import bundled_catalog, deck_of
from companion.bootstrap.games import DEFAULT_GAME
from companion.service.table.tables import Tables
from companion.vision.label.tag import Deck


@dataclass(frozen=True, slots=True)
class Sample:
    """A deck, and its cards as JSON."""

    deck: Deck
    cards: Mapping[str, Any]


def sample_of(found: Tables) -> Sample:
    """Give the default game's bundled deck, or another's where that is not installed."""
    opened = found.editions.get(DEFAULT_GAME) or next(iter(found.editions.values()))
    catalog = bundled_catalog(opened.manifest)
    return Sample(deck_of(opened.manifest, catalog), opened.cards.as_json(catalog))
