"""Decks with the figures that a story needs, made of the House deck.  Their events leave all to the banker."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from companion.games.master_builder.rules.catalog import Catalog, ContractCard, Effect, Section
from tests.opened import house_deck

QUIET = (Effect("manual"),)


@cache
def _quiet_deck() -> Catalog:
    house = house_deck()
    return replace(house, events=tuple(replace(card, effects=QUIET) for card in house.events))


def deck(
    *,
    events: Mapping[str, Sequence[Effect]] | None = None,
    contracts: Mapping[str, Mapping[str, Any]] | None = None,
    wages: Mapping[str, int] | None = None,
    reveal: Mapping[str, tuple[int, int, int]] | None = None,
) -> Catalog:
    """Return a deck: events by id, ``price``, ``cost`` and ``sections`` of contracts, wages by type, reveals by id.

    ``contracts`` under ``"*"`` change all of them, ``wages`` and ``reveal`` alike.
    """
    quiet = _quiet_deck()
    changed, wage, shown = contracts or {}, wages or {}, reveal or {}
    return replace(
        quiet,
        events=tuple(replace(card, effects=tuple((events or {}).get(card.id, QUIET))) for card in quiet.events),
        contracts=tuple(
            _changed(card, {**changed.get("*", {}), **changed.get(card.id, {})}) for card in quiet.contracts
        ),
        workers=tuple(replace(card, wage=wage.get(card.type, wage.get("*", card.wage))) for card in quiet.workers),
        economy=tuple(replace(card, reveal=shown.get(card.id, shown.get("*", card.reveal))) for card in quiet.economy),
    )


def _changed(card: ContractCard, changes: Mapping[str, Any]) -> ContractCard:
    teams = changes.get("sections", {})
    sections = tuple(
        Section(section.name, tuple(teams.get(section.name, teams.get("*", section.team)))) for section in card.sections
    )
    return replace(card, price=changes.get("price", card.price), cost=changes.get("cost", card.cost), sections=sections)
