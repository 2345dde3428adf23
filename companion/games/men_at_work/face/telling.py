"""What Men at Work tells beyond its field types: pieces by number, cards by both panels, and which sentence fits."""

from typing import Any

from companion.engine.journal import Json
from companion.game_api.ui import Speaks, Telling


class MenAtWorkTells:
    """How Men at Work's events and cards are told."""

    def variant(self, event: Json) -> str:
        """Say which of an event's sentences fits."""
        match event:
            case {"event": "CardTurned", "unlike": str()}:
                return ".unlike"
            case {"event": "AccidentHappened", "lost": 0}:
                return ".kept"
            case {"event": "PiecesFell", "to": "floor"}:
                return ".floor"
            case {"event": "ForemanCardPlayed", "on": "discard"}:
                return ".discard"
            case {"event": "TurnPassed", "clean": True}:
                return ".clean"
            case {"event": "GameEnded", "by": str(by)}:
                return f".{by}"
            case {"event": "BossCorrected", "on_duty": False}:
                return ".off"
            case _:
                return ""

    def record(self, of: str, held: Any, telling: Telling) -> str:
        """Tell pieces by their number."""
        return pieces(held, telling.words) if of == "pieces" else ""

    def card(self, card: str, catalog: Json, words: Speaks) -> str | None:
        """Name an instruction card by its number and the titles of its two panels, a back by what it shows."""
        found = catalog.get("cards", {}).get(card)
        if found is None:
            return words.say_in("back", card) if card[:1] in "GH" and len(card) == len("GOP") else None
        titles = (_title(found[panel], catalog, words) for panel in ("girder", "worker"))
        return f"{card} ({' / '.join(titles)})"


def pieces(held: Any, words: Speaks) -> str:
    """List pieces: *an orange girder and 2 bricks*."""
    return words.listed(
        words.say_in("one piece", piece) if count == 1 else f"{count} {words.say_in('piece', piece)}"
        for piece, count in held.items()
        if count
    )


def _title(instruction: str, catalog: Json, words: Speaks) -> str:
    found = catalog.get("instructions", {}).get(instruction, {})
    return str(found.get("names", {}).get(words.language) or found.get("name", instruction))
