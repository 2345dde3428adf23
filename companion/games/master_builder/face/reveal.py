"""The plans that have just opened: what each player built with whom, what it brought, and what left his purse."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.engine.journal import Json
from companion.games.master_builder.face.scene import Scene
from companion.games.master_builder.rules.building import GABLES, ROOFS, section_names
from companion.service.table.listing import amendable, as_it_stands


@dataclass(frozen=True, slots=True)
class Site:
    """A building site: its card, the sections that stood ``before``, and the ``fresh`` ones in the order they settle.

    ``crews`` are the types of those who built each of them.
    """

    lot: Json
    before: tuple[str, ...]
    fresh: tuple[str, ...]
    crews: Mapping[str, tuple[str, ...]]

    @property
    def finished(self) -> bool:
        """Whether nothing is missing any more."""
        return len(self.before) + len(self.fresh) == len(section_names(self.lot["kind"]))


@dataclass(frozen=True, slots=True)
class Opened:
    """A player's plan, and dollars of ``price``, ``wages``, ``lent`` and ``repaid`` as far as they were booked."""

    player: str
    sites: tuple[Site, ...]
    price: int
    wages: int
    lent: int
    repaid: int


def opened(scene: Scene) -> tuple[Opened, ...]:
    """Give the plans that the latest entry opened, in turn order; nothing once somebody has acted since."""
    entry = scene.entries[-1] if scene.entries else None
    if entry is None or not amendable(entry):
        return ()
    events = as_it_stands(entry)["events"]
    built = {one["player"]: one["work"] for one in events if one["event"] == "SectionsBuilt"}
    return tuple(_opened(scene, player, built[player], events) for player in scene.players if built.get(player))


def _opened(scene: Scene, player: str, work: list[Json], events: list[Json]) -> Opened:
    def dollars(event: str, field: str = "amount") -> int:
        return sum(one[field] for one in events if one["event"] == event and one["player"] == player)

    return Opened(
        player,
        tuple(_site(scene, player, card, work) for card in dict.fromkeys(one["contract"] for one in work)),
        dollars("PricePaid", "price"),
        dollars("WagesPaid"),
        dollars("LoanTaken"),
        dollars("LoanRepaid"),
    )


def _site(scene: Scene, player: str, card: str, work: list[Json]) -> Site:
    lot = scene.contract(card)
    crews = {one["section"]: one["workers"] for one in work if one["contract"] == card}
    standing = scene.players[player]["contracts"].get(card, section_names(lot["kind"]))
    types = {section: tuple(scene.worker(worker)["type"] for worker in crew) for section, crew in crews.items()}
    before = tuple(section for section in standing if section not in crews)
    return Site(lot, before, tuple(sorted(crews, key=_rank)), types)


def _rank(section: str) -> tuple[bool, bool, str]:
    """Walls settle before gables, and gables before roofs."""
    return section in ROOFS, section in GABLES, section
