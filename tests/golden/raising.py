"""Which sections are raised one after the other, and by whom."""

from companion.games.master_builder.rules.catalog import RANK
from tests.golden.stored import Json, deck

TYPES = {card.id: card.type for card in deck().workers}


def in_building_order(places: Json) -> list[str]:
    """Put the sections of a house so that each may follow those before it; a city wall's stand so already."""
    return sorted(places, key=lambda name: (name.startswith("roof"), name[-1] if "side" not in name else name[5], name))


def staffed(places: Json, crew: list[str]) -> dict[str, list[str]]:
    """Return the team of each place, of the least competent who suffice; empty where somebody is missing."""
    free = list(crew)
    teams: dict[str, list[str]] = {name: [] for name in places}
    codes = [(RANK[code], name) for name, team in places.items() for code in team]
    for rank, name in sorted(codes, reverse=True):
        able = [worker for worker in free if RANK[TYPES[worker]] >= rank]
        if not able:
            return {}
        teams[name].append(able[0])
        free.remove(able[0])
    return teams
