"""Master Builder as tables need it: rules, JSON, and the cards as screens and the camera want them."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any, get_args

from companion.adapters import upcasts
from companion.adapters.codec import JsonCodec
from companion.games.master_builder.advice.reasons import suggestion
from companion.games.master_builder.forecast.view import forecast_view, planned, reasons_view
from companion.games.master_builder.rules.catalog import Catalog
from companion.games.master_builder.rules.commands import Command
from companion.games.master_builder.rules.differences import differences
from companion.games.master_builder.rules.events import Event
from companion.games.master_builder.rules.explaining.figures import MasterBuilderExplainer
from companion.games.master_builder.rules.game import MasterBuilder
from companion.games.master_builder.rules.state import Here, State


class MasterBuilderEdition:
    """The game over the catalogs that this installation knows."""

    secret_events = frozenset({"PlanLocked"})
    revealing_events = frozenset({"IncomePhaseBegan"})

    def __init__(self, catalogs: Mapping[str, Catalog]) -> None:
        """Take the catalogs by name."""
        self.game = MasterBuilder(catalogs)
        self.explainer = MasterBuilderExplainer()
        self.codec = JsonCodec(get_args(Command), get_args(Event), upcasts.MASTER_BUILDER)

    def catalog_json(self, state: State) -> dict[str, Any]:
        """Write the catalog that the game was started with: cards by id."""
        return catalog_json(state.catalog)

    def cards(self, state: State) -> Iterable[str]:
        """Name every card of the catalog in use."""
        return card_ids(state.catalog)

    def sitter(self, state: State, player: str) -> int:
        """Count who has left a player's seat."""
        return state.player(player).sitter if player in state.seats else 0

    def round_of(self, state: State) -> int:
        """Say which round is being played."""
        return state.round

    def differences(self, state: State, lying: Mapping[str, str]) -> list[dict[str, Any]]:
        """Say where cards in zones contradict the books."""
        return [{"difference": type(one).__name__.lower(), **asdict(one)} for one in differences(state, lying)]

    def forecast(
        self, position: Here, viewer: str, player: str, contract: str | None, bid: int | None
    ) -> dict[str, Any] | None:
        """Look ahead at a player's money, and what a contract would change; ``None``: not for this viewer."""
        return forecast_view(position, viewer, player, contract, bid)

    def suggestion(self, position: Here, player: str) -> tuple[Command, dict[str, Any]]:
        """Give the best plan that a player could lock now, and why it is."""
        advice = suggestion(position, player)
        return planned(advice), reasons_view(advice)


def card_ids(catalog: Catalog) -> tuple[str, ...]:
    """Name every card of a catalog: contracts, workers, events, economic situations."""
    decks = (catalog.contracts, catalog.workers, catalog.events, catalog.economy)
    return tuple(card.id for deck in decks for card in deck)


@lru_cache(maxsize=8)
def catalog_json(catalog: Catalog) -> dict[str, Any]:
    """Write a catalog for screens: cards by id, sections by name, words by language.

    Every screen asks for it at every change, so it is written once; nobody changes what is given.
    """
    contracts = {
        card.id: {**_card(card), "sections": {section.name: list(section.team) for section in card.sections}}
        for card in catalog.contracts
    }
    return {
        "name": catalog.name,
        "invented": catalog.invented,
        "contracts": contracts,
        "workers": {card.id: _card(card) for card in catalog.workers},
        "events": {card.id: _card(card) for card in catalog.events},
        "economy": {card.id: _card(card) for card in catalog.economy},
    }


def _card(card: Any) -> dict[str, Any]:
    fields = asdict(card)
    for words in ("names", "texts"):
        if words in fields:
            fields[words] = dict(fields[words])
    return fields
