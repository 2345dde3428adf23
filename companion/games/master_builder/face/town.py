"""The town: every building that was finished, in the order in which they were, drawn from the position."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.master_builder.face.scene import Scene
from companion.service.table.listing import amendable, as_it_stands

FRONT = 6
"""So many buildings stand in the front row; older ones step back."""


@dataclass(frozen=True, slots=True)
class Building:
    """A finished building: the contract ``card``, whose it is, its ``title``, ``kind`` and ``number``."""

    card: str
    player: str
    title: str
    kind: str
    number: int


@dataclass(frozen=True, slots=True)
class Town:
    """The buildings of a town, oldest first: those that stepped ``back``, and those in ``front``."""

    back: tuple[Building, ...]
    front: tuple[Building, ...]

    @property
    def newest(self) -> Building | None:
        """The building that was finished last."""
        return self.front[-1] if self.front else None


def town(scene: Scene) -> Town:
    """Give every finished building; whose completion no entry tells of (a game taken over) stands at the beginning."""
    owners = {card: player for player, seen in scene.players.items() for card in seen["completed"]}
    finished = [card for card in dict.fromkeys(_paid(scene)) if card in owners]
    known = set(finished)
    cards = [*sorted(card for card in owners if card not in known), *finished]
    buildings = [_building(scene, card, owners[card]) for card in cards]
    behind = max(0, len(buildings) - FRONT)
    return Town(tuple(buildings[:behind]), tuple(buildings[behind:]))


def _building(scene: Scene, card: str, player: str) -> Building:
    lot = scene.contract(card)
    return Building(card, player, lot["title"], lot["kind"], lot["number"])


def _paid(scene: Scene) -> Iterator[str]:
    """Give the contracts in the order in which they were paid, as the journal stands now."""
    for entry in scene.entries:
        if amendable(entry):
            yield from (one["contract"] for one in as_it_stands(entry)["events"] if one["event"] == "PricePaid")
