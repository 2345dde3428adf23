"""Chips that come to players: gathered by a roll, picked up, chosen, stolen, traded for others."""

from collections.abc import Iterator, Mapping, Sequence

from companion.engine.journal import Json
from companion.game_api.capabilities import Flight
from companion.game_api.drawing import Drawing
from companion.game_api.ui import Language
from companion.games.monopoly_builder.drawings.chips import chip
from companion.games.monopoly_builder.rules.catalog import KINDS

_SIDE = 20.0
_MOST_SEEN = 12
"""More than that at once is a cloud, in which nobody sees what goes where."""


class MonopolyBuilderFlies:
    """Shows chips on their way."""

    def flights(self, event: Json, words: Language) -> Sequence[Flight]:
        """Return a chip for each that comes to somebody."""
        middle = _SIDE / 2
        drawn: dict[str, Drawing] = {
            kind: Drawing(_SIDE, _SIDE, chip(kind, middle, middle, 9, words)) for kind in KINDS
        }
        flying = (Flight(to, drawn[kind], source) for to, kind, source in _coming(event))
        return [flight for flight, _ in zip(flying, range(_MOST_SEEN), strict=False)]


def _coming(event: Json) -> Iterator[tuple[str, str, str]]:
    """Return to whom chips come, of which kind, and from which player."""
    match event["event"]:
        case "ChipsGathered" | "ChipsPicked":
            yield from ((event["player"], kind, "") for kind in _each(event["chips"]))
        case "ChipsChosen" if event["what"] == "take":
            yield from ((event["player"], kind, "") for kind in _each(event["chips"]))
        case "ChipStolen":
            yield event["player"], event["kind"], event["from"]
        case "ParkingTraded" | "BankTraded":
            yield event["player"], event["get"], ""
        case "Traded":
            yield from ((event["with"], kind, event["player"]) for kind in _each(event["give"]["chips"]))
            yield from ((event["player"], kind, event["with"]) for kind in _each(event["get"]["chips"]))
        case _:
            pass


def _each(chips: Mapping[str, int]) -> Iterator[str]:
    return (kind for kind, count in chips.items() for _ in range(count))
